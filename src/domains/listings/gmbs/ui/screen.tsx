import { describeViewedList, SavedViews, useViewColumns } from '#domains/access/ui/public.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { gmbFilters } from '../fields.ts'
import { listingStateOptions } from '../labels.ts'
import { CheckPageButton } from './GmbActions.tsx'
import { getGmbRowClass, getGmbTint, useGmbColumns } from './GmbColumns.tsx'
import { CreateGmbDialog, EditGmbDialog } from './GmbDialog.tsx'

const viewedList = describeViewedList(gmbsContract.list)
const pollIntervalMs = 4000

const filterControls = buildFilterControls(gmbFilters, { state: listingStateOptions })

export default function CampaignGmbsScreen() {
  const list = useList(gmbsContract.list)
  const editing = useDialog<Gmb>()
  const [columns, hidden] = useViewColumns('campaign-gmbs', useGmbColumns(list.patch, editing.open))
  const isCheckPending = list.rows?.some(({ check_asked_at }) => check_asked_at !== null) ?? false
  usePolling(isCheckPending, pollIntervalMs, () => void refreshQueries(gmbsContract.list.reads))
  return (
    <>
      <ListScreen
        table="campaign-gmbs"
        title="Campaign GMBs"
        list={list}
        filters={filterControls}
        views={<SavedViews table="campaign-gmbs" list={viewedList} total={list.total} />}
        columns={columns}
        hidden={hidden}
        buttons={
          <>
            <ExportButton call={gmbsContract.csv} input={{ query: getExportQuery(list) }} />
            <CheckPageButton rows={list.rows ?? []} />
            <CreateGmbDialog />
          </>
        }
        tint={getGmbTint}
        rowClass={getGmbRowClass}
        onOpen={editing.open}
      />
      {editing.opened && editing.subject && <EditGmbDialog gmb={editing.subject} onClose={editing.close} />}
    </>
  )
}
