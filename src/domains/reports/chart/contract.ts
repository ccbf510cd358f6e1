import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { addMonths, type CalendarDay } from '#contract/days.ts'
import { endpoint } from '#contract/endpoint.ts'
import { dateField, idField, queryId, queryIds } from '#contract/fields.ts'
import { campaignProgressFields } from '../weekly-report/contract.ts'

const chartGroups = ['week', 'month'] as const
const emptyToUndefined = (value: unknown) => (value === '' || value === null ? undefined : value)
export const chartFilters = {
  group: z.preprocess(emptyToUndefined, z.enum(chartGroups, 'Must be week or month').default('week')),
  /** Without both, the last 12 months. */
  date_from: z.preprocess(emptyToUndefined, dateField().optional()),
  date_to: z.preprocess(emptyToUndefined, dateField().optional()),
  category_ids: z.preprocess(emptyToUndefined, queryIds),
  /** All campaigns if missing. */
  campaign_id: z.preprocess(emptyToUndefined, queryId),
}
const chartQuerySchema = z.object(chartFilters)
export type ChartQuery = z.output<typeof chartQuerySchema>

/** Returns the requested days: the last 12 months unless the query says otherwise. */
export function resolveChartRange(
  { date_from, date_to }: Partial<ChartQuery>,
  today: CalendarDay,
): { from: CalendarDay; to: CalendarDay } {
  const to = date_to ?? today
  return { from: date_from ?? addMonths(to, -12), to }
}

const maxChartYears = 20
/** Returns why a range cannot be shown; null if it can. */
export function validateChartRange({ from, to }: { from: CalendarDay; to: CalendarDay }): string | null {
  if (from > to) return 'The first day is after the last'
  return to >= addMonths(from, 12 * maxChartYears) ? `At most ${maxChartYears} years` : null
}

const countsSchema = z.array(z.int().min(0))
const leadChartSchema = z.object({
  /** One entry per bucket: its first day and its leads. */
  statistic: z.object({ dates: z.array(z.string()), confirmed: countsSchema, missed: countsSchema }),
  /** The requested campaign; null for all. */
  campaign: z.object(campaignProgressFields).nullable(),
  /** The campaigns counted if a campaign or categories narrow them; null for all. */
  campaign_ids: z.array(idField).nullable(),
})
export type LeadChart = z.infer<typeof leadChartSchema>

const chartBodySchema = chartQuerySchema.optional().transform((given) => given ?? chartQuerySchema.parse({}))

export const leadChartContract = {
  read: endpoint('POST /lead/chart', {
    allow: mayUsePages('leadChart'),
    reads: ['lead'],
    description:
      'Verified and missed leads by week or month. Weeks start on Monday; empty ones are included with zeros.',
    body: chartBodySchema,
    response: leadChartSchema,
  }),
  usual: endpoint('GET /lead/chart/:id', {
    allow: mayUsePages('leadChart'),
    reads: ['lead'],
    description: 'The same of a campaign, or of all (`total`). Without parameters: the last 12 months by week.',
    params: {
      id: z.union([
        z.literal('total'),
        z.preprocess((value) => (/^\d{1,10}$/.test(String(value)) ? Number(value) : value), idField),
      ]),
    },
    query: chartQuerySchema.omit({ campaign_id: true }),
    response: leadChartSchema,
  }),
  csv: endpoint('POST /lead/chart/export', {
    allow: mayUsePages('leadChart'),
    description: 'The same numbers as lead_chart.csv.',
    body: chartBodySchema,
    file: 'lead_chart.csv',
    streams: true,
  }),
}
