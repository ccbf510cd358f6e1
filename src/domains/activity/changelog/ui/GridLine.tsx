import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignNotesContract } from '#domains/campaigns/notes/contract.ts'
import { LinkedText } from '#ui/cells/LinkedText.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import classes from './Changelog.module.css'
import { type ChangelogGridData, dayColumnWidth, type GridRow, type LineRow } from './changelog-grid.ts'
import { DayCell } from './DayCell.tsx'
import type { GridActions } from './grid-actions.ts'

type GridLineProps = {
  row: GridRow
  index: number
  top: number
  height: number
  days: ChangelogGridData['days']
  items: readonly VirtualItem[]
  names: number
  /** The column of this row that takes the focus. */
  active: number | null
  /** The most entries to show in a cell. */
  shown: number
  work: GridActions
}

/** One row, rerendered only when it changes. */
export const GridLine = memo(function GridLine({ row, index, top, height, names, ...rest }: GridLineProps) {
  const { days, items, active, shown, work } = rest
  if (row.kind === 'group')
    return (
      // biome-ignore lint/a11y: a group header takes no focus.
      <div role="row" aria-rowindex={index + 2} className={classes.group} style={{ top, height }}>
        {/* biome-ignore lint/a11y: as above. */}
        <div role="gridcell" aria-colindex={1} aria-colspan={days.length + 1}>
          {row.title}
        </div>
      </div>
    )
  return (
    // biome-ignore lint/a11y: its cells take the focus.
    <div role="row" aria-rowindex={index + 2} data-row={index} className={classes.line} style={{ top, height }}>
      <NameCell row={row} index={index} width={names} isActive={active === 0} work={work} />
      {items.map((item) => {
        const { day } = days[item.index]!
        return (
          <DayCell
            key={day}
            row={row}
            index={index}
            day={day}
            column={item.index + 1}
            left={item.start}
            width={dayColumnWidth}
            isActive={active === item.index + 1}
            most={shown}
            work={work}
          />
        )
      })}
    </div>
  )
})

type NameCellProps = { row: LineRow; index: number; width: number; isActive: boolean; work: GridActions }

/** The name of a campaign with its note. Horizontal scrolling does not rerender it. */
const NameCell = memo(function NameCell({ row: { line }, index, width, isActive, work }: NameCellProps) {
  const me = useCurrentUser()
  const hasNote = line.type === 'campaign' && campaignNotesContract.update.allow(me)
  const tabIndex = isActive ? 0 : -1
  return (
    // biome-ignore lint/a11y: a cell of an absolutely positioned grid; it takes the focus below.
    <div
      role="rowheader"
      aria-colindex={1}
      data-column={0}
      tabIndex={tabIndex}
      className={classes.name}
      data-ring-inside
      style={{ width }}
      onFocus={() => work.activate({ row: index, column: 0 })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget || !hasNote) return
        event.preventDefault()
        work.editNote(line)
      }}
    >
      <div className={classes.title} title={line.name}>
        {line.type === 'campaign' ? (
          <RecordLink kind="campaign" id={line.id} tabIndex={tabIndex}>
            {line.name}
          </RecordLink>
        ) : (
          line.name
        )}
      </div>
      {line.note !== '' && (
        <div className={classes.lineNote} title={line.note}>
          <LinkedText text={line.note} tabIndex={tabIndex} />
        </div>
      )}
      {hasNote && (
        <button
          type="button"
          tabIndex={-1}
          className={classes.plain}
          data-hover
          aria-label={`${line.note === '' ? 'Add Note' : 'Edit Note'}: ${line.name}`}
          onClick={() => work.editNote(line)}
        >
          {line.note === '' ? 'Add Note' : 'Edit Note'}
        </button>
      )}
    </div>
  )
})
