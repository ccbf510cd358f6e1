import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequestsError } from './errors.ts'

/**
 * Returns a function that counts an action of a caller (an address, a user) and throws 429 with this message when there were too many.
 * Each process and each context counts on its own: this bounds the load, it does not protect secrets.
 */
export function createRateLimit(timesPerMinute: number, message: string) {
  const limiters = new WeakMap<object, RateLimiterMemory>()
  return async (context: object, caller: string | number): Promise<void> => {
    const limiter = limiters.get(context) ?? new RateLimiterMemory({ points: timesPerMinute, duration: 60 })
    limiters.set(context, limiter)
    try {
      await limiter.consume(caller)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooManyRequestsError(message, Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    }
  }
}
