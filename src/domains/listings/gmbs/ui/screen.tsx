import { useEffect } from 'react'
import { readAgain } from '#ui/data/useApi.ts'
import { FilterBar, SearchFilter } from '#ui/filters/filters.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, gmbs } from '../contract.ts'
import { CheckPage } from './GmbActions.tsx'
import { bars, tint, useGmbColumns } from './GmbColumns.tsx'
import { CreateGmb, EditGmb } from './GmbDialog.tsx'

export default function CampaignGmbs() {
  const list = useList(gmbs.list)
  const editing = useDialog<Gmb>()
  const columns = useGmbColumns(list.patch)
  useChecksUnderWay(list.rows ?? [])
  return (
    <Screen
      title="Campaign GMBs"
      actions={
        <>
          <ExportButton call={gmbs.csv} input={{ query: askedOf(list) }} />
          <CheckPage rows={list.rows ?? []} />
          <CreateGmb />
        </>
      }
    >
      <FilterBar list={list}>
        <SearchFilter label="Search by Title, Address or Campaign" {...list.filter('search')} />
      </FilterBar>
      <DataTable
        label="Campaign GMBs"
        table="campaign-gmbs"
        list={list}
        columns={columns}
        tint={tint}
        rowClass={bars}
        onOpen={editing.open}
      />
      <ListFooter table="campaign-gmbs" list={list} />
      {editing.opened && editing.subject && <EditGmb gmb={editing.subject} onClose={editing.close} />}
    </Screen>
  )
}

/** As long as listings of the page wait for their checks, what is found comes in by itself. */
function useChecksUnderWay(rows: readonly Gmb[]) {
  const someWait = rows.some(({ check_asked_at }) => check_asked_at !== null)
  useEffect(() => {
    if (!someWait) return
    const again = setInterval(() => void readAgain([gmbs.list]), 4000)
    return () => clearInterval(again)
  }, [someWait])
}
