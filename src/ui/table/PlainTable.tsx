import type { Key, ReactNode } from 'react'
import text from '../theme/text.module.css'
import classes from './PlainTable.module.css'

/** `isName`: the cell names its row, and is read out with each other cell of it. */
type PlainColumn<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  isName?: boolean
  align?: 'end' | undefined
}

type PlainTableProps<Row> = {
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => Key
  className?: string | undefined
  /** On a phone the cells of a row stand below each other. */
  isStacked?: boolean
  'aria-label'?: string
  caption?: string | undefined
  /** Stands in the table instead of rows. */
  none?: string
}

/** A small table of a dialog, a card or a page, all of it at once. What is sorted, paged or has thousands of rows is a DataTable. */
export function PlainTable<Row>({
  columns,
  rows,
  rowKey,
  className,
  isStacked,
  caption,
  none,
  ...aria
}: PlainTableProps<Row>) {
  return (
    <table className={[classes.table, isStacked && classes.stacked, className].filter(Boolean).join(' ')} {...aria}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, align }) => (
            <th key={title} scope="col" data-align={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)}>
            {columns.map(({ title, align, isName, cell }) =>
              isName ? (
                <th key={title} scope="row" data-align={align}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} data-label={title} data-align={align}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
        {none !== undefined && rows.length === 0 && (
          <tr>
            <td colSpan={columns.length} className={text.quiet}>
              {none}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
