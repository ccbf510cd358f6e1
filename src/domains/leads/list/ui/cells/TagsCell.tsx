import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { type LeadTag, leadTags, missedCallTags } from '#domains/leads/labels.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { useEditLead } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { EditFailureNotice } from './NotSaved.tsx'
import { CellPopover } from './PopUp.tsx'

/** The tags of a lead. An automatic one says why it is there. */
export function LeadTagsList({ lead }: { lead: Lead }) {
  if (!lead.tags || lead.tags.length === 0) return textCell(null)
  return (
    <ul className={classes.tags} aria-label="Tags">
      {lead.tags.map(({ name, because }) => (
        <li key={name} data-kind={tagTone(name)} title={because}>
          {name}
          {because && <span className={classes.unseen}>, because of {because}</span>}
        </li>
      ))}
    </ul>
  )
}

const spamTagNames: readonly LeadTag[] = ['Spam', 'Autospam', 'BLSpam']
const tagTone = (tag: LeadTag) =>
  missedCallTags.includes(tag) ? 'warn' : spamTagNames.includes(tag) ? 'bad' : undefined

/** The same with a list to tick, which is there only while it is open. */
export function LeadTagsCell({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // Pressing the button closes an open list before the click arrives; that click must not open it again.
  const wasOpen = useRef(false)
  return (
    <>
      <div className={classes.editable}>
        <LeadTagsList lead={lead} />
        <button
          ref={button}
          type="button"
          className={classes.icon}
          aria-label="Edit tags"
          aria-expanded={isOpen}
          onPointerDown={() => {
            wasOpen.current = isOpen
          }}
          onClick={() => {
            setOpen(!isOpen && !wasOpen.current)
            wasOpen.current = false
          }}
        >
          <IconPencil size={14} aria-hidden="true" />
        </button>
      </div>
      {isOpen && (
        <CellPopover at={button} label="Tags" onClose={() => setOpen(false)}>
          <TagCheckList lead={lead} />
        </CellPopover>
      )}
      <EditFailureNotice id={lead.id} field="tags" />
    </>
  )
}

function TagCheckList({ lead }: { lead: Lead }) {
  const edit = useEditLead()
  const now = lead.tags ?? []
  const toggle = (name: LeadTag) =>
    edit(
      lead,
      'tags',
      now.some((tag) => tag.name === name) ? now.filter((tag) => tag.name !== name) : [...now, { name }],
    )
  return (
    <ul className={classes.choices}>
      {leadTags.map((name) => (
        <li key={name}>
          <label>
            <input type="checkbox" checked={now.some((tag) => tag.name === name)} onChange={() => toggle(name)} />
            {name}
          </label>
        </li>
      ))}
    </ul>
  )
}
