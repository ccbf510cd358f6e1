import { z } from 'zod'
import { adminOnly, both, may, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  dateField,
  flagField,
  idField,
  moneyField,
  queryCheckbox,
  queryId,
  querySearch,
  requiredId,
  requiredText,
} from '#contract/fields.ts'
import { exportEndpoint, paged } from '#contract/paged.ts'

export { defaultSchedule, scheduleSchema, type WorkingSchedule } from './schedule.ts'

/**
 * A campaign as pickers show it. Everyone gets id, name and archived of the campaigns they may see; admins also the
 * client and the categories; the rest only those whose pages show it. Money is never here.
 */
export const campaignOptionSchema = z.object({
  id: idField,
  name: z.string(),
  archived: flagField,
  client: z.object({ id: idField, name: z.string() }).optional(),
  categories: z.array(z.object({ id: idField, name: z.string(), color: z.string() })).optional(),
  is_ppc: flagField.optional(),
  leads_target: z.int().nullable().optional(),
  trouble_state: z.int().optional(),
  notes: z.string().optional(),
  /** Where teams are among them: what it is, and a key that no other has. */
  type: z.enum(['campaign', 'team']).optional(),
  key: z.string().optional(),
})
export type CampaignOption = z.infer<typeof campaignOptionSchema>

export const campaignSchema = z.object({
  id: idField,
  name: z.string(),
  categories: z.array(z.object({ id: idField, name: z.string(), color: z.string() })),
  client: z.object({ id: idField, name: z.string() }),
  client_sites: z.array(z.object({ id: idField, url: z.string() })),
  manager: z.string(),
  start_date: z.string().nullable(),
  /** Day of month, 1 to 31. */
  due_date: z.int(),
  current_target: z.int(),
  initial_target: z.int(),
  month_3_target: z.int().nullable(),
  month_6_target: z.int().nullable(),
  month_9_target: z.int().nullable(),
  month_12_target: z.int().nullable(),
  service_fee: z.number(),
  approved_ppc: z.number(),
  /** Percent of the service fee; null where there is none. */
  ppc: z.number().nullable(),
  net: z.number(),
  gmbs_count: z.int(),
  archived: flagField,
  fixed_to_top: flagField,
  version: z.int(),
})
export type Campaign = z.infer<typeof campaignSchema>

const averageSchema = z.number().nullable()
/** Over every campaign that the filters let through, not the page. Averages skip what is null. */
const campaignSummarySchema = z.object({
  approved_ppc: z.object({ total: z.number(), avg: averageSchema }),
  net: z.object({ total: z.number() }),
  ppc: z.object({ avg: averageSchema }),
  service_fee: z.object({ total: z.number(), avg: averageSchema }),
  total: z.int(),
})
export type CampaignSummary = z.infer<typeof campaignSummarySchema>

const campaignSorts = [
  'name',
  'campaigncategory.name',
  'client.name',
  'client_sites',
  'manager',
  'start_date',
  'due_date',
  'current_target',
  'initial_target',
  'month_3_target',
  'month_6_target',
  'month_9_target',
  'month_12_target',
  'service_fee',
  'approved_ppc',
  'ppc',
  'net',
  'gmbs_count',
] as const
export type CampaignSort = (typeof campaignSorts)[number]

const pagedCampaigns = {
  ...paged({
    row: campaignSchema,
    sorts: campaignSorts,
    sort: 'due_date',
    perPage: 50,
    total: 'meta',
    filters: { q: querySearch(), campaign_category_id: queryId },
  }),
  response: z.object({
    data: z.array(campaignSchema),
    meta: z.object({ total: z.int() }),
    summary: campaignSummarySchema,
  }),
}
export type CampaignListQuery = z.output<typeof pagedCampaigns.query>

// ——— the form ———

const isEmptyValue = (value: unknown) => value === undefined || value === null || value === ''
const emptyToNull = (value: unknown) => (isEmptyValue(value) ? null : value)
const createLeadTargetField = (sentence: string) =>
  z
    .int({ error: ({ input }) => (isEmptyValue(input) ? sentence : 'Input a number') })
    .min(0, 'Must not be negative')
    .max(1_000_000, 'Too large')
const laterTargetField = z.preprocess(emptyToNull, createLeadTargetField('Input a number').nullable())
const dueDateMessage = 'Please select due date'
/** An empty amount is none. */
const dollarAmountField = z.preprocess((value) => emptyToNull(value) ?? 0, moneyField)
const dedupeIds = (ids: number[]) => [...new Set(ids)]

export const campaignFormSchema = z.strictObject({
  name: requiredText('Please input campaign name'),
  categories: z
    .array(idField, 'Please select a category')
    .min(1, 'Please select a category')
    .max(50, 'At most 50 categories')
    .transform(dedupeIds),
  client_id: requiredId('Please select a client'),
  client_sites: z
    .array(idField, 'Not a list of client sites')
    .max(500, 'At most 500 client sites')
    .transform(dedupeIds)
    .default([]),
  manager: requiredText('Please input manager'),
  start_date: dateField('Please pick start date'),
  due_date: z.int(dueDateMessage).min(1, dueDateMessage).max(31, dueDateMessage),
  initial_target: createLeadTargetField('Please input initial target'),
  month_3_target: laterTargetField,
  month_6_target: laterTargetField,
  month_9_target: laterTargetField,
  month_12_target: laterTargetField,
  service_fee: dollarAmountField,
  approved_ppc: dollarAmountField,
  fixed_to_top: flagField.default(0),
})
export type CampaignForm = z.output<typeof campaignFormSchema>

const canManageCampaigns = both(adminOnly, may('campaigns'))

export const campaignsContract = {
  list: endpoint('GET /campaigns', { allow: canManageCampaigns, description: 'Active campaigns.', ...pagedCampaigns }),
  archived: endpoint('GET /campaigns/archived', {
    allow: canManageCampaigns,
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
    description: 'The campaigns one may see, by name, for pickers; `with_teams` puts the teams after them, for admins.',
    query: z.object({ with_teams: queryCheckbox, cache: z.unknown().optional() }),
    response: z.array(campaignOptionSchema),
  }),
  create: endpoint('POST /campaign', {
    allow: canManageCampaigns,
    description: 'Who creates a campaign sees it from then on.',
    body: campaignFormSchema,
    response: campaignSchema,
    success: 'Campaign was created successfully',
  }),
  update: endpoint('PUT /campaign/:id', {
    allow: canManageCampaigns,
    description:
      'The whole form. With the `version` that was opened, a form over which somebody else has saved another answers 409 and the newer campaign.',
    body: campaignFormSchema.extend({ id: idField.optional(), version: z.int().min(1).optional() }),
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
  archive: endpoint('POST /campaign/:id/archive', {
    allow: canManageCampaigns,
    description: 'Its leads keep coming in; pickers do not offer it any more.',
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
  unarchive: endpoint('POST /campaign/:id/unarchive', {
    allow: canManageCampaigns,
    response: campaignSchema,
    conflict: { campaign: campaignSchema },
    success: 'Campaign was changed successfully',
  }),
}
