import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { createOncePer } from '../once-per.ts'
import { getCallerNetwork } from './caller-network.ts'
import { tooManyRequestsError } from './errors.ts'

/**
 * Returns a function that counts an action of a caller (an address, the id of a user) and throws 429 with this message when there were too many.
 * Each process and each context counts on its own: this bounds the load, it does not protect secrets.
 */
export function createRateLimit(timesPerMinute: number, message: string) {
  const getLimiter = createOncePer(
    (_context: object) => new RateLimiterMemory({ points: timesPerMinute, duration: 60 }),
  )
  return async (context: object, caller: string | number): Promise<void> => {
    try {
      await getLimiter(context).consume(typeof caller === 'string' ? getCallerNetwork(caller) : caller)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooManyRequestsError(message, Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    }
  }
}
