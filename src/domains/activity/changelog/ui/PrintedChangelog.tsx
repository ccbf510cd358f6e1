import { formatDay } from '#ui/cells/days.ts'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import classes from './Changelog.module.css'
import type { ChangelogGridData } from './changelog-grid.ts'

/** The notes as a list: a month of columns cannot be read on paper. */
export function PrintedChangelog({ grid: { rows, days } }: { grid: ChangelogGridData }) {
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
