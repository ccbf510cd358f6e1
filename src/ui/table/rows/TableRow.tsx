import { memo, type Ref } from 'react'
import focus from '#ui/table/row-focus.module.css'
import { type RowMark, rowMarkLabels } from '../../data/saved-rows.ts'
import classes from '../DataTable.module.css'
import type { RowTint, TableColumn } from '../table-column.ts'

type TableRowProps<Row, Sort extends string> = {
  row: Row
  columns: readonly TableColumn<Row, Sort>[]
  index: number
  offset: number
  height: number
  tint: RowTint | undefined
  mark: RowMark | undefined
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
  const marked = columns.find(({ key, pinned }) => pinned === 'start' && key !== 'select') ?? columns.at(-1)
  return (
    <tr
      ref={rest.measure}
      className={`${classes.row} ${focus.row} ${rest.className ?? ''}`}
      data-ringless
      data-index={index}
      data-tint={rest.tint}
      data-mark={rest.mark}
      aria-rowindex={offset + index + 2}
      tabIndex={-1}
      style={{ height }}
    >
      {columns.map((column) => (
        <td
          key={column.key}
          className={classes.cell}
          data-align={column.align}
          data-pinned={column.pinned}
          data-unprinted={column.unprinted}
          data-mark-label={rest.mark && column === marked ? rowMarkLabels[rest.mark] : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** A row of the table, memoized so that a change renders only its row. `memo` drops type parameters: that is why there is a cast. */
export const TableRow = memo(PlainRow) as typeof PlainRow
