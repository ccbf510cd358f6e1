/**
 * A page asks for its session and its rows while its code is still on the way. What a screen asks for when it is opened without a query
 * is kept in the browser; the next time the page itself sends these calls (vite.config.ts puts `sendEarlyCalls` into it), and
 * `takeEarlyCall` hands their answers over.
 */
type EarlyCalls = { token: string; answers: Map<string, Promise<Response>> }
declare global {
  interface Window {
    earlyCalls?: EarlyCalls
  }
}

export const earlyCallsKey = 'leadline.early-calls'

/** By the address of a page, then by the path of a call: its query. */
type KeptCalls = Record<string, Record<string, string>>

/** Stands in the page as its own text: it can use nothing that is outside of it. */
export function sendEarlyCalls(key: string, cookie: string) {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const kept = localStorage.getItem(key)
  if (!pair || !kept || location.search) return
  const token = decodeURIComponent(pair.slice(cookie.length + 1))
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answers = new Map<string, Promise<Response>>()
  for (const [path, query] of Object.entries((JSON.parse(kept) as KeptCalls)[location.pathname] ?? {})) {
    const answer = fetch(path + query, { headers })
    answer.catch(() => {}) // who takes it is told
    answers.set(path + query, answer)
  }
  window.earlyCalls = { token, answers }
}

export const forgetEarlyCalls = () => localStorage.removeItem(earlyCallsKey)

/** Milliseconds after which an answer counts as old. */
const earlyAnswerLife = 10_000

/** The answer to a call that the page has sent already, once. */
export function takeEarlyCall(url: string, token: string | null): Promise<Response> | undefined {
  const { earlyCalls } = window
  const answer = earlyCalls?.answers.get(url)
  earlyCalls?.answers.delete(url)
  return answer && earlyCalls?.token === token && performance.now() < earlyAnswerLife ? answer : undefined
}

/** Remembers a call for the next time that this page is opened. Pages of single things are too many. */
export function keepEarlyCall(url: string) {
  if (location.search || /\d/.test(location.pathname)) return
  const [path = '', query] = url.split('?')
  try {
    const kept = JSON.parse(localStorage.getItem(earlyCallsKey) ?? '{}') as KeptCalls
    const calls = { ...kept[location.pathname], [path]: query === undefined ? '' : `?${query}` }
    localStorage.setItem(earlyCallsKey, JSON.stringify({ ...kept, [location.pathname]: calls }))
  } catch {
    // A browser that keeps nothing asks later.
  }
}
