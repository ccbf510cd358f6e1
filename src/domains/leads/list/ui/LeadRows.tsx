import { useMemo } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { useShortcuts } from '#ui/layout/shortcuts.ts'
import { type Column, DataTable, type Rows } from '#ui/table/DataTable.tsx'
import { tint } from './LeadColumns.tsx'
import { useLeadDialogs } from './LeadDialogs.tsx'
import { useEdit } from './LeadEditing.tsx'
import { leadShortcuts } from './lead-shortcuts.ts'

type Props = {
  me: CurrentUser
  label: string
  view: 'list' | 'related'
  list: Rows<Lead, LeadSort>
  columns: readonly Column<Lead, LeadSort>[]
  hidden?: ReadonlySet<string>
}

/** A table of leads that one works through by keys. */
export function LeadRows({ me, label, view, list, columns, hidden }: Props) {
  const edit = useEdit()
  const open = useLeadDialogs()
  const keys = useMemo(
    () => ({ title: label, shortcuts: leadShortcuts(me, { view, edit, open }) }),
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
      tint={tint}
      shortcuts={keys.shortcuts}
    />
  )
}
