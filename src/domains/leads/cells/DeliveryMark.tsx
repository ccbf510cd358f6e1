import { IconMailCheck, IconMailForward, IconMailQuestion, IconMailX } from '@tabler/icons-react'
import { shownMoment } from '#web/moments.ts'
import type { Lead } from '../contract.ts'
import { mailKindTitles, mailStateTitles } from '../words.ts'
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
