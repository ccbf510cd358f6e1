import pRetry from 'p-retry'
import { OutboundError, type OutboundErrorKind } from './outbound-problem.ts'
import { parseRetryAfter } from './retry-after.ts'

/** The service answered with an error status, perhaps with how long to wait before the next request. */
export class UpstreamStatusError extends Error {
  readonly status: number
  readonly restSeconds: number | null

  constructor(name: string, status: number, retryAfter?: string) {
    super(`${name} answered ${status}`)
    this.status = status
    this.restSeconds = parseRetryAfter(retryAfter) || null
  }
}

/** The service has failed too often to be called right now. */
export class CircuitOpenError extends Error {}

const defaultOptions = {
  retries: 2,
  /** Milliseconds before the first retry; each next one waits four times as long. */
  minTimeout: 500,
  /** After this many failed calls in a row the circuit opens, for `restSeconds`. */
  maxFailures: 5,
  restSeconds: 60,
}

/** Calls an external service: retries transient errors, and after several failures in a row does not call it for a while. */
export class CircuitBreaker {
  readonly name: string
  readonly #options: typeof defaultOptions
  #failures = 0
  #openUntil = 0

  constructor(name: string, options: Partial<typeof defaultOptions> = {}) {
    this.name = name
    this.#options = { ...defaultOptions, ...options }
  }

  /** Throws `CircuitOpenError` without a call while the circuit is open, otherwise the error of the last try. */
  async ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    if (performance.now() < this.#openUntil)
      throw new CircuitOpenError(`${this.name} does not respond; it will be tried again in a moment`)
    try {
      const answer = await pRetry(call, {
        ...this.#options,
        factor: 4,
        randomize: true,
        shouldRetry: ({ error }) => isTransientError(error) && getRetryAfterSeconds(error) === null,
      })
      this.#failures = 0
      return answer
    } catch (error) {
      if (isTransientError(error)) this.#countFailure(error)
      throw error
    }
  }

  #countFailure(error: unknown) {
    this.#failures += 1
    const restSeconds = getRetryAfterSeconds(error)
    if (restSeconds === null && this.#failures < this.#options.maxFailures) return
    this.#openUntil = performance.now() + 1000 * (restSeconds ?? this.#options.restSeconds)
    this.#failures = 0
  }
}

const getRetryAfterSeconds = (error: unknown) => (error instanceof UpstreamStatusError ? error.restSeconds : null)

const transientErrorKinds: readonly OutboundErrorKind[] = [
  'unresolved',
  'unanswered',
  'unreachable',
  'closed',
  'late',
  'broken',
]
/** Returns whether a later try may succeed: the service is busy, broken, silent or unreachable. */
const isTransientError = (error: unknown) =>
  error instanceof UpstreamStatusError
    ? error.status === 429 || error.status >= 500
    : error instanceof OutboundError && transientErrorKinds.includes(error.kind)
