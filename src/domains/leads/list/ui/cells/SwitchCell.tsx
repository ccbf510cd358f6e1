import type { Lead } from '#domains/leads/contract.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { useEdit } from '../LeadEditing.tsx'
import { NotSaved } from './NotSaved.tsx'

/** On or off, at once. */
export function SwitchCell({ lead, field, label }: { lead: Lead; field: 'confirmed' | 'hide'; label: string }) {
  const edit = useEdit()
  return (
    <>
      <CellSwitch label={label} on={lead[field] === 1} set={(on) => edit(lead, field, on ? 1 : 0)} />
      <NotSaved id={lead.id} field={field} />
    </>
  )
}
