import { Button, Textarea } from '@mantine/core'
import { useFocusTrap, useMergedRef } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, use, useEffect, useRef, useState } from 'react'
import { type ActivityItem, activityItemsContract } from '#domains/activity/contract.ts'
import { ImageGallery } from '#domains/activity/files/ui/Images.tsx'
import { describeItem } from '#domains/activity/ui/describe-item.ts'
import { EditItemDialog } from '#domains/activity/ui/ItemDialog.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { ApiError, readConflict } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { confirmClose } from '#ui/feedback/confirm.tsx'
import { MergeConflictField } from '#ui/form/MergeConflict.tsx'
import { useUnsavedGuard } from '#ui/form/useUnsavedGuard.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import text from '#ui/theme/text.module.css'
import type { ChangelogEntry, ChangelogLine } from '../contract.ts'
import classes from './Changelog.module.css'
import { NoteEffectContext } from './note-effect.ts'

/** The cell being edited: one of its notes, or a new one. */
export type EditedCell = { line: ChangelogLine; day: string; entry?: ChangelogEntry }

type CellEditorProps = {
  editing: EditedCell
  /** The position on the grid; without it the editor is rendered inline. */
  place?: { top: number; left: number; width: number }
  /** Whether closing the editor would lose input. */
  typed: RefObject<boolean>
  onClose: () => void
}

const editorWidth = 360

/** Edits a note in place. Rendered on the grid, not in its cell, so that scrolling does not lose the input. */
export function CellEditor({ editing, place, typed, onClose }: CellEditorProps) {
  const { line, day } = editing
  const [entry, setEntry] = useState(editing.entry)
  /** What another person has saved since, until the user has chosen a note. */
  const [newer, setNewer] = useState<ChangelogEntry>()
  const NoteEffect = use(NoteEffectContext)
  const [note, setNote] = useState(entry?.note ?? '')
  const [error, setError] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  const create = useAction(activityItemsContract.create)
  const update = useAction(activityItemsContract.update)
  const element = useRef<HTMLDivElement>(null)
  const isOpen = useIsOpen()
  const area = useRef<HTMLTextAreaElement>(null)
  const root = useMergedRef(element, useFocusTrap())
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const { current: text } = area
    text?.focus({ preventScroll: true })
    text?.setSelectionRange(text.value.length, text.value.length)
  }, [])

  const changed = note !== (entry?.note ?? '')
  useEffect(() => {
    typed.current = changed
    return () => {
      typed.current = false
    }
  }, [changed, typed])

  const isSaving = create.running || update.running
  async function save() {
    if (isSaving) return // Ctrl+Enter does not know that the button is disabled
    if (newer) return element.current?.querySelector<HTMLElement>('[data-theirs] button')?.focus()
    // Checked with the contract's schema; errors from the server show here too.
    const body = { note, ...(entry ? { version: entry.version } : { campaignId: line.key, date: day }) }
    const checked = (entry ? activityItemsContract.update : activityItemsContract.create).body.safeParse(body)
    if (!checked.success) return setError(checked.error.issues[0]?.message)
    const outcome = entry
      ? await update.run({ params: { id: entry.id }, body: { note, version: entry.version } })
      : await create.run({ body: { campaignId: line.key, date: day, note } })
    if (!isOpen()) return
    if (outcome.done) onClose()
    else if (outcome.problem instanceof ApiError) setError(outcome.problem.errors.note?.join(' '))
    const now = readConflict(activityItemsContract.update, outcome.done ? undefined : outcome.problem)
    if (now && now.note !== entry?.note && now.note !== note) setNewer(toEntry(now))
    else if (now) setEntry(toEntry(now))
  }
  function choose(chosen: string) {
    setEntry(newer)
    setNewer(undefined)
    setNote(chosen)
    area.current?.focus()
  }
  async function leave() {
    const isLeft = !changed || (await confirmClose())
    if (isLeft) onClose()
    return isLeft
  }
  useUnsavedGuard({ isUnsaved: () => changed, leave, disabled: isWhole }) // the full dialog has its own
  function keyPressed(event: KeyboardEvent) {
    // Keeps keys from the grid, except Tab, which the focus trap handles.
    if (event.key !== 'Tab') event.stopPropagation()
    if (event.key === 'Escape') void leave()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }
  if (isWhole && entry)
    return <FullItemDialog editing={editing} entry={entry} note={changed ? note : undefined} onClose={onClose} />
  const field = (
    <Textarea
      ref={area}
      aria-label="Note"
      data-autofocus
      rows={5}
      maxLength={10_000}
      value={note}
      error={error}
      onChange={(event) => {
        setError(undefined)
        setNote(event.currentTarget.value)
      }}
    />
  )

  return (
    <div
      ref={root}
      role="dialog"
      aria-label={`${entry ? 'Edit Note' : 'Add Note'}: ${line.name}, ${formatDay(day)}`}
      className={classes.editor}
      data-inline={!place || undefined}
      style={
        place && {
          top: place.top,
          left: Math.max(0, Math.min(place.left, place.width - editorWidth)),
          width: editorWidth,
        }
      }
    >
      <form
        noValidate
        className={arrange.stackNarrow}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={keyPressed}
      >
        <p className={`${text.smaller} ${classes.about}`}>
          <b>{line.name}</b>
          {formatDay(day)}
          {entry && ` · ${entry.user.username}`}
        </p>
        {newer ? (
          <MergeConflictField value={newer.note} use={() => choose(newer.note)} keep={() => choose(note)}>
            {field}
          </MergeConflictField>
        ) : (
          field
        )}
        {entry && !entry.is_task && line.type === 'campaign' && <NoteEffect itemId={entry.id} />}
        {entry?.files && <ImageGallery ids={entry.files.map(({ id }) => id)} />}
        <div className={arrange.row}>
          {entry && (
            <>
              <ActionButton
                call={activityItemsContract.remove}
                input={{ params: { id: entry.id } }}
                label="Delete"
                icon={IconTrash}
                onDone={() => isOpen() && onClose()}
                details={describeItem(entry)}
              />
              <Button variant="subtle" onClick={() => setWhole(true)}>
                Task and images
              </Button>
            </>
          )}
          <div className={`${arrange.line} ${arrange.grow}`}>
            <span className={arrange.grow} />
            <Button variant="default" onClick={() => void leave()}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} title="Ctrl+Enter">
              Save
            </Button>
          </div>
        </div>
      </form>
    </div>
  )
}

const toEntry = ({ is_task, assignee_id, ...item }: ActivityItem): ChangelogEntry => ({
  ...item,
  ...(is_task && { is_task }),
  ...(assignee_id && { assignee_id }),
})

type FullItemDialogProps = {
  editing: EditedCell
  entry: ChangelogEntry
  /** What was typed so far. */
  note: string | undefined
  onClose: () => void
}

/** The full dialog of an item. */
function FullItemDialog({ editing: { line, day }, entry, note: typed, onClose }: FullItemDialogProps) {
  const { id, note, version, assignee_id = null, files = [] } = entry
  const item = {
    id,
    note,
    version,
    is_task: entry.is_task ?? (0 as const),
    assignee_id,
    client_may_read: entry.client_may_read ?? (0 as const),
    files,
    key: line.key,
    name: line.name,
    date: day,
  }
  return <EditItemDialog item={item} note={typed} onClose={onClose} />
}
