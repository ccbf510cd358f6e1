import type { Lead } from '#domains/leads/contract.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { useEditLead } from '../LeadEditing.tsx'
import { EditFailureNotice } from './EditFailureNotice.tsx'

/** A switch that saves at once. */
export function LeadSwitchCell({ lead, field, label }: { lead: Lead; field: 'confirmed' | 'hide'; label: string }) {
  const edit = useEditLead()
  return (
    <>
      <CellSwitch label={label} on={lead[field] === 1} set={(on) => edit(lead, field, on ? 1 : 0)} />
      <EditFailureNotice id={lead.id} field={field} />
    </>
  )
}
