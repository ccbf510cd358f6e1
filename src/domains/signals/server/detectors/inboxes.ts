import { countOf } from '#contract/count-of.ts'
import { mailState } from '#domains/leads/labels.ts'
import { stopReasons, type UndeliveredEmails } from '#domains/messages/public.ts'
import { addReason, type SignalDetector } from '../finding.ts'

/** Signals of the agency are unique by kind. */
const agency = { type: 'agency', id: 0, label: 'Agency' } as const

export const quarantineDetector: SignalDetector = {
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
            title: `${countOf(count, 'incoming lead')} couldn’t be read`,
            evidence: {
              says: reason ? `Latest error: ${reason}` : 'The quarantine has the details.',
              count,
              since: oldest?.toISOString() ?? null,
              reason,
            },
          },
        ],
}

export const unassignedDetector: SignalDetector = {
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
              says: 'No client gets them until they are assigned to a campaign.',
              count,
              since: oldest?.toISOString() ?? null,
            },
          },
        ],
}

export const refusedMailDetector: SignalDetector = {
  kinds: ['mail_refused'],
  detect: ({ refused }) =>
    refused.map(({ id, campaign_id, lead_id, recipients, error, at, count, last, refused: refusals }) => ({
      kind: 'mail_refused',
      severity: refusals > 0 ? 'severe' : 'warning',
      subject: { type: 'mail', id, label: recipients.join(', ') },
      campaign_id,
      title: `An email to ${recipients.join(', ')} ${refusals > 0 ? 'was refused' : 'may be lost'}`,
      evidence: {
        says:
          refusals > 0
            ? `The mail server refused ${countOf(refusals, 'email')}${addReason(error)}.`
            : `We don’t know whether ${count === 1 ? 'this email' : `these ${count} emails`} arrived. Sending again is safe.`,
        mail_id: last.state === mailState.sent ? null : last.id,
        mail_lead_id: last.lead_id,
        lead_id,
        recipients,
        error,
        count,
        since: at.toISOString(),
      },
    })),
}

/** The client has no statement until it is emailed again. */
export const refusedStatementDetector: SignalDetector = {
  kinds: ['statement_refused'],
  detect: ({ statements }) =>
    statements.map(({ number, client, campaign_id, ...undelivered }) => {
      const label = `Statement${number ? ` ${number}` : ''} of ${client}`
      return {
        kind: 'statement_refused',
        subject: { type: 'statement', id: undelivered.record_id, label },
        campaign_id,
        ...describeUndelivered(label, undelivered, 'Check the address, then email the statement again.'),
      }
    }),
}

/** The next report would go to the same addresses. */
export const refusedReportDetector: SignalDetector = {
  kinds: ['report_refused'],
  detect: ({ reports }) =>
    reports.map(({ client, campaign_id, ...undelivered }) => ({
      kind: 'report_refused',
      subject: { type: 'client', id: undelivered.record_id, label: client },
      campaign_id,
      ...describeUndelivered(`The report of ${client}`, undelivered, 'Correct the address before the next report.'),
    })),
}

/** A person has closed what it was about. */
const isStopped = (error: string | null) => Object.values<string | null>(stopReasons).includes(error)

function describeUndelivered(what: string, undelivered: UndeliveredEmails, advice: string) {
  const { recipients, error, since, refused, count } = undelivered
  const isRefused = refused > 0
  const to = recipients.join(', ')
  const says = isRefused
    ? `An email to ${to} was not delivered${addReason(error)}.`
    : `We don’t know whether an email to ${to} arrived.`
  return {
    severity: isRefused ? ('severe' as const) : ('warning' as const),
    title: `${what} ${isRefused ? 'was not delivered' : 'may be lost'}`,
    evidence: {
      says: isStopped(error) ? says : `${says} ${advice}`,
      recipients,
      error,
      count,
      since: since.toISOString(),
    },
  }
}
