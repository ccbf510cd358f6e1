import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUser } from '#domains/session/contract.ts'
import { ColumnChooser, useHiddenColumns } from '#web/ColumnChooser.tsx'
import { addMonths, today } from '#web/days.ts'
import { environment } from '#web/environment.ts'
import { ImportButton } from '#web/ImportButton.tsx'
import { useMe } from '#web/me.ts'
import { ListFooter } from '#web/Pager.tsx'
import { Screen } from '#web/Screen.tsx'
import { useList } from '#web/useList.ts'
import { AddLead } from './adding/LeadDialog.tsx'
import { leads } from './contract.ts'
import { ExportLeads } from './export/ExportLeads.tsx'
import { LeadEditing } from './LeadEditing.tsx'
import { LeadFilters } from './LeadFilters.tsx'
import { LeadsTable, useLeadColumns } from './LeadsTable.tsx'
import { NewLeads } from './NewLeads.tsx'
import { related } from './related/contract.ts'
import { sources } from './sources/contract.ts'
import { SourcesNotice } from './sources/SourcesNotice.tsx'
import { Blacklist } from './spam/Blacklist.tsx'
import { Spammers } from './spam/Spammers.tsx'

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
