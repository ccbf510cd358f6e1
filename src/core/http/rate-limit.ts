import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/**
 * Returns a count of what a caller (an address, a user) does, so many times a minute: 0 where they may do it once more, else in how
 * many seconds. Each process counts for itself and each context has its own count: it bounds the work and protects no secret.
 */
export function createRateLimit(timesPerMinute: number) {
  const limiters = new WeakMap<object, RateLimiterMemory>()
  return async (context: object, caller: string | number): Promise<number> => {
    const limiter = limiters.get(context) ?? new RateLimiterMemory({ points: timesPerMinute, duration: 60 })
    limiters.set(context, limiter)
    try {
      await limiter.consume(caller)
      return 0
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw refusal
    }
  }
}

/** Returns a check whether a caller may do it once more. */
export function createRateLimiter(timesPerMinute: number) {
  const count = createRateLimit(timesPerMinute)
  return async (context: object, caller: string | number): Promise<boolean> => (await count(context, caller)) === 0
}
