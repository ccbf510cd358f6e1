import type { ReactNode } from 'react'
import type { FixedColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'

type FixedCellsProps = { columns: readonly FixedColumn[]; children: (column: FixedColumn) => ReactNode }

/** The cells of a row that stand still; the first of them is its head. */
export function FixedCells({ columns, children }: FixedCellsProps) {
  return columns.map((column, place) => {
    const Cell = place === 0 ? 'th' : 'td'
    return (
      <Cell key={column.sort} scope={place === 0 ? 'row' : undefined} {...stickyCellProps(columns, place)}>
        {children(column)}
      </Cell>
    )
  })
}

/** Where a column of the fixed part stands, in a head as in a row. */
export const stickyCellProps = (columns: readonly FixedColumn[], place: number) => ({
  className: classes.left,
  'data-last': place === columns.length - 1 || undefined,
  'data-align': columns[place]?.align,
  'aria-colindex': place + 1,
  style: { left: sumWidths(columns.slice(0, place)) },
})

/** Pixels. */
export const sumWidths = (columns: readonly { width: number }[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** The columns that are out of sight, as one empty cell. */
export function ColumnGap({ columns }: { columns: number }) {
  return columns > 0 ? <td colSpan={columns} aria-hidden="true" /> : null
}
