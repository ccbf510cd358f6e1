import { Suspense } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { SkeletonRows } from '../feedback/Skeleton.tsx'
import { usePrinting } from '../layout/printing.ts'
import { TableRow } from './TableRow.tsx'
import type { TableBodyProps } from './table-column.ts'

const loadVirtualBody = () => import('./VirtualBody.tsx')
const VirtualBody = lazyComponent(loadVirtualBody)

const maxPlainRows = 100
const maxPlainColumns = 12

/** Long or wide tables render only the rows in sight. */
export function TableBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  const printing = usePrinting()
  if (printing || (props.rows.length <= maxPlainRows && props.columns.length <= maxPlainColumns))
    return <PlainBody {...props} />
  const { rows, columns, rowHeight } = props
  return (
    // Not the rows themselves: they would render twice, and a cell that is being typed in would lose the cursor.
    <Suspense
      fallback={
        <tbody>
          <SkeletonRows rows={rows.length} columns={columns} height={rowHeight} />
        </tbody>
      }
    >
      {/* `lazy` forgets type parameters; rows and columns were checked together at our own door. */}
      <VirtualBody {...(props as unknown as TableBodyProps<{ id: number | string }, string>)} />
    </Suspense>
  )
}

/** Called as soon as the columns are known: what a wide table needs then comes together with its rows. */
export function preloadVirtualBody(count: number) {
  if (count > maxPlainColumns) void loadVirtualBody()
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
