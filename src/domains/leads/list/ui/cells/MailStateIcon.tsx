import { IconMailCheck, IconMailForward, IconMailOff, IconMailQuestion, IconMailX } from '@tabler/icons-react'
import type { Lead } from '#domains/leads/contract.ts'
import { mailKindTitles, mailState, mailStateTitles } from '#domains/leads/labels.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import classes from './cells.module.css'

const mailStateIcons = {
  [mailState.queued]: IconMailForward,
  [mailState.sending]: IconMailForward,
  [mailState.sent]: IconMailCheck,
  [mailState.unknown]: IconMailQuestion,
  [mailState.failed]: IconMailX,
  [mailState.cancelled]: IconMailOff,
} as const

/** Shows the state of the lead's latest mail. */
export function MailStateIcon({ mail: { kind, state, at, error } }: { mail: NonNullable<Lead['mail']> }) {
  const Icon = mailStateIcons[state]
  const said = `${mailKindTitles[kind]} ${mailStateTitles[state]}, ${formatInstant(at)}${error ? `: ${error}` : ''}`
  return (
    <span role="img" aria-label={said} title={said} className={classes.delivery} data-state={state}>
      <Icon size={16} aria-hidden="true" />
    </span>
  )
}
