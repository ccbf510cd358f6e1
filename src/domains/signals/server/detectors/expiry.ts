import { countOf } from '#contract/count-of.ts'
import { daysBetween, formatCalendarDay, getToday } from '#contract/days.ts'
import type { SignalSeverity } from '../../labels.ts'
import { addReason, type SignalDetector, type SignalFinding, withoutStop } from '../finding.ts'

/** Days before the end at which the signal becomes worse. */
export const expirySteps = [30, 14, 7, 1] as const

/** Returns how many of the steps are reached; 0 is none. */
const countExpirySteps = (daysLeft: number) => expirySteps.filter((step) => daysLeft <= step).length
const severities: readonly SignalSeverity[] = ['note', 'note', 'warning', 'severe', 'severe']

const leftText = (days: number) =>
  days < 0 ? 'has expired' : days === 0 ? 'expires today' : `expires in ${countOf(days, 'day')}`

export const certificateDetector: SignalDetector = {
  kinds: ['certificate_expiring'],
  detect: ({ certificates, timeZone }, asOf) =>
    certificates.flatMap(({ type, id, host, campaign_id, expires_at }) => {
      const ends_on = getToday(timeZone, expires_at)
      const days = expires_at <= asOf ? -1 : daysBetween(getToday(timeZone, asOf), ends_on)
      const stage = countExpirySteps(days)
      if (stage === 0) return []
      return [
        {
          kind: 'certificate_expiring',
          severity: severities[stage]!,
          subject: { type, id, label: host },
          campaign_id,
          title: `The certificate of ${host} ${leftText(days)}`,
          evidence: {
            says: `The certificate ends on ${formatCalendarDay(ends_on)}.`,
            expires_at: expires_at.toISOString(),
            days_left: days,
            step: expirySteps[stage - 1],
          },
          stage,
        },
      ]
    }),
}

export const domainDetector: SignalDetector = {
  kinds: ['domain_expiring'],
  detect: ({ domains, timeZone }, asOf) =>
    domains.flatMap(({ id, domain, campaign_ids, in_network, expires_on, registrar, problem }): SignalFinding[] => {
      const subject = { type: 'domain', id, label: domain } as const
      const about = { kind: 'domain_expiring', subject, campaign_id: campaign_ids[0] ?? null } as const
      if (expires_on === null) {
        const says = `The registry no longer says when the registration of ${domain} ends${addReason(problem)}.`
        const stage = expirySteps.length + 1
        return [
          {
            ...about,
            severity: 'severe',
            title: `${domain} may be lost`,
            evidence: { says, problem, campaign_ids, in_network },
            stage,
          },
        ]
      }
      const days = daysBetween(getToday(timeZone, asOf), expires_on)
      const stage = countExpirySteps(days)
      if (stage === 0) return []
      return [
        {
          ...about,
          severity: severities[stage]!,
          title: `${domain} ${leftText(days)}`,
          evidence: {
            says: `The registration of ${domain} ends on ${formatCalendarDay(expires_on)}${registrar ? `, at ${withoutStop(registrar)}` : ''}.`,
            expires_on,
            days_left: days,
            step: expirySteps[stage - 1],
            registrar,
            campaign_ids,
            in_network,
          },
          stage,
        },
      ]
    }),
}
