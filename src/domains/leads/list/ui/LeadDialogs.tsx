import { createContext, type ReactNode, Suspense, useContext, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { EditLeadDialog } from '#domains/leads/form/ui/LeadDialog.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import type { PatchLead } from './lead-mutations.ts'

const HistoryDrawer = lazyComponent(() => import('#domains/leads/history/ui/HistoryDrawer.tsx'))
const RelatedLeadsDialog = lazyComponent(() => import('#domains/leads/related/ui/RelatedLeads.tsx'))

type OpenedDialog = { dialog: 'edit' | 'history' | 'related'; lead: Lead }
type OpenLeadDialog = (dialog: OpenedDialog['dialog'], lead: Lead) => void

const LeadDialogsContext = createContext<OpenLeadDialog | null>(null)

/** What is behind a row, once for all of them: rows come and go while one scrolls, and a key opens the same as a button. */
export function LeadDialogsProvider({ patch, children }: { patch: PatchLead; children: ReactNode }) {
  const [opened, setOpened] = useState<OpenedDialog | null>(null)
  const [open] = useState((): OpenLeadDialog => (dialog, lead) => setOpened({ dialog, lead }))
  const close = () => setOpened(null)
  return (
    <LeadDialogsContext value={open}>
      {children}
      <Suspense>
        {opened?.dialog === 'edit' && <EditLeadDialog lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'history' && <HistoryDrawer lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'related' && <RelatedLeadsDialog lead={opened.lead} onClose={close} />}
      </Suspense>
    </LeadDialogsContext>
  )
}

/** How a row opens what is behind it. Keeps its identity. */
export function useOpenLeadDialog(): OpenLeadDialog {
  const open = useContext(LeadDialogsContext)
  if (!open) throw new Error('This row stands in no LeadDialogs')
  return open
}
