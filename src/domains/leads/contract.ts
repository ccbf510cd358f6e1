import { z } from 'zod'
import { type AccessSubject, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  type FieldDefinition,
  getFormShape,
  getRowShape,
  isReadable,
  isWritable,
  listSorts,
} from '#contract/field-definitions.ts'
import {
  dateField,
  idField,
  queryAnyOf,
  queryCheckbox,
  queryDate,
  queryId,
  queryIds,
  queryInt,
  queryOneOf,
  querySearch,
  versionField,
} from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { leadFields } from './fields.ts'
import {
  type CheckBadge,
  type CheckFilterName,
  type ChoiceBadge,
  type ChoiceFilterName,
  type ChoiceValue,
  checkFilterList,
  choiceFilterList,
  type choiceFilters,
} from './filters.ts'
import { leadTags, ratingFilters } from './labels.ts'
import { leadQueues, mayUseQueues } from './queues.ts'

// ——— a lead ———

export const leadSchema = z.object(getRowShape(leadFields))
export type Lead = z.infer<typeof leadSchema>
export type LeadField = keyof Lead

// Object.entries widens the names; the row has exactly the fields with a schema.
const fieldList = Object.entries(leadFields) as [LeadField, FieldDefinition][]

/** Returns the fields that this person may read. The same set decides what they may sort by, filter by and export. */
export const getReadableFields = (me: AccessSubject): ReadonlySet<LeadField> =>
  new Set(fieldList.filter(([, field]) => field.row && isReadable(field, me)).map(([name]) => name))

// ——— which leads ———

const dateRangeFilter = z.preprocess(
  (value) => (value === '' ? undefined : typeof value === 'string' ? value.split(',') : value),
  z.tuple([dateField(), dateField()], 'Two dates, yyyy-MM-dd,yyyy-MM-dd').optional(),
)

// One parameter per filter definition.
const choiceQueries = Object.fromEntries(
  choiceFilterList.map(([name, { values }]) => [name, queryOneOf(values)]),
) as unknown as {
  [Name in ChoiceFilterName]: ReturnType<typeof queryOneOf<(typeof choiceFilters)[Name]['values']>>
}
const checkQueries = Object.fromEntries(checkFilterList.map(([name]) => [name, queryCheckbox])) as Record<
  CheckFilterName,
  typeof queryCheckbox
>

export const leadFilters = {
  date_from: queryDate,
  date_to: queryDate,
  /** Both ends at once, `2026-01-01,2026-01-31`; date_from and date_to take precedence. */
  dateRange: dateRangeFilter,
  category_id: queryId,
  campaign_ids: queryIds,
  tags: queryAnyOf(leadTags),
  lead_search: querySearch(),
  ...choiceQueries,
  ...checkQueries,
  rating_via: queryOneOf(ratingFilters), // where the rating came from
  missed: queryCheckbox, // tagged as a missed call and not verified
  queue: queryOneOf(leadQueues), // the leads that wait for a verdict; staff only
  has_campaign: queryCheckbox, // leaves out leads without a campaign, which only super admins see
  no_campaign: queryCheckbox, // those alone
  global: queryCheckbox,
}
const leadFilterSchema = z.object(leadFilters)
export type LeadFilters = z.output<typeof leadFilterSchema>

export const leadSorts = listSorts(leadFields)
export type LeadSort = (typeof leadSorts)[number]

/** Special: filters have badges, sums and rights, and columns depend on the reader (docs/decisions/025-lists-described-once.md). */
const pagedLeads = pagedQuery({
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
const countsSchema = (values: readonly string[]) =>
  z.object(Object.fromEntries(values.map((value) => [value, countSchema])))

/** Facet counts: each badge applies every active filter except its own. */
export type LeadStatistic = Partial<Record<ChoiceBadge, Partial<Record<ChoiceValue, number>>>> &
  Record<CheckBadge, number | null>
const leadStatisticSchema = z.object({
  ...Object.fromEntries(
    choiceFilterList.map(([, { badge, values, forAdmins }]) => [
      badge,
      forAdmins ? countsSchema(values).optional() : countsSchema(values),
    ]),
  ),
  ...Object.fromEntries(
    checkFilterList.map(([, { badge, sumOf, averageOf }]) => [
      badge,
      // An average has two decimals and is null if no lead is rated.
      sumOf ? z.number() : averageOf ? z.number().nullable() : countSchema,
    ]),
  ),
}) as unknown as z.ZodType<LeadStatistic> // the names come from the same definitions

// ——— changing a lead ———

const leadEditSchema = z.object(getFormShape(leadFields)).partial()
/** A parsed change. */
export type LeadEdit = z.output<typeof leadEditSchema>

/** The changed fields; `version` is the one the editor saw. Any other key is refused by name with 403. */
export const leadChangeSchema = leadEditSchema.extend({ id: idField.optional(), version: versionField }).loose()

/** Returns the fields that this person may write. */
export const getWritableFields = (me: AccessSubject): ReadonlySet<string> =>
  new Set(fieldList.filter(([, field]) => field.form && isWritable(field, me)).map(([name]) => name))

export const canSeeLeads = mayUsePages('leads', 'archivedleads')

export const leadsContract = {
  list: endpoint('GET /leads/list/data', { allow: mayUsePages('leads'), reads: ['lead'], row: 'lead', ...pagedLeads }),
  archived: endpoint('GET /leads/list/archived/data', {
    allow: mayUsePages('archivedleads'),
    reads: ['lead'],
    row: 'lead',
    ...pagedLeads,
  }),
  statistic: endpoint('GET /leads/list/statistic', {
    allow: mayUsePages('leads'),
    reads: ['lead'],
    query: leadFilterSchema,
    response: leadStatisticSchema,
  }),
  archivedStatistic: endpoint('GET /leads/list/archived/statistic', {
    allow: mayUsePages('archivedleads'),
    reads: ['lead'],
    query: leadFilterSchema,
    response: leadStatisticSchema,
  }),
  queues: endpoint('GET /leads/list/queues', {
    allow: bothRules(mayUseQueues, mayUsePages('leads')),
    reads: ['lead'],
    description: 'Counts the leads to review, the missed calls and all leads under the filters; `queue` is ignored.',
    query: leadFilterSchema,
    response: z.object({ review: countSchema, missed: countSchema, all: countSchema }),
  }),
  update: endpoint('PUT /lead/:id', {
    allow: canSeeLeads,
    changes: ['lead'],
    row: 'lead',
    description:
      'Changes fields of a lead. Two people changing different fields both win; a stale change of the same field gets 409 with the newer lead.',
    body: leadChangeSchema,
    response: leadSchema,
    conflict: { lead: leadSchema },
  }),
  resetProgress: endpoint('POST /lead/:id/reset-progress', {
    allow: canSeeLeads,
    changes: ['lead'],
    row: 'lead',
    response: leadSchema,
  }),
  archive: endpoint('POST /lead/:id/archive', {
    allow: mayUsePages('leads'),
    changes: ['lead'],
    row: 'lead',
    response: leadSchema,
    success: 'Lead was archived',
  }),
  unarchive: endpoint('POST /lead/:id/unarchive', {
    allow: mayUsePages('archivedleads'),
    changes: ['lead'],
    row: 'lead',
    response: leadSchema,
    success: 'Lead was unarchived',
  }),
  events: endpoint('GET /leads/events', {
    allow: mayUsePages('leads', 'archivedleads', 'dashboard'),
    description:
      'Server-sent events: `lead` with an id whenever a lead comes in that the caller may see, or into their sight, `change` with `{ mine, leads: [{ id, version, fields, whole, moved, gone }] }` whenever some are changed (the new values that the caller may read, `moved` with a new campaign, `gone` where they may not see it anymore), `signal` for users of Home whenever signals have changed; `reload` when some may have been missed. `age` in milliseconds: first what happened that shortly before, for a page that has read already.',
    query: z.object({ age: queryInt(0, Number.MAX_SAFE_INTEGER).default(0) }),
    streams: 'text/event-stream',
  }),
}
