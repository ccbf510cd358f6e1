import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { useLeadDesk } from '#domains/leads/detail/ui/desk-store.ts'
import classes from '#domains/leads/detail/ui/LeadDesk.module.css'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import { leadRowTint } from './LeadColumns.tsx'

type LeadRowsProps = {
  label: string
  list: TableSource<Lead, LeadSort>
  columns: readonly TableColumn<Lead, LeadSort>[]
  hidden?: ReadonlySet<string>
  /** The rows are those of `buildLineColumns`. */
  isBesidePane?: boolean
  selectColumn?: TableColumn<Lead, LeadSort> | undefined
  shortcuts: readonly RowShortcut<Lead>[]
}

/** A table of leads with keyboard shortcuts. */
export function LeadDataTable({
  label,
  list,
  columns,
  hidden,
  isBesidePane = false,
  selectColumn,
  shortcuts,
}: LeadRowsProps) {
  const desk = useLeadDesk()
  return (
    <DataTable
      table={isBesidePane ? undefined : 'leads'}
      label={label}
      list={list}
      columns={columns}
      hidden={hidden}
      selectColumn={selectColumn}
      tint={leadRowTint}
      isTwoLine={!isBesidePane}
      rowClass={(lead) => (lead.id === desk?.openId ? classes.row : undefined)}
      onOpen={desk?.open}
      onPast={desk?.goPast}
      onDrawn={desk?.setDrawn}
      shortcuts={shortcuts}
    />
  )
}
