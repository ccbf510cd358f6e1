import { countCell, textCell } from '#ui/cells/cells.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Import, type ImportProblem, importsContract } from '../contract.ts'
import classes from './Imports.module.css'

/** Refused lines with reasons; after an undo, kept rows with reasons. Nothing where there are none. */
export function ImportProblems({ one }: { one: Import }) {
  const isUndone = one.state === 'undone'
  const list = useList(importsContract.problems, {
    params: { id: one.id },
    fixed: { kind: isUndone ? 'kept' : 'refused' },
    keep: 'here',
  })
  if ((isUndone ? one.kept : one.refused) === 0) return null
  const title = isUndone ? 'Kept, and why' : 'Refused lines, and why'
  return (
    <>
      <h2 className={classes.subtitle}>{title}</h2>
      <DataTable label={title} list={list} columns={problemColumns} />
      <ListFooter list={list} totalLabel={isUndone ? 'Kept' : 'Reasons'} />
    </>
  )
}

const problemColumns: TableColumn<ImportProblem, SortOf<typeof importsContract.problems>>[] = [
  {
    key: 'line',
    title: 'Line',
    sort: 'line',
    width: 90,
    align: 'end',
    pinned: 'start',
    cell: ({ line }) => countCell(line),
  },
  { key: 'column', title: 'Column', width: 140, cell: ({ column }) => textCell(column) },
  { key: 'says', title: 'Why', cell: ({ says }) => says },
]
