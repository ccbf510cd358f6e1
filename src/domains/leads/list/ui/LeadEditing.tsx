import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AccessSubject } from '#contract/allow.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { noteEdit } from '#domains/leads/detail/ui/undo-edits.ts'
import { createUndoStack, type UndoStack } from '#domains/leads/detail/ui/undo-stack.ts'
import { hasSpamTag } from '#domains/leads/labels.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { LeadDialogsProvider, type RelatedLeadsComponent } from './LeadDialogs.tsx'
import {
  createLeadEditor,
  type EditableField,
  type EditFailure,
  type LeadEditor,
  type PatchLead,
  toFieldKey,
} from './lead-mutations.ts'

const LeadEditorContext = createContext<(LeadEditor & { undo: UndoStack }) | null>(null)

type LeadEditorProviderProps = {
  patch: PatchLead
  /** The dialog of related leads. Related views have none. */
  RelatedLeads?: RelatedLeadsComponent
  children: ReactNode
}

/** Lets cells edit their leads and open their dialogs. */
export function LeadEditorProvider({ patch, RelatedLeads, children }: LeadEditorProviderProps) {
  const me = useCurrentUser()
  const [editing] = useState(() => {
    const undo = createUndoStack()
    const editor: LeadEditor = createLeadEditor({
      patch,
      write: (...edit) => saveLeadField(me, ...edit),
      settled: () => void refreshQueries(leadsContract.list.reads),
      tell: (lead, reason) => toastError(new Error(`${getLeadName(lead)}: not saved. ${reason}`)),
      note: (...edit) => noteEdit(undo, ...edit, editor.restore),
    })
    return { ...editor, undo }
  })
  return (
    <LeadEditorContext value={editing}>
      <LeadDialogsProvider patch={patch} RelatedLeads={RelatedLeads}>
        {children}
      </LeadDialogsProvider>
    </LeadEditorContext>
  )
}

/** Returns the function by which a cell edits its lead. It is stable. */
export function useEditLead() {
  return useLeadEditor().edit
}

/** Returns the stack of actions that can be undone. It is stable. */
export function useUndoStack(): UndoStack {
  return useLeadEditor().undo
}

/** Returns why the last edit of this field was refused, to be shown there. */
export function useEditFailure(id: number, field: EditableField): EditFailure | undefined {
  const { failures, watch } = useLeadEditor()
  useEffect(() => watch(id, field), [watch, id, field])
  return useStore(failures, (all) => all[toFieldKey(id, field)])
}

/** Returns a function that waits for all edits so far. It is stable. */
export function useSavedEdits() {
  return useLeadEditor().whenSaved
}

function useLeadEditor() {
  const editing = useContext(LeadEditorContext)
  if (!editing) throw new Error('This cell is not inside a LeadEditorProvider')
  return editing
}

async function saveLeadField<Field extends EditableField>(
  me: AccessSubject | null,
  seen: Lead,
  field: Field,
  value: Lead[Field],
  version: number,
): Promise<Lead> {
  const params = { id: seen.id }
  if (field === 'client_progress' && value === null) return callApi(leadsContract.resetProgress, { params })
  if (field === 'tags' && leadSpamContract.mark.allow(me)) {
    const isSpam = hasSpamTag({ tags: value as Lead['tags'] })
    if (isSpam && !hasSpamTag(seen)) return callApi(leadSpamContract.mark, { params, body: {} })
    if (!isSpam && hasSpamTag(seen)) {
      const lead = await callApi(leadSpamContract.unmark, { params })
      if (!hasSpamTag(lead)) return lead
      // The tag was set without a spam mark, such as by an import.
      return callApi(leadsContract.update, {
        params,
        body: { id: seen.id, tags: lead.tags?.filter(({ name }) => name !== 'Spam'), version: lead.version },
      })
    }
  }
  return callApi(leadsContract.update, { params, body: { id: seen.id, [field]: value, version } })
}
