import type { PendingSignIn } from '../contract.ts'

let pending: PendingSignIn | null = null

/** A sign-in by link that waits for its second factor, until the login page takes it. */
export const keepPendingSignIn = (signIn: PendingSignIn) => {
  pending = signIn
}
export const getPendingSignIn = () => pending
