import { z } from 'zod'
import { may, type Person } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  date,
  flag,
  id,
  queryCheck,
  queryDate,
  queryId,
  queryIds,
  queryMany,
  queryOneOf,
  querySearch,
} from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'
import { byAdmins, dialog, feedback, progressValue, stars, tagList } from './editable-fields.ts'
import {
  answeringStatuses,
  type Check,
  checks,
  feedbackFields,
  leadSources,
  leadTypes,
  mailKinds,
  mailStates,
  sources,
  tags,
} from './labels.ts'

// ——— a lead, by who reads it ———

/** What everyone reads who sees the lead at all. */
const common = {
  id,
  campaign_id: id.nullable(),
  campaign_name: z.string().nullable(),
  campaign: z.object({ id, name: z.string() }).nullable(),
  clientsite_id: id.nullable(),
  /** Day and time in the agency's zone. */
  lead_date: z.string(),
  lead_time: z.string(),
  lead_type: z.enum(leadTypes),
  lead_s: z.enum(leadSources),
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
  confirmed: flag,
  first_call: z.boolean(),
  has_related: z.boolean(),
  /** Tagged Missed Call or Auto Missed Call: the row is highlighted, whoever reads it. */
  missed_call: z.boolean(),
  client_progress: progressValue.nullable(),
  company_name: z.string().nullable(),
  client_notes: z.string().nullable(),
  client_value: z.number().nullable(),
  client_profit: z.number().nullable(),
  rating: stars.nullable(),
  /** How the rating came: `link` (a mail's star), `page` (the rating page), `staff` (somebody signed in). */
  rating_via: z.enum(['link', 'page', 'staff']).nullable(),
  notify: z.boolean(),
  archived: flag,
  version: z.int(),
}
const tagged = {
  tags: z.array(z.object({ name: z.enum(tags), because: z.string().optional() })).optional(),
}
const forAdmins = {
  tracking_phone_number: z.string().nullable().optional(),
  tracking_source: z.string().nullable().optional(),
  hide: flag.optional(),
  /** The latest mail; `at` (ISO 8601) is when it was sent, else when it was made. */
  mail: z
    .object({ kind: z.enum(mailKinds), state: z.enum(mailStates), at: z.string(), error: z.string().optional() })
    .nullish(),
}
const forAdminsWithHttp = {
  changers: z.array(z.object({ username: z.string() })).optional(),
  last_url: z.string().nullable().optional(),
  referrer: z.string().nullable().optional(),
  source: z.string().nullable().optional(),
  keywords: z.string().nullable().optional(),
  gclid: z.string().nullable().optional(),
}

export const lead = z.object({ ...common, ...tagged, ...forAdmins, ...forAdminsWithHttp })
export type Lead = z.infer<typeof lead>
export type LeadField = keyof Lead

const keys = <T extends object>(shape: T) => Object.keys(shape) as (keyof T & string)[]
/** Which fields this person reads. The same set decides what they may sort by, filter by and export. */
export function readableFields(me: Person): ReadonlySet<LeadField> {
  const isAdmin = me.isAdmin || me.isSuperAdmin
  const http = me.permissions.show_lead_http_columns
  return new Set<LeadField>([
    ...keys(common),
    ...(http ? keys(tagged) : []),
    ...(isAdmin ? keys(forAdmins) : []),
    ...(isAdmin && http ? keys(forAdminsWithHttp) : []),
  ])
}

// ——— which leads ———

const checkNames = keys(checks)
const dateRange = z.preprocess(
  (value) => (value === '' ? undefined : typeof value === 'string' ? value.split(',') : value),
  z.tuple([date(), date()], 'Two dates, yyyy-MM-dd,yyyy-MM-dd').optional(),
)

export const leadFilters = {
  date_from: queryDate,
  date_to: queryDate,
  /** Both ends at once, `2026-01-01,2026-01-31`; date_from and date_to win over it. */
  dateRange,
  category_id: queryId,
  campaign_ids: queryIds,
  tags: queryMany(tags),
  lead_search: querySearch(),
  lead_type: queryOneOf(leadTypes),
  answering_status: queryOneOf(answeringStatuses),
  client_progress: queryOneOf(['1', '2', '3', '4', '5']),
  source: queryOneOf(sources),
  ...(Object.fromEntries(checkNames.map((name) => [name, queryCheck])) as Record<Check, typeof queryCheck>),
  missed: queryCheck, // tagged as a missed call, and not verified
  has_campaign: queryCheck, // all but those that matched none, which only super admins see
  global: queryCheck,
}
const filterQuery = z.object(leadFilters)
export type LeadFilters = z.output<typeof filterQuery>

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

const list = paged({
  row: lead,
  sorts: leadSorts,
  sort: 'lead_date',
  order: 'desc',
  perPage: 50,
  total: 'meta',
  filters: leadFilters,
})
export type LeadListQuery = z.output<typeof list.query>

const count = z.int().min(0)
const counts = <const T extends readonly string[]>(names: T) =>
  z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<T[number], z.ZodInt>)

/** Facets: each group's or badge's numbers apply every active filter except its own. */
export const leadStatistic = z.object({
  countByType: counts(leadTypes),
  countByAnsweringStatus: counts(answeringStatuses),
  countByClientProgress: counts(['1', '2', '3', '4', '5']),
  /** For admins only. */
  countBySource: counts(sources).optional(),
  confirmedCount: count,
  unmarkedCount: count,
  firstCallCount: count,
  voiceMailCount: count,
  voiceMailIssuesCount: count,
  totalValue: z.number(),
  totalProfit: z.number(),
  totalWonValue: z.number(),
  totalWonProfit: z.number(),
  /** Two decimals; null where nothing is rated. */
  averageRating: z.number().nullable(),
  noFeedbackCount: count,
  notRatedCount: count,
})
export type LeadStatistic = z.infer<typeof leadStatistic>

// ——— changing a lead ———

const editable = z.object({ ...feedback, ...byAdmins, tags: tagList, ...dialog }).partial()
/** Fields that somebody may write, after parsing. */
export type LeadEdit = z.output<typeof editable>

/** The changed field, or several; `version` is the one the editor saw. Any other key is answered 403 by name. */
export const leadChange = editable.extend({ id: id.optional(), version: z.int().min(1).optional() }).loose()
export type LeadChange = z.input<typeof leadChange>

/** Which fields this person may write. */
export function writableFields(me: Person): ReadonlySet<string> {
  const isAdmin = me.isAdmin || me.isSuperAdmin
  return new Set([
    ...feedbackFields,
    ...(isAdmin ? keys(byAdmins) : []),
    ...(isAdmin && me.permissions.leads ? keys(dialog) : []),
    ...(isAdmin && me.permissions.leads && me.permissions.show_lead_http_columns ? ['tags'] : []),
  ])
}

const seesLeads = may('leads', 'archivedleads')

export const leads = {
  list: endpoint('GET /leads/list/data', { allow: may('leads'), ...list }),
  archived: endpoint('GET /leads/list/archived/data', { allow: may('archivedleads'), ...list }),
  statistic: endpoint('GET /leads/list/statistic', { allow: may('leads'), query: filterQuery, answers: leadStatistic }),
  archivedStatistic: endpoint('GET /leads/list/archived/statistic', {
    allow: may('archivedleads'),
    query: filterQuery,
    answers: leadStatistic,
  }),
  update: endpoint('PUT /lead/:id', {
    allow: seesLeads,
    about:
      'Changes fields of a lead. Two people changing different fields both win; the same field answers 409 with the newer value.',
    body: leadChange,
    answers: lead,
  }),
  resetProgress: endpoint('POST /lead/:id/reset-progress', { allow: seesLeads, answers: lead }),
  archive: endpoint('POST /lead/:id/archive', { allow: may('leads'), answers: lead, says: 'Lead was archived' }),
  unarchive: endpoint('POST /lead/:id/unarchive', {
    allow: may('archivedleads'),
    answers: lead,
    says: 'Lead was unarchived',
  }),
  events: endpoint('GET /leads/events', {
    allow: seesLeads,
    about: 'Server-sent events: `lead` with an id whenever a lead that one may see comes in.',
    streams: true,
  }),
}
