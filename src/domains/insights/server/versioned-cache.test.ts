import { expect, test } from 'vitest'
import { VersionedCache } from './versioned-cache.ts'

/** Work that ends when the test says so. */
function openWork() {
  const started: ((value: string) => void)[] = []
  const work = () => new Promise<string>((resolve) => void started.push(resolve))
  return { started, work }
}

test('callers share the first work, although something changes while it runs', async () => {
  const cache = new VersionedCache<string>(20)
  const { started, work } = openWork()
  const answers = [cache.read('1', work), cache.read('2', work), cache.read('3', work)]
  expect(started).toHaveLength(1)
  started[0]!('first')
  expect(await Promise.all(answers)).toEqual(['first', 'first', 'first'])
})

test('a change after quick work is read at once, a second time by no one', async () => {
  const cache = new VersionedCache<string>(20)
  expect(await cache.read('1', () => 'one')).toBe('one')
  expect(await cache.read('2', () => 'two')).toBe('two')
  expect(await cache.read('2', () => 'again')).toBe('two')
})

test('work that failed is tried again by the next caller', async () => {
  const cache = new VersionedCache<string>(20)
  await expect(cache.read('1', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await cache.read('1', () => 'one')).toBe('one')
})
