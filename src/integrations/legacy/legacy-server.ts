import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'

/** Why an old system could not be read, as a sentence for the person who moves. `status` is its answer, if it gave one. */
export class LegacyError extends Error {
  readonly status: number | null
  constructor(says: string, status: number | null = null) {
    super(says)
    this.status = status
  }
}

type LegacyAccount = { address: string; token: string }
type Query = Readonly<Record<string, string | number>>
export type LegacyRow = Record<string, unknown>

const callMilliseconds = 30_000
const mostBytes = 20_000_000
const mostTries = 5
const mostSilences = 2
/** Pages without a new id, after which a list is taken to repeat itself. */
const mostStalePages = 3
/** How often a list is read until two readings agree. */
const mostReadings = 8
const pageSize = 200

/**
 * Reads a system that speaks the calls of the two specifications: GET only, by address and session token. Every failure is a
 * `LegacyError` whose message says what the old system did.
 */
export class LegacyServer {
  readonly #outbound: OutboundClient
  readonly #account: LegacyAccount
  readonly #stopping: AbortSignal | undefined
  /** The wait before the second try, in milliseconds; it doubles. */
  readonly #patience: number

  constructor(
    outbound: OutboundClient,
    account: LegacyAccount,
    { stopping, patience = 500 }: { stopping?: AbortSignal; patience?: number } = {},
  ) {
    this.#outbound = outbound
    this.#account = { ...account, address: account.address.replace(/\/+$/, '') }
    this.#stopping = stopping
    this.#patience = patience
  }

  /** Returns the JSON of a call; `what` names it in sentences: "leads", "admins and leads handlers". */
  async read(path: string, what: string, query: Query = {}): Promise<unknown> {
    const body = (await this.#fetch(`${this.#account.address}/api/${path}`, what, query)).toString('utf8')
    const value = parseJson(body)
    if (value === undefined) throw new LegacyError(describeNoJson(body, what))
    return value
  }

  /** Returns the bytes of a file that an answer names. It must be on the same host, or no token is sent there. */
  async readFile(url: string, what: string): Promise<Buffer> {
    const target = new URL(url, `${this.#account.address}/`)
    if (target.origin !== new URL(this.#account.address).origin)
      throw new LegacyError(`The old system keeps ${what} elsewhere (${target.host})`)
    return this.#fetch(target.href, what)
  }

  /** Returns how long a list is, without reading it where the old system says so. */
  async count(path: string, what: string, query: Query = {}, pick?: ListOptions['pick']): Promise<number> {
    const { list, total } = findRows(await this.read(path, what, { ...query, page: 1, per_page: 1 }), what, pick)
    return total ?? list.length
  }

  /**
   * Reads a list until two readings agree on its ids, so that rows that move between pages are neither lost nor doubled. `pick`
   * finds the rows of an answer that has another shape.
   */
  async readList(
    path: string,
    what: string,
    { query = {}, pick, idOf = getRowId }: ListOptions = {},
  ): Promise<LegacyRow[]> {
    let before: Map<string, LegacyRow> | null = null
    for (let reading = 0; reading < mostReadings; reading++) {
      const rows: Map<string, LegacyRow> = await this.#readPages(path, what, { query, pick, idOf })
      const earlier = before
      if (earlier?.size === rows.size && [...rows.keys()].every((id) => earlier.has(id))) return [...rows.values()]
      before = rows
    }
    throw new LegacyError(`The list of ${what} changes faster than it can be read. Try again at a quieter time`)
  }

  async #readPages(
    path: string,
    what: string,
    { query, pick, idOf }: Required<Pick<ListOptions, 'query' | 'idOf'>> & Pick<ListOptions, 'pick'>,
  ) {
    const rows = new Map<string, LegacyRow>()
    let stale = 0
    let size = 0
    for (let page = 1; ; page++) {
      const answer = await this.read(path, what, { ...query, page, per_page: pageSize })
      const { list, total } = findRows(answer, what, pick)
      const known = rows.size
      for (const row of list) {
        const id = idOf(row)
        if (id === null) throw new LegacyError(`The old system answered ${what} without ids`)
        rows.set(id, row)
      }
      if (page === 1) size = list.length
      // What is no page of a list has everything.
      if (total === null && (Array.isArray(answer) || pick)) return rows
      if (list.length === 0 || (total !== null && (page - 1) * size + list.length >= total)) return rows
      stale = rows.size === known ? stale + 1 : 0
      if (stale >= mostStalePages)
        throw new LegacyError(`The list of ${what} repeats itself: ${mostStalePages} pages brought nothing new`)
    }
  }

  async #fetch(address: string, what: string, query: Query = {}): Promise<Buffer> {
    const url = new URL(address)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    let silences = 0
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#fetchOnce(url, what)
        if ('body' in answer) return answer.body
        if (attempt >= mostTries)
          throw new LegacyError(
            `The old system answered ${what} ${mostTries} times with ${answer.status}`,
            answer.status,
          )
        await this.#wait(answer.after ?? this.#patience * 2 ** (attempt - 1))
      } catch (error) {
        if (!(error instanceof OutboundError) || error.kind === 'refused' || error.kind === 'too large')
          throw describeFailure(error, what)
        silences += 1
        if (silences >= mostSilences || this.#stopping?.aborted) throw describeFailure(error, what)
        await this.#wait(this.#patience)
      }
    }
  }

  async #fetchOnce(url: URL, what: string): Promise<{ body: Buffer } | { status: number; after: number | null }> {
    const response = await this.#outbound.request(url.href, {
      headers: { authorization: `Bearer ${this.#account.token}`, accept: 'application/json' },
      redirects: 0,
      milliseconds: callMilliseconds,
      mostBytes,
      ...(this.#stopping && { signal: this.#stopping }),
    })
    const { status, headers } = response
    if (status === 429 || status >= 500) {
      response.close()
      return { status, after: parseRetryAfter(headers['retry-after']) }
    }
    if (status >= 300 && status < 400) {
      response.close()
      throw new LegacyError(describeRedirect(headers.location, url), status)
    }
    const parts: Buffer[] = []
    for await (const chunk of response.chunks()) parts.push(chunk)
    const body = Buffer.concat(parts)
    if (status >= 200 && status < 300) return { body }
    throw new LegacyError(describeStatus(status, body.toString('utf8'), what), status)
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds)
      const stopping = this.#stopping
      function done() {
        clearTimeout(timer)
        stopping?.removeEventListener('abort', done)
        resolve()
      }
      stopping?.addEventListener('abort', done)
    })
  }
}

type ListOptions = {
  query?: Query
  pick?: (answer: LegacyRow) => unknown
  idOf?: (row: LegacyRow) => string | null
}

const getRowId = ({ id }: LegacyRow): string | null =>
  typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null

const isRecord = (value: unknown): value is LegacyRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds the rows of an answer: a list, `data` with its total beside it or in `meta`, or what `pick` names, as a list or by id. */
function findRows(
  answer: unknown,
  what: string,
  pick: ListOptions['pick'],
): { list: LegacyRow[]; total: number | null } {
  const picked = isRecord(answer) && pick ? pick(answer) : undefined
  const found = picked ?? (isRecord(answer) && 'data' in answer ? answer.data : answer)
  const list = Array.isArray(found) ? found : picked !== undefined && isRecord(found) ? Object.values(found) : null
  if (list === null || !list.every(isRecord))
    throw new LegacyError(`The old system answered ${what} in a form that is not known`)
  const meta = isRecord(answer) && isRecord(answer.meta) ? answer.meta.total : isRecord(answer) ? answer.total : null
  const total = typeof meta === 'string' && /^\d+$/.test(meta) ? Number(meta) : meta
  return { list, total: typeof total === 'number' && Number.isInteger(total) && total >= 0 ? total : null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeNoJson(body: string, what: string): string {
  if (!/^\s*</.test(body)) return `The old system answered ${what} with something that is not JSON`
  const title = findTitle(body)
  return `The old system answered a page${title ? ` (${title})` : ''} instead of data`
}

function findTitle(html: string): string {
  const [, text = ''] = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html) ?? /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(html) ?? []
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
}

function describeRedirect(location: string | undefined, from: URL): string {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from.href) : null
  return `The old system sends to ${to ? `${to.origin}${to.pathname}` : 'another address'} instead of answering`
}

function describeStatus(status: number, body: string, what: string): string {
  if (status === 401) return 'The old system refuses the token (401)'
  if (status === 403) return `The old system refuses ${what} (403)`
  if (status === 404) return `The old system does not have ${what} (404)`
  const said = parseJson(body)
  const message = isRecord(said) && typeof said.message === 'string' ? `: ${said.message.slice(0, 200)}` : ''
  return `The old system answered ${what} with ${status}${message}`
}

function describeFailure(error: unknown, what: string): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'too large') return new LegacyError(`The old system answered ${what} with more than 20 MB at once`)
  if (error.kind === 'late') return new LegacyError(`The old system did not answer ${what} within 30 seconds`)
  return new LegacyError(`The old system cannot be reached: ${error.message}`)
}

function parseRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), 60_000) : null
}
