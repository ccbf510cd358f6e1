import { z } from 'zod'
import { may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flag, id, queryIds } from '#contract/fields.ts'
import { lastTwelveMonths } from './weeks.ts'

const count = z.int().min(0)
const confirmedAndMissed = { confirmed: count, missed: count }
const average = z.number().nullable()

/** Where a campaign stands in its cycle. The client, the target and the run rate, which tells it, are for admins. */
export const standing = {
  id,
  client: z.object({ id, name: z.string() }).optional(),
  is_ppc: flag,
  leads_target: z.int().optional(),
  /** Verified and missed leads of this cycle. */
  current_leads: count,
  missed_leads: count,
  /** To the end of the cycle, today included. */
  days_left: count,
  /** What the target would be met by at this rate: 1 is all of it. Two decimals; null where the target is 0. */
  run_rate: average.optional(),
}

export const countedCampaign = z.object({
  ...standing,
  name: z.string(),
  archived: flag,
  trouble_state: z.int(),
  /** One for each month of the table, each with its weeks. */
  leads: z.array(
    z.object({
      month: z.int(),
      year: z.int(),
      ...confirmedAndMissed,
      weeks: z.array(z.object(confirmedAndMissed)),
    }),
  ),
})
export type CountedCampaign = z.infer<typeof countedCampaign>

/** `avg_confirmed_for_campaign`: confirmed leads over the campaigns shown; null where none is. */
const total = { ...confirmedAndMissed, avg_confirmed_for_campaign: average }
const totalCalc = z.object({
  unique_clients_count: count.optional(),
  ppc_count: count,
  ppc_percentage: average,
  target_average: average.optional(),
  verified_leads_count: count,
  missed_leads_count: count,
  run_rate_average: average.optional(),
  /** By trouble state. */
  trouble_states_counters: z.record(z.string(), count),
  trouble_states_percentages: z.record(z.string(), average),
})
export type TotalCalc = z.infer<typeof totalCalc>

const table = z.object({
  campaigns: z.array(countedCampaign),
  /** How many weeks each month has: Monday weeks, cut at its ends. */
  weeks: z.array(z.object({ month: z.int(), year: z.int(), count })),
  totals: z.array(z.object({ month: z.int(), year: z.int(), ...total, weeks: z.array(z.object(total)) })),
  total_calc: totalCalc,
})
export type CountedByWeek = z.infer<typeof table>

export const tableSorts = [
  'campaign',
  'client',
  'ppc',
  'trouble_state',
  'target',
  'verified',
  'missed',
  'days_left',
  'run_date',
] as const
export type TableSort = (typeof tableSorts)[number]

const blank = (value: unknown) => (value === '' ? undefined : value)
const years = `Must be ${lastTwelveMonths} or a year`
export const tableFilters = {
  year: z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : blank(value)),
    z
      .string(years)
      .regex(new RegExp(`^(${lastTwelveMonths}|20\\d\\d)$`), years)
      .default(lastTwelveMonths),
  ),
  category_ids: queryIds,
}
const query = z.object({
  ...tableFilters,
  sort: z.preprocess(blank, z.enum(tableSorts).default('campaign')),
  order: z.preprocess(blank, z.enum(['asc', 'desc']).default('asc')),
})
export type TableQuery = z.output<typeof query>

export const leadTable = {
  read: endpoint('GET /lead/table', {
    allow: may('leadChart'),
    about:
      'Verified and missed leads of each campaign by month and week. An archived campaign is there as long as it has any in those months.',
    query,
    answers: table,
  }),
  csv: endpoint('POST /lead/table/export', {
    allow: may('leadChart'),
    about: 'The same, in its order, as lead_table.csv.',
    body: query.optional().transform((given) => given ?? query.parse({})),
    file: 'lead_table.csv',
    streams: true,
  }),
}
