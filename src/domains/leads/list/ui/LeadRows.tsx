import { useMemo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { useShortcuts } from '#ui/layout/shortcuts.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import { leadRowTint } from './LeadColumns.tsx'
import { useOpenLeadDialog } from './LeadDialogs.tsx'
import { useEditLead } from './LeadEditing.tsx'
import { buildLeadShortcuts } from './lead-shortcuts.ts'

type LeadRowsProps = {
  me: CurrentUserDto
  label: string
  view: 'list' | 'related'
  list: TableSource<Lead, LeadSort>
  columns: readonly TableColumn<Lead, LeadSort>[]
  hidden?: ReadonlySet<string>
}

/** A table of leads that one works through by keys. */
export function LeadDataTable({ me, label, view, list, columns, hidden }: LeadRowsProps) {
  const edit = useEditLead()
  const open = useOpenLeadDialog()
  const keys = useMemo(
    () => ({ title: label, shortcuts: buildLeadShortcuts(me, { view, edit, open }) }),
    [me, label, view, edit, open],
  )
  useShortcuts(keys)
  return (
    <DataTable
      table="leads"
      label={label}
      list={list}
      columns={columns}
      hidden={hidden}
      tint={leadRowTint}
      shortcuts={keys.shortcuts}
    />
  )
}
