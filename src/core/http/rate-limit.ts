import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/**
 * Returns a function that counts an action of a caller (an address, a user) and returns 0 if it is allowed, else the seconds to wait.
 * Each process and each context counts on its own: this bounds the load, it does not protect secrets.
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

/** Returns a function that counts an action of a caller and returns whether it is allowed. */
export function createRateLimiter(timesPerMinute: number) {
  const count = createRateLimit(timesPerMinute)
  return async (context: object, caller: string | number): Promise<boolean> => (await count(context, caller)) === 0
}
