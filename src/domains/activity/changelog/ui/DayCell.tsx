import { IconCircle, IconCircleCheck, IconPhoto, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, memo } from 'react'
import { isTaskOverdue } from '#domains/activity/log/overdue.ts'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { LinkedText } from '#ui/cells/LinkedText.tsx'
import { appConfig } from '#ui/data/environment.ts'
import type { ChangelogEntry } from '../contract.ts'
import classes from './Changelog.module.css'
import type { LineRow } from './changelog-grid.ts'
import type { GridActions } from './grid-actions.ts'

type DayCellProps = {
  row: LineRow
  index: number
  day: string
  column: number
  left: number
  width: number
  isActive: boolean
  /** The most entries to show. */
  most: number
  work: GridActions
}

/** The notes of a campaign on a day, with a button to add one. */
export const DayCell = memo(function DayCell({
  row,
  index,
  day,
  column,
  left,
  width,
  isActive,
  most,
  work,
}: DayCellProps) {
  const entries = row.cells[day]?.data ?? []
  const shown = entries.slice(0, most)
  const { line } = row
  const tabIndex = isActive ? 0 : -1
  const add = () => work.edit({ line, day })

  function keyPressed(event: KeyboardEvent<HTMLElement>) {
    const cell = event.currentTarget
    const buttons = [...cell.querySelectorAll<HTMLElement>('button')]
    const at = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1
    if (event.key === 'Enter' && event.target === cell) {
      event.preventDefault()
      const [only] = entries
      if (!only || event.shiftKey) add()
      else if (entries.length === 1) work.edit({ line, day, entry: only })
      else buttons[0]?.focus()
    } else if (at >= 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      buttons[Math.max(0, Math.min(at + (event.key === 'ArrowDown' ? 1 : -1), buttons.length - 1))]?.focus()
    } else if (at >= 0 && event.key === 'Escape') cell.focus()
  }

  return (
    // biome-ignore lint/a11y: a cell of an absolutely positioned grid; it takes the focus.
    <div
      role="gridcell"
      aria-colindex={column + 1}
      data-column={column}
      tabIndex={tabIndex}
      className={classes.cell}
      data-several={entries.length > 1 || undefined}
      data-ring-inside
      style={{ left, width }}
      onFocus={() => work.activate({ row: index, column })}
      onKeyDown={keyPressed}
    >
      {shown.map((entry) => (
        <DayEntry
          key={entry.id}
          entry={entry}
          day={day}
          edit={() => work.edit({ line, day, entry })}
          linkTabIndex={tabIndex}
        />
      ))}
      {entries.length > shown.length && (
        <button type="button" tabIndex={-1} className={classes.plain} data-hover onClick={() => work.expand(row.key)}>
          +{entries.length - shown.length} more
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        className={classes.add}
        data-hover
        aria-label={`Add Note: ${line.name}, ${formatDay(day)}`}
        title="Add Note"
        onClick={add}
      >
        {/* A note must not be covered. */}
        {entries.length === 0 ? 'Add Note' : <IconPlus size={14} aria-hidden="true" />}
      </button>
    </div>
  )
})

type DayEntryProps = {
  entry: ChangelogEntry
  day: string
  edit: () => void
  /** Reachable by Tab, where there are no arrow keys. */
  isStop?: boolean
  linkTabIndex?: 0 | -1
}

/** Clicking anywhere but on its links opens the entry. */
export function DayEntry({ entry, day, edit, isStop = false, linkTabIndex = 0 }: DayEntryProps) {
  const overdue = isTaskOverdue({ ...entry, date: day }, getToday(appConfig.timezone))
  return (
    // biome-ignore lint/a11y: the button inside takes the focus and has the name; a button must not contain links.
    <div
      className={classes.entry}
      data-ring
      data-ring-inside
      data-overdue={overdue || undefined}
      data-done={entry.is_done === 1 || undefined}
      title={`${entry.note}\n– ${entry.user.username}`}
      onClick={edit}
    >
      <button
        type="button"
        tabIndex={isStop ? 0 : -1}
        className={classes.opener}
        aria-label={`Edit: ${entry.note.slice(0, 120)}, by ${entry.user.username}${overdue ? ', overdue' : ''}`}
      />
      <div className={classes.words}>
        <EntryIcons entry={entry} />
        <LinkedText text={entry.note} tabIndex={linkTabIndex} />
      </div>
    </div>
  )
}

function EntryIcons({ entry: { is_task, is_done, files } }: { entry: ChangelogEntry }) {
  const Task = is_done ? IconCircleCheck : IconCircle
  return (
    <>
      {is_task && <Task size={13} aria-hidden="true" className={classes.mark} />}
      {files && <IconPhoto size={13} aria-hidden="true" className={classes.mark} />}
    </>
  )
}
