import { useMergedRef } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useRef, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { type LeadTag, leadTags, missedCallTags, spamTags } from '#domains/leads/labels.ts'
import { CellPopover, useCellPopover } from '#ui/cells/CellPopover.tsx'
import { textCell } from '#ui/cells/cells.tsx'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import text from '#ui/theme/text.module.css'
import { useEditLead } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { EditFailureNotice } from './EditFailureNotice.tsx'
import { describeTagCause } from './tag-cause.ts'

type TagsProps = {
  lead: Lead
  /** The rest is a number, with their names in its title. */
  most?: number
}

/** The tags of a lead. Automatic tags show their cause. */
export function LeadTagsList({ lead: { tags = [] }, most = tags.length }: TagsProps) {
  if (tags.length === 0) return textCell(null)
  const more = tags.slice(most).map(({ name }) => name)
  return (
    <ul className={classes.tags} aria-label="Tags">
      {tags.slice(0, most).map(({ name, because }) => {
        const cause = because && describeTagCause(because)
        return (
          <li key={name} data-kind={tagTone(name)} data-caused={cause !== undefined || undefined} title={cause ?? name}>
            {name}
            {cause && <span className={text.unseen}>: {cause}</span>}
          </li>
        )
      })}
      {more.length > 0 && <li title={more.join(', ')}>+{more.length}</li>}
    </ul>
  )
}

const tagTone = (tag: LeadTag) => (missedCallTags.includes(tag) ? 'warn' : spamTags.includes(tag) ? 'bad' : undefined)

/** The same, with a checklist that is only rendered while it is open. */
export function LeadTagsCell({ lead, most, ref }: TagsProps & { ref?: Ref<HTMLButtonElement> }) {
  const { isOpen, close, opener } = useCellPopover()
  const button = useRef<HTMLButtonElement>(null)
  const buttonRef = useMergedRef(button, ref)
  return (
    <>
      <div className={`${arrange.lineNarrow} ${classes.tagging}`}>
        <LeadTagsList lead={lead} {...(most && { most })} />
        <button
          ref={buttonRef}
          type="button"
          className={`${buttons.bare} ${buttons.square}`}
          data-unprinted
          aria-label="Edit tags"
          data-key="t"
          {...opener}
        >
          <IconPencil size={14} aria-hidden="true" />
        </button>
      </div>
      {isOpen && (
        <CellPopover at={button} label="Tags" onClose={close}>
          <TagCheckList lead={lead} />
        </CellPopover>
      )}
      <EditFailureNotice id={lead.id} field="tags" />
    </>
  )
}

/** A checklist of tags. Typing filters from anywhere, arrows move, Enter toggles the current tag, at first the top one. */
function TagCheckList({ lead }: { lead: Lead }) {
  const edit = useEditLead()
  const [typed, setTyped] = useState('')
  const now = lead.tags ?? []
  const found = leadTags.filter((tag) => tag.toLowerCase().includes(typed.trim().toLowerCase()))
  const toggle = (name: LeadTag) =>
    edit(
      lead,
      'tags',
      now.some((tag) => tag.name === name) ? now.filter((tag) => tag.name !== name) : [...now, { name }],
    )

  function press(event: KeyboardEvent<HTMLFieldSetElement>) {
    const stops = [...event.currentTarget.elements].filter((one) => one instanceof HTMLInputElement)
    const at = event.target instanceof HTMLInputElement ? stops.indexOf(event.target) : -1
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      stops[(at + step + stops.length) % stops.length]?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const tag = found[Math.max(0, at - 1)]
      if (tag) toggle(tag)
      if (at === 0) setTyped('')
    } else if (at > 0 && /^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      setTyped(event.key)
      stops[0]?.focus()
    }
  }
  return (
    <fieldset onKeyDown={press}>
      <input
        className={classes.finder}
        aria-label="Find a tag"
        placeholder="Type to find a tag"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.choices}>
        {found.map((name, index) => (
          <li key={name} data-first={(typed !== '' && index === 0) || undefined}>
            <label data-hover>
              <input type="checkbox" checked={now.some((tag) => tag.name === name)} onChange={() => toggle(name)} />
              {name}
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={classes.noChoice}>No such tag</p>}
    </fieldset>
  )
}
