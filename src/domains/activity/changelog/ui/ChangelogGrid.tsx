import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { copyText, isCopyShortcut } from '#ui/cells/clipboard.ts'
import { formatDay } from '#ui/cells/days.ts'
import { usePrinting } from '#ui/layout/printing.ts'
import { type ShortcutList, useShortcuts } from '#ui/layout/shortcuts.ts'
import { useRowDensity } from '#ui/table/density.ts'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import type { ChangelogLine } from '../contract.ts'
import { CellEditor } from './CellEditor.tsx'
import classes from './Changelog.module.css'
import {
  type ChangelogGridData,
  dayColumnWidth,
  getGridRowHeight,
  gridHeaderHeight,
  gridMeasures,
  namesColumnWidth as names,
} from './changelog-grid.ts'
import { DayHeaders } from './DayHeads.tsx'
import { GridLine } from './GridLine.tsx'
import type { GridActions } from './grid-actions.ts'
import { type GridPosition, getGridCellText, getNextCell, withActiveIndex } from './grid-navigation.ts'
import { CampaignNoteDialog } from './NoteDialog.tsx'
import { useCellEditing } from './useCellEditing.ts'

const gridShortcuts: ShortcutList = {
  title: 'In the changelog',
  shortcuts: [
    { key: '← ↑ ↓ →', label: 'Move from cell to cell' },
    { key: 'Enter', label: 'Edit the note, or add one' },
    { key: 'Shift Enter', label: 'Add another note' },
    { key: 'Ctrl Enter', label: 'Save' },
    { key: 'Ctrl C', label: 'Copy the notes of the cell' },
  ],
}

/**
 * Campaigns and teams by day. Only the visible rows and days are rendered, and the focused cell. Arrow keys move
 * between the cells, Enter edits, Shift+Enter adds.
 */
export function ChangelogGrid({ grid }: { grid: ChangelogGridData }) {
  'use no memo' // The virtualizers change inside while keeping their identity.
  const { rows, days } = grid
  const [density] = useRowDensity()
  const printing = usePrinting()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [active, setActive] = useState<GridPosition>({ row: rows.findIndex(({ kind }) => kind === 'line'), column: 1 })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { editing, typed, edit, close } = useCellEditing()
  const [noteOf, setNoteOf] = useState<ChangelogLine | null>(null)

  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => getGridRowHeight(rows[index]!, open.has(rows[index]!.key), density),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 4,
    scrollMargin: gridHeaderHeight,
    scrollPaddingStart: gridHeaderHeight,
    rangeExtractor: withActiveIndex(active.row),
    initialRect: { width: 0, height: 900 },
  })
  const across = useVirtualizer({
    horizontal: true,
    count: days.length,
    getScrollElement: () => scroller,
    estimateSize: () => dayColumnWidth,
    getItemKey: (index) => days[index]?.day ?? index,
    overscan: 2,
    scrollMargin: names,
    scrollPaddingStart: names,
    rangeExtractor: withActiveIndex(active.column - 1),
    initialRect: { width: 1440, height: 0 },
  })
  // Measure again after new data, a new density, or an expanded row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on these.
  useLayoutEffect(() => down.measure(), [rows, open, density, down])

  useShortcuts(gridShortcuts)
  const focus = useCellFocus(scroller)
  function go(place: GridPosition) {
    setActive(place)
    across.scrollToIndex(Math.max(0, place.column - 1))
    down.scrollToIndex(place.row)
    focus(place)
  }
  const work = useGridActions({
    edit,
    editNote: setNoteOf,
    expand: (key) => setOpen((before) => new Set([...before, key])),
    activate: setActive,
  })
  function keyPressed(event: KeyboardEvent<HTMLElement>) {
    if (isCopyShortcut(event.nativeEvent)) return copy(event)
    const next = getNextCell(event, active, grid)
    if (!next) return
    event.preventDefault()
    go(next)
  }

  function copy(event: KeyboardEvent) {
    event.preventDefault()
    const words = getGridCellText(grid, active)
    if (words) void copyText(words)
  }

  const before = rows.slice(
    0,
    rows.findIndex(({ key }) => key === editing?.line.key),
  )
  const width = names + days.length * dayColumnWidth
  // CSSProperties does not include custom properties.
  const style = { width, '--lines': gridMeasures[density].lines } as CSSProperties
  const items = across.getVirtualItems()
  return (
    <>
      <div ref={setScroller} className={classes.scroller} data-unprinted>
        {/* biome-ignore lint/a11y/useSemanticElements: absolutely positioned rows and days cannot be table elements. */}
        <div
          role="grid"
          aria-label="Campaigns by day"
          aria-rowcount={rows.length + 1}
          aria-colcount={days.length + 1}
          style={style}
          onKeyDown={keyPressed}
        >
          <DayHeaders days={days} items={items} names={names} />
          {/* biome-ignore lint/a11y/useSemanticElements: absolutely positioned rows cannot be table elements. */}
          <div role="rowgroup" className={classes.body} style={{ height: down.getTotalSize() }}>
            {down.getVirtualItems().map(({ index, start, size }) => (
              <GridLine
                key={rows[index]!.key}
                row={rows[index]!}
                index={index}
                top={start - gridHeaderHeight}
                height={size}
                days={days}
                items={items}
                names={names}
                active={active.row === index ? active.column : null}
                shown={open.has(rows[index]!.key) ? Infinity : gridMeasures[density].entries}
                work={work}
              />
            ))}
          </div>
        </div>
        {editing && (
          <CellEditor
            key={`${editing.line.key} ${editing.day} ${editing.entry?.id}`}
            editing={editing}
            typed={typed}
            place={{
              top: before.reduce(
                (sum, row) => sum + getGridRowHeight(row, open.has(row.key), density),
                gridHeaderHeight,
              ),
              left: names + days.findIndex(({ day }) => day === editing.day) * dayColumnWidth,
              width,
            }}
            onClose={() => {
              close()
              focus(active)
            }}
          />
        )}
      </div>
      {printing && <PrintedChangelog grid={grid} />}
      {noteOf && <CampaignNoteDialog line={noteOf} onClose={() => setNoteOf(null)} />}
    </>
  )
}

/** Focuses a cell as soon as it is rendered; the active cell always is. */
function useCellFocus(scroller: HTMLElement | null) {
  const [wanted, setWanted] = useState<GridPosition | null>(null)
  useEffect(() => {
    if (!wanted) return
    scroller
      ?.querySelector<HTMLElement>(`[data-row="${wanted.row}"] [data-column="${wanted.column}"]`)
      ?.focus({ preventScroll: true })
    setWanted(null)
  }, [wanted, scroller])
  return setWanted
}

/** Returns a stable object, so that unchanged rows do not rerender. */
function useGridActions(latest: GridActions): GridActions {
  const held = useRef(latest)
  useEffect(() => {
    held.current = latest
  })
  const [work] = useState<GridActions>(() => ({
    edit: (editing) => void held.current.edit(editing),
    editNote: (line) => held.current.editNote(line),
    expand: (key) => held.current.expand(key),
    activate: (place) => held.current.activate(place),
  }))
  return work
}

/** The notes as a list: a month of columns cannot be read on paper. */
function PrintedChangelog({ grid: { rows, days } }: { grid: ChangelogGridData }) {
  const notes = rows.flatMap((row) =>
    row.kind === 'group'
      ? []
      : days.flatMap(({ day }) =>
          (row.cells[day]?.data ?? []).map((entry) => ({ key: `${row.key} ${entry.id}`, line: row.line, day, entry })),
        ),
  )
  return (
    <div data-printed-only>
      <PlainTable
        className={classes.printed}
        columns={[
          { title: 'Campaign or team', cell: ({ line }) => line.name },
          { title: 'Date', cell: ({ day }) => formatDay(day) },
          { title: 'Note', cell: ({ entry }) => entry.note },
          { title: 'By', cell: ({ entry }) => entry.user.username },
        ]}
        rows={notes}
        rowKey={({ key }) => key}
      />
    </div>
  )
}
