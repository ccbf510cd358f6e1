import { call } from '#ui/data/api.ts'
import { endSession, sessionToken } from '#ui/data/session-token.ts'
import { keyOf, question, read, useApi } from '#ui/data/useApi.ts'
import { type CurrentUser, session } from '../sign-in/contract.ts'

/** Read once a session, and again when something about oneself is written. Its failure is the router's to handle. */
const options = { kept: true, quiet: true } as const

/** The signed-in person; null for a guest, and on the public pages, which never ask. */
export function useMe(): CurrentUser | null {
  return useApi(session.me, undefined, { ...options, enabled: false }).data ?? null
}

/** Keeps the signed-in person fresh while a page with the side menu is open. */
export function useFreshMe(): CurrentUser | null {
  return useApi(session.me, undefined, options).data ?? null
}

/** Asks who is signed in, once a session. Rejects for a guest. */
export async function loadMe(): Promise<void> {
  // Whoever has left and goes Back must not find what they had read.
  if (sessionToken() === null) read.clear()
  await read.ensureQueryData(question(session.me, undefined, options))
}

/** The server's answer to a change of oneself, shown at once. */
export function keepMe(me: CurrentUser) {
  read.setQueryData(keyOf(session.me), me)
}

/** Ends the session on the server too; without the server it still ends here. */
export async function logOut() {
  if (sessionToken()) await call(session.logout).catch(() => undefined)
  endSession('left')
}
