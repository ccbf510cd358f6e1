import { callApi } from '#ui/data/api.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { keepPendingSignIn } from '../second-factor/ui/pending-sign-in.ts'
import { sessionContract } from '../sign-in/contract.ts'

let tokenError: string | null = null
/** Why the link that brought somebody here did not sign them in. */
export const getTokenError = () => tokenError

/**
 * `?token=` on any address: taken out of the address before anything else happens, traded for a session, and the page
 * loads again. The login page asks for a second factor, and says why a token is refused.
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
      // Nothing may start on a page that is about to go.
      return new Promise(() => {})
    }
    if ('second_factor' in answer) keepPendingSignIn(answer.second_factor)
    else tokenError = answer.error
  } catch (problem) {
    tokenError = problem instanceof Error ? problem.message : String(problem)
  }
  history.replaceState(null, '', '/login')
}
