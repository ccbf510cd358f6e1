import { createContext, use } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'

/** What a lead's pane can be opened for at once. */
export type PanePart = 'notes' | 'tags'

export type LeadDesk = {
  /** The lead that is open. */
  openId: number | null
  open: (lead: Lead, part?: PanePart) => void
  /** Goes on past the last lead of the page, or before its first one. */
  goPast: (step: 1 | -1) => void
  /** To be called with the list's rows once these are drawn. */
  setDrawn: (rows: readonly Lead[]) => void
  /** What keys do with the row that has the focus, or with the lead that is open. */
  shortcuts: readonly RowShortcut<Lead>[]
}

export const LeadDeskContext = createContext<LeadDesk | null>(null)

/** Returns the list's desk; null where leads open no pane. */
export const useLeadDesk = () => use(LeadDeskContext)
