import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { describeViewedList, SavedViews, useViewColumns } from '#domains/access/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { buildFilterControls, FilterBar } from '#ui/filters/filters.tsx'
import card from '#ui/layout/Card.module.css'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { parseWholeNumber } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFilters } from '../fields.ts'
import { campaignColumns } from './CampaignColumns.tsx'
import { CreateCampaignButton, EditCampaignDialog } from './CampaignDialog.tsx'
import { SetupSteps } from './public.ts'
import { CampaignSummaryTable } from './Summary.tsx'

const campaignTabs = [
  { value: 'active', label: 'Active Campaigns' },
  { value: 'archived', label: 'Archived Campaigns' },
] as const
const listEndpoints = { active: campaignsContract.list, archived: campaignsContract.archived } as const
const filterControls = buildFilterControls(campaignFilters)
const viewedList = describeViewedList(campaignsContract.list)
const exportEndpoints = { active: campaignsContract.csv, archived: campaignsContract.archivedCsv } as const

export default function CampaignsScreen() {
  const [{ url, tab, campaign_category_id }, write] = useSearchParams()
  const category = useCategoryName(campaign_category_id)
  const setup = useDialog<Campaign>()
  // A link from a site carries its URL, which becomes the search.
  useEffect(() => {
    if (url !== undefined) write(({ url: q = '', ...rest }) => ({ ...rest, q }), true)
  }, [url, write])
  if (url !== undefined) return null

  const shown = tab === 'archived' ? 'archived' : 'active'
  const choose = (next: keyof typeof listEndpoints) =>
    write(({ page: _, tab: __, ...rest }) => (next === 'active' ? rest : { ...rest, tab: next }))
  return (
    <ScreenFrame
      title={category === null ? 'Campaigns' : `Campaigns / ${category} Category`}
      heading={category !== null && <CategoryBreadcrumb category={category} />}
      actions={
        <>
          <Button variant="default" component={Link} to="/statements">
            Statements
          </Button>
          <Button variant="default" component={Link} to="/disputes">
            Disputes
          </Button>
          <ExportCampaignsButton key={shown} shown={shown} />
          <ImportButton what="campaigns" />
          <CreateCampaignButton onSaved={setup.open} />
        </>
      }
    >
      {setup.opened && setup.subject && (
        <Suspense>
          <SetupSteps key={setup.subject.id} campaign={setup.subject} onClose={setup.close} />
        </Suspense>
      )}
      <ViewTabs label="Campaigns" tabs={campaignTabs} chosen={shown} choose={choose}>
        {/* A different list, so the rows of one must not show while the other loads. */}
        <CampaignsList key={shown} endpoint={listEndpoints[shown]} />
      </ViewTabs>
    </ScreenFrame>
  )
}

/** Returns the name of the category in the URL; null without one. */
function useCategoryName(asked: string | undefined): string | null {
  const id = parseWholeNumber(asked, 2_147_483_647)
  const { data, isError } = useApi(
    campaignCategoriesContract.get,
    { params: { id: id ?? 0 } },
    { enabled: id !== undefined, quiet: true },
  )
  if (id === undefined) return null
  return data?.name ?? (isError ? 'Unknown' : '…')
}

/** The category, with a link back to all campaigns. */
function CategoryBreadcrumb({ category }: { category: string }) {
  return (
    <>
      <Link
        to="."
        activeOptions={{ exact: true }}
        className={card.crumb}
        search={({ campaign_category_id: _, page: __, ...rest }: Record<string, unknown>) => rest}
      >
        Campaigns
      </Link>
      {` / ${category} Category`}
    </>
  )
}

/** Sends no request of its own: it shares the list's query. */
function ExportCampaignsButton({ shown }: { shown: keyof typeof listEndpoints }) {
  const list = useList(listEndpoints[shown])
  return <ExportButton call={exportEndpoints[shown]} input={{ query: getExportQuery(list) }} />
}

function CampaignsList({ endpoint }: { endpoint: (typeof listEndpoints)[keyof typeof listEndpoints] }) {
  const list = useList(endpoint)
  const editing = useDialog<Campaign>()
  const [columns, hidden] = useViewColumns('campaigns', campaignColumns)
  return (
    <>
      <FilterBar list={list}>{filterControls.q(list.filter('q'))}</FilterBar>
      {endpoint === campaignsContract.list && <SavedViews table="campaigns" list={viewedList} total={list.total} />}
      <DataTable
        table="campaigns"
        label="Campaigns"
        list={list}
        columns={columns}
        hidden={hidden}
        onOpen={editing.open}
      />
      <CampaignSummaryTable summary={list.answer?.summary} />
      <ListFooter table="campaigns" list={list} totalLabel="Total Campaigns" />
      {editing.opened && editing.subject && <EditCampaignDialog campaign={editing.subject} onClose={editing.close} />}
    </>
  )
}
