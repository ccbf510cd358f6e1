import { Suspense } from 'react'
import { part } from '../data/lazy-part.ts'
import { Skeleton } from '../feedback/Skeleton.tsx'
import type { Column, Tint } from './DataTable.tsx'
import { TableRow } from './TableRow.tsx'

export type BodyProps<Row, Sort extends string> = {
  rows: readonly Row[]
  columns: readonly Column<Row, Sort>[]
  /** How many rows stand before these, on earlier pages. */
  offset: number
  rowHeight: number
  scroller: HTMLElement | null
  tint?: (row: Row) => Tint | undefined
  rowClass?: (row: Row) => string | undefined
}

const loadVirtualBody = () => import('./VirtualBody.tsx')
const VirtualBody = part(loadVirtualBody)

const mostRows = 100
const mostColumns = 12

/** Long or wide tables render only the rows in sight. */
export function TableBody<Row extends { id: number | string }, Sort extends string>(props: BodyProps<Row, Sort>) {
  if (props.rows.length <= mostRows && props.columns.length <= mostColumns) return <WholeBody {...props} />
  const { rows, columns, rowHeight } = props
  return (
    // Not the rows themselves: they would be drawn twice, and whoever began to type in one would lose the cursor.
    <Suspense
      fallback={
        <tbody>
          <Skeleton rows={rows.length} columns={columns} height={rowHeight} />
        </tbody>
      }
    >
      {/* `lazy` forgets type parameters; rows and columns were checked together at our own door. */}
      <VirtualBody {...(props as unknown as BodyProps<{ id: number | string }, string>)} />
    </Suspense>
  )
}

/** Called as soon as the columns are known: what a wide table needs then comes together with its rows. */
export function expectColumns(count: number) {
  if (count > mostColumns) void loadVirtualBody()
}

function WholeBody<Row extends { id: number | string }, Sort extends string>(props: BodyProps<Row, Sort>) {
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
