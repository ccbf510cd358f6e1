import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { clientSchema } from '#domains/clients/contract.ts'
import { mailKinds, mailStates } from '#domains/leads/labels.ts'

const countSchema = z.int().min(0)

const clientRecordSchema = clientSchema.extend({
  /** The campaigns that the reader may see. */
  campaigns: z.array(
    z.object({
      id: idField,
      name: z.string(),
      archived: flagField,
      /** Verified leads of this month, as the client's report counts them. */
      verified: countSchema,
      /** In whole leads; 0 without one, of an archived campaign without leads in this month, and of one that begins after it. */
      target: countSchema,
      /** For users with Campaigns. */
      contract: z.object({ manager: z.string(), service_fee: z.number().nullable() }).nullable(),
    }),
  ),
  /** Verified leads of the last 90 days about which the client has said nothing. */
  unrated: countSchema,
  /** The latest emails to this client about leads of these campaigns. */
  mails: z.array(
    z.object({
      id: idField,
      lead_id: idField,
      kind: z.enum(mailKinds),
      state: z.enum(mailStates),
      recipients: z.array(z.string()),
      error: z.string().nullable(),
      created_at: instantField,
    }),
  ),
  /** Its account has not accepted the invitation yet, and is mailed nothing else. */
  invited: flagField,
  /** The active sessions of the client's account; none for API keys. */
  logins: z.array(
    z.object({
      id: idField,
      created_at: instantField,
      last_used_at: instantField,
      address: z.string().nullable(),
      user_agent: z.string().nullable(),
    }),
  ),
})
export type ClientRecord = z.infer<typeof clientRecordSchema>

/** The record behind a client's page. Its reports, statements and disputes are other calls. */
export const clientRecordContract = {
  read: endpoint('GET /client/:id/record', {
    allow: adminsWithPages('clients'),
    reads: ['client'],
    description:
      'A client with its campaigns, the leads of this month, the latest emails about leads and the sessions of its account.',
    response: clientRecordSchema,
  }),
}
