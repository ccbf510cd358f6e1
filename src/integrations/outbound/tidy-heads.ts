import { Duplex } from 'node:stream'
import { OutboundError } from './outbound-problem.ts'

/** As Chromium limits them. */
const maxHeadBytes = 256 * 1024
/** Bytes that may stand before the status line. */
const mostSlop = 4
const httpPattern = /http|icy/i
const invalidHttp = () => new OutboundError('broken', 'The response is not valid HTTP')

type TidyOptions = {
  /** Whether a connection that closes within the head ends it. */
  mayBeCut: boolean
  /** Whether an answer without a head is a page. */
  mayLackHead: boolean
}

/**
 * A connection on which the heads of responses are rewritten as the standard wants them; the body passes as it is. It reads what Chromium
 * reads, which was compared with it case by case, and refuses what Chromium refuses. One stream, not a pipeline of three: a sweep of
 * checks would fill the heap with those.
 */
export class TidiedConnection extends Duplex {
  readonly #line: Duplex
  readonly #options: TidyOptions
  #parts: Buffer[] = []
  #bytes = 0
  /** The last characters so far: the end of a head may be split. */
  #tail = ''
  #phase: 'start' | 'head' | 'body' = 'start'

  constructor(line: Duplex, options: TidyOptions) {
    super()
    this.#line = line
    this.#options = options
    line.on('data', (chunk: Buffer) => this.#try(() => this.#read(chunk)))
    line.on('end', () => this.#try(() => this.#finish()))
    line.on('error', (error) => this.destroy(error))
    line.on('close', () => {
      if (!line.readableEnded) this.destroy(new OutboundError('closed', 'The connection was closed unexpectedly'))
    })
  }

  override _read() {
    this.#line.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#line.write(chunk, done)
  }

  override _final(done: () => void) {
    this.#line.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#line.destroy()
    done(error)
  }

  override push(chunk: Buffer | string | null, encoding?: BufferEncoding): boolean {
    const wantsMore = super.push(chunk, encoding)
    if (!wantsMore) this.#line.pause()
    return wantsMore
  }

  #try(work: () => void) {
    try {
      work()
    } catch (error) {
      this.destroy(error as Error) // thrown by this file
    }
  }

  #finish() {
    if (this.#phase === 'start' && this.#bytes > 0) this.#locateStart(true)
    if (this.#phase === 'head') {
      if (!this.#options.mayBeCut) throw invalidHttp()
      this.push(tidyHead(this.#take().toString('latin1')) ?? '', 'latin1')
    }
    this.push(null)
  }

  #read(chunk: Buffer) {
    if (this.#phase === 'body') {
      this.push(chunk)
      return
    }
    this.#parts.push(chunk)
    this.#bytes += chunk.length
    if (this.#phase === 'start') this.#locateStart(false)
    else this.#findEnd(chunk)
  }

  #locateStart(isAll: boolean) {
    if (!isAll && this.#bytes < mostSlop + 4) return
    const start = this.#take()
    const from = start
      .subarray(0, mostSlop + 4)
      .toString('latin1')
      .search(httpPattern)
    if (from >= 0) {
      this.#phase = 'head'
      this.#read(start.subarray(from))
      return
    }
    if (!this.#options.mayLackHead) throw invalidHttp()
    this.#phase = 'body'
    this.push('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n')
    this.push(start)
  }

  #findEnd(chunk: Buffer) {
    const text = this.#tail + chunk.toString('latin1')
    const end = /\n\r*\n/.exec(text)
    this.#tail = text.slice(-8)
    if (this.#bytes - (end ? text.length - end.index : 0) > maxHeadBytes)
      throw new OutboundError('broken', 'The headers are longer than 256 kB')
    if (!end) return
    const all = this.#take()
    const bodyAt = all.length - (text.length - end.index - end[0].length)
    const head = tidyHead(all.subarray(0, bodyAt).toString('latin1'))
    const rest = all.subarray(bodyAt)
    this.#phase = head === null ? 'start' : 'body'
    if (head !== null) this.push(head, 'latin1')
    if (rest.length > 0) this.#read(rest)
  }

  #take(): Buffer {
    const all = Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    this.#tail = ''
    return all
  }
}

/** Returns the head in order; null for an interim one, which another follows. */
function tidyHead(text: string): string | null {
  if (text.includes('\0')) throw invalidHttp()
  const [statusLine = '', ...lines] = text.split(/[\r\n]+/) // browsers take a lone CR for the end of a line
  const digits = Number(/^[^ ]* +(\d+)/.exec(statusLine)?.[1])
  const status = digits >= 100 && digits <= 999 ? digits : 200 // browsers show the page
  if (status < 200) return null
  const fields = parseFields(lines)
  const get = (name: string) => [...new Set(fields.flatMap(([key, value]) => (key === name ? [value] : [])))]
  const isChunked = get('transfer-encoding').some((value) => /(^|,)\s*chunked\s*(,|$)/i.test(value))
  const lengths = isChunked ? [] : get('content-length')
  if ([lengths, get('location'), get('content-disposition')].some((values) => values.length > 1)) throw invalidHttp()
  const isLength = lengths[0] !== undefined && /^\d{1,15}$/.test(lengths[0])
  const framing = isChunked ? ['transfer-encoding: chunked'] : isLength ? [`content-length: ${lengths[0]}`] : []
  const others = fields.filter(([name]) => !framingNames.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} -`, ...framing, ...others, '', ''].join('\r\n')
}

/** What says how the body ends, or what else the connection could be. */
const framingNames = new Set(['transfer-encoding', 'content-length', 'connection', 'upgrade', 'trailer'])

/** Reads the fields, without what is none. */
function parseFields(lines: string[]): [name: string, value: string][] {
  const unfolded: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && unfolded.length > 0) unfolded.push(`${unfolded.pop()} ${line.trim()}`)
    else unfolded.push(line)
  }
  return unfolded.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return []
    return [
      [
        name,
        line
          .slice(colon + 1)
          .replaceAll('\r', ' ')
          .trim(),
      ],
    ]
  })
}
