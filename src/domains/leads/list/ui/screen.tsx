import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { describeViewedList, SavedViews, useCurrentUser, useViewColumns } from '#domains/access/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { SelectionBar } from '#domains/leads/batch/ui/SelectionBar.tsx'
import { useLeadSelection } from '#domains/leads/batch/ui/use-selection.tsx'
import { LeadDesk } from '#domains/leads/detail/ui/LeadDesk.tsx'
import { ExportLeadsButton } from '#domains/leads/export/ui/ExportLeads.tsx'
import { AddLeadButton } from '#domains/leads/form/ui/LeadDialog.tsx'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSourcesContract } from '#domains/leads/sources/contract.ts'
import { SourcesNotice } from '#domains/leads/sources/ui/SourcesNotice.tsx'
import { BlacklistButton } from '#domains/leads/spam/ui/Blacklist.tsx'
import { SpammersButton } from '#domains/leads/spam/ui/Spammers.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/columns/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { LeadEditorProvider } from './LeadEditing.tsx'
import { LeadFilterBar } from './LeadFilters.tsx'
import { LeadsTable, useLeadColumns } from './LeadsTable.tsx'
import { NewLeadsNotice } from './NewLeads.tsx'
import { archiveView, currentView, type LeadsView, useLeadsList } from './useLeadsList.ts'

const RelatedLeadsDialog = lazyComponent(() => import('#domains/leads/related/ui/RelatedLeads.tsx'))

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
  const ownColumns = useLeadColumns(me, view, list)
  const [columns, hidden, saveHidden] = useViewColumns('leads', ownColumns, useHiddenColumns('leads.list'))
  const select = useLeadSelection(me, list.rows, list.asked)
  const views = !view.isArchive && (
    <SavedViews
      table="leads"
      list={describeViewedList(view.list, list.start)}
      total={list.total}
      columns={columns.filter(({ key }) => !hidden.has(key)).map(({ key }) => key)}
    />
  )
  return (
    <ScreenFrame
      title={view.title}
      notice={
        !view.isArchive && (
          <>
            <NewLeadsNotice list={list} />
            {leadSourcesContract.list.allow(me) && <SourcesNotice isReady={list.rows !== undefined} />}
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
      <LeadEditorProvider patch={list.patch} RelatedLeads={RelatedLeadsDialog}>
        <LeadDesk me={me} title={view.title} list={list} more={select?.shortcuts}>
          {select ? (
            <SelectionBar me={me} list={list} isArchive={view.isArchive} selection={select.selection}>
              {views}
            </SelectionBar>
          ) : (
            views
          )}
          <LeadsTable me={me} view={view} list={list} columns={columns} hidden={hidden} selectColumn={select?.column} />
          <ListFooter table="leads" list={list} />
        </LeadDesk>
      </LeadEditorProvider>
    </ScreenFrame>
  )
}
