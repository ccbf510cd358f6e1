import { isDatabaseUnavailable } from '#core/http/errors.ts'

type PendingRequest<Input, Answer> = {
  input: Input
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Batches concurrent requests: those that come while a batch runs are handled together in the next one. A rush then costs a few
 * large batches instead of many small ones, and a single request does not wait.
 */
export class RequestBatcher<Input, Answer> {
  readonly #handle: (input: Input[]) => Promise<Answer[]>
  readonly #sizeOf: (input: Input) => number
  readonly #most: number
  #waiting: PendingRequest<Input, Answer>[] = []
  #running = false

  /** `handle` returns a result for each request, in their order. `most` bounds the total size of a batch. */
  constructor(handle: (input: Input[]) => Promise<Answer[]>, most: number, sizeOf: (input: Input) => number = () => 1) {
    this.#handle = handle
    this.#most = most
    this.#sizeOf = sizeOf
  }

  ask(input: Input): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject })
      if (!this.#running) this.#runAll()
    })
  }

  async #runAll() {
    this.#running = true
    while (this.#waiting.length > 0) await this.#run(this.#nextOnes())
    this.#running = false
  }

  #nextOnes(): PendingRequest<Input, Answer>[] {
    let size = 0
    const full = this.#waiting.findIndex(({ input }, index) => {
      size += this.#sizeOf(input)
      return index > 0 && size > this.#most
    })
    return this.#waiting.splice(0, full === -1 ? this.#waiting.length : full)
  }

  async #run(some: PendingRequest<Input, Answer>[]) {
    try {
      const answers = await this.#handle(some.map(({ input }) => input))
      for (const [index, { resolve }] of some.entries()) resolve(answers[index]!)
    } catch (error) {
      // One bad request must not fail the others.
      if (some.length > 1 && !isDatabaseUnavailable(error)) for (const one of some) await this.#run([one])
      else for (const { reject } of some) reject(error)
    }
  }
}
