import type { ReactNode } from 'react'
import type { FixedColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'

type FixedCellsProps = { columns: readonly FixedColumn[]; children: (column: FixedColumn) => ReactNode }

/** The fixed cells of a row; the first of them is its head. */
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

/** Returns the position of a fixed column, in a head as in a row. */
export const stickyCellProps = (columns: readonly FixedColumn[], place: number) => ({
  className: classes.left,
  'data-last': place === columns.length - 1 || undefined,
  'data-align': columns[place]?.align,
  'aria-colindex': place + 1,
  style: { left: sumWidths(columns.slice(0, place)) },
})

/** Pixels. */
export const sumWidths = (columns: readonly { width: number }[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** The columns out of view, as one empty cell. */
export function ColumnGap({ columns }: { columns: number }) {
  return columns > 0 ? <td colSpan={columns} aria-hidden="true" /> : null
}
