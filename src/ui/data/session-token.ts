import { earlyCallsKey } from './early-calls.ts'

export const tokenCookie = 'leadline_token'
/** The user's own session, while the other cookie is a view as another user. */
const ownTokenCookie = 'leadline_own_token'
const monthSeconds = 30 * 24 * 60 * 60

/** Pages that need no session, as the router spells them; the app sets them. */
let guestPages: readonly RegExp[] = []
export function setGuestPages(paths: readonly string[]) {
  guestPages = paths.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/*$`))
}
export const isGuestPage = (path: string) => guestPages.some((page) => page.test(path))

/** Returns the session token of this browser; null for a guest. */
export const readSessionToken = (): string | null => readTokenCookie(tokenCookie)

export function saveSession(token: string) {
  writeTokenCookie(tokenCookie, token)
  removeTokenCookie(ownTokenCookie)
}

export function clearSession() {
  removeTokenCookie(tokenCookie)
  removeTokenCookie(ownTokenCookie)
}

/** Starts a view as another user, in every tab; keeps the user's own session for later. */
export function enterView(token: string) {
  const own = readSessionToken()
  saveSession(token)
  if (own) writeTokenCookie(ownTokenCookie, own)
}

/** Goes back to the user's own session. Returns false if there is no view to leave. */
export function leaveView(): boolean {
  const own = readTokenCookie(ownTokenCookie)
  if (own === null) return false
  saveSession(own)
  return true
}

/** Deletes the session and notifies the listeners why: it expired, or the user logged out. */
export function endSession(why: SessionEnding) {
  const was = readSessionToken() !== null
  clearSession()
  for (const tell of sessionEndListeners) tell(was ? why : 'left')
}

type SessionEnding = 'expired' | 'left'
const sessionEndListeners = new Set<(why: SessionEnding) => void>()
/** Returns a function that removes the listener. */
export function onSessionEnd(listener: (why: SessionEnding) => void): () => void {
  sessionEndListeners.add(listener)
  return () => {
    sessionEndListeners.delete(listener)
  }
}

function readTokenCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

/** Where the Find dialog stores the last visited places. */
export const recentResultsKey = 'leadline.found'

/** Removes what this browser stores for one user: the next one may neither see nor call it. Widths, density and colors stay. */
function forgetPerson() {
  for (const key of [earlyCallsKey, recentResultsKey]) localStorage.removeItem(key)
}

const removeTokenCookie = (name: string) => writeTokenCookie(name, '', 0)

function writeTokenCookie(name: string, value: string, maxAge = monthSeconds) {
  forgetPerson()
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http, where tests and the demo run.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAge}; SameSite=Lax${secure}`
}
