import { countOf } from '#contract/count-of.ts'
import { mailState } from '#domains/leads/labels.ts'
import { mailExpired } from '#domains/leads/mail/schema.ts'
import { stopReasons, type UndeliveredEmails } from '#domains/messages/public.ts'
import type { RefusedMail } from '../facts.ts'
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
              says: reason ? `Latest error: ${reason}` : 'The line beside the title of Leads has the details.',
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
    refused.map((mail) => {
      const { id, campaign_id, lead_id, recipients, error, at, count, last } = mail
      const { severity, happened, says } = describeRefusal(mail)
      return {
        kind: 'mail_refused',
        severity,
        subject: { type: 'mail', id, label: recipients.join(', ') },
        campaign_id,
        title: `An email to ${recipients.join(', ')} ${happened}`,
        evidence: {
          says,
          mail_id: last.state === mailState.sent ? null : last.id,
          mail_lead_id: last.lead_id,
          lead_id,
          recipients,
          error,
          count,
          since: at.toISOString(),
        },
      }
    }),
}

/** The last one that certainly did not arrive says how. */
function describeRefusal({ refused, expired, error, count }: RefusedMail) {
  if (error?.startsWith(mailExpired)) {
    const reason = error.slice(mailExpired.length).replace(/^: /, '')
    const says = `${countOf(expired, 'email')} could not be sent within 72 hours${addReason(reason)}.`
    return { severity: 'severe', happened: 'was not sent', says } as const
  }
  if (refused > 0) {
    const says = `The mail server refused ${countOf(refused, 'email')}${addReason(error)}.`
    return { severity: 'severe', happened: 'was refused', says } as const
  }
  const says = `We don’t know whether ${count === 1 ? 'this email' : `these ${count} emails`} arrived. Sending again is safe.`
  return { severity: 'warning', happened: 'may be lost', says } as const
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
    reports.map(({ client, campaign_ids, ...undelivered }) => {
      const advice = 'Correct the address before the next report.'
      const { evidence, ...described } = describeUndelivered(`The report of ${client}`, undelivered, advice)
      return {
        kind: 'report_refused',
        subject: { type: 'client', id: undelivered.record_id, label: client },
        campaign_id: campaign_ids[0] ?? null,
        ...described,
        evidence: { ...evidence, campaign_ids },
      }
    }),
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
