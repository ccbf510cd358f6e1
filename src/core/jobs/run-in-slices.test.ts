import { afterEach, expect, test, vi } from 'vitest'
import { runInSlices } from './run-in-slices.ts'

afterEach(() => void vi.useRealTimers())

test('a long computation leaves a busy process several turns for each of its own', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let [turns, isOver] = [0, false]
  const request = () => {
    if (isOver) return
    turns += 1
    work(5)
    setImmediate(request)
  }
  request()
  const slices = 10
  const sum = await runInSlices(
    (function* () {
      let added = 0
      for (let nth = 1; nth <= slices; nth += 1) {
        work(16) // longer than a slice
        added += nth
        yield
      }
      return added
    })(),
  )
  isOver = true
  expect(sum).toBe(55)
  expect(turns).toBeGreaterThan(2 * slices)
})

test('an error in it arrives', async () => {
  const steps = function* () {
    yield
    throw new Error('no facts')
  }
  await expect(runInSlices(steps())).rejects.toThrow('no facts')
})

/** However busy the machine is. */
const work = (ms: number) => void vi.advanceTimersByTime(ms)
