import { Suspense } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { SkeletonRows } from '../feedback/Skeleton.tsx'
import type { RowTint, TableColumn } from './DataTable.tsx'
import { TableRow } from './TableRow.tsx'

export type TableBodyProps<Row, Sort extends string> = {
  rows: readonly Row[]
  columns: readonly TableColumn<Row, Sort>[]
  /** How many rows stand before these, on earlier pages. */
  offset: number
  rowHeight: number
  scroller: HTMLElement | null
  tint?: (row: Row) => RowTint | undefined
  rowClass?: (row: Row) => string | undefined
}

const loadVirtualBody = () => import('./VirtualBody.tsx')
const VirtualBody = lazyComponent(loadVirtualBody)

const maxPlainRows = 100
const maxPlainColumns = 12

/** Long or wide tables render only the rows in sight. */
export function TableBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  if (props.rows.length <= maxPlainRows && props.columns.length <= maxPlainColumns) return <PlainBody {...props} />
  const { rows, columns, rowHeight } = props
  return (
    // Not the rows themselves: they would be drawn twice, and whoever began to type in one would lose the cursor.
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
  const { rows, columns, offset, rowHeight, tint, rowClass } = props
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
          className={rowClass?.(row)}
        />
      ))}
    </tbody>
  )
}
