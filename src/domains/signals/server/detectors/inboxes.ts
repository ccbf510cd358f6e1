import { countOf, type Detector } from '../finding.ts'

/** Of the agency there is one of each. */
const agency = { type: 'agency', id: 0, label: 'Agency' } as const

export const quarantineDetector: Detector = {
  kinds: ['events_quarantined'],
  detect: ({ quarantined: { count, oldest, reason } }) =>
    count === 0
      ? []
      : [
          {
            kind: 'events_quarantined',
            severity: 'warning',
            subject: agency,
            campaign_id: null,
            title: `${countOf(count, 'event')} could not be used`,
            evidence: {
              says: `${countOf(count, 'event')} of webhooks wait in quarantine${reason ? `; the newest says: ${reason}` : ''}.`,
              count,
              since: oldest?.toISOString() ?? null,
              reason,
            },
          },
        ],
}

export const unassignedDetector: Detector = {
  kinds: ['leads_unassigned'],
  detect: ({ unassigned: { count, oldest } }) =>
    count === 0
      ? []
      : [
          {
            kind: 'leads_unassigned',
            severity: 'warning',
            subject: agency,
            campaign_id: null,
            title: `${countOf(count, 'lead')} without a campaign`,
            evidence: {
              says: `${countOf(count, 'lead')} must be assigned to a campaign.`,
              count,
              since: oldest?.toISOString() ?? null,
            },
          },
        ],
}

export const refusedMailDetector: Detector = {
  kinds: ['mail_refused'],
  detect: ({ refused }) =>
    refused.map(({ id, campaign_id, lead_id, recipients, error, at, count }) => ({
      kind: 'mail_refused',
      severity: 'severe',
      subject: { type: 'mail', id, label: recipients.join(', ') },
      campaign_id,
      title: `A mail to ${recipients.join(', ')} was refused`,
      evidence: {
        says: `The mail server refused ${countOf(count, 'mail')}${error ? `: ${error}` : ''}.`,
        lead_id,
        recipients,
        error,
        count,
        since: at.toISOString(),
      },
    })),
}
