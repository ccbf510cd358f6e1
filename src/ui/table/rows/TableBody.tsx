import { usePrinting } from '../../layout/printing.ts'
import type { TableBodyProps } from '../table-column.ts'
import { TableRow } from './TableRow.tsx'
import { VirtualBody } from './VirtualBody.tsx'

const maxPlainRows = 100
const maxPlainColumns = 12

/** The table's rows; a long or wide table renders only the visible ones. */
export function TableBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  const printing = usePrinting()
  if (printing || (props.rows.length <= maxPlainRows && props.columns.length <= maxPlainColumns))
    return <PlainBody {...props} />
  return <VirtualBody {...props} />
}

function PlainBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  const { rows, columns, offset, rowHeight, tint, rowClass, marks } = props
  return (
    <tbody>
      {rows.map((row, index) => (
        <TableRow
          key={row.id}
          row={row}
          columns={columns}
          index={index}
          offset={offset}
          height={rowHeight}
          tint={tint?.(row)}
          mark={marks?.get(row.id)}
          className={rowClass?.(row)}
        />
      ))}
    </tbody>
  )
}
