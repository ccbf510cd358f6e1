import { useEditFailure } from '../LeadEditing.tsx'
import type { EditableField } from '../lead-mutations.ts'
import classes from './cells.module.css'

/** Stands in a cell whose last edit was refused: says why, and tries it again when it is clicked. */
export function EditFailureNotice({ id, field }: { id: number; field: EditableField }) {
  const refusal = useEditFailure(id, field)
  if (!refusal) return null
  const { reason, isOutrun, again } = refusal
  return (
    <span role="alert" className={classes.notSaved}>
      <button type="button" title={`${reason}. Click to try again.`} onClick={again}>
        Not saved{isOutrun && ', this is newer'}
      </button>
      <span className={classes.unseen}>: {reason}</span>
    </span>
  )
}
