import { getErrorMessage } from '#contract/error-message.ts'
import { callApi } from '#ui/data/api.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { keepPendingSignIn } from '../second-factor/ui/pending-sign-in.ts'
import { sessionContract } from '../sign-in/contract.ts'

let tokenError: string | null = null
/** Returns why the link did not sign the visitor in. */
export const getTokenError = () => tokenError

/**
 * Handles `?token=` in any URL: removes it from the address bar first, exchanges it for a session, and reloads the
 * page. The login page asks for a second factor, or shows why the token was refused.
 */
export async function exchangeToken(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token === null) return
  query.delete('token')
  const rest = query.size > 0 ? `?${query}` : ''
  history.replaceState(null, '', `${location.pathname}${rest}${location.hash}`)
  try {
    const answer = await callApi(sessionContract.authByToken, { body: { token } })
    if ('token' in answer) {
      saveSession(answer.token)
      location.reload()
      // Nothing may start on a page that is about to reload.
      return new Promise(() => {})
    }
    if ('second_factor' in answer) keepPendingSignIn(answer.second_factor)
    else tokenError = answer.error
  } catch (problem) {
    tokenError = getErrorMessage(problem)
  }
  history.replaceState(null, '', '/login')
}
