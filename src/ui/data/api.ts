import type { BodyInput, ConflictRow, Endpoint, ParamsOf, QueryInput, ResponseOf } from '#contract/endpoint.ts'
import { takeEarlyCall } from './early-calls.ts'
import { isPageUnloading } from './page-unload.ts'
import { endSession, isGuestPage, leaveView, readSessionToken } from './session-token.ts'

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

/** Makes the call and returns its parsed body. Rejects with an `ApiError`. */
export async function callApi<E extends Endpoint>(endpoint: E, ...[input]: CallArgs<E>): Promise<ResponseOf<E>> {
  // Not validated here: the server's tests check every response against the contract.
  return (await readJson(await sendRequest(endpoint, input))) as ResponseOf<E>
}

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

/** Waits for the network. Never settles if a call fails while the page is unloading: that is not an error to show. */
async function awaitNetwork<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await promise
  } catch (problem) {
    if (signal?.aborted) throw problem
    if (isPageUnloading()) return new Promise(() => {})
    throw new ApiError(0, 'Network Error')
  }
}

/** Asks the user to confirm their identity after a call that needs a recent proof of it. Returns whether to repeat the call. */
let reauthenticate: () => Promise<boolean> = async () => false
export function setReauthentication(ask: () => Promise<boolean>) {
  reauthenticate = ask
}

export type AnyCallInput = { params?: object; query?: object; body?: unknown } | undefined

/** Returns the response itself, for downloads and event streams. Rejects with an `ApiError` unless it is a 2xx. */
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
  // Asks in a dialog on top of everything, then repeats the call.
  if (response.status === 403 && readField(error.body, 'reauthenticate') === true && (await reauthenticate()))
    return sendRequest(endpoint, input, signal)
  await leaveEndedSession(error, token)
  throw error
}

/** Ends the session after a 401: the page goes to the login page or, for another session, reloads; then this never settles. */
export async function leaveEndedSession({ status }: ApiError, token: string | null): Promise<void> {
  if (status !== 401 || isGuestPage(location.pathname)) return
  if (isTokenReplaced(token) || leaveView()) return reloadPage()
  endSession('expired')
}

/** Whether another session took the place of the one that a call was sent with: a view has ended, or another tab signed in. */
function isTokenReplaced(sent: string | null): boolean {
  const token = readSessionToken()
  return token !== null && token !== sent
}

/** Reloads the page for the current session. Never settles: the page is about to unload. */
function reloadPage(): Promise<never> {
  location.replace('/')
  return new Promise(() => {})
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
  const said = typeof message === 'string' ? message : `Request failed with status code ${response.status}`
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
