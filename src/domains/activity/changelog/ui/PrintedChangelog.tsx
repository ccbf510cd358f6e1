import { formatDay } from '#ui/cells/days.ts'
import classes from './Changelog.module.css'
import type { ChangelogGridData } from './changelog-grid.ts'

/** The notes as a list: a month of columns cannot be read on paper. */
export function PrintedChangelog({ grid: { rows, days } }: { grid: ChangelogGridData }) {
  return (
    <table className={classes.printed}>
      <thead>
        <tr>
          {['Campaign or team', 'Date', 'Note', 'By'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row) =>
          row.kind === 'group'
            ? []
            : days.flatMap(({ day }) =>
                (row.cells[day]?.data ?? []).map((entry) => (
                  <tr key={`${row.key} ${entry.id}`}>
                    <td>{row.line.name}</td>
                    <td>{formatDay(day)}</td>
                    <td>{entry.note}</td>
                    <td>{entry.user.username}</td>
                  </tr>
                )),
              ),
        )}
      </tbody>
    </table>
  )
}
