/**
 * A page fetches its session and rows while its code is still loading. The calls that a screen makes when it is opened without a query
 * are stored in the browser; the next time, an inline script sends them (vite.config.ts puts `sendEarlyCalls` into the page).
 * `takeEarlyBody` returns what has arrived, so that the screen has its rows when it is first rendered; `takeEarlyCall` the rest.
 */
type EarlyCall = { answer: Promise<Response>; body?: unknown }
type EarlyCalls = { token: string; calls: Map<string, EarlyCall> }
declare global {
  interface Window {
    earlyCalls?: EarlyCalls
  }
}

export const earlyCallsKey = 'leadline.early-calls'

/** The query of each call, by the page's path and then the call's path. */
type KeptCalls = Record<string, Record<string, string>>

/** Sends the stored calls. Its source text is inlined into the page, so it must not refer to anything outside itself. */
export function sendEarlyCalls(key: string, cookie: string) {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const kept = localStorage.getItem(key)
  if (!pair || !kept || location.search || window.addressSecrets) return
  const token = decodeURIComponent(pair.slice(cookie.length + 1))
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const calls = new Map<string, EarlyCall>()
  for (const [path, query] of Object.entries((JSON.parse(kept) as KeptCalls)[location.pathname] ?? {})) {
    const call: EarlyCall = { answer: fetch(path + query, { headers }) }
    const read = async (response: Response) => {
      if (response.ok) call.body = await response.clone().json()
    }
    call.answer.then(read).catch(() => {}) // the caller of `takeEarlyCall` gets the error
    calls.set(path + query, call)
  }
  window.earlyCalls = { token, calls }
}

/** Milliseconds after which a response is stale. */
const earlyAnswerLife = 10_000

/** Returns since when what a screen that opens now shows may have been asked for, in milliseconds of `performance.now()`. */
export const getFirstAskedAt = (): number => {
  const now = performance.now()
  return now < earlyAnswerLife ? 0 : now
}

/** Returns the response to a call that the page has already sent; only once for each call. */
export const takeEarlyCall = (url: string, token: string | null): Promise<Response> | undefined =>
  takeCall(url, token)?.answer

/** Returns the body of such a response if it has arrived and was a success; else the call can still be taken. */
export const takeEarlyBody = (url: string, token: string | null): unknown =>
  window.earlyCalls?.calls.get(url)?.body === undefined ? undefined : takeCall(url, token)?.body

function takeCall(url: string, token: string | null): EarlyCall | undefined {
  const { earlyCalls } = window
  const call = earlyCalls?.calls.get(url)
  earlyCalls?.calls.delete(url)
  return earlyCalls?.token === token && performance.now() < earlyAnswerLife ? call : undefined
}

/** Stores a call for the next time that this page is opened. Skips pages of single records: there are too many. */
export function keepEarlyCall(url: string) {
  setTimeout(() => storeEarlyCall(url)) // the router changes the address after the call that a new filter causes
}

function storeEarlyCall(url: string) {
  if (location.search || /\d/.test(location.pathname)) return
  const [path = '', query] = url.split('?')
  try {
    const kept = JSON.parse(localStorage.getItem(earlyCallsKey) ?? '{}') as KeptCalls
    const calls = { ...kept[location.pathname], [path]: query === undefined ? '' : `?${query}` }
    localStorage.setItem(earlyCallsKey, JSON.stringify({ ...kept, [location.pathname]: calls }))
  } catch {
    // A browser without storage makes the call later.
  }
}
