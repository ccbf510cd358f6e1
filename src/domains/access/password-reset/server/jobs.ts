import { defineJob } from '#domains/app-context.ts'
import { queueReset } from './password-links.ts'

/** Nothing reads it but this job, and an email may be a person's: so not even the queue knows for whom a link was requested. */
const sealPlace = 'password-reset'
type ResetRequest = { sealed: string }

/**
 * Mails a requested link. The request itself only enqueues this, whether there is such an account or not: the response takes the same
 * time, and the same statements, for both.
 */
export const passwordResetJob = defineJob<ResetRequest>({
  name: 'password-reset',
  sealPlace,
  run: async (context, { sealed }) => {
    const email = context.secrets.open(Buffer.from(sealed, 'base64'), sealPlace)
    await context.db.transaction((tx) => queueReset(tx, context, email))
  },
})

export const sealResetRequest = (
  email: string,
  secrets: { seal(text: string, place: string): Buffer },
): ResetRequest => ({
  sealed: secrets.seal(email, sealPlace).toString('base64'),
})
