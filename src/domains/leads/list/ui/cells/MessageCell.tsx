import { useLayoutEffect, useRef, useState } from 'react'
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
/** Fewer characters fit on two lines. */
const shortMessage = 24

/** A message, cropped after 100 characters and after two lines, until it is expanded. */
function MessageText({ message }: { message: string | null }) {
  const [isOpen, setOpen] = useState(false)
  const [overflows, setOverflows] = useState(false)
  const lines = useRef<HTMLSpanElement>(null)
  const isWhole = usePrinting() || isOpen
  useLayoutEffect(() => {
    const { current: shown } = lines
    if (shown && message && message.length > shortMessage) setOverflows(shown.scrollHeight > shown.clientHeight + 1)
  }, [message])
  if (!message) return textCell(null)
  // Counts whole characters, so that an emoji is not cut in half.
  const characters = message.length > maxCharacters ? [...message] : []
  const isLong = characters.length > maxCharacters
  return (
    <p className={classes.message} data-cut={(!isWhole && (isLong || overflows)) || undefined}>
      <span ref={lines} className={isWhole ? undefined : text.twoLines}>
        {isWhole || !isLong ? message : `${characters.slice(0, maxCharacters).join('').trimEnd()}…`}
      </span>
      {(isLong || overflows) && (
        <>
          {' '}
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
        </>
      )}
    </p>
  )
}
