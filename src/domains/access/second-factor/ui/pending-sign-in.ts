import type { PendingSignIn } from '../sign-in-answer.ts'

let pending: PendingSignIn | null = null

/** Keeps a link sign-in that needs a second factor until the login page picks it up. */
export const keepPendingSignIn = (signIn: PendingSignIn) => {
  pending = signIn
}
export const getPendingSignIn = () => pending
