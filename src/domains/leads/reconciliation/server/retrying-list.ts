import { setTimeout as pause } from 'node:timers/promises'
import { ZodError } from 'zod'
import { CallRailStatusError } from '#integrations/callrail/api.ts'

/** How long CallRail is waited for, and how long before each other try; all in milliseconds. */
export type RetryPolicy = { limit: number; waits: readonly number[] }
export const defaultRetryPolicy: RetryPolicy = { limit: 15_000, waits: [2_000, 8_000, 30_000] }

/** An account may ask a thousand times an hour, for all that it does with CallRail; a run takes less than half of that. */
const maxRequests = 400

/** No answer to be had from CallRail: it is `busy`, or it said no or nothing. What is left waits for the next run. */
export class CallRailUnavailable extends Error {
  readonly outcome: 'busy' | 'failed'

  constructor(outcome: 'busy' | 'failed', message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** Asks again, later and later, while CallRail is busy or away. What it refuses is not asked again. */
export class RetryingClient {
  #requests = 0
  readonly #patience: RetryPolicy

  constructor(patience: RetryPolicy) {
    this.#patience = patience
  }

  get limit() {
    return this.#patience.limit
  }

  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.#requests += 1
      if (this.#requests > maxRequests) throw new CallRailUnavailable('busy', `Stopped after ${maxRequests} requests`)
      try {
        return await question()
      } catch (error) {
        const wait = this.#patience.waits[attempt]
        if (wait === undefined || !isRetryable(error))
          throw new CallRailUnavailable(isRateLimited(error) ? 'busy' : 'failed', describeError(error))
        await pause(wait * (0.5 + Math.random())) // not everybody at once
      }
    }
  }
}

const isRateLimited = (error: unknown) => error instanceof CallRailStatusError && error.status === 429

function describeError(error: unknown): string {
  if (isRateLimited(error)) return 'CallRail asked for fewer requests (429).'
  if (error instanceof CallRailStatusError)
    return [401, 403].includes(error.status) ? `${error.message}: is CALLRAIL_API_KEY right?` : `${error.message}.`
  if (error instanceof ZodError) return 'CallRail answered something else than a list of calls.'
  if (error instanceof Error && error.name === 'TimeoutError') return 'CallRail did not answer in time.'
  return `CallRail is out of reach: ${error instanceof Error ? error.message : error}`
}

/** Busy, broken, silent or out of reach; but not a no. */
const isRetryable = (error: unknown) =>
  isRateLimited(error) || !(error instanceof CallRailStatusError) || error.status >= 500
