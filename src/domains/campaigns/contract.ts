import { z } from 'zod'
import { adminsWithPages, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape, type SortName } from '#contract/field-definitions.ts'
import { flagField, idField, queryCheckbox, versionField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { campaignFields, campaignFilters } from './fields.ts'

export { defaultSchedule, type WorkingSchedule } from './schedule.ts'

/**
 * A campaign as pickers show it. Everyone gets id, name and archived of the campaigns they may see; admins also get the
 * client and categories; other fields need a page that shows them. Never includes money.
 */
const campaignOptionSchema = z.object({
  id: idField,
  name: z.string(),
  archived: flagField,
  client: z.object({ id: idField, name: z.string() }).optional(),
  categories: z.array(z.object({ id: idField, name: z.string(), color: z.string() })).optional(),
  is_ppc: flagField.optional(),
  leads_target: z.int().nullable().optional(),
  trouble_state: z.int().optional(),
  notes: z.string().optional(),
  /** Only in a list with teams: the kind of entry, and its unique key. */
  type: z.enum(['campaign', 'team']).optional(),
  key: z.string().optional(),
})
export type CampaignOption = z.infer<typeof campaignOptionSchema>

const campaignSchema = z.object(getRowShape(campaignFields))
export type Campaign = z.infer<typeof campaignSchema>

const averageSchema = z.number().nullable()
/** Over all campaigns that match the filters, not just the page. Averages skip nulls. */
const campaignSummarySchema = z.object({
  approved_ppc: z.object({ total: z.number(), avg: averageSchema }),
  net: z.object({ total: z.number() }),
  ppc: z.object({ avg: averageSchema }),
  service_fee: z.object({ total: z.number(), avg: averageSchema }),
  total: z.int(),
})
export type CampaignSummary = z.infer<typeof campaignSummarySchema>

export type CampaignSort = SortName<typeof campaignFields>

const pagedCampaigns = {
  ...pagedFields(campaignFields, { filters: campaignFilters, sort: 'due_date', perPage: 50, total: 'meta' }),
  response: z.object({
    data: z.array(campaignSchema),
    meta: z.object({ total: z.int() }),
    summary: campaignSummarySchema,
  }),
}
export type CampaignListQuery = z.output<typeof pagedCampaigns.query>

export const campaignFormSchema = z.strictObject(getFormShape(campaignFields))
export type CampaignForm = z.output<typeof campaignFormSchema>

const canManageCampaigns = adminsWithPages('campaigns')

export const campaignsContract = {
  list: endpoint('GET /campaigns', {
    allow: canManageCampaigns,
    reads: ['campaign'],
    row: 'campaign',
    description: 'Active campaigns.',
    ...pagedCampaigns,
  }),
  archived: endpoint('GET /campaigns/archived', {
    allow: canManageCampaigns,
    reads: ['campaign'],
    row: 'campaign',
    description: 'Archived campaigns.',
    ...pagedCampaigns,
  }),
  csv: exportEndpoint('GET /campaigns/export', {
    allow: canManageCampaigns,
    query: pagedCampaigns.query,
    file: 'campaigns.csv',
  }),
  archivedCsv: exportEndpoint('GET /campaigns/archived/export', {
    allow: canManageCampaigns,
    query: pagedCampaigns.query,
    file: 'archived_campaigns.csv',
  }),
  all: endpoint('GET /campaigns/all', {
    allow: signedIn,
    reads: ['campaign'],
    description:
      'The campaigns that the caller may see, by name, for pickers; `with_teams` adds the teams, for admins.',
    query: z.object({ with_teams: queryCheckbox, cache: z.unknown().optional() }),
    response: z.array(campaignOptionSchema),
  }),
  get: endpoint('GET /campaigns/:id', {
    allow: canManageCampaigns,
    reads: ['campaign'],
    row: 'campaign',
    description: 'One campaign as the list shows it, active or archived.',
    response: campaignSchema,
  }),
  create: endpoint('POST /campaign', {
    allow: canManageCampaigns,
    changes: ['campaign', 'client', 'client-site', 'campaign-category'],
    row: 'campaign',
    description: 'The caller gets access to the new campaign.',
    body: campaignFormSchema,
    response: campaignSchema,
    success: 'Campaign was created successfully',
  }),
  update: endpoint('PUT /campaign/:id', {
    allow: canManageCampaigns,
    changes: ['campaign', 'client', 'client-site', 'campaign-category', 'lead', 'dispute', 'statement'],
    row: 'campaign',
    description:
      'The whole form. Another client takes the leads along, without what the earlier one said about them. If someone else has saved the campaign since the `version` that was opened, returns 409 with the newer campaign.',
    body: campaignFormSchema.extend({ id: idField.optional(), version: versionField }),
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
  archive: endpoint('POST /campaign/:id/archive', {
    allow: canManageCampaigns,
    changes: ['campaign', 'campaign-category'],
    row: 'campaign',
    description: 'Leads keep coming in; pickers do not offer the campaign anymore.',
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
  unarchive: endpoint('POST /campaign/:id/unarchive', {
    allow: canManageCampaigns,
    changes: ['campaign', 'campaign-category'],
    row: 'campaign',
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
}
