import { useEffect } from 'react'
import { describeViewedList, SavedViews, useViewColumns } from '#domains/access/ui/public.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import { FilterBar, SearchFilter, selectFilter } from '#ui/filters/filters.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { listingStateOptions } from '../labels.ts'
import { CheckPageButton } from './GmbActions.tsx'
import { getGmbRowClass, getGmbTint, useGmbColumns } from './GmbColumns.tsx'
import { CreateGmbDialog, EditGmbDialog } from './GmbDialog.tsx'

const viewedList = describeViewedList(gmbsContract.list)

export default function CampaignGmbsScreen() {
  const list = useList(gmbsContract.list)
  const editing = useDialog<Gmb>()
  const [columns, hidden] = useViewColumns('campaign-gmbs', useGmbColumns(list.patch))
  usePendingCheckPolling(list.rows ?? [])
  return (
    <ScreenFrame
      title="Campaign GMBs"
      actions={
        <>
          <ExportButton call={gmbsContract.csv} input={{ query: getExportQuery(list) }} />
          <CheckPageButton rows={list.rows ?? []} />
          <CreateGmbDialog />
        </>
      }
    >
      <FilterBar list={list}>
        <SearchFilter label="Search by Title, Address or Campaign" {...list.filter('search')} />
        {selectFilter('Status', listingStateOptions)(list.filter('state'))}
      </FilterBar>
      <SavedViews table="campaign-gmbs" list={viewedList} total={list.total} />
      <DataTable
        label="Campaign GMBs"
        table="campaign-gmbs"
        list={list}
        columns={columns}
        hidden={hidden}
        tint={getGmbTint}
        rowClass={getGmbRowClass}
        onOpen={editing.open}
      />
      <ListFooter table="campaign-gmbs" list={list} />
      {editing.opened && editing.subject && <EditGmbDialog gmb={editing.subject} onClose={editing.close} />}
    </ScreenFrame>
  )
}

/** Polls while checks of listings on the page are pending. */
function usePendingCheckPolling(rows: readonly Gmb[]) {
  const someWait = rows.some(({ check_asked_at }) => check_asked_at !== null)
  useEffect(() => {
    if (!someWait) return
    const again = setInterval(() => void refreshQueries([gmbsContract.list]), 4000)
    return () => clearInterval(again)
  }, [someWait])
}
