import type { ReactNode } from 'react'
import { disputeReasonTitles } from '#domains/billing/disputes/labels.ts'
import { mailKindTitles, mailState, mailStateTitles } from '#domains/leads/labels.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { EmailText } from '#ui/cells/EmailCell.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import type { LeadHistory } from '../contract.ts'
import classes from './HistoryDrawer.module.css'

const mailStateColors = {
  [mailState.queued]: 'neutral',
  [mailState.sending]: 'neutral',
  [mailState.sent]: 'ok',
  [mailState.unknown]: 'warn',
  [mailState.failed]: 'bad',
  [mailState.cancelled]: 'neutral',
} as const

/** What stands in place of a lead's mails while there are none. */
export const describeNoMails = ({ unmailed_because }: Pick<LeadHistory, 'unmailed_because'>): string =>
  `No email was sent about this lead.${unmailed_because ? ` ${unmailed_because}.` : ''}`

/** The mails of a lead, the newest first. One that was refused or may be lost can be sent again until a later one replaces it. */
export function MailHistory({ leadId, mails }: Pick<LeadHistory, 'mails'> & { leadId: number }) {
  return (
    <ul className={`${classes.lines} ${text.dense} ${arrange.ruled}`}>
      {mails.map(({ id, kind, state, recipients, asked_by, created_at, sent_at, error, relay_answer, can_repeat }) => (
        <HistoryLine
          key={id}
          at={sent_at ?? created_at}
          title={
            <>
              {mailKindTitles[kind]} {renderBadge(mailStateColors[state], mailStateTitles[state])}
            </>
          }
        >
          <p>
            To {recipients.length > 0 ? <EmailText>{recipients.join(', ')}</EmailText> : 'another client'}
            {asked_by && `, requested by ${asked_by}`}
          </p>
          {error && <p data-kind="bad">{error}</p>}
          {relay_answer &&
            (state === mailState.sent ? (
              <p title={relay_answer}>{error ? 'Delivered to the others' : 'Delivered'}</p>
            ) : (
              <p>Answer of the mail server: {relay_answer}</p>
            ))}
          {can_repeat && (
            <ActionButton
              call={leadMailsContract.sendAgain}
              input={{ params: { id: leadId, mailId: id } }}
              label="Send again"
            />
          )}
        </HistoryLine>
      ))}
    </ul>
  )
}

/** What stands in place of a lead's events while there are none. Only one that was added by hand has an entry of its creation. */
export const describeNoEvents = ({ changes }: Pick<LeadHistory, 'changes'>): string =>
  changes.some(({ action }) => action === 'created') ? 'Added by hand.' : 'No event is stored.'

const eventStateLabels = {
  stored: 'not read yet',
  done: 'used',
  ignored: 'nothing new',
  quarantined: 'put aside',
  waiting: 'not mapped yet',
} as const
const eventStateColors = {
  stored: 'neutral',
  done: 'ok',
  ignored: 'neutral',
  quarantined: 'bad',
  waiting: 'neutral',
} as const
const providerLabels = { callrail: 'CallRail', formidable: 'Formidable', other: 'Lead source' } as const

export function EventHistory({ events }: Pick<LeadHistory, 'events'>) {
  return (
    <ul className={`${classes.lines} ${text.dense} ${arrange.ruled}`}>
      {events.map(({ id, provider, state, reason, found_by, received_at }) => (
        <HistoryLine
          key={id}
          at={received_at}
          title={
            <>
              {providerLabels[provider]} {renderBadge(eventStateColors[state], eventStateLabels[state])}
            </>
          }
        >
          {found_by === 'reconciliation' && <p>Read from CallRail’s own list</p>}
          {reason && <p data-kind={state === 'quarantined' ? 'bad' : undefined}>{reason}</p>}
        </HistoryLine>
      ))}
    </ul>
  )
}

const outcomeLabels = { counted: 'counted', undone: 'undone', ignored: 'ignored' } as const
const choiceLabels: Partial<Record<string, string>> = {
  not_lead: 'Not Lead',
  trap: 'A link that is invisible to people',
}
const describeChoice = (choice: string | null) =>
  choice === null
    ? 'Saved on the rating page'
    : (choiceLabels[choice] ?? (choice === '1' ? '1 star' : `${choice} stars`))

export function RatingHistory({ ratings, mails }: Pick<LeadHistory, 'ratings' | 'mails'>) {
  return (
    <ul className={`${classes.lines} ${text.dense} ${arrange.ruled}`}>
      {ratings.map(({ id, at, mail_id, auto, choice, reason, outcome, scanner }) => {
        const mail = mails.find((one) => one.id === mail_id)
        return (
          <HistoryLine
            key={id}
            at={at}
            title={
              <>
                {describeChoice(choice)} {renderBadge(outcome === 'counted' ? 'ok' : 'neutral', outcomeLabels[outcome])}
              </>
            }
          >
            {scanner && <p>Opened by an email scanner, not by a person</p>}
            {reason && <p>Not a lead: {disputeReasonTitles[reason]}</p>}
            {auto && !scanner && <p>Saved when the link was opened</p>}
            {mail && <p>Through the email of {formatInstant(mail.sent_at ?? mail.created_at)}</p>}
          </HistoryLine>
        )
      })}
    </ul>
  )
}

function HistoryLine({ at, title, children }: { at: string; title: ReactNode; children: ReactNode }) {
  return (
    <li>
      <p className={classes.what}>
        <span>{title}</span>
        <time dateTime={at}>{formatInstant(at)}</time>
      </p>
      {children}
    </li>
  )
}
