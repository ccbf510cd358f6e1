import { IconMailCheck, IconMailForward, IconMailQuestion, IconMailX } from '@tabler/icons-react'
import type { Lead } from '#domains/leads/contract.ts'
import { mailKindTitles, mailStateTitles } from '#domains/leads/labels.ts'
import { shownMoment } from '#ui/cells/timestamps.ts'
import classes from './cells.module.css'

const icons = {
  queued: IconMailForward,
  handing: IconMailForward,
  sent: IconMailCheck,
  uncertain: IconMailQuestion,
  refused: IconMailX,
} as const

/** What became of the lead's latest mail. */
export function DeliveryMark({ mail: { kind, state, at, error } }: { mail: NonNullable<Lead['mail']> }) {
  const Icon = icons[state]
  const said = `${mailKindTitles[kind]} ${mailStateTitles[state]}, ${shownMoment(at)}${error ? `: ${error}` : ''}`
  return (
    <span role="img" aria-label={said} title={said} className={classes.delivery} data-state={state}>
      <Icon size={16} aria-hidden="true" />
    </span>
  )
}
