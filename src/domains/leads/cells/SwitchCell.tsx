import type { Lead } from '../contract.ts'
import { useEdit } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { NotSaved } from './NotSaved.tsx'

/** On or off, at once. */
export function SwitchCell({ lead, field, label }: { lead: Lead; field: 'confirmed' | 'hide'; label: string }) {
  const edit = useEdit()
  return (
    <>
      <label className={classes.switch}>
        <input
          type="checkbox"
          role="switch"
          aria-label={label}
          checked={lead[field] === 1}
          aria-checked={lead[field] === 1}
          onChange={(event) => edit(lead, field, event.currentTarget.checked ? 1 : 0)}
        />
      </label>
      <NotSaved id={lead.id} field={field} />
    </>
  )
}
