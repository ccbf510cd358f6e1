import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { recordings } from '#domains/leads/recordings/contract.ts'
import { text } from '#ui/cells/cells.tsx'
import { call } from '#ui/data/api.ts'
import { Player } from '#ui/layout/Player.tsx'
import classes from './cells.module.css'

/** What a form said; of a call, its recording. */
export function MessageCell({ lead }: { lead: Lead }) {
  if (lead.lead_type === 'Form') return <Message message={lead.message} />
  if (!lead.recording) return <span className={classes.quiet}>No recording</span>
  const addressOf = async () => (await call(recordings.get, { params: { id: lead.id } })).url
  return <Player key={lead.id} length={lead.duration_formatted} addressOf={addressOf} />
}

const most = 100

function Message({ message }: { message: string | null }) {
  const [isOpen, setOpen] = useState(false)
  if (!message) return text(null)
  // By characters as a reader counts them: an emoji is not cut in half.
  const characters = message.length > most ? [...message] : []
  if (characters.length <= most) return <p className={classes.message}>{message}</p>
  return (
    <p className={classes.message}>
      {isOpen ? message : `${characters.slice(0, most).join('').trimEnd()}…`}{' '}
      <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Read Less' : 'Read More'}
      </button>
    </p>
  )
}
