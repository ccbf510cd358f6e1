import { afterEach, expect, test, vi } from 'vitest'
import { PacedValue } from './paced-value.ts'

afterEach(() => void vi.useRealTimers())

/** Keeps one core busy. */
async function work(milliseconds: number) {
  const before = process.cpuUsage()
  for (let spent = 0; spent < milliseconds; ) {
    const { user, system } = process.cpuUsage(before)
    spent = (user + system) / 1000
  }
}
const at = (time: string) => new Date(`2026-11-25T${time}Z`)

test('an expensive value is kept for a while and computed again at the whole hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const paced = new PacedValue<number>()
  let computed = 0
  const ask = (time: string) =>
    paced.get(at(time), async () => {
      await work(60)
      computed += 1
      return computed
    })
  expect([await ask('10:00:00'), await ask('10:01:00'), await ask('10:02:00')]).toEqual([1, 1, 1])
  vi.advanceTimersByTime(20_000) // less than 400 times 60 ms
  expect(await ask('10:03:00')).toBe(1)
  vi.advanceTimersByTime(3_600_000)
  expect([await ask('10:59:00'), await ask('10:59:59')]).toEqual([2, 2])
  expect([await ask('11:00:00'), await ask('11:01:00')]).toEqual([3, 3])
})

test('a cheap value is always computed again', async () => {
  const paced = new PacedValue<number>()
  let computed = 0
  const ask = () => paced.get(at('10:00:00'), async () => ++computed)
  expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 3])
})

test('a value that could not be computed is asked for again', async () => {
  const paced = new PacedValue<number>()
  await expect(paced.get(at('10:00:00'), () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await paced.get(at('10:00:00'), async () => 7)).toBe(7)
})
