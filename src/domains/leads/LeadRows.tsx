import { useMemo } from 'react'
import type { CurrentUser } from '#domains/session/contract.ts'
import { type Column, DataTable, type Rows } from '#web/DataTable.tsx'
import { useShortcuts } from '#web/shortcuts.ts'
import type { Lead, LeadSort } from './contract.ts'
import { tint } from './LeadColumns.tsx'
import { useLeadDialogs } from './LeadDialogs.tsx'
import { useEdit } from './LeadEditing.tsx'
import { leadShortcuts } from './triage.ts'

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
