import type { ReactNode } from 'react'
import { mailKindTitles, mailStateTitles } from '#domains/leads/labels.ts'
import { badge } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import type { LeadHistory } from '../contract.ts'
import classes from './HistoryDrawer.module.css'

const mailColours = { queued: 'neutral', handing: 'neutral', sent: 'ok', uncertain: 'warn', refused: 'bad' } as const

export function MailLines({ mails }: Pick<LeadHistory, 'mails'>) {
  return (
    <ul className={classes.lines}>
      {mails.map(({ id, kind, state, recipients, asked_by, created_at, sent_at, error }) => (
        <Line
          key={id}
          at={sent_at ?? created_at}
          says={
            <>
              {mailKindTitles[kind]} {badge(mailColours[state], mailStateTitles[state])}
            </>
          }
        >
          <p>
            To {recipients.join(', ')}
            {asked_by && `, asked for by ${asked_by}`}
          </p>
          {error && <p className={classes.bad}>{error}</p>}
        </Line>
      ))}
    </ul>
  )
}

const eventWords = {
  stored: 'not read yet',
  done: 'used',
  ignored: 'nothing new',
  quarantined: 'could not be used',
} as const
const eventColours = { stored: 'neutral', done: 'ok', ignored: 'neutral', quarantined: 'bad' } as const
const providers = { callrail: 'CallRail', formidable: 'Formidable' } as const

export function EventLines({ events }: Pick<LeadHistory, 'events'>) {
  return (
    <ul className={classes.lines}>
      {events.map(({ id, provider, state, reason, found_by, received_at }) => (
        <Line
          key={id}
          at={received_at}
          says={
            <>
              {providers[provider]} {badge(eventColours[state], eventWords[state])}
            </>
          }
        >
          {found_by === 'reconciliation' && <p>Found in the provider’s own list: no hook had told of it</p>}
          {reason && <p className={state === 'quarantined' ? classes.bad : undefined}>{reason}</p>}
        </Line>
      ))}
    </ul>
  )
}

const outcomes = { counted: 'counted', undone: 'taken back', ignored: 'ignored' } as const
const choices: Partial<Record<string, string>> = {
  not_lead: 'Not Lead',
  trap: 'A link that no person can see',
}
const chosen = (choice: string | null) =>
  choice === null ? 'Saved on the rating page' : (choices[choice] ?? (choice === '1' ? '1 star' : `${choice} stars`))

export function RatingLines({ ratings, mails }: Pick<LeadHistory, 'ratings' | 'mails'>) {
  return (
    <ul className={classes.lines}>
      {ratings.map(({ id, at, mail_id, auto, choice, outcome, scanner }) => {
        const mail = mails.find((one) => one.id === mail_id)
        return (
          <Line
            key={id}
            at={at}
            says={
              <>
                {chosen(choice)} {badge(outcome === 'counted' ? 'ok' : 'neutral', outcomes[outcome])}
              </>
            }
          >
            {scanner && <p>Opened by a mail scanner, not by a person</p>}
            {auto && !scanner && <p>Saved as the link was opened</p>}
            {mail && <p>Through the mail of {shownMoment(mail.sent_at ?? mail.created_at)}</p>}
          </Line>
        )
      })}
    </ul>
  )
}

function Line({ at, says, children }: { at: string; says: ReactNode; children: ReactNode }) {
  return (
    <li>
      <p className={classes.what}>
        <span>{says}</span>
        <time dateTime={at}>{shownMoment(at)}</time>
      </p>
      {children}
    </li>
  )
}
