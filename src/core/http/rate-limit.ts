import { RateLimiterMemory } from 'rate-limiter-flexible'

/**
 * Returns a check whether a caller (an address, a user) may do it once more, so many times a minute. Each process counts for
 * itself and each context has its own count: it bounds the work and protects no secret.
 */
export function createRateLimiter(timesPerMinute: number) {
  const limiters = new WeakMap<object, RateLimiterMemory>()
  return async (context: object, caller: string | number): Promise<boolean> => {
    const limiter = limiters.get(context) ?? new RateLimiterMemory({ points: timesPerMinute, duration: 60 })
    limiters.set(context, limiter)
    return limiter.consume(caller).then(
      () => true,
      () => false,
    )
  }
}
