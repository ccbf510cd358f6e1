import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { missedCallTags, type Tag, tags } from '#domains/leads/labels.ts'
import { text } from '#ui/cells/cells.tsx'
import { useEdit } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { NotSaved } from './NotSaved.tsx'
import { PopUp } from './PopUp.tsx'

/** The tags of a lead. An automatic one says why it is there. */
export function Tags({ lead }: { lead: Lead }) {
  if (!lead.tags || lead.tags.length === 0) return text(null)
  return (
    <ul className={classes.tags} aria-label="Tags">
      {lead.tags.map(({ name, because }) => (
        <li key={name} data-kind={kindOf(name)} title={because}>
          {name}
          {because && <span className={classes.unseen}>, because of {because}</span>}
        </li>
      ))}
    </ul>
  )
}

const unwanted: readonly Tag[] = ['Spam', 'Autospam', 'BLSpam']
const kindOf = (tag: Tag) => (missedCallTags.includes(tag) ? 'warn' : unwanted.includes(tag) ? 'bad' : undefined)

/** The same with a list to tick, which is there only while it is open. */
export function TagsCell({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // Pressing the button closes an open list before the click arrives; that click must not open it again.
  const wasOpen = useRef(false)
  return (
    <>
      <div className={classes.editable}>
        <Tags lead={lead} />
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
        <PopUp at={button} label="Tags" onClose={() => setOpen(false)}>
          <TagList lead={lead} />
        </PopUp>
      )}
      <NotSaved id={lead.id} field="tags" />
    </>
  )
}

function TagList({ lead }: { lead: Lead }) {
  const edit = useEdit()
  const now = lead.tags ?? []
  const toggle = (name: Tag) =>
    edit(
      lead,
      'tags',
      now.some((tag) => tag.name === name) ? now.filter((tag) => tag.name !== name) : [...now, { name }],
    )
  return (
    <ul className={classes.choices}>
      {tags.map((name) => (
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
