import type { LocationChange } from '../contract.ts'
import { locationFieldLabels } from '../labels.ts'
import classes from './GoogleLocations.module.css'

/** The old and new value of each changed field. */
export function LocationChanges({ changes }: { changes: readonly LocationChange[] }) {
  return (
    <div className={classes.changes}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Now</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{locationFieldLabels[field]}</th>
              <td>{before === null ? <span className={classes.quiet}>nothing</span> : <del>{before}</del>}</td>
              <td>{after === null ? <span className={classes.quiet}>nothing</span> : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.quiet}>Google has looked at this and would take it.</p>
    </div>
  )
}
