import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  blankToUndefined,
  flagField,
  idField,
  queryAnyOf,
  queryId,
  queryIds,
  queryListOf,
  queryOneOf,
  querySearch,
} from '#contract/fields.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { briefForecastSchema } from '#domains/insights/contract.ts'
import { type CampaignHealth, campaignHealths } from '#domains/insights/labels.ts'
import { lastTwelveMonths } from './weeks.ts'

const healths = campaignHealths.map(({ value }) => value)
const countSchema = z.int().min(0)
const leadCountFields = { confirmed: countSchema, missed: countSchema }
const averageSchema = z.number().nullable()

/** A campaign's progress in its cycle. The client, the target and the run rate, which reveals it, are for admins. */
export const campaignProgressFields = {
  id: idField,
  client: z.object({ id: idField, name: z.string() }).optional(),
  is_ppc: flagField,
  leads_target: z.int().optional(),
  /** Verified and missed leads of this cycle. */
  current_leads: countSchema,
  missed_leads: countSchema,
  /** Until the end of the cycle, including today. */
  days_left: countSchema,
  /** The share of the target reached at the current rate: 1 is all of it. Two decimals; null if the target is 0. */
  run_rate: averageSchema.optional(),
}

const weeklyReportCampaignSchema = z.object({
  ...campaignProgressFields,
  name: z.string(),
  archived: flagField,
  trouble_state: z.int(),
  manager: z.string().optional(),
  /** The forecast of this cycle; null for an archived campaign. For admins, like the target. */
  forecast: briefForecastSchema.nullable().optional(),
  /** Derived from the forecast, beside the status set by staff. */
  health: z.enum(healths).optional(),
  /** One entry for each month of the table, each with its weeks. */
  leads: z.array(
    z.object({
      month: z.int(),
      year: z.int(),
      ...leadCountFields,
      weeks: z.array(z.object(leadCountFields)),
    }),
  ),
})
export type WeeklyReportCampaign = z.infer<typeof weeklyReportCampaignSchema>

/** `avg_confirmed_for_campaign`: confirmed leads per campaign shown; null without campaigns. */
const totalFields = { ...leadCountFields, avg_confirmed_for_campaign: averageSchema }
const weeklyReportTotalsSchema = z.object({
  unique_clients_count: countSchema.optional(),
  ppc_count: countSchema,
  ppc_percentage: averageSchema,
  target_average: averageSchema.optional(),
  verified_leads_count: countSchema,
  missed_leads_count: countSchema,
  run_rate_average: averageSchema.optional(),
  /** By trouble state. */
  trouble_states_counters: z.record(z.string(), countSchema),
  trouble_states_percentages: z.record(z.string(), averageSchema),
})
export type WeeklyReportTotals = z.infer<typeof weeklyReportTotalsSchema>

const weeklyReportSchema = z.object({
  campaigns: z.array(weeklyReportCampaignSchema),
  /** The number of weeks in each month: Monday weeks, cut at the month's ends. */
  weeks: z.array(z.object({ month: z.int(), year: z.int(), count: countSchema })),
  totals: z.array(z.object({ month: z.int(), year: z.int(), ...totalFields, weeks: z.array(z.object(totalFields)) })),
  total_calc: weeklyReportTotalsSchema,
})
export type WeeklyReport = z.infer<typeof weeklyReportSchema>

export const weeklyReportSorts = [
  'campaign',
  'client',
  'ppc',
  'trouble_state',
  'target',
  'verified',
  'missed',
  'days_left',
  'run_date',
  'chance',
  'health',
] as const
export type WeeklyReportSort = (typeof weeklyReportSorts)[number]
/** Columns and filters that only admins see. */
export const weeklyReportAdminSorts: ReadonlySet<string> = new Set<WeeklyReportSort>([
  'client',
  'target',
  'run_date',
  'chance',
  'health',
])
export const weeklyReportAdminFilters = ['health', 'client_id', 'manager'] as const

const yearError = `Must be ${lastTwelveMonths} or a year`
export const weeklyReportFilters = {
  /** `0` excludes archived campaigns. */
  archived: queryOneOf(['0', '1']),
  /** Any of these. */
  trouble_state: queryListOf(z.coerce.number().pipe(z.literal(troubleStates.map(({ value }) => value)))),
  health: queryAnyOf(healths as [CampaignHealth, ...CampaignHealth[]]), // it is not empty
  client_id: queryId,
  manager: querySearch(200),
  year: z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : blankToUndefined(value)),
    z
      .string(yearError)
      .regex(new RegExp(`^(${lastTwelveMonths}|20\\d\\d)$`), yearError)
      .default(lastTwelveMonths),
  ),
  category_ids: queryIds,
}
const weeklyReportQuerySchema = z.object({
  ...weeklyReportFilters,
  sort: z.preprocess(blankToUndefined, z.enum(weeklyReportSorts).default('campaign')),
  order: z.preprocess(blankToUndefined, z.enum(['asc', 'desc']).default('asc')),
})
export type WeeklyReportQuery = z.output<typeof weeklyReportQuerySchema>
/** The filters that the screen applies itself, so that it can still count the other campaigns. */
export type CampaignNarrowing = Pick<WeeklyReportQuery, 'trouble_state' | 'health' | 'client_id' | 'manager'>

/** No paged list: every campaign with its weeks in columns (docs/decisions/025-lists-described-once.md). */
export const weeklyReportContract = {
  read: endpoint('GET /lead/table', {
    allow: mayUsePages('leadChart'),
    reads: ['lead'],
    description:
      'Verified and missed leads of each campaign by month and week, and for admins the forecast of its cycle. An archived campaign is included while it has leads in those months. Sorted by `health`, campaigns with a contradicted status come first.',
    query: weeklyReportQuerySchema,
    response: weeklyReportSchema,
  }),
  csv: endpoint('POST /lead/table/export', {
    allow: mayUsePages('leadChart'),
    description: 'The same table, in the same order, as lead_table.csv.',
    body: weeklyReportQuerySchema.optional().transform((given) => given ?? weeklyReportQuerySchema.parse({})),
    file: 'lead_table.csv',
    streams: true,
  }),
}
