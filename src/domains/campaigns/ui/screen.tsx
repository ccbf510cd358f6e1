import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { describeViewedList, SavedViews, useViewColumns } from '#domains/access/ui/public.ts'
import { ImportButton } from '#domains/imports/ui/public.ts'
import { moneyCell, percentCell } from '#ui/cells/cells.tsx'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { buildFilterControls, FilterBar } from '#ui/filters/filters.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { parseWholeNumber } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import { useList } from '#ui/table/useList.ts'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type Campaign, type CampaignSummary, campaignsContract } from '../contract.ts'
import { campaignFilters } from '../fields.ts'
import { CreateCampaignButton, EditCampaignDialog } from './CampaignButtons.tsx'
import { campaignColumns } from './CampaignColumns.tsx'
import classes from './Campaigns.module.css'
import { useNextSteps } from './NextSteps.tsx'

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
  const { nextSteps, showNextSteps } = useNextSteps()
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
          <CreateCampaignButton onSaved={({ id }) => showNextSteps({ of: 'campaign', id, isNew: true })} />
        </>
      }
    >
      {nextSteps}
      <ViewTabs label="Campaigns" tabs={campaignTabs} chosen={shown} choose={choose}>
        {/* A different list, so the rows of one must not show while the other loads. */}
        <CampaignsList key={shown} endpoint={listEndpoints[shown]} />
      </ViewTabs>
    </ScreenFrame>
  )
}

/** Returns the name of the category in the URL; null without one. */
function useCategoryName(param: string | undefined): string | null {
  const id = parseWholeNumber(param, 2_147_483_647)
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
      <Suspense>
        {editing.opened && editing.subject && <EditCampaignDialog campaign={editing.subject} onClose={editing.close} />}
      </Suspense>
    </>
  )
}

/** Totals and averages over all campaigns that match the filters, not just the page. */
function CampaignSummaryTable({ summary }: { summary: CampaignSummary | undefined }) {
  return (
    <section
      className={`${arrange.standalone} ${classes.summary}`}
      aria-label="Totals and averages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reachable by keyboard.
      tabIndex={0}
      style={summary ? undefined : { visibility: 'hidden' }} // where the rows end is not known yet
    >
      <PlainTable
        aria-label="Summary"
        columns={[
          { title: 'Summary', isName: true, cell: ({ name }) => name },
          { title: 'Approved PPC', align: 'end', cell: ({ ppc }) => moneyCell(ppc) },
          { title: 'Net', align: 'end', cell: ({ net }) => moneyCell(net) },
          { title: 'PPC %', align: 'end', cell: ({ share }) => percentCell(share) },
          { title: 'Service Fee', align: 'end', cell: ({ fee }) => moneyCell(fee) },
        ]}
        rows={[
          {
            name: 'Total',
            ppc: summary?.approved_ppc.total,
            net: summary?.net.total,
            share: null,
            fee: summary?.service_fee.total,
          },
          {
            name: 'Average',
            ppc: summary?.approved_ppc.avg,
            net: null,
            share: summary?.ppc.avg,
            fee: summary?.service_fee.avg,
          },
        ]}
        rowKey={({ name }) => name}
      />
    </section>
  )
}
