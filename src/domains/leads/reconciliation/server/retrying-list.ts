import pRetry from 'p-retry'
import { getErrorMessage } from '#contract/error-message.ts'
import { CallRailError } from '#integrations/callrail/api.ts'

/** The time limit of a request, its retries, and the delay of the first one (each later one is four times as long), in milliseconds. */
export type RetryPolicy = { limit: number; retries: number; minTimeout: number }
export const defaultRetryPolicy: RetryPolicy = { limit: 15_000, retries: 3, minTimeout: 2_000 }

/** CallRail allows an account a thousand requests an hour in total; a run uses less than half. */
const maxRequests = 400

/** CallRail returned no usable response: it is `busy`, or the request `failed`. The next run does the rest. */
export class CallRailUnavailable extends Error {
  readonly outcome: 'busy' | 'failed'

  constructor(outcome: 'busy' | 'failed', message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** Returns a function for the requests of one run: it retries while CallRail is busy or down, and throws `CallRailUnavailable`. */
export function createRetryingClient({ retries, minTimeout }: RetryPolicy) {
  let requests = 0
  return async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    const sendCounted = () => {
      requests += 1
      if (requests > maxRequests) throw new CallRailUnavailable('busy', `Stopped after ${maxRequests} requests`)
      return request()
    }
    const shouldRetry = ({ error }: { error: Error }) => isRetryable(error)
    try {
      return await pRetry(sendCounted, { retries, minTimeout, factor: 4, randomize: true, shouldRetry })
    } catch (error) {
      if (error instanceof CallRailUnavailable) throw error
      throw new CallRailUnavailable(isRateLimited(error) ? 'busy' : 'failed', describeError(error))
    }
  }
}

const isRateLimited = (error: unknown) => error instanceof CallRailError && error.kind === 'busy'

function describeError(error: unknown): string {
  if (isRateLimited(error)) return 'CallRail asked for fewer requests (429).'
  if (error instanceof CallRailError && error.kind === 'refused') return `${error.message}: is CALLRAIL_API_KEY right?`
  return `${getErrorMessage(error)}.`
}

/** Whether a retry may succeed: CallRail is busy, broken, silent or unreachable. */
const isRetryable = (error: unknown) =>
  !(error instanceof CallRailUnavailable) &&
  (isRateLimited(error) || !(error instanceof CallRailError) || error.status === null || error.status >= 500)
