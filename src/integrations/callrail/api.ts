import { z } from 'zod'
import { toOutboundError } from '../outbound/outbound-problem.ts'
import { parseRetryAfter } from '../outbound/retry-after.ts'

/**
 * CallRail's REST API, v3, as far as it is read: every request is a GET. The paths and the unusual authorization header are
 * CallRail's (apidocs.callrail.com). The fields of companies, trackers and text conversations are those that public clients read, see
 * docs/integrations.md; they have not been tested against CallRail itself.
 */

type CallRailSettings = {
  CALLRAIL_API_URL: string
  CALLRAIL_ACCOUNT_ID?: string | undefined
  CALLRAIL_API_KEY?: string | undefined
}

/** A key, and where it is sent. */
type CallRailKey = { apiUrl: string; apiKey: string }
/** An account, and the key that reads it. */
export type CallRailAccount = CallRailKey & { accountId: string }

/** Returns the account that the environment sets, if it does. */
export function getEnvironmentAccount(settings: CallRailSettings): CallRailAccount | null {
  const { CALLRAIL_API_URL: apiUrl, CALLRAIL_ACCOUNT_ID: accountId, CALLRAIL_API_KEY: apiKey } = settings
  return accountId && apiKey ? { apiUrl, accountId, apiKey } : null
}

export const isCallRailConfigured = (settings: CallRailSettings) => getEnvironmentAccount(settings) !== null

const requestTimeoutMs = 15_000
/** A page of 250 calls has less than 2 MB. */
const maxBytes = 32 * 1024 * 1024

/**
 * CallRail gave no usable answer. `refused`: the key may not read this; `busy`: too many requests, with the seconds to wait if it
 * said; `failed`: any other status, or no answer; `unexpected`: an answer of another shape than documented.
 */
export class CallRailError extends Error {
  readonly kind: 'refused' | 'busy' | 'failed' | 'unexpected'
  /** Null if there was no answer. */
  readonly status: number | null
  readonly retryAfter: number | null

  constructor(
    kind: CallRailError['kind'],
    message: string,
    { status = null, retryAfter = null }: { status?: number | null; retryAfter?: number | null } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = status
    this.retryAfter = retryAfter
  }
}

type RequestOptions = { signal?: AbortSignal; limit?: number }

/** Sends a GET and returns what was answered, as JSON; `limit` is the timeout in milliseconds. */
async function requestCallRail<Schema extends z.ZodType>(
  { apiUrl, apiKey }: CallRailKey,
  path: string,
  schema: Schema,
  { signal = new AbortController().signal, limit = requestTimeoutMs }: RequestOptions = {},
): Promise<z.output<Schema>> {
  const { response, text } = await fetchText(`${apiUrl}/${path}`, apiKey, signal, limit)
  const { status } = response
  if (status === 429) {
    const retryAfter = parseRetryAfter(response.headers.get('retry-after') ?? undefined)
    throw new CallRailError('busy', 'CallRail asked for fewer requests (429)', { status, retryAfter })
  }
  if (!response.ok) {
    const words = readErrorWords(text)
    const message = words ? `CallRail says: ${words}` : `CallRail answered ${status}`
    throw new CallRailError([401, 403].includes(status) ? 'refused' : 'failed', message, { status })
  }
  const answer = schema.safeParse(parseJson(text, status))
  if (!answer.success) throw unexpectedError('something else', status)
  return answer.data
}

async function fetchText(url: string, apiKey: string, signal: AbortSignal, limit: number) {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Token token="${apiKey}"`, accept: 'application/json' },
      redirect: 'error', // the key must go nowhere else
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
    })
    if (Number(response.headers.get('content-length')) > maxBytes) {
      await response.body?.cancel()
      throw unexpectedError('more than 32 MB', response.status)
    }
    return { response, text: await response.text() }
  } catch (error) {
    if (error instanceof CallRailError || signal.aborted) throw error
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw new CallRailError(
      'failed',
      isLate ? 'CallRail did not respond in time' : `CallRail cannot be reached: ${describeCause(error)}`,
    )
  }
}

/** A failed fetch says why only in its cause. */
const describeCause = (error: unknown) =>
  toOutboundError(error instanceof Error && error.cause ? error.cause : error).message

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unexpectedError(/^\s*</.test(text) ? 'a page' : 'incomplete data', status)
  }
}

const unexpectedError = (what: string, status: number) =>
  new CallRailError('unexpected', `CallRail answered ${what} instead of its list`, { status })

/** Returns what CallRail's own error says, as `{ "error": "…" }`. */
function readErrorWords(text: string): string | null {
  try {
    const { error } = z.object({ error: z.string() }).parse(JSON.parse(text))
    return error.trim().slice(0, 300) || null
  } catch {
    return null
  }
}

// ——— lists ———

/** One page of a list; `withoutId` counts the rows that were left out because they have no id. */
type ListPage<Row> = { rows: Row[]; withoutId: number; pages: number; total: number | null }
/** Which page, from 1, of what happened between two instants (without `to`: until now), of one company or of all; `rows` a page. */
type ListQuery = { page: number; from?: Date; to?: Date; company?: string; rows?: number }

/** Reads one page of a list of an account. */
export type ReadList<Row> = (
  account: CallRailAccount,
  query: ListQuery,
  options?: RequestOptions,
) => Promise<ListPage<Row>>

/** CallRail's maximum per page. */
const perPage = 250

/** An object of CallRail's with its id, and all fields as they were sent. */
type Listed = { id: string } & Record<string, unknown>

const idSchema = z.union([z.string().regex(/\S/), z.number()]).transform(String)
const listedSchema = z.looseObject({ id: idSchema })
/** What is not a text says nothing: one row of another shape must not hold up a list. */
const textSchema = z.string().nullish().catch(null)

/** A company, usually one client: its `status` is active or disabled, also of one that was deleted. */
const companySchema = z.looseObject({ id: idSchema, name: textSchema, status: textSchema, time_zone: textSchema })

/** A tracking number, or a pool of them, with the number that it forwards to. */
const trackerSchema = z.looseObject({
  id: idSchema,
  name: textSchema,
  /** `source` has one number, `session` a pool. */
  type: textSchema,
  status: textSchema,
  tracking_number: textSchema,
  tracking_numbers: z.array(textSchema).nullish().catch(null),
  destination_number: textSchema,
  /** Where it is not beside it, the number that it forwards to is here. */
  call_flow: z.looseObject({ destination_number: textSchema }).nullish().catch(null),
  company: z.looseObject({ id: idSchema, name: textSchema }).nullish().catch(null),
})

/** Whether a company or tracker is in use. One without a status is. */
export const isEnabled = ({ status }: { status?: unknown }) =>
  typeof status !== 'string' || /^\s*(active|enabled)?\s*$/i.test(status)

/** Fields that leads need and that CallRail does not list by default. */
const callFields = [
  'call_type',
  'company_id',
  'company_time_zone',
  'formatted_customer_location',
  'formatted_tracking_source',
  'source',
  'source_name',
  'keywords',
  'medium',
  'referring_url',
  'landing_page_url',
  'last_requested_url',
  'campaign',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'gclid',
  'fbclid',
  'msclkid',
  'spam',
]

/** Fields that leads need and that CallRail does not list by default. */
const formFields = [
  'company_id',
  'source',
  'keywords',
  'campaign',
  'medium',
  'utm_source',
  'utm_medium',
  'utm_campaign',
]

/** Reads calls that started in this time: the fields of the post-call event, but `id` and `company_id` are CAL… and COM…. */
export const listCalls = defineList('calls.json', 'calls', listedSchema, callFields)
/** Reads form submissions, with the fields of their event. */
export const listForms = defineList('form_submissions.json', 'form_submissions', listedSchema, formFields, 'optional')
/** Reads conversations by text, each with its latest messages, that had one in this time. */
export const listConversations = defineList('text-messages.json', 'conversations', listedSchema, [], 'optional')
/** Reads companies, disabled ones too. */
export const listCompanies = defineList('companies.json', 'companies', companySchema)
/** Reads tracking numbers, disabled ones too. */
export const listTrackers = defineList('trackers.json', 'trackers', trackerSchema)

/**
 * Declares a list: its path, the key of its rows, the fields to request in addition to the default ones, and whether there are accounts
 * without it. A list that every account has is only missing where the key does not see the account.
 */
function defineList<Row extends z.ZodType<Listed>>(
  path: string,
  key: string,
  row: Row,
  fields: string[] = [],
  presence: 'everywhere' | 'optional' = 'everywhere',
): ReadList<z.output<Row>> {
  const pageSchema = definePage(key, row)
  return async (account, { page, from, to, company, rows = perPage }, options) => {
    const query = new URLSearchParams({ page: String(page), per_page: String(rows) })
    if (from) query.set('start_date', from.toISOString())
    if (to) query.set('end_date', to.toISOString())
    if (fields.length > 0) query.set('fields', fields.join())
    if (company !== undefined) query.set('company_id', company)
    const { accountId } = account
    const reading = requestCallRail(account, `a/${accountId}/${path}?${query}`, pageSchema, options)
    const answer = await reading.catch((error: unknown) => {
      throw presence === 'everywhere' && isMissing(error) ? unseenAccountError(accountId, error) : error
    })
    return { ...answer.rows, pages: answer.total_pages, total: answer.total_records ?? null }
  }
}

function definePage<Row extends z.ZodType>(key: string, row: Row) {
  return z.preprocess(
    (answer) =>
      typeof answer === 'object' && answer !== null
        ? { ...answer, rows: Reflect.get(answer, key), total_pages: countPages(answer) }
        : answer,
    z.looseObject({ rows: listRows(row), total_pages: z.int().min(0), total_records: z.int().min(0).nullish() }),
  )
}

/** Leaves out the rows without an id, unless no row has one: then it is another format. */
function listRows<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((listed, check) => {
    const rows = listed.flatMap((one) => row.safeParse(one).data ?? [])
    if (rows.length === 0 && listed.length > 0) check.addIssue('No row has an id')
    return { rows, withoutId: listed.length - rows.length }
  })
}

/** Some lists say only how many rows there are, and how many a page has. */
function countPages(answer: { total_pages?: unknown; total_records?: unknown; per_page?: unknown }): unknown {
  const { total_pages, total_records: rows, per_page: size } = answer
  if (total_pages !== undefined && total_pages !== null) return total_pages
  return typeof rows === 'number' && typeof size === 'number' && size > 0 ? Math.ceil(rows / size) : undefined
}

const isMissing = (error: unknown): error is CallRailError => error instanceof CallRailError && error.status === 404

const unseenAccountError = (accountId: string, { message, status }: CallRailError) =>
  new CallRailError('refused', `This key does not see the account ${accountId}. ${message}`, { status })

/** Pages without anything new after which a list counts as one that repeats itself. */
const maxRepeatedPages = 3

/**
 * Reads the pages of a list, each row once. A row that moves to a later page while the list is read is left out there; one that moves to an
 * earlier page is missed, so callers read the same time again. Throws for a list that repeats itself without end.
 */
export async function* readPages<Row extends Listed>(
  readPage: (page: number) => Promise<ListPage<Row>>,
): AsyncGenerator<ListPage<Row>> {
  const seen = new Set<string>()
  let repeated = 0
  for (let page = 1, pages = 1; page <= pages; page++) {
    const listed = await readPage(page)
    pages = listed.pages
    const rows = listed.rows.filter(({ id }) => !seen.has(id))
    for (const { id } of rows) seen.add(id)
    repeated = rows.length === 0 ? repeated + 1 : 0
    if (repeated === maxRepeatedPages && page < pages)
      throw new CallRailError('unexpected', 'CallRail’s list repeats its pages')
    yield { ...listed, rows }
  }
}

// ——— what a key sees ———

const accountsSchema = definePage('accounts', z.looseObject({ id: idSchema, name: textSchema }))

/** The accounts that a key sees, and how many more it sees that have no id. */
export type SeenAccounts = { accounts: { id: string; name: string }[]; withoutId: number }

/** Returns the accounts that a key sees. */
export async function listAccounts(key: CallRailKey): Promise<SeenAccounts> {
  const readPage = async (page: number) => {
    const answer = await requestCallRail(key, `a.json?page=${page}&per_page=${perPage}`, accountsSchema)
    return { ...answer.rows, pages: answer.total_pages, total: null }
  }
  const seen: SeenAccounts = { accounts: [], withoutId: 0 }
  for await (const { rows, withoutId } of readPages(readPage)) {
    seen.accounts.push(...rows.map(({ id, name }) => ({ id, name: name ?? id })))
    seen.withoutId += withoutId
  }
  return seen
}

/** Returns how many companies an account has, and how many tracking numbers; those switched off do not count. */
export async function countCompaniesAndNumbers(account: CallRailAccount) {
  let companies = 0
  for await (const { rows } of readPages((page) => listCompanies(account, { page })))
    companies += rows.filter(isEnabled).length
  const numbers = new Set<string>()
  for await (const { rows } of readPages((page) => listTrackers(account, { page })))
    for (const { tracking_number, tracking_numbers } of rows.filter(isEnabled))
      for (const number of tracking_numbers ?? [tracking_number]) if (number) numbers.add(number)
  return { companies, numbers: numbers.size }
}

// ——— recordings ———

const recordingLinkSchema = z.object({ url: z.string() })

/** Reads the address of a call's recording. It is short-lived. */
export async function readRecordingUrl(account: CallRailAccount, callId: string, signal: AbortSignal): Promise<string> {
  const path = `a/${account.accountId}/calls/${encodeURIComponent(callId)}/recording.json`
  return (await requestCallRail(account, path, recordingLinkSchema, { signal })).url
}
