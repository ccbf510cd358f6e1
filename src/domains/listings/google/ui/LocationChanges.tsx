import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import type { LocationChange } from '../contract.ts'
import { locationFieldLabels } from '../labels.ts'
import classes from './GoogleLocations.module.css'

/** The old and new value of each changed field. */
export function LocationChanges({ changes }: { changes: readonly LocationChange[] }) {
  return (
    <div className={classes.changes}>
      <PlainTable
        columns={[
          { title: 'Field', isName: true, cell: ({ field }) => locationFieldLabels[field] },
          { title: 'Now', cell: ({ before }) => (before === null ? nothing : <del data-kind="bad">{before}</del>) },
          { title: 'After', cell: ({ after }) => (after === null ? nothing : <ins data-kind="ok">{after}</ins>) },
        ]}
        rows={changes}
        rowKey={({ field }) => field}
      />
      <p className={text.small}>Google has looked at this and would take it.</p>
    </div>
  )
}

const nothing = <span className={text.small}>nothing</span>
