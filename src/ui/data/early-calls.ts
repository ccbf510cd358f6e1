/**
 * A page fetches its session and rows while its code is still loading. The calls that a screen makes when it is opened without a query
 * are stored in the browser; the next time, an inline script sends them (vite.config.ts puts `sendEarlyCalls` into the page), and
 * `takeEarlyCall` returns their responses.
 */
type EarlyCalls = { token: string; answers: Map<string, Promise<Response>> }
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
  if (!pair || !kept || location.search) return
  const token = decodeURIComponent(pair.slice(cookie.length + 1))
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answers = new Map<string, Promise<Response>>()
  for (const [path, query] of Object.entries((JSON.parse(kept) as KeptCalls)[location.pathname] ?? {})) {
    const answer = fetch(path + query, { headers })
    answer.catch(() => {}) // the caller of `takeEarlyCall` gets the error
    answers.set(path + query, answer)
  }
  window.earlyCalls = { token, answers }
}

/** Milliseconds after which a response is stale. */
const earlyAnswerLife = 10_000

/** Returns the response to a call that the page has already sent; only once for each call. */
export function takeEarlyCall(url: string, token: string | null): Promise<Response> | undefined {
  const { earlyCalls } = window
  const answer = earlyCalls?.answers.get(url)
  earlyCalls?.answers.delete(url)
  return answer && earlyCalls?.token === token && performance.now() < earlyAnswerLife ? answer : undefined
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
