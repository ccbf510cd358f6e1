import { setTimeout as pause } from 'node:timers/promises'
import { OutboundError, type OutboundErrorKind } from './outbound-problem.ts'

/** It answered, and it was no: with this status, and perhaps with how long it wants to be left alone. */
export class UpstreamStatusError extends Error {
  readonly status: number
  readonly restSeconds: number | null

  constructor(name: string, status: number, retryAfter?: string) {
    super(`${name} answered ${status}`)
    this.status = status
    const seconds = Number(retryAfter)
    this.restSeconds = retryAfter && seconds > 0 ? Math.min(seconds, 86_400) : null
  }
}

/** It has failed too often to be asked right now. */
export class CircuitOpenError extends Error {}

type RetryOptions = {
  /** Milliseconds before each other try. */
  waits?: readonly number[]
  /** After so many failed questions in a row it is left in peace. */
  most?: number
  restSeconds?: number
}

/** Somebody else's service: asked again, later and later, while it is away, and left in peace when it stays away. */
export class CircuitBreaker {
  readonly name: string
  readonly #waits: readonly number[]
  readonly #most: number
  readonly #restSeconds: number
  #failures = 0
  #restsUntil = 0

  constructor(name: string, { waits = [500, 2000], most = 5, restSeconds = 60 }: RetryOptions = {}) {
    this.name = name
    this.#waits = waits
    this.#most = most
    this.#restSeconds = restSeconds
  }

  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (performance.now() < this.#restsUntil)
      throw new CircuitOpenError(`${this.name} does not answer; it is asked again in a moment`)
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await question()
        this.#failures = 0
        return answer
      } catch (error) {
        const wait = this.#waits[attempt]
        if (!isTransientError(error)) throw error
        if (wait === undefined || getRetryAfterSeconds(error)) {
          this.#failed(error)
          throw error
        }
        await pause(wait * (0.5 + Math.random())) // not everybody at once
      }
    }
  }

  #failed(error: unknown) {
    this.#failures += 1
    const asked = getRetryAfterSeconds(error)
    if (asked === null && this.#failures < this.#most) return
    this.#restsUntil = performance.now() + 1000 * (asked ?? this.#restSeconds)
    this.#failures = 0
  }
}

const getRetryAfterSeconds = (error: unknown) => (error instanceof UpstreamStatusError ? error.restSeconds : null)

const transientErrorKinds: readonly OutboundErrorKind[] = ['unresolved', 'unreachable', 'late', 'broken']
/** Busy, broken, silent or out of reach; but not a no. */
const isTransientError = (error: unknown) =>
  error instanceof UpstreamStatusError
    ? error.status === 429 || error.status >= 500
    : error instanceof OutboundError && transientErrorKinds.includes(error.kind)
