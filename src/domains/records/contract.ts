import { z } from 'zod'
import { signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { userRoles } from '#domains/access/labels.ts'

const namedSchema = z.object({ id: idField, name: z.string() })
const countSchema = z.int().min(0)

/** The days over which leads are counted by source and by campaign. */
export const recordDays = 90
export const maxRecordRows = 20

const campaignRecordSchema = z.object({
  id: idField,
  name: z.string(),
  archived: flagField,
  /** For admins. */
  client: namedSchema.nullable(),
  categories: z.array(namedSchema.extend({ color: z.string() })).nullable(),
  /** For users with a page of campaigns, their leads or their notes. */
  state: z.object({ trouble_state: z.int(), is_ppc: flagField, notes: z.string() }).nullable(),
  /** For users with Campaigns. */
  contract: z.object({ manager: z.string(), start_date: z.string().nullable(), due_date: z.int() }).nullable(),
  /** The sources of leads in the last 90 days, for admins who read leads: handlers and clients may not read sources. */
  sources: z
    .array(
      z.object({
        source: z.string(),
        type: z.string(),
        leads: countSchema,
        verified: countSchema,
        last_at: instantField,
      }),
    )
    .nullable(),
  /** Open tasks, earliest first; for users who read notes. */
  tasks: z
    .object({
      data: z.array(z.object({ id: idField, date: z.string(), note: z.string(), assignee: z.string().nullable() })),
      total: countSchema,
    })
    .nullable(),
  /** Users who may see the campaign besides super admins; for admins, not for API keys. */
  people: z.array(z.object({ id: idField, username: z.string(), role: z.enum(userRoles) })).nullable(),
})
export type CampaignRecord = z.infer<typeof campaignRecordSchema>

/** The record behind a campaign's page. Data that other calls of the page return is not repeated here. */
export const recordsContract = {
  campaign: endpoint('GET /campaign/:id', {
    allow: signedIn,
    reads: ['campaign'],
    description: 'A campaign that the user may see; each part only for users who may read it elsewhere.',
    response: campaignRecordSchema,
  }),
}
