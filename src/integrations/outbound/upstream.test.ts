import { expect, test } from 'vitest'
import { OutboundError } from './outbound-problem.ts'
import { CircuitBreaker, CircuitOpenError, UpstreamStatusError } from './upstream.ts'

/** A call that fails with these errors, one after the other, and then succeeds; counts the calls. */
function failing(...errors: Error[]) {
  const requests = {
    count: 0,
    question: async () => {
      requests.count += 1
      const error = errors.shift()
      if (error) throw error
      return 'answer'
    },
  }
  return requests
}
const away = () => new OutboundError('unreachable', 'The connection was refused')

test('a transient error is retried, a refusal is not', async () => {
  const upstream = new CircuitBreaker('It', { retries: 2, minTimeout: 1 })
  const busy = failing(new UpstreamStatusError('It', 503), away())
  expect([await upstream.ask(busy.question), busy.count]).toEqual(['answer', 3])
  const refuses = failing(new UpstreamStatusError('It', 404), away())
  await expect(upstream.ask(refuses.question)).rejects.toThrow('It answered 404')
  expect(refuses.count).toBe(1)
  const refused = failing(new OutboundError('refused', 'The address is not on the public web'))
  await expect(upstream.ask(refused.question)).rejects.toThrow('not on the public web')
  expect(refused.count).toBe(1)
})

test('after several failures in a row the service is not called for a while, and then called again', async () => {
  const upstream = new CircuitBreaker('It', { retries: 0, maxFailures: 2, restSeconds: 1 })
  for (let n = 0; n < 2; n += 1) await expect(upstream.ask(failing(away()).question)).rejects.toThrow('refused')
  const waits = failing()
  await expect(upstream.ask(waits.question)).rejects.toThrow(CircuitOpenError)
  expect(waits.count).toBe(0)
  await expect
    .poll(() => upstream.ask(waits.question).catch(() => null), { timeout: 40_000, interval: 10 })
    .toBe('answer')
})

test.each([
  ['seconds', '30'],
  ['a date', new Date(Date.now() + 3_600_000).toUTCString()],
])('a Retry-After with %s stops calls at once, for as long as it says', async (_, retryAfter) => {
  const upstream = new CircuitBreaker('It', { retries: 2, minTimeout: 1 })
  const busy = failing(new UpstreamStatusError('It', 429, retryAfter))
  await expect(upstream.ask(busy.question)).rejects.toThrow('It answered 429')
  await expect(upstream.ask(busy.question)).rejects.toThrow(CircuitOpenError)
  expect(busy.count).toBe(1)
})
