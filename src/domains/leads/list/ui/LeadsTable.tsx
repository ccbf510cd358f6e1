import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead, LeadSort } from '#domains/leads/contract.ts'
import { useLeadDesk } from '#domains/leads/detail/ui/desk-store.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { RowShortcut } from '#ui/table/table-keys.ts'
import { LeadCards } from './LeadCards.tsx'
import { buildLeadColumns } from './LeadColumns.tsx'
import { buildLineColumns } from './LeadLine.tsx'
import { LeadDataTable } from './LeadRows.tsx'
import type { LeadsList, LeadsView } from './useLeadsList.ts'

type LeadColumnList = readonly TableColumn<Lead, LeadSort>[]

/** Returns this person's columns. They are stable while the list changes, so that rows are not rendered again. */
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

const OtherYears = lazyComponent(() => import('./OtherYears.tsx'))

const noShortcuts: readonly RowShortcut<Lead>[] = []

type LeadsTableProps = {
  me: CurrentUserDto
  view: LeadsView
  list: LeadsList
  columns: LeadColumnList
  hidden: ReadonlySet<string>
  selectColumn: LeadColumnList[number] | undefined
}

export function LeadsTable({ me, view, list, columns, hidden, selectColumn }: LeadsTableProps) {
  const elsewhere = (
    <Suspense>
      <OtherYears view={view} list={list} />
    </Suspense>
  )
  const desk = useLeadDesk()
  const isPhone = useIsPhone()
  const source = { ...list, elsewhere }
  const lineColumns = useMemo(() => buildLineColumns(me.timezone), [me.timezone])
  // Keys are meant for the rows that are about to come.
  const shortcuts = list.isPrevious ? noShortcuts : (desk?.shortcuts ?? noShortcuts)
  const shared = { label: view.title, list: source, selectColumn, shortcuts }
  if (isPhone) return <LeadCards {...shared} me={me} columns={columns} />
  return (
    <LeadDataTable
      {...shared}
      {...(desk?.isBeside && desk.openId !== null ? { columns: lineColumns, isBesidePane: true } : { columns, hidden })}
    />
  )
}
