import { z } from 'zod'
import { type AccessSubject, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  dateField,
  flagField,
  idField,
  queryAnyOf,
  queryCheckbox,
  queryDate,
  queryId,
  queryIds,
  queryOneOf,
  querySearch,
} from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'
import {
  adminEditSchemas,
  clientProgressSchema,
  feedbackSchemas,
  leadDialogSchemas,
  ratingSchema,
  tagsSchema,
} from './editable-fields.ts'
import {
  answeringStatuses,
  type CheckFilterName,
  checkFilterLabels,
  feedbackFields,
  leadProviders,
  leadTags,
  leadTypes,
  mailKinds,
  mailStates,
  trafficSources,
} from './labels.ts'

// ——— a lead, by who reads it ———

/** What everyone reads who sees the lead at all. */
const commonFields = {
  id: idField,
  campaign_id: idField.nullable(),
  campaign_name: z.string().nullable(),
  campaign: z.object({ id: idField, name: z.string() }).nullable(),
  clientsite_id: idField.nullable(),
  /** Day and time in the agency's zone. */
  lead_date: z.string(),
  lead_time: z.string(),
  lead_type: z.enum(leadTypes),
  lead_s: z.enum(leadProviders),
  lead_id: z.string(),
  lead_name: z.string().nullable(),
  lead_location: z.string().nullable(),
  lead_email: z.string().nullable(),
  lead_phone: z.string().nullable(),
  message: z.string().nullable(),
  duration: z.int().nullable(),
  /** m:ss, or h:mm:ss from an hour on. */
  duration_formatted: z.string().nullable(),
  answered: z.boolean().nullable(),
  answering_status: z.enum(answeringStatuses).nullable(),
  /** Whether there is a recording; its address never leaves the server. */
  recording: z.boolean(),
  notes: z.string().nullable(),
  confirmed: flagField,
  first_call: z.boolean(),
  has_related: z.boolean(),
  /** Tagged Missed Call or Auto Missed Call: the row is highlighted, whoever reads it. */
  missed_call: z.boolean(),
  client_progress: clientProgressSchema.nullable(),
  company_name: z.string().nullable(),
  client_notes: z.string().nullable(),
  client_value: z.number().nullable(),
  client_profit: z.number().nullable(),
  rating: ratingSchema.nullable(),
  /** How the rating came: `link` (a mail's star), `page` (the rating page), `staff` (somebody signed in). */
  rating_via: z.enum(['link', 'page', 'staff']).nullable(),
  notify: z.boolean(),
  archived: flagField,
  version: z.int(),
}
const tagFields = {
  tags: z.array(z.object({ name: z.enum(leadTags), because: z.string().optional() })).optional(),
}
const adminFields = {
  tracking_phone_number: z.string().nullable().optional(),
  tracking_source: z.string().nullable().optional(),
  hide: flagField.optional(),
  /** The latest mail; `at` (ISO 8601) is when it was sent, else when it was made. */
  mail: z
    .object({ kind: z.enum(mailKinds), state: z.enum(mailStates), at: z.string(), error: z.string().optional() })
    .nullish(),
}
const adminHttpFields = {
  changers: z.array(z.object({ username: z.string() })).optional(),
  last_url: z.string().nullable().optional(),
  referrer: z.string().nullable().optional(),
  source: z.string().nullable().optional(),
  keywords: z.string().nullable().optional(),
  gclid: z.string().nullable().optional(),
}

export const leadSchema = z.object({ ...commonFields, ...tagFields, ...adminFields, ...adminHttpFields })
export type Lead = z.infer<typeof leadSchema>
export type LeadField = keyof Lead

const shapeKeys = <T extends object>(shape: T) => Object.keys(shape) as (keyof T & string)[]
/** Which fields this person reads. The same set decides what they may sort by, filter by and export. */
export function getReadableFields(me: AccessSubject): ReadonlySet<LeadField> {
  const isAdmin = me.isAdmin || me.isSuperAdmin
  const http = me.permissions.show_lead_http_columns
  return new Set<LeadField>([
    ...shapeKeys(commonFields),
    ...(http ? shapeKeys(tagFields) : []),
    ...(isAdmin ? shapeKeys(adminFields) : []),
    ...(isAdmin && http ? shapeKeys(adminHttpFields) : []),
  ])
}

// ——— which leads ———

const checkFilterNames = shapeKeys(checkFilterLabels)
const dateRangeFilter = z.preprocess(
  (value) => (value === '' ? undefined : typeof value === 'string' ? value.split(',') : value),
  z.tuple([dateField(), dateField()], 'Two dates, yyyy-MM-dd,yyyy-MM-dd').optional(),
)

export const leadFilters = {
  date_from: queryDate,
  date_to: queryDate,
  /** Both ends at once, `2026-01-01,2026-01-31`; date_from and date_to win over it. */
  dateRange: dateRangeFilter,
  category_id: queryId,
  campaign_ids: queryIds,
  tags: queryAnyOf(leadTags),
  lead_search: querySearch(),
  lead_type: queryOneOf(leadTypes),
  answering_status: queryOneOf(answeringStatuses),
  client_progress: queryOneOf(['1', '2', '3', '4', '5']),
  source: queryOneOf(trafficSources),
  ...(Object.fromEntries(checkFilterNames.map((name) => [name, queryCheckbox])) as Record<
    CheckFilterName,
    typeof queryCheckbox
  >),
  missed: queryCheckbox, // tagged as a missed call, and not verified
  has_campaign: queryCheckbox, // all but those that matched none, which only super admins see
  global: queryCheckbox,
}
const leadFilterSchema = z.object(leadFilters)
export type LeadFilters = z.output<typeof leadFilterSchema>

export const leadSorts = [
  'campaign_name',
  'lead_date',
  'lead_type',
  'lead_name',
  'lead_location',
  'lead_email',
  'lead_phone',
  'duration',
  'confirmed',
  'client_progress',
  'client_value',
  'client_profit',
  'rating',
  'source',
] as const
export type LeadSort = (typeof leadSorts)[number]

const pagedLeads = paged({
  row: leadSchema,
  sorts: leadSorts,
  sort: 'lead_date',
  order: 'desc',
  perPage: 50,
  total: 'meta',
  filters: leadFilters,
})
export type LeadListQuery = z.output<typeof pagedLeads.query>

const countSchema = z.int().min(0)
const countsSchema = <const T extends readonly string[]>(names: T) =>
  z.object(Object.fromEntries(names.map((name) => [name, countSchema])) as Record<T[number], z.ZodInt>)

/** Facets: each group's or badge's numbers apply every active filter except its own. */
export const leadStatisticSchema = z.object({
  countByType: countsSchema(leadTypes),
  countByAnsweringStatus: countsSchema(answeringStatuses),
  countByClientProgress: countsSchema(['1', '2', '3', '4', '5']),
  /** For admins only. */
  countBySource: countsSchema(trafficSources).optional(),
  confirmedCount: countSchema,
  unmarkedCount: countSchema,
  firstCallCount: countSchema,
  voiceMailCount: countSchema,
  voiceMailIssuesCount: countSchema,
  totalValue: z.number(),
  totalProfit: z.number(),
  totalWonValue: z.number(),
  totalWonProfit: z.number(),
  /** Two decimals; null where nothing is rated. */
  averageRating: z.number().nullable(),
  noFeedbackCount: countSchema,
  notRatedCount: countSchema,
})
export type LeadStatistic = z.infer<typeof leadStatisticSchema>

// ——— changing a lead ———

const leadEditSchema = z
  .object({ ...feedbackSchemas, ...adminEditSchemas, tags: tagsSchema, ...leadDialogSchemas })
  .partial()
/** Fields that somebody may write, after parsing. */
export type LeadEdit = z.output<typeof leadEditSchema>

/** The changed field, or several; `version` is the one the editor saw. Any other key is answered 403 by name. */
export const leadChangeSchema = leadEditSchema
  .extend({ id: idField.optional(), version: z.int().min(1).optional() })
  .loose()
export type LeadChange = z.input<typeof leadChangeSchema>

/** Which fields this person may write. */
export function getWritableFields(me: AccessSubject): ReadonlySet<string> {
  const isAdmin = me.isAdmin || me.isSuperAdmin
  return new Set([
    ...feedbackFields,
    ...(isAdmin ? shapeKeys(adminEditSchemas) : []),
    ...(isAdmin && me.permissions.leads ? shapeKeys(leadDialogSchemas) : []),
    ...(isAdmin && me.permissions.leads && me.permissions.show_lead_http_columns ? ['tags'] : []),
  ])
}

const canSeeLeads = may('leads', 'archivedleads')

export const leadsContract = {
  list: endpoint('GET /leads/list/data', { allow: may('leads'), ...pagedLeads }),
  archived: endpoint('GET /leads/list/archived/data', { allow: may('archivedleads'), ...pagedLeads }),
  statistic: endpoint('GET /leads/list/statistic', {
    allow: may('leads'),
    query: leadFilterSchema,
    response: leadStatisticSchema,
  }),
  archivedStatistic: endpoint('GET /leads/list/archived/statistic', {
    allow: may('archivedleads'),
    query: leadFilterSchema,
    response: leadStatisticSchema,
  }),
  update: endpoint('PUT /lead/:id', {
    allow: canSeeLeads,
    description:
      'Changes fields of a lead. Two people changing different fields both win; the same field answers 409 with the newer value.',
    body: leadChangeSchema,
    response: leadSchema,
    conflict: { lead: leadSchema },
  }),
  resetProgress: endpoint('POST /lead/:id/reset-progress', { allow: canSeeLeads, response: leadSchema }),
  archive: endpoint('POST /lead/:id/archive', {
    allow: may('leads'),
    response: leadSchema,
    success: 'Lead was archived',
  }),
  unarchive: endpoint('POST /lead/:id/unarchive', {
    allow: may('archivedleads'),
    response: leadSchema,
    success: 'Lead was unarchived',
  }),
  events: endpoint('GET /leads/events', {
    allow: canSeeLeads,
    description: 'Server-sent events: `lead` with an id whenever a lead that one may see comes in.',
    streams: true,
  }),
}
