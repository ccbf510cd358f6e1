import type { ReactNode } from 'react'
import type { LeftColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'

type Props = { columns: readonly LeftColumn[]; children: (column: LeftColumn) => ReactNode }

/** The cells of a row that stand still; the first of them is its head. */
export function LeftCells({ columns, children }: Props) {
  return columns.map((column, place) => {
    const Cell = place === 0 ? 'th' : 'td'
    return (
      <Cell key={column.sort} scope={place === 0 ? 'row' : undefined} {...standing(columns, place)}>
        {children(column)}
      </Cell>
    )
  })
}

/** Where a column of the fixed part stands, in a head as in a row. */
export const standing = (columns: readonly LeftColumn[], place: number) => ({
  className: classes.left,
  'data-last': place === columns.length - 1 || undefined,
  'data-align': columns[place]?.align,
  'aria-colindex': place + 1,
  style: { left: widthOf(columns.slice(0, place)) },
})

/** Pixels. */
export const widthOf = (columns: readonly { width: number }[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** The columns that are out of sight, as one empty cell. */
export function Gap({ columns }: { columns: number }) {
  return columns > 0 ? <td colSpan={columns} aria-hidden="true" /> : null
}
