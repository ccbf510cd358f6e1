import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { blankToUndefined, dateField, idField, queryDate } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'

/** For everyone who may read targets. */
export const canReadForecasts = adminsWithPages('leadChart', 'campaigns')
export const canReadCauses = adminsWithPages('leadChart', 'changelog', 'campaigns')

const countSchema = z.int().min(0)
const numberSchema = z.number()
const shareSchema = z.number().min(0).max(1)

/** A short forecast, for lists. */
export const briefForecastSchema = z.object({
  /** The chance of reaching the target; null without one, and before the campaign begins. */
  chance: shareSchema.nullable(),
  /** Verified leads at the end of the cycle, with an 80% range. */
  expected: numberSchema,
  low: countSchema,
  high: countSchema,
})
export type BriefForecast = z.infer<typeof briefForecastSchema>

/** How accurate the forecasts of past cycles were. */
const reliabilitySchema = z.object({
  /** The number of scored forecasts. */
  cases: countSchema,
  /** Mean squared error of the chance; 0 is perfect. */
  brier: numberSchema,
  brier_run_rate: numberSchema,
  beats_run_rate: z.boolean(),
})

const forecastSchema = z.object({
  target: countSchema.nullable(),
  verified: countSchema,
  /** Leads of this cycle waiting for a verdict. */
  pending: countSchema,
  ...briefForecastSchema.shape,
  needed_per_working_day: numberSchema.nullable(),
  /** To the end of the cycle, today included. */
  days_left: countSchema,
  /** Leads behind the campaign's rate, older ones weighted less. */
  cases: numberSchema,
  /** `category` if the campaign has too few leads of its own. */
  basis: z.enum(['campaign', 'category']),
  reliability: reliabilitySchema.nullable(),
  /** The cycle day by day: the leads verified so far; after the last known day, the forecast of verified leads up to each day. */
  cycle: z.object({ from: z.string(), to: z.string() }),
  course: z.array(
    z.object({
      day: z.string(),
      verified: countSchema.nullable(),
      expected: numberSchema.nullable(),
      low: countSchema.nullable(),
      high: countSchema.nullable(),
    }),
  ),
})
export type CampaignForecast = z.infer<typeof forecastSchema>

const forecastScoreSchema = z.object({
  bins: z.array(
    z.object({
      from: shareSchema,
      to: shareSchema,
      cases: countSchema,
      /** The mean forecast chance, and the share that reached the target. Null in an empty bin. */
      said: shareSchema.nullable(),
      happened: shareSchema.nullable(),
    }),
  ),
  cases: countSchema,
  brier: numberSchema.nullable(),
  brier_run_rate: numberSchema.nullable(),
  brier_base_rate: numberSchema.nullable(),
  beats_run_rate: z.boolean(),
  says: z.string(),
})
export type ForecastScoreAnswer = z.infer<typeof forecastScoreSchema>

const doorIdNames = ['site_id', 'listing_id', 'rule_id', 'campaign_id', 'link_id', 'redirect_id', 'note_id'] as const
export type DoorIdName = (typeof doorIdNames)[number]

const lostSchema = z.object({ low: numberSchema, mid: numberSchema, high: numberSchema })
const whySchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Verified leads in the period, as expected from the time before and as observed; the shortfall may be negative. */
  expected: numberSchema,
  observed: countSchema,
  shortfall: numberSchema,
  segments: z.array(
    z.object({
      site: idField.nullable(),
      type: z.enum(['Call', 'Form']),
      channel: z.string(),
      inner: z.enum(['waiting', 'hidden', 'missed']).nullable(),
      lost: numberSchema,
    }),
  ),
  causes: z.array(
    z.object({
      kind: z.string(),
      title: z.string(),
      at: instantField,
      lost: lostSchema,
      rank: z.int().min(1),
      /** The reason it is listed, as a sentence. */
      because: z.string(),
      /** The action to take, with the id of the site, listing, rule, campaign or note. */
      door: z.object({
        kind: z.string(),
        label: z.string(),
        /** What to search for in its list: an address, a domain, a title or a keyword. */
        subject: z.string(),
        id: idField.nullable(),
        /** The same id under the name of its kind. */
        ...(Object.fromEntries(doorIdNames.map((name) => [name, idField.optional()])) as Record<
          DoorIdName,
          z.ZodOptional<typeof idField>
        >),
      }),
    }),
  ),
  found: z.boolean(),
})
export type WhyCampaignIsBehind = z.infer<typeof whySchema>

const periodSchema = z.object({
  from: z.string(),
  to: z.string(),
  leads: countSchema,
  days: countSchema,
  per_week: numberSchema,
})
export const effectSchema = z.object({
  before: periodSchema,
  after: periodSchema,
  /** Leads of the category's other campaigns in the same days; null if there are none. */
  control: z.object({ campaigns: countSchema, before: countSchema, after: countSchema }).nullable(),
  /** The ratio of the rates after and before, divided by the control's ratio, with a 95% range. */
  effect: lostSchema.nullable(),
  says: z.string(),
})
export type ChangeEffect = z.infer<typeof effectSchema>

const asOfError = 'Must be a day, yyyy-MM-dd, or a time in ISO 8601'

export const insightsContract = {
  forecast: endpoint('GET /campaign/:id/forecast', {
    allow: canReadForecasts,
    reads: ['campaign'],
    description:
      'The forecast of this cycle, and the chance of reaching the target. `asOf` is a day (its end) or an instant of the past; `target` and `due_date` try another target and due day.',
    query: z.object({
      asOf: z.preprocess(
        blankToUndefined,
        z.union([dateField(), z.iso.datetime({ offset: true, error: asOfError })], { error: asOfError }).optional(),
      ),
      target: z.preprocess(blankToUndefined, z.coerce.number().pipe(z.int().min(0).max(100_000)).optional()),
      due_date: z.preprocess(blankToUndefined, z.coerce.number().pipe(z.int().min(1).max(31)).optional()),
    }),
    response: forecastSchema,
  }),
  score: endpoint('GET /leads/forecast/score', {
    allow: canReadForecasts,
    reads: ['lead'],
    description: 'How accurate forecasts were here: all past cycles, in ten bins.',
    response: forecastScoreSchema,
  }),
  why: endpoint('GET /campaign/:id/why', {
    allow: canReadCauses,
    reads: ['campaign'],
    description:
      'Where verified leads are missing between two days, and which events could explain it. Without days: the last 30; at most 366.',
    query: z.object({ from: queryDate, to: queryDate }),
    response: whySchema,
  }),
  effect: endpoint('GET /campaign-changelog/:id/effect', {
    allow: adminsWithPages('changelog'),
    reads: ['activity'],
    description: 'Leads before and after a note, against the other campaigns of the category.',
    response: effectSchema,
  }),
}
