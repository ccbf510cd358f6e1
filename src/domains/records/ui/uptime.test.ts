import { expect, test } from 'vitest'
import { msPerDay } from '#contract/days.ts'
import { computeUptime } from './uptime.ts'

const now = Date.parse('2026-11-27T00:00:00Z')
const change = (daysAgo: number, status: 0 | 1 | null) => ({
  created_at: new Date(now - daysAgo * msPerDay).toISOString(),
  status,
})
const show = (...args: Parameters<typeof computeUptime>) => {
  const { spans, share } = computeUptime(...args)
  return [spans.map(({ from, to, status }) => `${(to - from) / msPerDay} ${status}`), share]
}

test('the last 90 days are divided by the changes of a site; before the first its state is not known', () => {
  expect(show([change(9, 1), change(18, 0)], 1, now)).toEqual([['72 null', '9 0', '9 1'], 50])
  expect(show([change(9, 1), change(200, 0)], 1, now)).toEqual([['81 0', '9 1'], 10])
  expect(show([], 1, now)).toEqual([['90 1'], 100])
  expect(show([], null, now)).toEqual([['90 null'], null])
})
