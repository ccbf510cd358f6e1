import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { RequestDeadline } from './deadline.ts'
import { OutboundError, type OutboundHop, toOutboundError } from './outbound-problem.ts'

type ResponseOptions = { hops: OutboundHop[]; deadline: RequestDeadline; mostBytes: number }

/** An answer whose body is still to come, within its time and size. Whoever has it reads it to the end or closes it. */
export class OutboundResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Every answer on the way; the last is this one. */
  readonly hops: OutboundHop[]
  readonly #message: IncomingMessage
  readonly #deadline: RequestDeadline
  readonly #mostBytes: number

  constructor(message: IncomingMessage, { hops, deadline, mostBytes }: ResponseOptions) {
    this.status = message.statusCode ?? 0
    this.headers = message.headers
    this.hops = hops
    this.#message = message
    this.#deadline = deadline
    this.#mostBytes = mostBytes
    message.on('error', () => {}) // the reader gets it
  }

  /** Where it came from, after all redirects. */
  get url(): string {
    return this.hops.at(-1)?.url ?? ''
  }

  close() {
    this.#message.destroy()
    this.#deadline.end()
  }

  /** The body, unpacked, piece by piece. A small file that unpacks to a huge one is stopped like any other. */
  async *chunks(): AsyncGenerator<Buffer> {
    let bytes = 0
    try {
      for await (const chunk of this.#unpacked() as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > this.#mostBytes) throw new OutboundError('too large', `More than ${this.#mostBytes} bytes`)
        yield chunk
      }
    } catch (error) {
      throw this.#deadline.problem ?? toOutboundError(error)
    } finally {
      this.close()
    }
  }

  async text(): Promise<string> {
    const parts: Buffer[] = []
    for await (const chunk of this.chunks()) parts.push(chunk)
    return Buffer.concat(parts).toString('utf8')
  }

  /** Throws a problem of ours when it is none. */
  async json(): Promise<unknown> {
    const text = await this.text()
    try {
      return JSON.parse(text)
    } catch {
      throw new OutboundError('broken', 'The answer is not JSON')
    }
  }

  #unpacked(): Readable {
    const encoding = this.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding === 'identity' || encoding === '') return this.#message
    if (encoding !== 'gzip' && encoding !== 'x-gzip')
      throw new OutboundError('broken', 'The answer is packed in a way that was not asked for')
    const unpacked = createGunzip()
    pipeline(this.#message, unpacked, () => {}) // its error reaches who reads
    return unpacked
  }
}
