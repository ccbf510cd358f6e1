import { useSyncExternalStore } from 'react'
import { callApi } from '#ui/data/api.ts'
import { keepLoginPath } from '#ui/data/login-path.ts'
import { endSession, leaveView, readSessionToken } from '#ui/data/session-token.ts'
import { buildQuery, getQueryKey, queryClient, useApi } from '#ui/data/useApi.ts'
import { type CurrentUserDto, sessionContract } from '../sign-in/contract.ts'

/** Read once per session, and again after changes to the user's own account. The router handles failures. */
const currentUserOptions = { kept: true, quiet: true, early: true } as const

/** Returns the signed-in person; null for a guest, and on public pages, which never load it. */
export function useCurrentUser(): CurrentUserDto | null {
  return useApi(sessionContract.me, undefined, { ...currentUserOptions, enabled: false }).data ?? null
}

/**
 * The same for what stays mounted when someone else logs in: once the cache is cleared, the library would go on returning the
 * previous person.
 */
export function useCurrentUserOfAnySession(): CurrentUserDto | null {
  useSyncExternalStore(subscribeToQueries, readCurrentUser)
  return useCurrentUser()
}
const subscribeToQueries = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange)

/** Keeps the signed-in person fresh while a page with the side menu is open. */
export function useFreshCurrentUser(): CurrentUserDto | null {
  return useApi(sessionContract.me, undefined, currentUserOptions).data ?? null
}

/** Loads the signed-in person once per session. Rejects for a guest. */
export async function loadCurrentUser(): Promise<void> {
  // After signing out, the Back button must not show cached data.
  if (readSessionToken() === null) queryClient.clear()
  const { queryFn, ...query } = buildQuery(sessionContract.me, undefined, currentUserOptions)
  // With the library's signal, a component that is unmounted in between would cancel the call that the router waits for.
  await queryClient.ensureQueryData({ ...query, queryFn: () => queryFn({ signal: new AbortController().signal }) })
  const me = readCurrentUser()
  if (me && !me.seen_by) keepLoginPath(me.isCustomer)
}

/** Returns what `loadCurrentUser` found. */
export const readCurrentUser = (): CurrentUserDto | undefined =>
  queryClient.getQueryData(getQueryKey(sessionContract.me))

/** Caches the server's response to a change of the user's own account. */
export function cacheCurrentUser(me: CurrentUserDto) {
  queryClient.setQueryData(getQueryKey(sessionContract.me), me)
}

/** Ends the session here and on the server. If the server is unreachable, it still ends here. */
export async function logOut() {
  leaveView() // a view ends with the viewer's own session
  if (readSessionToken()) await callApi(sessionContract.logout).catch(() => undefined)
  endSession('left')
}
