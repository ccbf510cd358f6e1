import { z } from 'zod'
import { signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { timeFormats } from '../labels.ts'
import { currentUserSchema } from '../sign-in/contract.ts'

const ownSessionSchema = z.object({
  id: idField,
  created_at: textInstantField,
  /** To the minute. */
  last_used_at: textInstantField,
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** Whether it is the caller's session. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>

export const profileContract = {
  sessions: endpoint('GET /user/sessions', {
    allow: signedIn,
    reads: ['user'],
    description: 'The caller’s own sessions, last used first.',
    response: z.array(ownSessionSchema),
  }),
  endSession: endpoint('DELETE /user/sessions/:id', {
    allow: signedIn,
    changes: ['user'],
    description: "Ends one of the caller's own sessions.",
    success: 'The session has ended',
  }),
  saveSettings: endpoint('PUT /user/settings', {
    allow: signedIn,
    changes: ['user'],
    description: 'Saves how screens show a time of day.',
    body: z.strictObject({ time_format: z.enum(timeFormats, 'Either 12h or 24h') }),
    response: currentUserSchema,
    success: 'Settings were saved',
  }),
}
