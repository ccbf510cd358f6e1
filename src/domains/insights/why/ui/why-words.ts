import { countOf } from '#contract/count-of.ts'
import { daysBetween } from '#contract/days.ts'
import { formatShortDay } from '#contract/short-times.ts'
import { getInstantDay } from '#ui/cells/timestamps.ts'
import type { WhyCampaignIsBehind } from '../../contract.ts'
import { formatLeadRange, formatLeads } from '../../ui/forecast-words.ts'

type Inner = NonNullable<WhyCampaignIsBehind['segments'][number]['inner']>

/** Sums leads that came but are not verified, by reason; only reasons with at least one lead. */
export function sumInnerParts({ segments }: Pick<WhyCampaignIsBehind, 'segments'>): { inner: Inner; lost: number }[] {
  const inners: Inner[] = ['waiting', 'hidden', 'missed']
  return inners
    .map((inner) => ({
      inner,
      lost: segments.reduce((sum, part) => sum + (part.inner === inner ? part.lost : 0), 0),
    }))
    .filter(({ lost }) => lost >= 1)
}

/** Describes leads that came but are not verified: `5 are still to be reviewed`. */
export function describeInnerPart({ inner, lost }: { inner: Inner; lost: number }): string {
  const [is, was] = Math.round(lost) === 1 ? ['is', 'was'] : ['are', 'were']
  const words: Record<Inner, string> = {
    waiting: `${is} still to be reviewed`,
    hidden: `more than usual ${is} hidden by a rule`,
    missed: `more than usual ${was} missed by the client`,
  }
  return `${formatLeads(lost)} ${words[inner]}`
}

const leastShortfall = 1

/** Returns whether there is a shortfall to explain. */
export const isBehind = ({ shortfall }: Pick<WhyCampaignIsBehind, 'shortfall'>) => shortfall >= leastShortfall

/** Describes in one sentence what is missing and what coincides with it. Never claims causation. */
export function describeShortfall(why: WhyCampaignIsBehind): string {
  const { from, to, expected, observed, shortfall, causes } = why
  const days = `${daysBetween(from, to) + 1} days`
  if (!isBehind(why)) return `Not short: ${countLeads(observed)} in ${days} (about ${formatLeads(expected)} expected).`
  const missing = `${countLeads(shortfall)} short in ${days} (${formatLeads(observed)} of about ${formatLeads(expected)})`
  const waiting = sumInnerParts(why).find(({ inner }) => inner === 'waiting')
  if (waiting && waiting.lost >= shortfall / 2) return `${missing}, but about ${describeInnerPart(waiting)}.`
  const [first] = causes
  if (!first) return `${missing}. Nothing we track explains it.`
  return `${missing}. Most likely: ${first.title} (${formatShortDay(getInstantDay(first.at), to)}), about ${formatLeadRange(roundRange(first.lost))}.`
}

const countLeads = (leads: number) => countOf(Math.round(leads), 'lead')

/** Rounds to whole leads, because fractions of a lead mean nothing. */
export const roundRange = ({ low, high }: { low: number; high: number }) => ({
  low: Math.round(low),
  high: Math.max(1, Math.round(high)),
})
