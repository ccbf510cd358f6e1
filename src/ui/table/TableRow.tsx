import { memo, type Ref } from 'react'
import classes from './DataTable.module.css'
import type { Column, Tint } from './DataTable.tsx'

type RowProps<Row, Sort extends string> = {
  row: Row
  columns: readonly Column<Row, Sort>[]
  index: number
  offset: number
  height: number
  tint: Tint | undefined
  className: string | undefined
  measure?: Ref<HTMLTableRowElement>
}

function PlainRow<Row, Sort extends string>({ row, columns, index, offset, height, ...rest }: RowProps<Row, Sort>) {
  return (
    <tr
      ref={rest.measure}
      className={rest.className ? `${classes.row} ${rest.className}` : classes.row}
      data-index={index}
      data-tint={rest.tint}
      aria-rowindex={offset + index + 2}
      tabIndex={-1}
      style={{ height }}
    >
      {columns.map((column) => (
        <td key={column.key} className={classes.cell} data-align={column.align} data-pinned={column.pinned}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** A row of the table. */
// One row's change renders one row. `memo` forgets type parameters, hence the cast.
export const TableRow = memo(PlainRow) as typeof PlainRow
