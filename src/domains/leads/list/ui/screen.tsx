import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import {
  describeViewedList,
  SavedViews,
  useCurrentUser,
  useViewColumns,
  type ViewPreset,
} from '#domains/access/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { SelectionBar } from '#domains/leads/batch/ui/SelectionBar.tsx'
import { useLeadSelection } from '#domains/leads/batch/ui/use-selection.tsx'
import { leadsContract } from '#domains/leads/contract.ts'
import { LeadDesk } from '#domains/leads/detail/ui/LeadDesk.tsx'
import { ExportLeadsButton } from '#domains/leads/export/ui/ExportLeads.tsx'
import { AddLeadButton } from '#domains/leads/form/ui/LeadDialog.tsx'
import { leadQueues } from '#domains/leads/queues.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSourcesContract } from '#domains/leads/sources/contract.ts'
import { SourcesNotice } from '#domains/leads/sources/ui/SourcesNotice.tsx'
import { BlacklistButton } from '#domains/leads/spam/ui/Blacklist.tsx'
import { SpammersButton } from '#domains/leads/spam/ui/SpammersButton.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ColumnChooser, useHiddenColumns } from '#ui/table/columns/ColumnChooser.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { LeadEditorProvider } from './LeadEditing.tsx'
import { LeadFilterBar } from './LeadFilters.tsx'
import { LeadsTable, useLeadColumns } from './LeadsTable.tsx'
import { leadQueueLabels } from './lead-queues.ts'
import { NewLeadsNotice } from './NewLeads.tsx'
import { archiveView, currentView, type LeadsList, type LeadsView, useLeadsList } from './useLeadsList.ts'
import { useReviewProgress } from './useReviewProgress.ts'

const RelatedLeadsDialog = lazyComponent(() => import('#domains/leads/related/ui/RelatedLeads.tsx'))

export default function LeadsListScreen() {
  const me = useCurrentUser()
  return me && <LeadsScreen me={me} view={currentView} />
}

export function LeadsArchiveScreen() {
  const me = useCurrentUser()
  return me && <LeadsScreen me={me} view={archiveView} />
}

/** Returns the tabs that staff have; their counts follow the filters. */
function useQueuePresets(me: CurrentUserDto, view: LeadsView, list: LeadsList): ViewPreset[] | undefined {
  const [search] = useSearchParams()
  const mayUse = !view.isArchive && leadsContract.queues.allow(me)
  // From a saved view a tab leads back to the filters that the list starts with.
  const query = { ...(/^\d+$/.test(search.view ?? '') ? list.start : list.sent), queue: undefined }
  const { data } = useApi(
    leadsContract.queues,
    { query },
    { keepPrevious: true, enabled: mayUse && list.rows !== undefined },
  )
  if (!mayUse) return undefined
  return [
    ...leadQueues.map((queue) => ({
      value: queue,
      name: leadQueueLabels[queue],
      query: { queue },
      count: data?.[queue],
    })),
    { value: 'all', name: 'All', query: {}, count: data?.all },
  ]
}

function LeadsScreen({ me, view }: { me: CurrentUserDto; view: LeadsView }) {
  const list = useLeadsList(me, view)
  const { queue } = list.filters
  const reviewed = useReviewProgress(list, queue)
  const presets = useQueuePresets(me, view, list)
  const ownColumns = useLeadColumns(me, view, list)
  const ownHidden = useHiddenColumns(`leads.${queue ?? 'list'}`)
  const [columns, hidden, saveHidden] = useViewColumns('leads', ownColumns, ownHidden)
  const select = useLeadSelection(me, list.rows, list.sent)
  const views = !view.isArchive && (
    <SavedViews
      table="leads"
      list={describeViewedList(view.list, list.start)}
      total={list.total}
      columns={columns.filter(({ key }) => !hidden.has(key)).map(({ key }) => key)}
      {...(presets && { presets })}
      note={reviewed}
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
        <LeadDesk me={me} title={view.title} list={list} reviewed={reviewed} more={select?.shortcuts}>
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
