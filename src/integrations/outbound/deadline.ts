import { OutboundError } from './outbound-problem.ts'

/** A deadline for a whole request. When it passes, or the caller aborts, everything open is destroyed. */
export class RequestDeadline {
  /** Why the request ended early. */
  problem: OutboundError | null = null
  readonly #timer: NodeJS.Timeout
  readonly #open = new Set<{ destroy(): unknown }>()
  readonly #ended = Promise.withResolvers<never>()
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = () => this.#stop(new OutboundError('late', 'The request was canceled'))

  constructor(milliseconds: number, signal?: AbortSignal) {
    this.#ended.promise.catch(() => {}) // `before` reports it
    const seconds = Math.round(milliseconds / 1000)
    this.#timer = setTimeout(
      () => this.#stop(new OutboundError('late', `No complete response within ${seconds} seconds`)),
      milliseconds,
    )
    this.#signal = signal
    if (signal?.aborted) this.#onAbort()
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** Returns the result of the work; throws if the deadline passes first. */
  before<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#ended.promise])
  }

  destroys(what: { destroy(): unknown; on(event: 'error', listener: () => void): unknown }) {
    what.on('error', () => {}) // `before` reports it; unhandled, it would end the process
    if (this.problem) what.destroy()
    else this.#open.add(what)
  }

  /** Ends the deadline and closes everything that is still open. */
  end() {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    for (const what of this.#open) what.destroy()
    this.#open.clear()
  }

  #stop(problem: OutboundError) {
    this.problem = problem
    this.end()
    this.#ended.reject(problem)
  }
}
