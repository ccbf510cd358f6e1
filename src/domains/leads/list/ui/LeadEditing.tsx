import { createContext, type ReactNode, useContext, useState } from 'react'
import { useStore } from 'zustand'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { LeadDialogsProvider, type RelatedLeadsComponent } from './LeadDialogs.tsx'
import {
  createLeadEditor,
  type EditableField,
  type EditFailure,
  type LeadEditor,
  type PatchLead,
  toFieldKey,
} from './lead-mutations.ts'

const LeadEditorContext = createContext<LeadEditor | null>(null)

type LeadEditorProviderProps = {
  patch: PatchLead
  /** The dialog of related leads. Related views have none: they open no further ones. */
  RelatedLeads?: RelatedLeadsComponent
  children: ReactNode
}

/** Lets the cells inside edit their leads and open their dialogs. */
export function LeadEditorProvider({ patch, RelatedLeads, children }: LeadEditorProviderProps) {
  const [editing] = useState(() =>
    createLeadEditor({ patch, write: saveLeadField, settled: () => void refreshQueries([leadsContract.update]) }),
  )
  return (
    <LeadEditorContext value={editing}>
      <LeadDialogsProvider patch={patch} RelatedLeads={RelatedLeads}>
        {children}
      </LeadDialogsProvider>
    </LeadEditorContext>
  )
}

/** How a cell edits its lead. Keeps its identity. */
export function useEditLead() {
  return useLeadEditor().edit
}

/** Why the last edit of this field was refused. */
export function useEditFailure(id: number, field: EditableField): EditFailure | undefined {
  return useStore(useLeadEditor().failures, (failures) => failures[toFieldKey(id, field)])
}

function useLeadEditor(): LeadEditor {
  const editing = useContext(LeadEditorContext)
  if (!editing) throw new Error('This cell is not inside a LeadEditorProvider')
  return editing
}

function saveLeadField<Field extends EditableField>(
  id: number,
  field: Field,
  value: Lead[Field],
  version: number,
): Promise<Lead> {
  const params = { id }
  if (field === 'client_progress' && value === null) return callApi(leadsContract.resetProgress, { params })
  return callApi(leadsContract.update, { params, body: { id, [field]: value, version } })
}
