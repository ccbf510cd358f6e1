import { weekdayOf } from '../../server/forecast-facts.ts'
import type { WhyLead } from './why-leads.ts'

/**
 * The expected leads of each day at a rate of one: more on busy weekdays and hours, and more when campaigns of the same
 * trade get more (difference in differences: what all have in common is not a campaign's own problem).
 */
export class SourceExposure {
  readonly #firstDay: number
  readonly #days: Float64Array
  /** Sums of the days before each day, plain and weighted by recency. */
  readonly #before: Float64Array
  readonly #weighted: Float64Array
  readonly #hours: Float64Array

  constructor(firstDay: number, days: Float64Array, hours: Float64Array) {
    this.#firstDay = firstDay
    this.#days = days
    this.#before = new Float64Array(days.length + 1)
    this.#weighted = new Float64Array(days.length + 1)
    for (const [index, day] of days.entries()) {
      this.#before[index + 1] = this.#before[index]! + day
      this.#weighted[index + 1] = this.#weighted[index]! + day * recencyWeight(firstDay + index + 0.5)
    }
    this.#hours = hours
  }

  /** Returns the exposure of the days between, weighted by recency (see `recencyWeight`). */
  weightedBetween(from: number, to: number): number {
    const at = (day: number) => this.#weighted[Math.min(this.#days.length, Math.max(0, day - this.#firstDay))]!
    return at(to) - at(from)
  }

  /** Returns the exposure from the start to an instant, given as a day and its elapsed part, 0 to 1. */
  until(day: number, part = 0): number {
    const index = day - this.#firstDay
    if (index < 0) return 0
    if (index >= this.#days.length) return this.#before.at(-1)!
    const hour = part * 24
    const gone = this.#hours[Math.floor(hour)]!
    const next = this.#hours[Math.min(24, Math.floor(hour) + 1)]!
    return this.#before[index]! + this.#days[index]! * (gone + (next - gone) * (hour - Math.floor(hour)))
  }
}

const halfLifeDays = 45
/** Doubles every 45 days, so that sums divided by the weight of their last day halve with age. */
export const recencyWeight = (day: number) => 2 ** ((day - 20_000) / halfLifeDays)

/** Leads in order of time, so that any span can be counted quickly. */
export class LeadSeries {
  readonly leads: readonly WhyLead[]
  readonly #weighted: Float64Array

  constructor(leads: readonly WhyLead[]) {
    this.leads = leads
    this.#weighted = new Float64Array(leads.length + 1)
    for (const [index, { day, part }] of leads.entries())
      this.#weighted[index + 1] = this.#weighted[index]! + recencyWeight(day + part)
  }

  count(from: number, to: number): number {
    return Math.max(0, this.#indexAt(to) - this.#indexAt(from))
  }

  weighted(from: number, to: number): number {
    return Math.max(0, this.#weighted[this.#indexAt(to)]! - this.#weighted[this.#indexAt(from)]!)
  }

  between(from: number, to: number): readonly WhyLead[] {
    return this.leads.slice(this.#indexAt(from), this.#indexAt(to))
  }

  /** Returns how many leads came before an instant. */
  #indexAt(at: number): number {
    let [low, high] = [0, this.leads.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.leads[middle]!.at < at) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Returns the share of a day's leads that has come by each full hour, 0 to 24. */
export function fitHours(leads: readonly WhyLead[]): Float64Array {
  const counts = new Float64Array(24).fill(1)
  for (const { part } of leads) counts[Math.min(23, Math.floor(part * 24))]! += 1
  const total = counts.reduce((sum, one) => sum + one, 0)
  const gone = new Float64Array(25)
  for (let hour = 0; hour < 24; hour++) gone[hour + 1] = gone[hour]! + counts[hour]! / total
  return gone
}

/** Leads of one campaign by day, from `firstDay` on. */
type CampaignDays = { id: number; category: string; counts: Float64Array }

const controlSpanDays = 10
/** The weight of the prior, in leads of the controls. */
const controlLeads = 40

/**
 * Returns how much more or less than usual the other campaigns get around each day: those of the same category if they
 * have enough leads, else all.
 */
export function fitControl(
  campaign: { id: number; category: string },
  all: readonly CampaignDays[],
  weekdays: Float64Array,
  firstDay: number,
): Float64Array {
  const days = all[0]?.counts.length ?? 0
  const others = all.filter(({ id }) => id !== campaign.id)
  const agency = sumRelative(others, weekdays, firstDay, days)
  const peers = others.filter(({ category }) => category === campaign.category)
  const trade = sumRelative(peers, weekdays, firstDay, days)
  return Float64Array.from({ length: days }, (_, day) => {
    const common = (agency.came[day]! + controlLeads) / (agency.expected[day]! + controlLeads)
    return (trade.came[day]! + controlLeads * common) / (trade.expected[day]! + controlLeads)
  })
}

/** Returns the leads around each day, and the expectation from each campaign's own average. */
function sumRelative(campaigns: readonly CampaignDays[], weekdays: Float64Array, firstDay: number, days: number) {
  const came = new Float64Array(days)
  const expected = new Float64Array(days)
  for (const { counts } of campaigns) {
    const begins = counts.findIndex((count) => count > 0)
    if (begins < 0) continue
    let [leads, exposure] = [0, 0]
    for (let day = begins; day < days; day++) {
      leads += counts[day]!
      exposure += weekdays[weekdayOf(firstDay + day)]!
    }
    for (let day = begins; day < days; day++) {
      came[day]! += counts[day]!
      expected[day]! += (leads / exposure) * weekdays[weekdayOf(firstDay + day)]!
    }
  }
  return { came: smoothDays(came), expected: smoothDays(expected) }
}

/** Returns for each day the sum over the days around it. */
function smoothDays(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (const [index, value] of values.entries()) sums[index + 1] = sums[index]! + value
  return values.map((_, day) => {
    const from = Math.max(0, day - controlSpanDays)
    const to = Math.min(values.length, day + controlSpanDays + 1)
    return sums[to]! - sums[from]!
  })
}
