import { expect, test } from 'vitest'
import { describeSiteCheck, type SiteCheckResult } from './contract.ts'

const live: SiteCheckResult = {
  status: 1,
  http_status_code: 200,
  redirect_url: null,
  tls_expires_at: null,
  blocked: 0,
  missed: 0,
  problem: null,
  checked_at: null,
  status_since: null,
  never_live: 0,
}

test.each<[string, Partial<SiteCheckResult>]>([
  ['Live. The site answers 200', {}],
  ['Live. The site answers 200 at https://b.example/', { redirect_url: 'https://b.example/' }],
  ['Live. The certificate has expired', { problem: 'The certificate has expired' }],
  [
    'Error 500. The status stays Live until a second check fails',
    { missed: 1, http_status_code: 500, problem: 'Error 500' },
  ],
  [
    'It took too long. The status stays Live until a second check fails',
    { missed: 1, http_status_code: null, problem: 'It took too long' },
  ],
  [
    'The host has suspended this site. The status stays Live until a second check fails',
    { missed: 1, problem: 'The host has suspended this site' },
  ],
  [
    'Keeps checkers out (403). The status stays Live',
    { blocked: 1, http_status_code: 403, problem: 'Keeps checkers out (403)' },
  ],
  ['A bot wall. The status stays Live', { blocked: 1, problem: 'A bot wall' }],
  ['No IPv6 from here. The status stays Live', { http_status_code: null, problem: 'No IPv6 from here' }],
  ['Offline. Error 500', { status: 0, missed: 1, http_status_code: 500, problem: 'Error 500' }],
  ['Not reached yet. Error 500', { status: 0, never_live: 1, missed: 1, http_status_code: 500, problem: 'Error 500' }],
  ['Error 500', { status: null, missed: 1, http_status_code: 500, problem: 'Error 500' }],
])(
  'a check says “%s”: a second miss changes a status, and a check that shows nothing never [EDGE-10]',
  (words, found) => {
    expect(describeSiteCheck({ ...live, ...found })).toBe(words)
  },
)
