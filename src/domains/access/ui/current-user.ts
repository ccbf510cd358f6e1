import { callApi } from '#ui/data/api.ts'
import { endSession, leaveView, readSessionToken } from '#ui/data/session-token.ts'
import { buildQuery, getQueryKey, queryClient, useApi } from '#ui/data/useApi.ts'
import { type CurrentUserDto, sessionContract } from '../sign-in/contract.ts'

/** Read once a session, and again when something about oneself is written. Its failure is the router's to handle. */
const currentUserOptions = { kept: true, quiet: true, early: true } as const

/** The signed-in person; null for a guest, and on the public pages, which never ask. */
export function useCurrentUser(): CurrentUserDto | null {
  return useApi(sessionContract.me, undefined, { ...currentUserOptions, enabled: false }).data ?? null
}

/** Keeps the signed-in person fresh while a page with the side menu is open. */
export function useFreshCurrentUser(): CurrentUserDto | null {
  return useApi(sessionContract.me, undefined, currentUserOptions).data ?? null
}

/** Asks who is signed in, once a session. Rejects for a guest. */
export async function loadCurrentUser(): Promise<void> {
  // Whoever has left and goes Back must not find what they had read.
  if (readSessionToken() === null) queryClient.clear()
  await queryClient.ensureQueryData(buildQuery(sessionContract.me, undefined, currentUserOptions))
}

/** Returns what `loadCurrentUser` found. */
export const readCurrentUser = (): CurrentUserDto | undefined =>
  queryClient.getQueryData(getQueryKey(sessionContract.me))

/** The server's answer to a change of oneself, shown at once. */
export function cacheCurrentUser(me: CurrentUserDto) {
  queryClient.setQueryData(getQueryKey(sessionContract.me), me)
}

/** Ends the session on the server too; without the server it still ends here. */
export async function logOut() {
  leaveView() // it ends with one's own session
  if (readSessionToken()) await callApi(sessionContract.logout).catch(() => undefined)
  endSession('left')
}
