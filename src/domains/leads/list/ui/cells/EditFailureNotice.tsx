import text from '#ui/theme/text.module.css'
import { useEditFailure } from '../LeadEditing.tsx'
import type { EditableField } from '../lead-mutations.ts'
import classes from './cells.module.css'

/** Shows why a cell's last edit was refused; a click tries it again. */
export function EditFailureNotice({ id, field }: { id: number; field: EditableField }) {
  const refusal = useEditFailure(id, field)
  if (!refusal) return null
  const { reason, isOutrun, again } = refusal
  return (
    <span role="alert" className={classes.notSaved}>
      <button type="button" data-link title={`${reason}. Click to try again.`} onClick={again}>
        Not saved{isOutrun && ': a teammate changed it first'}
      </button>
      <span className={text.unseen}>: {reason}</span>
    </span>
  )
}
