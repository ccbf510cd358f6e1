import { createContext, type ReactNode, Suspense, useContext, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { EditDialog } from '#domains/leads/form/ui/LeadDialog.tsx'
import { part } from '#ui/data/lazy-part.ts'
import type { Patch } from './lead-mutations.ts'

const HistoryDrawer = part(() => import('#domains/leads/history/ui/HistoryDrawer.tsx'))
const RelatedLeads = part(() => import('#domains/leads/related/ui/RelatedLeads.tsx'))

type Opened = { dialog: 'edit' | 'history' | 'related'; lead: Lead }
type Open = (dialog: Opened['dialog'], lead: Lead) => void

const Context = createContext<Open | null>(null)

/** What is behind a row, once for all of them: rows come and go while one scrolls, and a key opens the same as a button. */
export function LeadDialogs({ patch, children }: { patch: Patch; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [open] = useState((): Open => (dialog, lead) => setOpened({ dialog, lead }))
  const close = () => setOpened(null)
  return (
    <Context value={open}>
      {children}
      <Suspense>
        {opened?.dialog === 'edit' && <EditDialog lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'history' && <HistoryDrawer lead={opened.lead} patch={patch} onClose={close} />}
        {opened?.dialog === 'related' && <RelatedLeads lead={opened.lead} onClose={close} />}
      </Suspense>
    </Context>
  )
}

/** How a row opens what is behind it. Keeps its identity. */
export function useLeadDialogs(): Open {
  const open = useContext(Context)
  if (!open) throw new Error('This row stands in no LeadDialogs')
  return open
}
