import { PlainTable } from '#ui/table/PlainTable.tsx'
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
          { title: 'Now', cell: ({ before }) => (before === null ? nothing : <del>{before}</del>) },
          { title: 'After', cell: ({ after }) => (after === null ? nothing : <ins>{after}</ins>) },
        ]}
        rows={changes}
        rowKey={({ field }) => field}
      />
      <p className={classes.quiet}>Google has looked at this and would take it.</p>
    </div>
  )
}

const nothing = <span className={classes.quiet}>nothing</span>
