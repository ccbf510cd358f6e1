import { z } from 'zod'
import { admin, both, may, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { date, flag, id, idOr, money, queryCheck, queryId, querySearch, required } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'

export { defaultSchedule, type Schedule, schedule } from './schedule.ts'

/**
 * A campaign as pickers show it. Everyone gets id, name and archived of the campaigns they may see; admins also the
 * client and the categories; the rest only those whose pages show it. Money is never here.
 */
export const pickedCampaign = z.object({
  id,
  name: z.string(),
  archived: flag,
  client: z.object({ id, name: z.string() }).optional(),
  categories: z.array(z.object({ id, name: z.string(), color: z.string() })).optional(),
  is_ppc: flag.optional(),
  leads_target: z.int().nullable().optional(),
  trouble_state: z.int().optional(),
  notes: z.string().optional(),
  /** Where teams are among them: what it is, and a key that no other has. */
  type: z.enum(['campaign', 'team']).optional(),
  key: z.string().optional(),
})
export type PickedCampaign = z.infer<typeof pickedCampaign>

export const campaign = z.object({
  id,
  name: z.string(),
  categories: z.array(z.object({ id, name: z.string(), color: z.string() })),
  client: z.object({ id, name: z.string() }),
  client_sites: z.array(z.object({ id, url: z.string() })),
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
  archived: flag,
  fixed_to_top: flag,
  version: z.int(),
})
export type Campaign = z.infer<typeof campaign>

const average = z.number().nullable()
/** Over every campaign that the filters let through, not the page. Averages skip what is null. */
const summary = z.object({
  approved_ppc: z.object({ total: z.number(), avg: average }),
  net: z.object({ total: z.number() }),
  ppc: z.object({ avg: average }),
  service_fee: z.object({ total: z.number(), avg: average }),
  total: z.int(),
})
export type CampaignSummary = z.infer<typeof summary>

const sorts = [
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
export type CampaignSort = (typeof sorts)[number]

const page = {
  ...paged({
    row: campaign,
    sorts,
    sort: 'due_date',
    perPage: 50,
    total: 'meta',
    filters: { q: querySearch(), campaign_category_id: queryId },
  }),
  answers: z.object({ data: z.array(campaign), meta: z.object({ total: z.int() }), summary }),
}
export type CampaignListQuery = z.output<typeof page.query>

// ——— the form ———

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const emptyIsNull = (value: unknown) => (isEmpty(value) ? null : value)
const leads = (sentence: string) =>
  z
    .int({ error: ({ input }) => (isEmpty(input) ? sentence : 'Input a number') })
    .min(0, 'Must not be negative')
    .max(1_000_000, 'Too large')
const laterTarget = z.preprocess(emptyIsNull, leads('Input a number').nullable())
const dueDate = 'Please select due date'
/** An empty amount is none. */
const dollars = z.preprocess((value) => emptyIsNull(value) ?? 0, money)
const once = (ids: number[]) => [...new Set(ids)]

export const campaignForm = z.strictObject({
  name: required('Please input campaign name'),
  categories: z
    .array(id, 'Please select a category')
    .min(1, 'Please select a category')
    .max(50, 'At most 50 categories')
    .transform(once),
  client_id: idOr('Please select a client'),
  client_sites: z
    .array(id, 'Not a list of client sites')
    .max(500, 'At most 500 client sites')
    .transform(once)
    .default([]),
  manager: required('Please input manager'),
  start_date: date('Please pick start date'),
  due_date: z.int(dueDate).min(1, dueDate).max(31, dueDate),
  initial_target: leads('Please input initial target'),
  month_3_target: laterTarget,
  month_6_target: laterTarget,
  month_9_target: laterTarget,
  month_12_target: laterTarget,
  service_fee: dollars,
  approved_ppc: dollars,
  fixed_to_top: flag.default(0),
})
export type CampaignForm = z.output<typeof campaignForm>

/** What a 409 of `update` carries: the campaign as somebody else has saved it meanwhile. */
export const newerCampaign = z.object({ campaign })

const keeps = both(admin, may('campaigns'))

export const campaigns = {
  list: endpoint('GET /campaigns', { allow: keeps, about: 'Active campaigns.', ...page }),
  archived: endpoint('GET /campaigns/archived', { allow: keeps, about: 'Archived campaigns.', ...page }),
  csv: listFile('GET /campaigns/export', { allow: keeps, query: page.query, file: 'campaigns.csv' }),
  archivedCsv: listFile('GET /campaigns/archived/export', {
    allow: keeps,
    query: page.query,
    file: 'archived_campaigns.csv',
  }),
  all: endpoint('GET /campaigns/all', {
    allow: signedIn,
    about: 'The campaigns one may see, by name, for pickers; `with_teams` puts the teams after them, for admins.',
    query: z.object({ with_teams: queryCheck, cache: z.unknown().optional() }),
    answers: z.array(pickedCampaign),
  }),
  create: endpoint('POST /campaign', {
    allow: keeps,
    about: 'Who creates a campaign sees it from then on.',
    body: campaignForm,
    answers: campaign,
    says: 'Campaign was created successfully',
  }),
  update: endpoint('PUT /campaign/:id', {
    allow: keeps,
    about:
      'The whole form. With the `version` that was opened, a form over which somebody else has saved another answers 409 and the newer campaign.',
    body: campaignForm.extend({ id: id.optional(), version: z.int().min(1).optional() }),
    answers: campaign,
    says: 'Campaign was changed successfully',
  }),
  archive: endpoint('POST /campaign/:id/archive', {
    allow: keeps,
    about: 'Its leads keep coming in; pickers do not offer it any more.',
    answers: campaign,
    says: 'Campaign was changed successfully',
  }),
  unarchive: endpoint('POST /campaign/:id/unarchive', {
    allow: keeps,
    answers: campaign,
    says: 'Campaign was changed successfully',
  }),
}
