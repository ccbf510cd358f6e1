import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ImportButton } from '#domains/imports/ui/ImportButton.tsx'
import { useAddress } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FilterBar, SearchFilter } from '#ui/filters/filters.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { Tabs } from '#ui/layout/Tabs.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { wholeNumber } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { campaignCategories } from '../categories/contract.ts'
import { type Campaign, campaigns } from '../contract.ts'
import { campaignColumns } from './CampaignColumns.tsx'
import { CreateCampaign, EditDialog } from './CampaignDialog.tsx'
import classes from './Campaigns.module.css'
import { Summary } from './Summary.tsx'

const tabs = [
  { value: 'active', label: 'Active Campaigns' },
  { value: 'archived', label: 'Archived Campaigns' },
] as const
const lists = { active: campaigns.list, archived: campaigns.archived } as const
const files = { active: campaigns.csv, archived: campaigns.archivedCsv } as const

export default function Campaigns() {
  const [{ url, tab, campaign_category_id }, write] = useAddress()
  const category = useCategory(campaign_category_id)
  // A link from a site comes with its address: that is what is searched for.
  useEffect(() => {
    if (url !== undefined) write(({ url: q = '', ...rest }) => ({ ...rest, q }), true)
  }, [url, write])
  if (url !== undefined) return null

  const shown = tab === 'archived' ? 'archived' : 'active'
  const choose = (next: keyof typeof lists) =>
    write(({ page: _, tab: __, ...rest }) => (next === 'active' ? rest : { ...rest, tab: next }))
  return (
    <Screen
      title={category === null ? 'Campaigns' : `Campaigns / ${category} Category`}
      heading={category !== null && <Breadcrumb category={category} />}
      actions={
        <>
          <ExportCampaigns key={shown} shown={shown} />
          <ImportButton what="campaigns" />
          <CreateCampaign />
        </>
      }
    >
      <Tabs label="Campaigns" tabs={tabs} chosen={shown} choose={choose}>
        {/* Another list, not another page of it: nothing of the one is shown while the other is read. */}
        <CampaignsList key={shown} endpoint={lists[shown]} />
      </Tabs>
    </Screen>
  )
}

/** The name of the category that the address asks for; null without one. */
function useCategory(asked: string | undefined): string | null {
  const id = wholeNumber(asked, 2_147_483_647)
  const { data, isError } = useApi(
    campaignCategories.get,
    { params: { id: id ?? 0 } },
    { enabled: id !== undefined, quiet: true },
  )
  if (id === undefined) return null
  return data?.name ?? (isError ? 'Unknown' : '…')
}

/** With the way back to the campaigns of every category. */
function Breadcrumb({ category }: { category: string }) {
  return (
    <>
      <Link
        to="."
        activeOptions={{ exact: true }}
        className={classes.crumb}
        search={({ campaign_category_id: _, page: __, ...rest }: Record<string, unknown>) => rest}
      >
        Campaigns
      </Link>
      {` / ${category} Category`}
    </>
  )
}

/** Asks for nothing by itself: the list beside it has asked already. */
function ExportCampaigns({ shown }: { shown: keyof typeof lists }) {
  const list = useList(lists[shown])
  return <ExportButton call={files[shown]} input={{ query: askedOf(list) }} />
}

function CampaignsList({ endpoint }: { endpoint: (typeof lists)[keyof typeof lists] }) {
  const list = useList(endpoint)
  const editing = useDialog<Campaign>()
  return (
    <>
      <FilterBar list={list}>
        <SearchFilter label="Search by Campaign or Client Name" {...list.filter('q')} />
      </FilterBar>
      <DataTable table="campaigns" label="Campaigns" list={list} columns={campaignColumns} onOpen={editing.open} />
      <Summary summary={list.answer?.summary} />
      <ListFooter table="campaigns" list={list} totalLabel="Total Campaigns" />
      {editing.opened && editing.subject && <EditDialog campaign={editing.subject} onClose={editing.close} />}
    </>
  )
}
