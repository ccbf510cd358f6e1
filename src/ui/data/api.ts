import type { BodyInput, ConflictRow, Endpoint, ParamsOf, QueryInput, ResponseOf } from '#contract/endpoint.ts'
import { takeEarlyCall } from './early-calls.ts'
import { isPageUnloading } from './page-unload.ts'
import { endSession, isPublicPage, leaveView, readSessionToken } from './session-token.ts'

/** A call that did not succeed. `status` is 0 when no answer came; `body` is whatever JSON came with it. */
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

type PathPart<E> = keyof ParamsOf<E> extends never ? { params?: undefined } : { params: ParamsOf<E> }
// The server fills in every query value by itself, so a caller names only those it cares for.
type QueryPart<E> = E extends { query: unknown } ? { query?: Partial<QueryInput<E>> } : { query?: undefined }
type BodyPart<E> = E extends { body: unknown }
  ? undefined extends BodyInput<E>
    ? { body?: BodyInput<E> }
    : { body: BodyInput<E> }
  : { body?: undefined }

/** What a call is given: path parameters, query and body, as far as its endpoint declares them. */
export type CallInput<E> = PathPart<E> & QueryPart<E> & BodyPart<E>
/** The same as an argument that may be left out where nothing is required. */
export type CallArgs<E> = Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** Makes the call and answers its parsed body. Rejects with an `ApiError`. */
export async function callApi<E extends Endpoint>(endpoint: E, ...[input]: CallArgs<E>): Promise<ResponseOf<E>> {
  // The server's tests hold every answer against this very contract, so it is not parsed a second time here.
  return (await readJson(await sendRequest(endpoint, input))) as ResponseOf<E>
}

/** The JSON of an answer; undefined where it has no body. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await awaitNetwork(response.text())
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(response.status, 'The server’s answer could not be read')
  }
}

/** Waits for the network. A page that is unloading waits forever: no one is left to tell of a broken call. */
async function awaitNetwork<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await promise
  } catch (problem) {
    if (signal?.aborted) throw problem
    if (isPageUnloading()) return new Promise(() => {})
    throw new ApiError(0, 'Network Error')
  }
}

/** Asks who is there, for a call that was refused because the last proof is too old. Returns whether to repeat it. */
let reauthenticate: () => Promise<boolean> = async () => false
export function setReauthentication(ask: () => Promise<boolean>) {
  reauthenticate = ask
}

export type AnyCallInput = { params?: object; query?: object; body?: unknown } | undefined

/** The answer itself, for downloads and event streams. Rejects with an `ApiError` unless it is a 2xx. */
export async function sendRequest(endpoint: Endpoint, input: AnyCallInput, signal?: AbortSignal): Promise<Response> {
  const token = readSessionToken()
  const url = buildApiUrl(endpoint, input)
  const request =
    (endpoint.method === 'GET' && takeEarlyCall(url, token)) ||
    fetch(url, {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(input?.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: input?.body === undefined ? undefined : JSON.stringify(input.body),
      signal,
    })
  const response = await awaitNetwork(request, signal)
  if (response.ok) return response
  const error = await readApiError(response)
  // Shown in a dialog over whatever is open; then the very same call again.
  if (response.status === 403 && readField(error.body, 'reauthenticate') === true && (await reauthenticate()))
    return sendRequest(endpoint, input, signal)
  if (response.status === 401 && !isPublicPage(location.pathname)) {
    if (leaveView()) return reloadAsOneself()
    endSession('expired')
  }
  throw error
}

/** A view as another person has ended. Waits forever: the page is about to go. */
function reloadAsOneself(): Promise<never> {
  location.replace('/')
  return new Promise(() => {})
}

/** `/api/lead/3?sort=rating`: parameters filled in, arrays comma-separated, empty values left out. */
export function buildApiUrl(endpoint: Endpoint, input: AnyCallInput): string {
  const params = new Map<string, unknown>(Object.entries(input?.params ?? {}))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name))))
  const query = Object.entries(input?.query ?? {})
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
  return `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** An address of ours for `<img>` and `<audio>`, which send no header: the session goes into the query. */
export function addTokenToUrl(address: string): string {
  const token = readSessionToken()
  if (!token) return address
  return `${address}${address.includes('?') ? '&' : '?'}api_token=${encodeURIComponent(token)}`
}

/** What a call that was refused is told. */
export async function readApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = parseJsonText(text)
  const message = readField(body, 'message') ?? readField(body, 'error')
  const said = typeof message === 'string' ? message : `Request failed with status code ${response.status}`
  return new ApiError(response.status, said, toErrorLines(readField(body, 'errors')), body)
}

/** Returns the row that a 409 of this call carries; undefined for any other problem. */
export function readConflict<E extends Endpoint>(endpoint: E, problem: unknown): ConflictRow<E> | undefined {
  if (!(problem instanceof ApiError && problem.status === 409)) return undefined
  const [name = ''] = Object.keys(endpoint.conflict ?? {})
  // Like every answer, the server's tests hold it against the contract.
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
