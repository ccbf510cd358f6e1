import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { type Lead, leads } from '#domains/leads/contract.ts'
import { call } from '#ui/data/api.ts'
import { readAgain } from '#ui/data/useApi.ts'
import { LeadDialogs } from './LeadDialogs.tsx'
import { type Editing, leadEditing, type Patch, type Refusal, type RowField } from './lead-mutations.ts'

const Context = createContext<Editing | null>(null)

type Props = { patch: Patch; children: ReactNode }

/** Lets the cells inside edit their leads, and open what is behind them. */
export function LeadEditing({ patch, children }: Props) {
  const [editing] = useState(() => leadEditing({ patch, write, settled: () => void readAgain([leads.update]) }))
  return (
    <Context value={editing}>
      <LeadDialogs patch={patch}>{children}</LeadDialogs>
    </Context>
  )
}

/** How a cell edits its lead. Keeps its identity. */
export function useEdit() {
  return useEditing().edit
}

/** Why the last edit of this field was refused. */
export function useRefusal(id: number, field: RowField): Refusal | undefined {
  const { listen, refusalOf } = useEditing()
  return useSyncExternalStore(listen, () => refusalOf(id, field))
}

function useEditing(): Editing {
  const editing = useContext(Context)
  if (!editing) throw new Error('This cell stands in no LeadEditing')
  return editing
}

function write<Field extends RowField>(id: number, field: Field, value: Lead[Field], version: number): Promise<Lead> {
  const params = { id }
  if (field === 'client_progress' && value === null) return call(leads.resetProgress, { params })
  return call(leads.update, { params, body: { id, [field]: value, version } })
}
