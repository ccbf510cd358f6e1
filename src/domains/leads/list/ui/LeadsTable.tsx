import { useEffect, useMemo, useRef, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import { buildLeadColumns } from './LeadColumns.tsx'
import { LeadDataTable } from './LeadRows.tsx'
import { OtherYears } from './OtherYears.tsx'
import type { LeadsList, LeadsView } from './useLeadsList.ts'

type LeadColumnList = readonly TableColumn<Lead, LeadSort>[]

/** The columns of this person. They keep their identity while the list changes, or every row would be drawn again. */
export function useLeadColumns(me: CurrentUserDto, view: LeadsView, list: LeadsList): LeadColumnList {
  const { patch } = list
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  const [showFirstCalls] = useState(() => () => latest.current.setFilters({ first_call: 1 }))
  const name = view.isArchive ? 'archive' : 'list'
  return useMemo(() => buildLeadColumns(me, { view: name, showFirstCalls, patch }), [me, name, showFirstCalls, patch])
}

type LeadsTableProps = {
  me: CurrentUserDto
  view: LeadsView
  list: LeadsList
  columns: LeadColumnList
  hidden: ReadonlySet<string>
}

export function LeadsTable({ me, view, list, columns, hidden }: LeadsTableProps) {
  // A lead that was just moved to the other list is still among what was read.
  const rows = list.rows?.filter((lead) => (lead.archived === 1) === view.isArchive)
  const elsewhere = list.filters.lead_search ? <OtherYears view={view} list={list} /> : undefined
  return (
    <LeadDataTable
      me={me}
      label={view.title}
      view="list"
      list={{ ...list, rows, elsewhere }}
      columns={columns}
      hidden={hidden}
    />
  )
}
