import classes from './DataTable.module.css'
import { getAriaSort, SortButton } from './SortButton.tsx'
import type { TableColumn, TableSource } from './table-column.ts'
import type { useColumnMoves } from './useColumnMoves.ts'

type HeadSorting<Sort extends string> = Pick<TableSource<unknown, Sort>, 'sort' | 'order' | 'sortBy'>

/** The column heads. Sortable heads are buttons, and the sorted column has `aria-sort`. */
export function TableHead<Row, Sort extends string>(props: {
  columns: readonly TableColumn<Row, Sort>[]
  list: HeadSorting<Sort>
  moves: ReturnType<typeof useColumnMoves>
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
            data-unprinted={column.unprinted}
            data-key={column.key}
            data-moving={(moving?.key === column.key && moving.width === undefined) || undefined}
            data-drop={moving?.before === column.key || undefined}
            tabIndex={drag && -1}
            onPointerDown={drag && ((event) => drag(event, column))}
            onKeyDown={press && !column.head ? (event) => press(event, column) : undefined}
            aria-sort={getAriaSort(getSortOrder(column, list))}
          >
            <HeadCellContent column={column} list={list} />
            {widen && !column.head && (
              // On the keyboard: Shift and an arrow, on the head.
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

function HeadCellContent<Row, Sort extends string>({
  column,
  list,
}: {
  column: TableColumn<Row, Sort>
  list: HeadSorting<Sort>
}) {
  const { sort, title } = column
  const { sortBy } = list
  if (column.head) return column.head()
  if (!sort || !sortBy) return title
  return <SortButton title={title} order={getSortOrder(column, list)} sort={() => sortBy(sort)} />
}

const getSortOrder = <Row, Sort extends string>({ sort }: TableColumn<Row, Sort>, list: HeadSorting<Sort>) =>
  sort !== undefined && list.sort === sort ? (list.order ?? 'asc') : undefined
