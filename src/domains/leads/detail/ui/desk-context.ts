import { createContext, use } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'

/** The parts of the pane that can be focused when it opens. */
export type PanePart = 'notes' | 'tags'

type LeadDesk = {
  /** The open lead. */
  openId: number | null
  open: (lead: Lead, part?: PanePart) => void
  /** Moves past the last lead of the page, or before its first one. */
  goPast: (step: 1 | -1) => void
  /** Called with the list's rows once they are rendered. */
  setDrawn: (rows: readonly Lead[]) => void
  /** Shortcuts for the focused row or the open lead. */
  shortcuts: readonly RowShortcut<Lead>[]
}

export const LeadDeskContext = createContext<LeadDesk | null>(null)

/** Returns the list's desk; null in lists without a pane. */
export const useLeadDesk = () => use(LeadDeskContext)
