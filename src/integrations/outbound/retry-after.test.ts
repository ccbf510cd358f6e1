import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T12:00:00Z') }))
afterAll(() => void vi.useRealTimers())

test.each<[header: string | undefined, seconds: number | null, source: string]>([
  ['90', 90, 'RFC 9110'],
  ['0', 0, 'RFC 9110'],
  [' 120 ', 120, 'denoland/std#7299'],
  ['0.493', 1, 'SpaceTradersAPI/api-docs#24'],
  ['299.997', 300, 'opensearch-project/data-prepper#6928'],
  ['1.5', 2, 'teng-lin/notebooklm-py#1275'],
  ['999999', 86_400, 'at most a day'],
  ['1795780860', 60, 'openclaw/clawhub#407'],
  ['1795780860000', 60, 'openclaw/clawhub#407'],
  ['1795780000', 0, 'openclaw/clawhub#407'],
  ['Fri, 27 Nov 2026 12:02:00 GMT', 120, 'RFC 9110'],
  ['Friday, 27-Nov-26 12:02:00 GMT', 120, 'denoland/std#7299'],
  ['Fri Nov 27 12:02:00 2026', 120, 'denoland/std#7299'],
  ['Fri, 27 Nov 2026 07:02:00 -0500', 120, 'a case of the kind'],
  ['2026-11-27T12:02:00Z', 120, 'a case of the kind'],
  ['2026-11-27T12:02:00', 120, 'a case of the kind'],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0, 'a time that is over'],
  ['-1', null, 'denoland/std#7299'],
  ['-30', null, 'denoland/std#7299'],
  ['120, 120', null, 'a header that was sent twice'],
  ['120junk', null, 'basecamp/basecamp-sdk#781'],
  ['1e3', null, 'cline/cline#14213'],
  ['0x10', null, 'cline/cline#14213'],
  ['soon', null, 'a case of the kind'],
  ['Fri, 99 Nov 2026 12:00:00 GMT', null, 'denoland/std#7299'],
  ['', null, 'a case of the kind'],
  [undefined, null, 'a case of the kind'],
])('Retry-After %j asks for %j seconds (%s) [MOVE-03]', (header, seconds) => {
  expect(parseRetryAfter(header)).toBe(seconds)
})
