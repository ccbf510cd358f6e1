import { expect, test } from 'vitest'
import { findSpanBefore } from './span.ts'

test('a period that is over is compared with all of the one before, a running one with as many of its days [ACCT-05]', () => {
  const february = { period: 'month', from: '2026-02-01', to: '2026-02-28', due_date: 1 } as const
  expect(findSpanBefore(february, '2026-03-01')).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  // Its last day still runs.
  expect(findSpanBefore(february, '2026-02-28')).toEqual({ from: '2026-01-01', to: '2026-01-28' })
  expect(findSpanBefore(february, '2026-02-01')).toEqual({ from: '2026-01-01', to: '2026-01-01' })
  // The month before is shorter.
  const march = { ...february, from: '2026-03-01', to: '2026-03-31' }
  expect(findSpanBefore(march, '2026-03-30')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  const cycle = { period: 'cycle', from: '2026-01-31', to: '2026-02-27', due_date: 31 } as const
  expect(findSpanBefore(cycle, '2026-02-02')).toEqual({ from: '2025-12-31', to: '2026-01-02' })
})
