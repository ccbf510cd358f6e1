import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { emailField, requiredText } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'

/** What must be true of a campaign before it is handed over to its client, in the order of the work. */
export const handoverKeys = ['site', 'arrivals', 'mail', 'hours', 'area', 'terms', 'target'] as const
export type HandoverKey = (typeof handoverKeys)[number]

const handoverStepSchema = z.object({
  key: z.enum(handoverKeys),
  done: z.boolean(),
  says: z.string(),
  /** When it became true, or was last seen. */
  at: instantField.nullable(),
  /** The path of the page on which it is done. */
  door: z.string(),
})
export type HandoverStep = z.infer<typeof handoverStepSchema>

const canManageCampaigns = adminsWithPages('campaigns')

export const handoverContract = {
  read: endpoint('GET /campaign/:id/handover', {
    allow: canManageCampaigns,
    reads: ['campaign', 'client', 'client-site', 'lead'],
    description: 'What must be true of the campaign before it is handed over, and what is missing.',
    response: z.array(handoverStepSchema),
  }),
}

export const testLeadContract = {
  send: endpoint('POST /campaign/:id/test-lead', {
    allow: canManageCampaigns,
    changes: ['campaign'],
    description:
      'Emails a made-up lead as a new lead is emailed. It is stored nowhere and counted nowhere, and its links save nothing.',
    body: z.strictObject({ to: requiredText('Please enter email', 254).pipe(emailField) }),
    response: z.object({ message: z.string() }),
  }),
}
