import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { ImportButton } from '#domains/imports/ui/ImportButton.tsx'
import { leads } from '#domains/leads/contract.ts'
import { ExportLeads } from '#domains/leads/export/ui/ExportLeads.tsx'
import { AddLead } from '#domains/leads/form/ui/LeadDialog.tsx'
import { related } from '#domains/leads/related/contract.ts'
import { sources } from '#domains/leads/sources/contract.ts'
import { SourcesNotice } from '#domains/leads/sources/ui/SourcesNotice.tsx'
import { Blacklist } from '#domains/leads/spam/ui/Blacklist.tsx'
import { Spammers } from '#domains/leads/spam/ui/Spammers.tsx'
import { addMonths, today } from '#ui/cells/days.ts'
import { environment } from '#ui/data/environment.ts'
import { Screen } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { LeadEditing } from './LeadEditing.tsx'
import { LeadFilters } from './LeadFilters.tsx'
import { LeadsTable, useLeadColumns } from './LeadsTable.tsx'
import { NewLeads } from './NewLeads.tsx'

const current = { title: 'Leads', isArchive: false, list: leads.list, statistic: leads.statistic } as const
const archive = {
  title: 'Leads Archive',
  isArchive: true,
  list: leads.archived,
  statistic: leads.archivedStatistic,
} as const
/** One of the two lists of leads. */
export type LeadsView = typeof current | typeof archive
export type LeadsList = ReturnType<typeof useLeads>

export default function Leads() {
  const me = useMe()
  return me && <LeadsScreen me={me} view={current} />
}

export function LeadsArchive() {
  const me = useMe()
  return me && <LeadsScreen me={me} view={archive} />
}

function LeadsScreen({ me, view }: { me: CurrentUser; view: LeadsView }) {
  const list = useLeads(view)
  const columns = useLeadColumns(me, view, list)
  const [hidden, saveHidden] = useHiddenColumns('leads.list')
  return (
    <Screen
      title={view.title}
      notice={
        !view.isArchive && (
          <>
            <NewLeads list={list} />
            {sources.list.allow(me) && <SourcesNotice />}
          </>
        )
      }
      actions={
        <>
          <ColumnChooser columns={columns} hidden={hidden} onSave={saveHidden} />
          {!view.isArchive && <ExportLeads list={list} columns={columns} hidden={hidden} />}
          {!view.isArchive && <ImportButton what="leads" />}
          <Blacklist />
          <Spammers />
          {related.everywhere.allow(me) && (
            <Button variant="default" component={Link} to="/leads-related">
              Cross Campaign Related
            </Button>
          )}
          <AddLead onAdded={list.retry} />
        </>
      }
    >
      <LeadFilters me={me} view={view} list={list} />
      <LeadEditing patch={list.patch}>
        <LeadsTable me={me} view={view} list={list} columns={columns} hidden={hidden} />
      </LeadEditing>
      <ListFooter table="leads" list={list} />
    </Screen>
  )
}

/** The leads of this view. Without dates of their own they are those of the last month through today. */
function useLeads(view: LeadsView) {
  const now = today(environment.timezone)
  const start = { date_from: addMonths(now, -1), date_to: now }
  const list = useList(view.list, { start, hold: true })
  const { date_from, date_to } = list.filters

  // The range cannot be cleared, not by an address either.
  const isCleared = date_from === undefined || date_to === undefined
  useEffect(() => {
    if (isCleared) list.setFilters(start, true)
  })
  return list
}
