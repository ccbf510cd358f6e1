import type { LeadColumn } from '#domains/leads/labels.ts'
import type { LeadsList } from '#domains/leads/list/ui/screen.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { leadExport } from '../contract.ts'

type Props = { list: LeadsList; columns: readonly { key: string }[]; hidden: ReadonlySet<string> }

/** Saves exactly the filtered list, in its order, with the columns that are shown. */
export function ExportLeads({ list, columns, hidden }: Props) {
  const shown = columns.map((column) => column.key).filter((key) => !hidden.has(key)) as LeadColumn[] // the table's keys are these
  return <ExportButton call={leadExport.csv} input={{ body: { ...askedOf(list), columns: shown } }} />
}
