import { countCell, textCell } from '#ui/cells/cells.tsx'
import { useApi } from '#ui/data/useApi.ts'
import card from '#ui/layout/Card.module.css'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Import, importsContract } from '../contract.ts'
import { importProblemFields } from '../fields.ts'
import classes from './Imports.module.css'

/** Refused lines with reasons; after an undo, kept rows with reasons. Renders nothing if there are none. */
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
      <h2>{title}</h2>
      {!isUndone && <ProblemGroups one={one} />}
      <DataTable label={title} list={list} columns={problemColumns} />
      <ListFooter list={list} totalLabel={isUndone ? 'Kept' : 'Reasons'} />
    </>
  )
}

const shownGroups = 100

/** The problems, most common first, with a download of the refused lines. */
function ProblemGroups({ one: { id, state } }: { one: Import }) {
  const { data: groups } = useApi(importsContract.groups, { params: { id }, query: { per_page: shownGroups } })
  return (
    <>
      <div className={card.row}>
        <ExportButton call={importsContract.refused} input={{ params: { id } }} label="Download refused lines" />
      </div>
      {state === 'checked' && (
        <p className={card.hint}>
          Lines that name what is not here yet are taken once it is: create it, then press Change columns and Check the
          lines.
        </p>
      )}
      {groups && (
        <section
          className={classes.scroller}
          aria-label="Reasons"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
        >
          <PlainTable
            className={classes.columns}
            columns={[
              { title: 'Lines', cell: ({ lines }) => countCell(lines) },
              { title: 'Column', cell: ({ column }) => textCell(column) },
              { title: 'Value', cell: ({ value }) => textCell(value) },
              { title: 'Why', cell: ({ says }) => says },
            ]}
            rows={groups.data}
            rowKey={({ column, says, value }) => JSON.stringify([column, says, value])}
          />
        </section>
      )}
    </>
  )
}

const problemColumns = buildFieldColumns(importProblemFields, {
  says: { cell: ({ says }) => says },
})
