import { DataTable } from '#web/DataTable.tsx'
import { FilterBar, SearchFilter } from '#web/filters.tsx'
import { ListFooter } from '#web/Pager.tsx'
import { Screen } from '#web/Screen.tsx'
import { useDialog } from '#web/useDialog.ts'
import { useList } from '#web/useList.ts'
import { type Gmb, gmbs } from './contract.ts'
import { tint, useGmbColumns } from './GmbColumns.tsx'
import { CreateGmb, EditGmb } from './GmbDialog.tsx'

export default function CampaignGmbs() {
  const list = useList(gmbs.list)
  const editing = useDialog<Gmb>()
  const columns = useGmbColumns(list.patch)
  return (
    <Screen title="Campaign GMBs" actions={<CreateGmb />}>
      <FilterBar list={list}>
        <SearchFilter label="Search by Title, Address or Campaign" {...list.filter('search')} />
      </FilterBar>
      <DataTable
        table="campaign-gmbs"
        label="Campaign GMBs"
        list={list}
        columns={columns}
        tint={tint}
        onOpen={editing.open}
      />
      <ListFooter table="campaign-gmbs" list={list} />
      {editing.opened && editing.subject && <EditGmb gmb={editing.subject} onClose={editing.close} />}
    </Screen>
  )
}
