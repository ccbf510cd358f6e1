const cookie = 'leadline_token'
const month = 30 * 24 * 60 * 60

/** Pages that anybody opens. On them a missing session is no reason to leave. */
const publicPages = ['/login', '/rate', '/rate/not-lead']
export const isPublicPage = (path: string) => publicPages.includes(path.replace(/(.)\/+$/, '$1'))

/** The session token of this browser; null for a guest. */
export function sessionToken(): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${cookie}=`))
  return found ? decodeURIComponent(found.slice(cookie.length + 1)) : null
}

export function keepSession(token: string) {
  write(encodeURIComponent(token), month)
}

export function dropSession() {
  write('', 0)
}

/** Forgets the session and tells whoever must leave the page: it expired, or its person left. */
export function endSession(why: Ending) {
  const was = sessionToken() !== null
  dropSession()
  for (const tell of listeners) tell(was ? why : 'left')
}

type Ending = 'expired' | 'left'
const listeners = new Set<(why: Ending) => void>()
export function onSessionEnd(listener: (why: Ending) => void) {
  listeners.add(listener)
}

function write(value: string, maxAge: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http, where tests and the demo run.
  document.cookie = `${cookie}=${value}; path=/; max-age=${maxAge}; SameSite=Lax${secure}`
}
