import { isObject } from '#contract/is-object.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError, type OutboundErrorKind } from '#integrations/outbound/outbound-problem.ts'
import { toPlainText } from '#integrations/outbound/plain-text.ts'
import { parseJson } from '#integrations/outbound/response.ts'
import { parseRetryAfter } from '#integrations/outbound/retry-after.ts'

/** Why an old system could not be read, as a sentence for the person who moves. */
export class LegacyError extends Error {
  /** The status of its answer, if it gave one. */
  readonly status: number | null
  /** What it said itself, if it did. */
  readonly words: string | null
  constructor(
    message: string,
    { status = null, words = null }: { status?: number | null; words?: string | null } = {},
  ) {
    super(message)
    this.status = status
    this.words = words
  }

  /** Whether it is the answer to this token or call: another one may help. A server that is busy, broken or moved says nothing of it. */
  get isRefusal(): boolean {
    if (this.status === null) return this.words !== null
    return this.status >= 400 && this.status < 500 && !otherClientErrors.includes(this.status)
  }
}
/** Not found, late, too early and too many requests: what a proxy or a server in trouble answers, too. */
const otherClientErrors = [404, 408, 425, 429]

type LegacyAccount = { address: string; token: string }
type Query = Readonly<Record<string, string | number>>
export type LegacyRow = Record<string, unknown>

/** What is the same at the next try. */
const lastingKinds: readonly OutboundErrorKind[] = ['refused', 'too large', 'certificate']
const mostBytes = 20_000_000
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
  readonly #limits: LegacyLimits

  constructor(
    outbound: OutboundClient,
    account: LegacyAccount,
    { stopping, ...limits }: Partial<LegacyLimits> & { stopping?: AbortSignal } = {},
  ) {
    this.#outbound = outbound
    this.#account = { ...account, address: account.address.replace(/\/+$/, '') }
    this.#stopping = stopping
    this.#limits = { ...usualLimits, ...limits }
  }

  /** Returns the JSON of a call; `what` names it in sentences: "leads", "admins and leads handlers". */
  async read(path: string, what: string, query: Query = {}): Promise<unknown> {
    // A mark of the byte order may stand before the JSON.
    const body = new TextDecoder().decode(await this.#fetch(`${this.#account.address}/api/${path}`, what, query))
    const parsed = parseJson(body)
    if (parsed === undefined) throw new LegacyError(describeNoJson(body, what))
    const value = unstorableEscape.test(body) ? makeStorable(parsed) : parsed
    const words = isObject(value) ? findError(value) : null
    if (words !== null) throw new LegacyError(`The old system says of ${what}: ${words}`, { words })
    return value
  }

  /** Returns the person of the token. */
  async readUser(): Promise<LegacyUser> {
    const answer = await this.read('user/me', 'the account of the token')
    const row = isObject(answer) && isObject(answer.data) ? answer.data : answer
    const id = isObject(row) ? getRowId(row) : null
    const name = isObject(row) ? toPlainText(row.username) : null
    if (!isObject(row) || id === null || name === null)
      throw new LegacyError('The old system did not say whose token this is')
    return { id, name, row }
  }

  /** Returns the address that a call answers as `url`. */
  async readAddress(path: string, what: string): Promise<string> {
    const answer = await this.read(path, what)
    const url = isObject(answer) && typeof answer.url === 'string' ? answer.url : ''
    if (url === '' || !URL.canParse(url, `${this.#account.address}/`))
      throw new LegacyError(`The old system answered ${what} in a form that is not known`)
    return new URL(url, `${this.#account.address}/`).href
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
  async readList(path: string, what: string, options: ListOptions = {}): Promise<LegacyRow[]> {
    let rows: LegacyRow[] = []
    await this.readInParts(path, what, {
      ...options,
      begin: () => {
        rows = []
      },
      take: (part) => {
        for (const row of part) rows.push(row) // an old system may answer more in one page than a call takes arguments
      },
    })
    return rows
  }

  /** Reads a list as `readList` does, and hands its rows over a page at a time: `begin` is called before each reading. */
  async readInParts(path: string, what: string, { begin, take, ...options }: PartOptions): Promise<void> {
    let before: Set<string> | null = null
    for (let reading = 0; reading < mostReadings; reading++) {
      begin()
      const ids: Set<string> = await this.#readPages(path, what, options, take)
      const earlier = before
      if (earlier?.size === ids.size && [...ids].every((id) => earlier.has(id))) return
      before = ids
    }
    throw new LegacyError(`The list of ${what} changes faster than it can be read. Try again at a quieter time`)
  }

  async #readPages(
    path: string,
    what: string,
    { query = {}, pick, idOf = getRowId }: ListOptions,
    take: PartOptions['take'],
  ): Promise<Set<string>> {
    const ids = new Set<string>()
    let stale = 0
    let size = 0
    for (let page = 1; ; page++) {
      const answer = await this.read(path, what, { ...query, page, per_page: pageSize })
      const { list, total } = findRows(answer, what, pick)
      const fresh = list.filter((row) => {
        const id = idOf(row)
        if (id === null) throw new LegacyError(`The old system answered ${what} without ids`)
        const isKnown = ids.has(id)
        ids.add(id)
        return !isKnown
      })
      take(fresh)
      if (page === 1) size = list.length
      // What is no page of a list has everything.
      if (total === null && (Array.isArray(answer) || pick)) return ids
      if (list.length === 0 || (total !== null && (page - 1) * size + list.length >= total)) return ids
      stale = fresh.length === 0 ? stale + 1 : 0
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
        const { tries } = this.#limits
        if (attempt >= tries) {
          const often = tries === 1 ? '' : ` ${what} ${tries} times with`
          throw new LegacyError(`The old system answered${often} ${answer.status}`, { status: answer.status })
        }
        await this.#wait(answer.after ?? this.#limits.patience * 2 ** (attempt - 1))
      } catch (error) {
        if (!(error instanceof OutboundError) || lastingKinds.includes(error.kind))
          throw describeFailure(error, what, this.#limits)
        silences += 1
        if (silences >= Math.min(mostSilences, this.#limits.tries) || this.#stopping?.aborted)
          throw describeFailure(error, what, this.#limits)
        await this.#wait(this.#limits.patience)
      }
    }
  }

  async #fetchOnce(url: URL, what: string): Promise<{ body: Buffer } | { status: number; after: number | null }> {
    const response = await this.#outbound.request(url.href, {
      headers: { authorization: `Bearer ${this.#account.token}`, accept: 'application/json' },
      redirects: 0,
      milliseconds: this.#limits.callMilliseconds,
      mostBytes,
      ...(this.#stopping && { signal: this.#stopping }),
    })
    const { status, headers } = response
    if (status === 429 || status >= 500) {
      response.close()
      return { status, after: parseWait(headers['retry-after']) }
    }
    if (status >= 300 && status < 400) {
      response.close()
      throw new LegacyError(describeRedirect(headers.location, url), { status })
    }
    const parts: Buffer[] = []
    for await (const chunk of response.chunks()) parts.push(chunk)
    const body = Buffer.concat(parts)
    if (status >= 200 && status < 300) return { body }
    throw describeStatus(status, body.toString('utf8'), what)
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

/** How long and how often a call is tried. */
type LegacyLimits = {
  callMilliseconds: number
  tries: number
  /** The wait before the second try, in milliseconds; it doubles. */
  patience: number
}
const usualLimits: LegacyLimits = { callMilliseconds: 30_000, tries: 5, patience: 500 }
const mostWords = 300

type LegacyUser = { id: string; name: string; row: LegacyRow }

type ListOptions = {
  query?: Query
  pick?: (answer: LegacyRow) => unknown
  idOf?: (row: LegacyRow) => string | null
}
type PartOptions = ListOptions & { begin: () => void; take: (rows: LegacyRow[]) => void }

const getRowId = ({ id }: LegacyRow): string | null =>
  typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null

/**
 * Finds the rows of an answer: a list, `data` with its total beside it or in `meta`, the only list beside a total, or what `pick` names, as
 * a list or by id.
 */
function findRows(
  answer: unknown,
  what: string,
  pick: ListOptions['pick'],
): { list: LegacyRow[]; total: number | null } {
  const picked = isObject(answer) && pick ? pick(answer) : undefined
  const found = picked ?? (isObject(answer) ? ('data' in answer ? answer.data : findOnlyList(answer)) : answer)
  const list = Array.isArray(found) ? found : picked !== undefined && isObject(found) ? Object.values(found) : null
  if (list === null || !list.every(isObject))
    throw new LegacyError(`The old system answered ${what} in a form that is not known`)
  const meta = isObject(answer) && isObject(answer.meta) ? answer.meta.total : isObject(answer) ? answer.total : null
  const total = typeof meta === 'string' && /^\d+$/.test(meta) ? Number(meta) : meta
  return { list, total: typeof total === 'number' && Number.isInteger(total) && total >= 0 ? total : null }
}

function findOnlyList(answer: LegacyRow): unknown {
  const lists = Object.values(answer).filter(Array.isArray)
  return 'total' in answer && lists.length === 1 ? lists[0] : undefined
}

/** What JSON can say and PostgreSQL cannot keep: the character 0, and half of a surrogate pair. */
const unstorableEscape = /\\u0000|\\u[dD][89a-fA-F]/

function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(makeStorable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [makeStorable(name), makeStorable(one)]))
}

function describeNoJson(body: string, what: string): string {
  if (!/^\s*</.test(body)) return `The old system answered ${what} with something that is not JSON`
  const title = findTitle(body)
  return `The old system answered a page${title ? ` (${title})` : ''} instead of data`
}

/** Some systems answer 200 with an error: what it says; null if the answer is none. */
function findError(answer: LegacyRow): string | null {
  const { error, errors, message, success, ...rest } = answer
  const said = isObject(error) ? error.message : (error ?? (Array.isArray(errors) ? errors[0] : undefined))
  const words = toPlainText(said, mostWords)
  if (words !== null) return words
  const isOnlyMessage = Object.keys(rest).every((name) => ['status', 'code'].includes(name))
  const isFailure = success === false || signedOutWords.test(String(message))
  return isOnlyMessage && isFailure ? (toPlainText(message, mostWords) ?? 'success: false') : null
}
/** What a message alone says where a session is over; another one may be the answer. */
const signedOutWords =
  /unauth|not auth|forbidden|denied|expired|log(ged)? ?-?(in|out)|sign(ed)? ?-?(in|out)|session|token/i

function findTitle(html: string): string {
  const [, text = ''] = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html) ?? /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(html) ?? []
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&amp;', '&')
    .trim()
    .slice(0, 80)
}

function describeRedirect(location: string | undefined, from: URL): string {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from.href) : null
  return `The old system sends to ${to ? `${to.origin}${to.pathname}` : 'another address'} instead of answering`
}

function describeStatus(status: number, body: string, what: string): LegacyError {
  const said = parseJson(body)
  const words = isObject(said) ? toPlainText(said.message, mostWords) : null
  const message =
    statusSentences[status]?.(what) ?? `The old system answered ${what} with ${status}${words ? `: ${words}` : ''}`
  return new LegacyError(message, { status, words })
}

const statusSentences: Record<number, (what: string) => string> = {
  401: () => 'The old system refuses the token (401)',
  403: (what) => `The old system refuses ${what} (403)`,
  404: (what) => `The old system does not have ${what} (404)`,
}

function describeFailure(error: unknown, what: string, { callMilliseconds }: LegacyLimits): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'too large') return new LegacyError(`The old system answered ${what} with more than 20 MB at once`)
  if (error.kind === 'late')
    return new LegacyError(`The old system did not answer ${what} within ${callMilliseconds / 1000} seconds`)
  if (error.kind === 'refused' && error.address !== null)
    return new LegacyError(
      `The old system is at ${error.address}, which is not on the public web. Only ALLOWED_PRIVATE_RANGES can allow it`,
    )
  return new LegacyError(`The old system cannot be reached: ${error.message}`)
}

/** Returns the milliseconds that the old system asks to wait, at most a minute. */
function parseWait(header: string | undefined): number | null {
  const seconds = parseRetryAfter(header)
  return seconds === null ? null : Math.min(seconds, 60) * 1000
}
