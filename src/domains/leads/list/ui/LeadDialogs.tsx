import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { EditLeadDialog } from '#domains/leads/form/ui/LeadDialog.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useHeldKeys } from '#ui/layout/held-keys.ts'
import type { PatchLead } from './lead-mutations.ts'

const HistoryDrawer = lazyComponent(() => import('#domains/leads/history/ui/HistoryDrawer.tsx'))

type OpenedDialog = { dialog: 'edit' | 'history' | 'related'; lead: Lead }
/** Passed in by the screen to avoid an import cycle: related leads are a table whose cells import this file. */
export type RelatedLeadsComponent = ComponentType<{ lead: Lead; onClose: () => void }>
type OpenLeadDialog = (dialog: OpenedDialog['dialog'], lead: Lead) => void

const LeadDialogsContext = createContext<OpenLeadDialog | null>(null)

type LeadDialogsProviderProps = {
  patch: PatchLead
  RelatedLeads: RelatedLeadsComponent | undefined
  children: ReactNode
}

/** Renders the dialogs of all rows: rows unmount while scrolling, and keys open the same dialogs as buttons. */
export function LeadDialogsProvider({ patch, RelatedLeads, children }: LeadDialogsProviderProps) {
  const [opened, setOpened] = useState<OpenedDialog | null>(null)
  const [open] = useState((): OpenLeadDialog => (dialog, lead) => setOpened({ dialog, lead }))
  const close = () => setOpened(null)
  useHeldKeys(opened !== null, close)
  return (
    <LeadDialogsContext value={open}>
      {children}
      <Suspense>
        {opened?.dialog === 'edit' && <EditLeadDialog lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'history' && <HistoryDrawer lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'related' && RelatedLeads && <RelatedLeads lead={opened.lead} onClose={close} />}
      </Suspense>
    </LeadDialogsContext>
  )
}

/** Returns the function that opens a row's dialogs. It is stable. */
export function useOpenLeadDialog(): OpenLeadDialog {
  const open = useContext(LeadDialogsContext)
  if (!open) throw new Error('This row is not inside a LeadDialogsProvider')
  return open
}
