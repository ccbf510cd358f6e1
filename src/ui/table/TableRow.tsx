import { memo, type Ref } from 'react'
import classes from './DataTable.module.css'
import type { RowTint, TableColumn } from './table-column.ts'

type TableRowProps<Row, Sort extends string> = {
  row: Row
  columns: readonly TableColumn<Row, Sort>[]
  index: number
  offset: number
  height: number
  tint: RowTint | undefined
  className: string | undefined
  measure?: Ref<HTMLTableRowElement>
}

function PlainRow<Row, Sort extends string>({
  row,
  columns,
  index,
  offset,
  height,
  ...rest
}: TableRowProps<Row, Sort>) {
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
