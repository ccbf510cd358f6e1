import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { leadProviders, reconciliationOutcomes } from '../labels.ts'

const daysSchema = z.number().min(0)

/** The leads that one client site sends through one provider. */
const sourceProviderSchema = z.object({
  provider: z.enum(leadProviders),
  /** ISO 8601 in UTC. */
  last_at: textInstantField,
  /** In whole days. */
  days_silent: daysSchema,
  /** The mean days between its last twenty leads; null for a single lead. */
  usual_gap: daysSchema.nullable(),
  silent: z.boolean(),
})

const leadSourceSchema = z.object({
  /** The client site. */
  id: idField,
  url: z.string(),
  campaign_id: idField,
  campaign_name: z.string(),
  /** Null if it never sent a lead. */
  last_at: textInstantField.nullable(),
  /** Since the last lead, or else since the site was created. */
  days_silent: daysSchema,
  /** At least one of its providers has an open signal; see GET signals. */
  silent: z.boolean(),
  providers: z.array(sourceProviderSchema),
})
export type LeadSource = z.infer<typeof leadSourceSchema>

const leadSourcesSchema = z.object({
  /** Sites of campaigns that are not archived; the silent ones first, the longest silence first. */
  data: z.array(leadSourceSchema),
  /** Leads without a campaign, which someone has to assign. */
  unassigned: z.int().min(0),
  /** Events that could not be used. */
  quarantined: z.int().min(0),
  /** The result of the last comparison with CallRail's list. */
  reconciliation: z.object({
    connected: z.boolean(),
    ran_at: textInstantField.nullable(),
    outcome: z.enum(reconciliationOutcomes).nullable(),
    error: z.string().nullable(),
    /** Everything before it has been compared. */
    until: textInstantField.nullable(),
    /** Calls, forms and texts of the last seven days that no hook reported. */
    found: z.int().min(0),
  }),
})

export const leadSourcesContract = {
  list: endpoint('GET /leads/sources', {
    allow: superAdminOnly,
    reads: ['lead'],
    description: 'Which client sites send leads, and which have fallen silent: those with an open signal.',
    response: leadSourcesSchema,
  }),
}
