import { formatDay } from '#ui/cells/days.ts'
import type { WhyCampaignIsBehind } from '../../contract.ts'
import { formatLeads, formatRange } from '../../ui/forecast-words.ts'

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

export const innerLabels: Record<Inner, string> = {
  waiting: 'wait for a verdict',
  hidden: 'more than usual are hidden by a rule',
  missed: 'more than usual were missed by the client',
}

const leastShortfall = 1

/** Returns whether there is a shortfall to explain. */
export const isBehind = ({ shortfall }: Pick<WhyCampaignIsBehind, 'shortfall'>) => shortfall >= leastShortfall

/** Describes in one sentence what is missing and what coincides with it. Never claims causation. */
export function describeShortfall(why: WhyCampaignIsBehind): string {
  const { from, to, expected, observed, shortfall, causes } = why
  const count = `${observed} verified ${observed === 1 ? 'lead' : 'leads'} from ${formatDay(from)} to ${formatDay(to)}, about ${formatLeads(expected)} were expected`
  if (!isBehind(why)) return `Not behind: ${count}.`
  const missing = `${count}: about ${formatLeads(shortfall)} fewer`
  const waiting = sumInnerParts(why).find(({ inner }) => inner === 'waiting')?.lost ?? 0
  if (waiting >= shortfall / 2)
    return `It may only look behind: ${missing}, but ${formatLeads(waiting)} more are likely among the leads that wait for a verdict.`
  const [first] = causes
  if (!first) return `${missing}; no cause found in what is recorded.`
  return `${missing}, which coincides with “${first.title}” (${formatDay(first.at)}) and could be explained by it for ${formatRange(roundRange(first.lost))} leads.`
}

/** Rounds to whole leads, because fractions of a lead mean nothing. */
export const roundRange = ({ low, high }: { low: number; high: number }) => ({
  low: Math.round(low),
  high: Math.max(1, Math.round(high)),
})
