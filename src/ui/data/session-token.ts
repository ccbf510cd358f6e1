const tokenCookie = 'leadline_token'
const monthSeconds = 30 * 24 * 60 * 60

/** Pages that anybody opens. On them a missing session is no reason to leave. */
const publicPages = ['/login', '/rate', '/rate/not-lead']
export const isPublicPage = (path: string) => publicPages.includes(path.replace(/(.)\/+$/, '$1'))

/** The session token of this browser; null for a guest. */
export function readSessionToken(): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${tokenCookie}=`))
  return found ? decodeURIComponent(found.slice(tokenCookie.length + 1)) : null
}

export function saveSession(token: string) {
  writeTokenCookie(encodeURIComponent(token), monthSeconds)
}

export function clearSession() {
  writeTokenCookie('', 0)
}

/** Forgets the session and tells the page that it is over: it expired, or its person logged out. */
export function endSession(why: SessionEnding) {
  const was = readSessionToken() !== null
  clearSession()
  for (const tell of sessionEndListeners) tell(was ? why : 'left')
}

type SessionEnding = 'expired' | 'left'
const sessionEndListeners = new Set<(why: SessionEnding) => void>()
export function onSessionEnd(listener: (why: SessionEnding) => void) {
  sessionEndListeners.add(listener)
}

function writeTokenCookie(value: string, maxAge: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http, where tests and the demo run.
  document.cookie = `${tokenCookie}=${value}; path=/; max-age=${maxAge}; SameSite=Lax${secure}`
}
