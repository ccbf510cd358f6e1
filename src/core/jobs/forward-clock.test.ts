import { afterEach, expect, test, vi } from 'vitest'
import { createForwardClock } from './forward-clock.ts'

afterEach(() => void vi.useRealTimers())

test('the clock of the job queue goes on when that of the machine is set back, and follows when it is set ahead [RUN-10]', () => {
  const hour = 3_600_000
  const today = Date.now()
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: today })
  const clock = createForwardClock()
  expect(clock.now()).toBe(today)
  vi.setSystemTime(today - hour)
  vi.advanceTimersByTime(10)
  expect(clock.now()).toBe(today + 10)
  vi.setSystemTime(today + hour)
  expect(clock.now()).toBe(today + hour)
})
