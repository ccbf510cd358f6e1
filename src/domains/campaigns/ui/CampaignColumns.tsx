import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { CellLink } from '#ui/cells/CellLink.tsx'
import { percentCell, renderExternalLink, renderSwatch, textCell, wholeCell } from '#ui/cells/cells.tsx'
import { formatDay, parseTypedDay } from '#ui/cells/days.ts'
import { FoldedItems } from '#ui/cells/FoldedItems.tsx'
import { RecordIconLink, RecordLink } from '#ui/cells/RecordLink.tsx'
import { parseSearch, stringifySearch } from '#ui/data/search-params.ts'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import text from '#ui/theme/text.module.css'
import type { Campaign, CampaignSort } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { campaignRowActions } from './CampaignActions.tsx'
import classes from './Campaigns.module.css'

// At 1440 pixels all columns up to the target of this month are in sight.
export const campaignColumns: readonly TableColumn<Campaign, CampaignSort>[] = [
  ...buildFieldColumns(campaignFields, {
    id: { width: 56, cell: ({ id }) => id },
    name: {
      width: 172,
      pinned: 'start',
      cell: ({ id, name }) => (
        <RecordLink kind="campaign" id={id}>
          {name}
        </RecordLink>
      ),
      plain: ({ name }) => name,
    },
    categories: {
      width: 116,
      cell: ({ categories }) => <CategoriesCell categories={categories} />,
      plain: ({ categories }) => categories.map(({ name }) => name).join(', '),
    },
    client: {
      width: 136,
      telling: true,
      cell: ({ client }) => (
        <RecordLink kind="client" id={client.id}>
          {client.name}
        </RecordLink>
      ),
      plain: ({ client }) => client.name,
    },
    client_sites: {
      width: 148,
      grows: true,
      cell: ({ client_sites }) => <SitesCell sites={client_sites} />,
      plain: ({ client_sites }) => client_sites.map(({ url }) => url).join('\n'),
    },
    manager: { width: 100 },
    start_date: { width: 98, cell: ({ start_date }) => wholeCell(formatStartDate(start_date)) },
    due_date: { width: 64 },
    current_target: { width: 116, telling: true },
    ppc: { width: 88, align: 'end', cell: ({ ppc }) => percentCell(ppc) },
  }),
  {
    key: 'actions',
    title: 'Actions',
    width: 8 + 32 * campaignRowActions.length,
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

/** Returns N/A for an invalid day too. */
const formatStartDate = (day: string | null) => (day !== null && parseTypedDay(day) ? formatDay(day) : 'N/A')

function CategoriesCell({ categories }: Pick<Campaign, 'categories'>) {
  if (categories.length === 0) return textCell(null)
  return (
    <span className={arrange.lines}>
      {categories.map(({ id, name, color }) => (
        <span key={id}>{renderSwatch(color, name)}</span>
      ))}
    </span>
  )
}

type CampaignSite = Campaign['client_sites'][number]

/** Each opens in a new tab, and has a link that searches for it. */
function SitesCell({ sites }: { sites: readonly CampaignSite[] }) {
  return (
    <span className={arrange.lines}>
      <FoldedItems items={sites}>{(site) => <SiteLink site={site} />}</FoldedItems>
    </span>
  )
}

function SiteLink({ site: { id, url } }: { site: CampaignSite }) {
  const router = useRouter()
  // Rows do not rerender when the URL changes, so the other parameters are read on click.
  const findSite = () => {
    const { pathname, searchStr } = router.state.location
    const { page: _, ...rest } = parseSearch(searchStr)
    return pathname + stringifySearch({ ...rest, q: url })
  }
  const name = url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return (
    <span className={`${classes.site} ${text.caption}`}>
      {renderExternalLink(url, name)}
      <span className={classes.siteActs} data-unprinted>
        <CellLink
          href={findSite()}
          getHref={findSite}
          className={`${buttons.bare} ${buttons.square}`}
          aria-label={`Search for ${name}`}
          title="Search for this site"
        >
          <IconSearch size={14} aria-hidden="true" />
        </CellLink>
        <RecordIconLink kind="client_site" id={id} label="Site page" />
      </span>
    </span>
  )
}
