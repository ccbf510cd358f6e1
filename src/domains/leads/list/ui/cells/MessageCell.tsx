import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { callApi } from '#ui/data/api.ts'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import { usePrinting } from '#ui/layout/printing.ts'
import text from '#ui/theme/text.module.css'
import classes from './cells.module.css'

/** The message of a form; the recording of a call. */
export function MessageCell({ lead }: { lead: Lead }) {
  if (lead.lead_type === 'Form') return <MessageText message={lead.message} />
  if (!lead.recording) return <span className={text.quiet}>No recording</span>
  const addressOf = async () => (await callApi(recordingsContract.get, { params: { id: lead.id } })).url
  return <RecordingPlayer key={lead.id} length={lead.duration_formatted} addressOf={addressOf} />
}

const maxCharacters = 100

function MessageText({ message }: { message: string | null }) {
  const [isOpen, setOpen] = useState(false)
  const isPrinting = usePrinting()
  if (!message) return textCell(null)
  // Counts whole characters, so that an emoji is not cut in half.
  const characters = message.length > maxCharacters ? [...message] : []
  if (characters.length <= maxCharacters) return <p className={classes.message}>{message}</p>
  return (
    <p className={classes.message}>
      {isOpen || isPrinting ? message : `${characters.slice(0, maxCharacters).join('').trimEnd()}…`}{' '}
      <button
        type="button"
        className={classes.more}
        data-link
        data-unprinted
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Read Less' : 'Read More'}
      </button>
    </p>
  )
}
