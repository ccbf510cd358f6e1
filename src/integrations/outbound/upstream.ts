import { setTimeout as pause } from 'node:timers/promises'
import { OutboundProblem, type ProblemKind } from './outbound-problem.ts'

/** It answered, and it was no: with this status, and perhaps with how long it wants to be left alone. */
export class UpstreamAnswer extends Error {
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
export class UpstreamRests extends Error {}

type Patience = {
  /** Milliseconds before each other try. */
  waits?: readonly number[]
  /** After so many failed questions in a row it is left in peace. */
  most?: number
  restSeconds?: number
}

/** Somebody else's service: asked again, later and later, while it is away, and left in peace when it stays away. */
export class Upstream {
  readonly name: string
  readonly #waits: readonly number[]
  readonly #most: number
  readonly #restSeconds: number
  #failures = 0
  #restsUntil = 0

  constructor(name: string, { waits = [500, 2000], most = 5, restSeconds = 60 }: Patience = {}) {
    this.name = name
    this.#waits = waits
    this.#most = most
    this.#restSeconds = restSeconds
  }

  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (performance.now() < this.#restsUntil)
      throw new UpstreamRests(`${this.name} does not answer; it is asked again in a moment`)
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await question()
        this.#failures = 0
        return answer
      } catch (error) {
        const wait = this.#waits[attempt]
        if (!mayPass(error)) throw error
        if (wait === undefined || asksForRest(error)) {
          this.#failed(error)
          throw error
        }
        await pause(wait * (0.5 + Math.random())) // not everybody at once
      }
    }
  }

  #failed(error: unknown) {
    this.#failures += 1
    const asked = asksForRest(error)
    if (asked === null && this.#failures < this.#most) return
    this.#restsUntil = performance.now() + 1000 * (asked ?? this.#restSeconds)
    this.#failures = 0
  }
}

const asksForRest = (error: unknown) => (error instanceof UpstreamAnswer ? error.restSeconds : null)

const passing: readonly ProblemKind[] = ['unresolved', 'unreachable', 'late', 'broken']
/** Busy, broken, silent or out of reach; but not a no. */
const mayPass = (error: unknown) =>
  error instanceof UpstreamAnswer
    ? error.status === 429 || error.status >= 500
    : error instanceof OutboundProblem && passing.includes(error.kind)
