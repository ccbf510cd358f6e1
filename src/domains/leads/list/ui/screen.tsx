import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { ExportLeadsButton } from '#domains/leads/export/ui/ExportLeads.tsx'
import { AddLeadButton } from '#domains/leads/form/ui/LeadDialog.tsx'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSourcesContract } from '#domains/leads/sources/contract.ts'
import { SourcesNotice } from '#domains/leads/sources/ui/SourcesNotice.tsx'
import { BlacklistButton } from '#domains/leads/spam/ui/Blacklist.tsx'
import { SpammersButton } from '#domains/leads/spam/ui/Spammers.tsx'
import { addMonths, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { LeadEditorProvider } from './LeadEditing.tsx'
import { LeadFilterBar } from './LeadFilters.tsx'
import { LeadsTable, useLeadColumns } from './LeadsTable.tsx'
import { NewLeadsNotice } from './NewLeads.tsx'

const currentView = {
  title: 'Leads',
  isArchive: false,
  list: leadsContract.list,
  statistic: leadsContract.statistic,
} as const
const archiveView = {
  title: 'Leads Archive',
  isArchive: true,
  list: leadsContract.archived,
  statistic: leadsContract.archivedStatistic,
} as const
/** One of the two lists of leads. */
export type LeadsView = typeof currentView | typeof archiveView
export type LeadsList = ReturnType<typeof useLeadsList>

export default function LeadsListScreen() {
  const me = useCurrentUser()
  return me && <LeadsScreen me={me} view={currentView} />
}

export function LeadsArchiveScreen() {
  const me = useCurrentUser()
  return me && <LeadsScreen me={me} view={archiveView} />
}

function LeadsScreen({ me, view }: { me: CurrentUserDto; view: LeadsView }) {
  const list = useLeadsList(view)
  const columns = useLeadColumns(me, view, list)
  const [hidden, saveHidden] = useHiddenColumns('leads.list')
  return (
    <ScreenFrame
      title={view.title}
      notice={
        !view.isArchive && (
          <>
            <NewLeadsNotice list={list} />
            {leadSourcesContract.list.allow(me) && <SourcesNotice />}
          </>
        )
      }
      actions={
        <>
          <ColumnChooser columns={columns} hidden={hidden} onSave={saveHidden} />
          {!view.isArchive && <ExportLeadsButton list={list} columns={columns} hidden={hidden} />}
          {!view.isArchive && <ImportButton what="leads" />}
          <BlacklistButton />
          <SpammersButton />
          {relatedLeadsContract.everywhere.allow(me) && (
            <Button variant="default" component={Link} to="/leads-related">
              Cross Campaign Related
            </Button>
          )}
          <AddLeadButton onAdded={list.retry} />
        </>
      }
    >
      <LeadFilterBar me={me} view={view} list={list} />
      <LeadEditorProvider patch={list.patch}>
        <LeadsTable me={me} view={view} list={list} columns={columns} hidden={hidden} />
      </LeadEditorProvider>
      <ListFooter table="leads" list={list} />
    </ScreenFrame>
  )
}

/** The leads of this view. Without dates of their own they are those of the last month through today. */
function useLeadsList(view: LeadsView) {
  const now = getToday(appConfig.timezone)
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
