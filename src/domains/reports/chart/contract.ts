import { z } from 'zod'
import { may } from '#contract/allow.ts'
import { addMonths, type Day } from '#contract/days.ts'
import { endpoint } from '#contract/endpoint.ts'
import { date, id, queryId, queryIds } from '#contract/fields.ts'
import { standing } from '../weekly-report/contract.ts'

export const groups = ['week', 'month'] as const
const emptyIsNone = (value: unknown) => (value === '' || value === null ? undefined : value)
export const chartFilters = {
  group: z.preprocess(emptyIsNone, z.enum(groups, 'Must be week or month').default('week')),
  /** Without both of them it is the last 12 months. */
  date_from: z.preprocess(emptyIsNone, date().optional()),
  date_to: z.preprocess(emptyIsNone, date().optional()),
  category_ids: z.preprocess(emptyIsNone, queryIds),
  /** All campaigns where there is none. */
  campaign_id: z.preprocess(emptyIsNone, queryId),
}
const question = z.object(chartFilters)
export type ChartQuestion = z.output<typeof question>

/** The days that are asked for: the last 12 months, as far as the question says nothing else. */
export function rangeOf({ date_from, date_to }: Partial<ChartQuestion>, today: Day): { from: Day; to: Day } {
  const to = date_to ?? today
  return { from: date_from ?? addMonths(to, -12), to }
}

const mostYears = 20
/** Why a range cannot be shown; null where it can. */
export function refusalOf({ from, to }: { from: Day; to: Day }): string | null {
  if (from > to) return 'The first day is after the last'
  return to >= addMonths(from, 12 * mostYears) ? `At most ${mostYears} years` : null
}

const counts = z.array(z.int().min(0))
const chart = z.object({
  /** One entry a bucket: its first day, and its leads. */
  statistic: z.object({ dates: z.array(z.string()), confirmed: counts, missed: counts }),
  /** The campaign asked for; null for all. */
  campaign: z.object(standing).nullable(),
  /** The campaigns that are counted, where campaign or categories narrow them; null for all. */
  campaign_ids: z.array(id).nullable(),
})
export type Chart = z.infer<typeof chart>

const body = question.optional().transform((given) => given ?? question.parse({}))

export const leadChart = {
  read: endpoint('POST /lead/chart', {
    allow: may('leadChart'),
    about: 'Verified and missed leads by week or month. Weeks start on Monday; empty ones are there, with zeros.',
    body,
    answers: chart,
  }),
  usual: endpoint('GET /lead/chart/:id', {
    allow: may('leadChart'),
    about: 'The chart of a campaign, or of all (`total`), with the defaults: the last 12 months by week.',
    params: {
      id: z.union([
        z.literal('total'),
        z.preprocess((value) => (/^\d{1,10}$/.test(String(value)) ? Number(value) : value), id),
      ]),
    },
    answers: chart,
  }),
  csv: endpoint('POST /lead/chart/export', {
    allow: may('leadChart'),
    about: 'The same numbers as lead_chart.csv.',
    body,
    file: 'lead_chart.csv',
    streams: true,
  }),
}
