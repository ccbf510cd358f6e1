import type { BodyInput, ConflictRow, Endpoint, ParamsOf, QueryInput, ResponseOf } from '#contract/endpoint.ts'
import { takeEarlyCall } from './early-calls.ts'
import { isPageUnloading } from './page-unload.ts'
import { checkServerReach } from './server-reach.ts'
import { endSession, isGuestPage, readSessionToken } from './session-token.ts'

/** A failed API call. `status` is 0 when no response came; `body` is the parsed JSON, if any. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly errors: Record<string, string[]>
  readonly body: unknown
  constructor(status: number, message: string, errors: Record<string, string[]> = {}, body?: unknown) {
    super(message)
    this.status = status
    this.errors = errors
    this.body = body
  }
}

/** Returns the messages of each field as one text, as forms show them. */
export const getFieldErrors = ({ errors }: ApiError): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, lines]) => [name, lines.join(' ')]))

type PathPart<E> = keyof ParamsOf<E> extends never ? { params?: undefined } : { params: ParamsOf<E> }
// Every query value has a default on the server, so all are optional here.
type QueryPart<E> = E extends { query: unknown } ? { query?: Partial<QueryInput<E>> } : { query?: undefined }
type BodyPart<E> = E extends { body: unknown }
  ? undefined extends BodyInput<E>
    ? { body?: BodyInput<E> }
    : { body: BodyInput<E> }
  : { body?: undefined }

/** The input of a call: the path parameters, query and body that its endpoint declares. */
export type CallInput<E> = PathPart<E> & QueryPart<E> & BodyPart<E>
/** The input as an argument, optional where nothing is required. */
export type CallArgs<E> = Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

type UnansweredPost = { key: string; at: number; endpoint: Endpoint; params: unknown }
/** Posts whose answer never came, by address and body. Sent again with its key, a post is not made twice. */
const unansweredPosts = new Map<string, UnansweredPost>()
/** Later, the same post is meant to be another. */
const repeatMs = 30 * 60_000

/** Makes the call and returns its parsed body. Rejects with an `ApiError`. */
export async function callApi<E extends Endpoint>(endpoint: E, ...[input]: CallArgs<E>): Promise<ResponseOf<E>> {
  const call = endpoint.method === 'POST' ? post(endpoint, input) : sendRequest(endpoint, input).then(readJson)
  const answer = await call
  if (endpoint.method !== 'GET') forgetPosts(endpoint, input?.params)
  // Not validated here: the server's tests check every response against the contract.
  return answer as ResponseOf<E>
}

async function post(endpoint: Endpoint, input: AnyCallInput): Promise<unknown> {
  const sent = `${buildApiUrl(endpoint, input)} ${JSON.stringify(input?.body)}`
  const before = unansweredPosts.get(sent)
  const isRepeated = before !== undefined && Date.now() - before.at < repeatMs
  const key = isRepeated ? before.key : createIdempotencyKey()
  try {
    const answer = await readJson(await sendRequest(endpoint, input, { key }))
    unansweredPosts.delete(sent)
    return answer
  } catch (problem) {
    // A server that lost its database does not know: it tells by the key whether it was made.
    if (problem instanceof ApiError && (isUnanswered(problem) || problem.status === 503))
      unansweredPosts.set(sent, { key, at: Date.now(), endpoint, params: input?.params })
    throw problem
  }
}

/**
 * Forgets the posts that a write has gone over, which are new when they are made again: those about the same row, such as a restore after
 * an archiving; and those that make a row, after any change of such rows, because it may have been of the one that was made.
 */
function forgetPosts({ path }: Endpoint, params: unknown) {
  for (const [sent, post] of unansweredPosts) {
    const isOfRow = params !== undefined && JSON.stringify(post.params) === JSON.stringify(params)
    if (isOfRow || path.startsWith(`${post.endpoint.path}/`)) unansweredPosts.delete(sent)
  }
}

/** Not `crypto.randomUUID`, which pages without HTTPS lack. */
const createIdempotencyKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Returns the JSON of a response; undefined where it has no body. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await awaitNetwork(response.text())
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(response.status, 'The server’s response could not be read')
  }
}

/** What stands in for a server that is down, or that has no database. */
const gatewayFailures = new Set([502, 503, 504])
/** Whether a call may have been made all the same. */
export const isUnanswered = ({ status }: ApiError) => [0, 502, 504].includes(status)

export const unreachableMessage = 'The server could not be reached. Please check your connection and try again.'

/** Waits for the network. Never settles if a call fails while the page is unloading: that is not an error to show. */
async function awaitNetwork<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await promise
  } catch (problem) {
    if (signal?.aborted) throw problem
    if (isPageUnloading()) return new Promise(() => {})
    void checkServerReach()
    throw new ApiError(0, unreachableMessage)
  }
}

/** What asks the user after a refused call; each returns whether to repeat the call. */
type SignInPrompts = {
  /** The call needs a recent proof of who they are. */
  reauthenticate: () => Promise<boolean>
  /** Their session has ended. `isEntry`: the call carries what they entered. */
  renewSession: (ended: string | null, isEntry: boolean) => Promise<boolean>
}
let prompts: SignInPrompts = { reauthenticate: async () => false, renewSession: async () => false }
export function setSignInPrompts(given: SignInPrompts) {
  prompts = given
}

export type AnyCallInput = { params?: object; query?: object; body?: unknown } | undefined

/** Calls on their way that carry what the person entered: until they have an answer, leaving the page would lose it. */
let pendingEntries = 0

/** Returns the response itself, for downloads and event streams. Rejects with an `ApiError` unless it is a 2xx. */
export async function sendRequest(
  endpoint: Endpoint,
  input: AnyCallInput,
  options: RequestOptions = {},
): Promise<Response> {
  if (input?.body === undefined) return request(endpoint, input, options)
  pendingEntries += 1
  try {
    return await request(endpoint, input, options)
  } finally {
    pendingEntries -= 1
  }
}

/** `key` stands for a post, for the case that it is sent again. */
type RequestOptions = { signal?: AbortSignal | undefined; key?: string }

async function request(endpoint: Endpoint, input: AnyCallInput, { signal, key }: RequestOptions): Promise<Response> {
  const token = readSessionToken()
  const url = buildApiUrl(endpoint, input)
  const sent =
    (endpoint.method === 'GET' && takeEarlyCall(url, token)) ||
    fetch(url, {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(input?.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: input?.body === undefined ? undefined : JSON.stringify(input.body),
      signal,
    })
  const response = await awaitNetwork(sent, signal)
  if (response.ok) return response
  if (gatewayFailures.has(response.status)) void checkServerReach()
  const error = await readApiError(response)
  // Asks in a dialog on top of everything, then repeats the call.
  const isProofMissing = error.status === 403 && readField(error.body, 'reauthenticate') === true
  if (isProofMissing ? await prompts.reauthenticate() : await recoverSession(error, token, pendingEntries > 0))
    return request(endpoint, input, { signal, key })
  throw error
}

/**
 * After a 401: returns true if the same person has signed in again over the page, so that the call can be repeated. Otherwise the page goes
 * to the login page or, if someone else is signed in by now, reloads; then this never settles.
 */
export async function recoverSession({ status }: ApiError, token: string | null, isEntry: boolean): Promise<boolean> {
  if (status !== 401 || isGuestPage(location.pathname)) return false
  if (await prompts.renewSession(token, isEntry)) return true
  endSession('expired')
  return false
}

/** Returns the address of a call, such as `/api/lead/3?sort=rating`: arrays comma-separated, empty values left out. */
export function buildApiUrl(endpoint: Endpoint, input: AnyCallInput): string {
  const params = new Map<string, unknown>(Object.entries(input?.params ?? {}))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name))))
  const query = Object.entries(input?.query ?? {})
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
  return `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** Adds the session to the query of an address for `<img>` and `<audio>`, which send no headers. */
export function addTokenToUrl(address: string): string {
  const token = readSessionToken()
  if (!token) return address
  return `${address}${address.includes('?') ? '&' : '?'}api_token=${encodeURIComponent(token)}`
}

/** Reads the error message of a failed response. */
export async function readApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = parseJsonText(text)
  const message = readField(body, 'message') ?? readField(body, 'error')
  const said =
    typeof message === 'string'
      ? message
      : `The server answered with error ${response.status}. Please try again in a moment.`
  return new ApiError(response.status, said, toErrorLines(readField(body, 'errors')), body)
}

/** Returns the row that a 409 of this call carries; undefined for any other problem. */
export function readConflict<E extends Endpoint>(endpoint: E, problem: unknown): ConflictRow<E> | undefined {
  if (!(problem instanceof ApiError && problem.status === 409)) return undefined
  const [name = ''] = Object.keys(endpoint.conflict ?? {})
  // The server's tests check it against the contract, like every response.
  return readField(problem.body, name) as ConflictRow<E> | undefined
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && name in body
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined
}

function toErrorLines(errors: unknown): Record<string, string[]> {
  if (typeof errors !== 'object' || errors === null) return {}
  return Object.fromEntries(
    Object.entries(errors).map(([name, said]) => [name, Array.isArray(said) ? said.map(String) : [String(said)]]),
  )
}
