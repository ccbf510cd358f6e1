import { countOf } from '#contract/count-of.ts'
import { shortMonthNames } from '#contract/days.ts'
import { formatBriefMoney } from '#contract/money.ts'
import type { SignalDetector } from '../finding.ts'

/** A campaign whose running cycle cannot be billed for more. */
export const capDetector: SignalDetector = {
  kinds: ['cap_reached'],
  detect: ({ caps }) =>
    caps.map(({ campaign, cap, cycle, reached_on, unbilled }) => ({
      kind: 'cap_reached',
      severity: 'warning',
      subject: { type: 'campaign', id: campaign.id, label: campaign.name },
      campaign_id: campaign.id,
      title: `${campaign.name} has reached its cap`,
      evidence: {
        says: [
          `The cap of ${formatBriefMoney(cap)} was reached on ${formatDay(reached_on)}.`,
          ...(unbilled > 0
            ? [`${countOf(unbilled, 'lead')} since then ${unbilled === 1 ? 'is' : 'are'} not billed.`]
            : []),
          `Raise the cap in the campaign’s terms, or leave it until the cycle ends on ${formatDay(cycle.to)}.`,
        ].join(' '),
        cap,
        from: cycle.from,
        to: cycle.to,
        reached_on,
        unbilled,
      },
    })),
}

const formatDay = (day: string) => `${shortMonthNames[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`
