import { getErrorMessage } from '#contract/error-message.ts'
import { callApi } from '#ui/data/api.ts'
import { getClientLoginPath, keepLoginPath } from '#ui/data/login-path.ts'
import { clearSession, saveSession } from '#ui/data/session-token.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { keepPendingSignIn } from '../second-factor/ui/pending-sign-in.ts'
import { sessionContract } from '../sign-in/contract.ts'

let tokenError: string | null = null
/** Returns why the link did not sign the visitor in. */
export const getTokenError = () => tokenError

/**
 * Exchanges the token that the address brought for a session, and reloads the page. Where someone else is signed in, it asks first:
 * `showQuestions` makes the page able to. The login page of clients asks for a second factor, or shows why the token was refused.
 */
export async function exchangeToken(token: string, showQuestions: () => void): Promise<void> {
  try {
    let answer = await callApi(sessionContract.authByToken, { body: { token } })
    if ('other_person' in answer) {
      showQuestions()
      if (!(await confirmReplacement(answer.other_person))) return
      answer = await callApi(sessionContract.authByToken, { body: { token, replace: 1 } })
      clearSession()
    }
    if ('token' in answer) {
      saveSession(answer.token)
      location.reload()
      // Nothing may start on a page that is about to reload.
      return new Promise(() => {})
    }
    if ('second_factor' in answer) {
      keepLoginPath(true)
      keepPendingSignIn(answer.second_factor)
    }
    if ('error' in answer) tokenError = answer.error
  } catch (problem) {
    tokenError = getErrorMessage(problem)
  }
  // Only clients have such links, also those that no longer work.
  history.replaceState(null, '', getClientLoginPath())
}

const confirmReplacement = ({ signed_in, link }: { signed_in: string; link: string }) =>
  confirmAction(`Sign in as ${link} instead of ${signed_in}?`, {
    label: `Sign in as ${link}`,
    details: [
      `You are signed in as ${signed_in}, and this link is for ${link}.`,
      `If you go on, ${signed_in} is signed out in this browser. If you cancel, nothing changes.`,
    ],
  })
