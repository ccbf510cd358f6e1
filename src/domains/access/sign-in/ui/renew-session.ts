import { readCurrentUser } from '#domains/access/ui/current-user.ts'
import { callApi } from '#ui/data/api.ts'
import { startPageAgain } from '#ui/data/page-unload.ts'
import { leaveView, readSessionToken } from '#ui/data/session-token.ts'
import { sessionContract } from '../contract.ts'

/**
 * Has an ended session renewed over the page where leaving it would lose something. Reloads the page if someone else is signed in by now:
 * a view has ended, or another tab signed in.
 */
export async function renewSession(
  ended: string | null,
  isEntry: boolean,
  logInAgain: () => Promise<boolean>,
): Promise<boolean> {
  const me = readCurrentUser()
  const token = readSessionToken()
  if (token !== null && token !== ended) return (await isSignedInAs(me)) || startPageAgain()
  if (leaveView()) return startPageAgain()
  const isLoggedOut = ended !== null && token === null
  // Clients sign in with a link, which this page does not have.
  if (!me || me.isCustomer || isLoggedOut || !(isEntry || isTyping())) return false
  return logInAgain()
}

/** Returns whether the session of this browser is that of the person whom the page was loaded for. */
async function isSignedInAs(me: ReturnType<typeof readCurrentUser>): Promise<boolean> {
  const now = await callApi(sessionContract.me)
  return now.id === me?.id && now.seen_by?.id === me.seen_by?.id
}

/** In a form of a dialog, or in a field that is being edited. The address has what is searched for. */
const isTyping = () =>
  document.activeElement?.matches('textarea, input:not([type=search], [type=checkbox], [type=radio])') ||
  [...document.forms].some((form) => form.closest('[role=dialog]'))
