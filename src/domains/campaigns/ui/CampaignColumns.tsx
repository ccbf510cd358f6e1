import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { countCell, moneyCell, percentCell, renderExternalLink, renderSwatch, textCell } from '#ui/cells/cells.tsx'
import { formatDay, parseTypedDay } from '#ui/cells/days.ts'
import { RowActions } from '#ui/table/RowButton.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { Campaign, CampaignSort } from '../contract.ts'
import { campaignColumnTitles } from '../labels.ts'
import { campaignRowActions } from './CampaignActions.tsx'
import classes from './Campaigns.module.css'

type CampaignColumn = TableColumn<Campaign, CampaignSort>
type TargetField = 'initial_target' | 'month_3_target' | 'month_6_target' | 'month_9_target' | 'month_12_target'

const createTargetColumn = (key: TargetField | 'current_target'): CampaignColumn => ({
  key,
  title: campaignColumnTitles[key],
  sort: key,
  width: 112,
  align: 'end',
  cell: (campaign) => countCell(campaign[key]),
})
const createMoneyColumn = (key: 'service_fee' | 'approved_ppc' | 'net'): CampaignColumn => ({
  key,
  title: campaignColumnTitles[key],
  sort: key,
  width: 120,
  align: 'end',
  cell: (campaign) => moneyCell(campaign[key]),
})

export const campaignColumns: readonly CampaignColumn[] = [
  { key: 'id', title: campaignColumnTitles.id, width: 72, align: 'end', cell: ({ id }) => id },
  {
    key: 'name',
    title: campaignColumnTitles.name,
    sort: 'name',
    width: 208,
    pinned: 'start',
    cell: ({ name }) => name,
  },
  {
    key: 'categories',
    title: campaignColumnTitles.categories,
    sort: 'campaigncategory.name',
    width: 168,
    cell: ({ categories }) => <CategoriesCell categories={categories} />,
    plain: ({ categories }) => categories.map(({ name }) => name).join(', '),
  },
  {
    key: 'client',
    title: campaignColumnTitles.client,
    sort: 'client.name',
    width: 176,
    cell: ({ client }) => client.name,
  },
  {
    key: 'client_sites',
    title: campaignColumnTitles.client_sites,
    sort: 'client_sites',
    width: 256,
    cell: ({ client_sites }) => <SitesCell sites={client_sites} />,
    plain: ({ client_sites }) => client_sites.map(({ url }) => url).join('\n'),
  },
  {
    key: 'manager',
    title: campaignColumnTitles.manager,
    sort: 'manager',
    width: 144,
    cell: ({ manager }) => textCell(manager),
  },
  {
    key: 'start_date',
    title: campaignColumnTitles.start_date,
    sort: 'start_date',
    width: 104,
    cell: ({ start_date }) => formatStartDate(start_date),
  },
  {
    key: 'due_date',
    title: campaignColumnTitles.due_date,
    sort: 'due_date',
    width: 96,
    align: 'end',
    cell: ({ due_date }) => due_date,
  },
  { ...createTargetColumn('current_target'), width: 136 },
  createTargetColumn('initial_target'),
  createTargetColumn('month_3_target'),
  createTargetColumn('month_6_target'),
  createTargetColumn('month_9_target'),
  createTargetColumn('month_12_target'),
  createMoneyColumn('service_fee'),
  createMoneyColumn('approved_ppc'),
  {
    key: 'ppc',
    title: campaignColumnTitles.ppc,
    sort: 'ppc',
    width: 88,
    align: 'end',
    cell: ({ ppc }) => percentCell(ppc),
  },
  createMoneyColumn('net'),
  {
    key: 'gmbs_count',
    title: campaignColumnTitles.gmbs_count,
    sort: 'gmbs_count',
    width: 112,
    align: 'end',
    cell: ({ gmbs_count }) => countCell(gmbs_count),
  },
  {
    key: 'actions',
    title: 'Actions',
    width: 40 + 32 * campaignRowActions.length,
    pinned: 'end',
    cell: (campaign) => (
      <RowActions>
        {campaignRowActions.map((Action) => (
          <Action key={Action.name} campaign={campaign} />
        ))}
      </RowActions>
    ),
  },
]

/** Also for a day that does not exist. */
const formatStartDate = (day: string | null) => (day !== null && parseTypedDay(day) ? formatDay(day) : 'N/A')

function CategoriesCell({ categories }: Pick<Campaign, 'categories'>) {
  if (categories.length === 0) return textCell(null)
  return (
    <span className={classes.stack}>
      {categories.map(({ id, name, color }) => (
        <span key={id}>{renderSwatch(color, name)}</span>
      ))}
    </span>
  )
}

type CampaignSite = Campaign['client_sites'][number]
const maxSitesShown = 2

/** The first of them, the rest on demand. Each opens elsewhere, and can be searched for. */
function SitesCell({ sites }: { sites: readonly CampaignSite[] }) {
  const [all, setAll] = useState(false)
  if (sites.length === 0) return textCell(null)
  const shown = all || sites.length <= maxSitesShown + 1 ? sites : sites.slice(0, maxSitesShown)
  return (
    <span className={classes.stack}>
      {shown.map((site) => (
        <SiteLink key={site.id} site={site} />
      ))}
      {shown.length < sites.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {countCell(sites.length - shown.length)} more
        </button>
      )}
    </span>
  )
}

function SiteLink({ site: { url } }: { site: CampaignSite }) {
  const name = url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return (
    <span className={classes.site}>
      {renderExternalLink(url, name)}
      <Link
        to="."
        activeOptions={{ exact: true }}
        search={({ page: _, ...rest }: Record<string, unknown>) => ({ ...rest, q: url })}
        className={classes.find}
        aria-label={`Search for ${name}`}
        title="Search for this site"
      >
        <IconSearch size={14} aria-hidden="true" />
      </Link>
    </span>
  )
}
