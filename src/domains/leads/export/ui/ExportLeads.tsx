import type { LeadColumn } from '#domains/leads/fields.ts'
import type { LeadsList } from '#domains/leads/list/ui/useLeadsList.ts'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { leadExportContract } from '../contract.ts'

type ExportLeadsButtonProps = { list: LeadsList; columns: readonly { key: string }[]; hidden: ReadonlySet<string> }

/** Saves the filtered list, in its order, with the visible columns. */
export function ExportLeadsButton({ list, columns, hidden }: ExportLeadsButtonProps) {
  const shown = columns.map((column) => column.key).filter((key) => !hidden.has(key)) as LeadColumn[] // the table's keys are lead columns
  return <ExportButton call={leadExportContract.csv} input={{ body: { ...getExportQuery(list), columns: shown } }} />
}
