import { countOf } from '#contract/count-of.ts'
import { daysBetween, getToday, msPerDay } from '#contract/days.ts'
import { healthLimits } from '#domains/insights/labels.ts'
import { round1, type SignalDetector, type SignalFinding } from '../finding.ts'

/** A signal opens below `opens` on this many days of the campaign here, and closes above `closes`. */
const behindDays = 2
const behindChance = { opens: 0.2, closes: healthLimits.behind } as const

export const targetDetector: SignalDetector = {
  kinds: ['behind_target'],
  detect: ({ targets, sources, timeZone }, asOf) =>
    targets.flatMap((facts): SignalFinding[] => {
      const { campaign, name, target, cycle, verified, expected, low, high, chance, chance_yesterday, is_open } = facts
      // The chance is that of days before it was here.
      if (asOf.getTime() - facts.created_at.getTime() < behindDays * msPerDay) return []
      const isLow = (one: number | null) => one !== null && one < behindChance.opens
      if (is_open ? chance > behindChance.closes : !(isLow(chance) && isLow(chance_yesterday))) return []
      const source = sources.find(({ campaign_id }) => campaign_id === campaign)
      return [
        {
          kind: 'behind_target',
          severity: 'warning',
          subject: { type: 'campaign', id: campaign, label: name },
          campaign_id: campaign,
          title: `${name} is behind its target`,
          evidence: {
            says: `${verified} of ${countOf(target, 'lead')} ${describeDaysLeft(daysBetween(getToday(timeZone, asOf), cycle.to) + 1)}. ${describeEnd(verified, low, high)}.`,
            target,
            from: cycle.from,
            to: cycle.to,
            verified,
            expected: round1(expected),
            low,
            high,
            chance: round3(chance),
            chance_yesterday: chance_yesterday === null ? null : round3(chance_yesterday),
          },
          ...(source ? { parent: { kind: 'source_silent', type: 'source', id: source.id } as const } : {}),
        },
      ]
    }),
}

const round3 = (value: number) => Math.round(value * 1000) / 1000

/** Counts today, as every count of the days left does. */
const describeDaysLeft = (days: number) => (days <= 1 ? 'on the last day' : `with ${countOf(days, 'day')} left`)

function describeEnd(verified: number, low: number, high: number): string {
  if (high <= verified) return 'Probably no more will come'
  return `Likely to end at ${low === high ? low : `${low}–${high}`}`
}
