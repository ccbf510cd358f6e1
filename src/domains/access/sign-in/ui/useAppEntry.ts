import { useRouter } from '@tanstack/react-router'
import { loadCurrentUser, readCurrentUser } from '#domains/access/ui/current-user.ts'
import { takePlace } from '#ui/data/return-place.ts'
import { saveSession } from '#ui/data/session-token.ts'

/** Returns what enters the app with a new session: at the page that was asked for, else at Home. */
export function useAppEntry(): (token: string) => Promise<void> {
  const { history } = useRouter()
  return async (token) => {
    saveSession(token)
    await loadCurrentUser().catch(() => undefined) // the page that is opened next reports it
    history.replace(takePlace(readCurrentUser()?.id))
  }
}
