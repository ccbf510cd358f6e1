import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, external, money, percent, swatch, text } from '#ui/cells/cells.tsx'
import { shownDay, typedDay } from '#ui/cells/days.ts'
import type { Column } from '#ui/table/DataTable.tsx'
import { RowActions } from '#ui/table/RowButton.tsx'
import type { Campaign, CampaignSort } from '../contract.ts'
import { campaignColumnTitles as titles } from '../labels.ts'
import { rowActions } from './CampaignActions.tsx'
import classes from './Campaigns.module.css'

type Of = Column<Campaign, CampaignSort>
type Target = 'initial_target' | 'month_3_target' | 'month_6_target' | 'month_9_target' | 'month_12_target'

const target = (key: Target | 'current_target'): Of => ({
  key,
  title: titles[key],
  sort: key,
  width: 112,
  align: 'end',
  cell: (campaign) => count(campaign[key]),
})
const dollars = (key: 'service_fee' | 'approved_ppc' | 'net'): Of => ({
  key,
  title: titles[key],
  sort: key,
  width: 120,
  align: 'end',
  cell: (campaign) => money(campaign[key]),
})

export const campaignColumns: readonly Of[] = [
  { key: 'id', title: titles.id, width: 72, align: 'end', cell: ({ id }) => id },
  { key: 'name', title: titles.name, sort: 'name', width: 208, pinned: 'start', cell: ({ name }) => name },
  {
    key: 'categories',
    title: titles.categories,
    sort: 'campaigncategory.name',
    width: 168,
    cell: ({ categories }) => <Categories categories={categories} />,
    plain: ({ categories }) => categories.map(({ name }) => name).join(', '),
  },
  { key: 'client', title: titles.client, sort: 'client.name', width: 176, cell: ({ client }) => client.name },
  {
    key: 'client_sites',
    title: titles.client_sites,
    sort: 'client_sites',
    width: 256,
    cell: ({ client_sites }) => <Sites sites={client_sites} />,
    plain: ({ client_sites }) => client_sites.map(({ url }) => url).join('\n'),
  },
  { key: 'manager', title: titles.manager, sort: 'manager', width: 144, cell: ({ manager }) => text(manager) },
  {
    key: 'start_date',
    title: titles.start_date,
    sort: 'start_date',
    width: 104,
    cell: ({ start_date }) => started(start_date),
  },
  {
    key: 'due_date',
    title: titles.due_date,
    sort: 'due_date',
    width: 96,
    align: 'end',
    cell: ({ due_date }) => due_date,
  },
  { ...target('current_target'), width: 136 },
  target('initial_target'),
  target('month_3_target'),
  target('month_6_target'),
  target('month_9_target'),
  target('month_12_target'),
  dollars('service_fee'),
  dollars('approved_ppc'),
  { key: 'ppc', title: titles.ppc, sort: 'ppc', width: 88, align: 'end', cell: ({ ppc }) => percent(ppc) },
  dollars('net'),
  {
    key: 'gmbs_count',
    title: titles.gmbs_count,
    sort: 'gmbs_count',
    width: 112,
    align: 'end',
    cell: ({ gmbs_count }) => count(gmbs_count),
  },
  {
    key: 'actions',
    title: 'Actions',
    width: 40 + 32 * rowActions.length,
    pinned: 'end',
    cell: (campaign) => (
      <RowActions>
        {rowActions.map((Action) => (
          <Action key={Action.name} campaign={campaign} />
        ))}
      </RowActions>
    ),
  },
]

/** Also for a day that does not exist. */
const started = (day: string | null) => (day !== null && typedDay(day) ? shownDay(day) : 'N/A')

function Categories({ categories }: Pick<Campaign, 'categories'>) {
  if (categories.length === 0) return text(null)
  return (
    <span className={classes.stack}>
      {categories.map(({ id, name, color }) => (
        <span key={id}>{swatch(color, name)}</span>
      ))}
    </span>
  )
}

type Site = Campaign['client_sites'][number]
const fewSites = 2

/** The first of them, the rest on demand. Each opens elsewhere, and can be searched for. */
function Sites({ sites }: { sites: readonly Site[] }) {
  const [all, setAll] = useState(false)
  if (sites.length === 0) return text(null)
  const shown = all || sites.length <= fewSites + 1 ? sites : sites.slice(0, fewSites)
  return (
    <span className={classes.stack}>
      {shown.map((site) => (
        <SiteLink key={site.id} site={site} />
      ))}
      {shown.length < sites.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {count(sites.length - shown.length)} more
        </button>
      )}
    </span>
  )
}

function SiteLink({ site: { url } }: { site: Site }) {
  const name = url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return (
    <span className={classes.site}>
      {external(url, name)}
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
