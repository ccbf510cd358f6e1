import { call } from '#ui/data/api.ts'
import { keepSession } from '#ui/data/session-token.ts'
import { session } from '../sign-in/contract.ts'

let refusal: string | null = null
/** Why the link that brought somebody here did not sign them in. */
export const tokenRefusal = () => refusal

/**
 * `?token=` on any address: taken out of the address before anything else happens, traded for a session, and the page
 * loads again. A token that is refused leads to the login page, which says why.
 */
export async function tradeToken(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token === null) return
  query.delete('token')
  const rest = query.size > 0 ? `?${query}` : ''
  history.replaceState(null, '', `${location.pathname}${rest}${location.hash}`)
  try {
    const answer = await call(session.authByToken, { body: { token } })
    if ('token' in answer) {
      keepSession(answer.token)
      location.reload()
      // Nothing may start on a page that is about to go.
      return new Promise(() => {})
    }
    refusal = answer.error
  } catch (problem) {
    refusal = problem instanceof Error ? problem.message : String(problem)
  }
  history.replaceState(null, '', '/login')
}
