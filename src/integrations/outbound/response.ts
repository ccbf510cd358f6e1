import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { RequestDeadline } from './deadline.ts'
import { OutboundError, type OutboundHop, toOutboundError } from './outbound-problem.ts'

type ResponseOptions = { hops: OutboundHop[]; deadline: RequestDeadline; mostBytes: number }

/** A response whose body is still to be read, within its limits of time and size. The caller must read it to the end or close it. */
export class OutboundResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All responses on the way; the last one is this. */
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

  /** The address of the response, after all redirects. */
  get url(): string {
    return this.hops.at(-1)?.url ?? ''
  }

  close() {
    this.#message.destroy()
    this.#deadline.end()
  }

  /** Yields the decompressed body in chunks. The size limit applies to the decompressed size. */
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

  /** Returns the body as UTF-8, without the mark of its byte order. */
  async text(): Promise<string> {
    const parts: Buffer[] = []
    for await (const chunk of this.chunks()) parts.push(chunk)
    return new TextDecoder().decode(Buffer.concat(parts))
  }

  /** Throws an `OutboundError` if the body is not JSON. */
  async json(): Promise<unknown> {
    const value = parseJson(await this.text())
    if (value === undefined) throw new OutboundError('broken', 'The response is not JSON')
    return value
  }

  #unpacked(): Readable {
    const encoding = this.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding === 'identity' || encoding === '') return this.#message
    const unpacked = decoders[encoding]?.()
    if (!unpacked) throw new OutboundError('broken', 'The response has an encoding that was not requested')
    pipeline(this.#message, unpacked, () => {}) // the reader gets its error
    return unpacked
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
