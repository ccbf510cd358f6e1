import classes from './DataTable.module.css'
import type { Column, Rows } from './DataTable.tsx'
import { ariaSort, SortButton } from './SortButton.tsx'
import type { useHeadMoves } from './useColumnDrag.ts'

type Sorts<Sort extends string> = Pick<Rows<unknown, Sort>, 'sort' | 'order' | 'sortBy'>

/** Sortable heads are buttons; the column that the rows are sorted by says so to a screen reader too. */
export function TableHead<Row, Sort extends string>(props: {
  columns: readonly Column<Row, Sort>[]
  list: Sorts<Sort>
  moves: ReturnType<typeof useHeadMoves>
}) {
  const { columns, list, moves } = props
  const { moving, drag, widen, press } = moves
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={classes.head}
            data-align={column.align}
            data-pinned={column.pinned}
            data-key={column.key}
            data-moving={(moving?.key === column.key && moving.width === undefined) || undefined}
            data-drop={moving?.before === column.key || undefined}
            tabIndex={drag && -1}
            onPointerDown={drag && ((event) => drag(event, column))}
            onKeyDown={press && ((event) => press(event, column))}
            aria-sort={ariaSort(orderBy(column, list))}
          >
            <Head column={column} list={list} />
            {widen && (
              // By keys it is Shift and an arrow, on the head.
              <span
                className={classes.edge}
                aria-hidden="true"
                onPointerDown={(event) => widen(event, column)}
                onDoubleClick={() => moves.resize?.(column.key, undefined)}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Head<Row, Sort extends string>({ column, list }: { column: Column<Row, Sort>; list: Sorts<Sort> }) {
  const { sort, title } = column
  const { sortBy } = list
  if (!sort || !sortBy) return title
  return <SortButton title={title} order={orderBy(column, list)} sort={() => sortBy(sort)} />
}

const orderBy = <Row, Sort extends string>({ sort }: Column<Row, Sort>, list: Sorts<Sort>) =>
  sort !== undefined && list.sort === sort ? (list.order ?? 'asc') : undefined
