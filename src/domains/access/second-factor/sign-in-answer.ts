import { z } from 'zod'
import { secondFactorMethods } from './labels.ts'

const pendingSignInSchema = z.object({ challenge: z.string(), methods: z.array(z.enum(secondFactorMethods)) })
export type PendingSignIn = z.infer<typeof pendingSignInSchema>

/**
 * The response to a sign-in: a session (with `must_enrol`, only for setting up a second factor at first), a request for
 * the second factor, or an error. The error comes with 200, so that the form shows it and the call does not count as
 * failed.
 */
export const signInAnswerSchema = z.union([
  z.object({ token: z.string(), must_enrol: z.literal(true).optional() }),
  z.object({ second_factor: pendingSignInSchema }),
  z.object({ error: z.string() }),
])
