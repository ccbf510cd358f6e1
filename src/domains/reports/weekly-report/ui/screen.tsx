import { today } from '#contract/days.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaignCategories } from '#domains/campaigns/categories/contract.ts'
import { environment } from '#ui/data/environment.ts'
import { useAddress } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { Empty, Failed, Outdated } from '#ui/feedback/QueryStates.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import { ExportButton } from '#ui/layout/ExportButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { nextSort, sorting, sortText, tidy } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import { leadTable, type TableQuery, type TableSort, tableFilters, tableSorts } from '../contract.ts'
import { lastTwelveMonths, yearsUntil } from '../weeks.ts'
import { Categories } from './CategoryFilter.tsx'
import { StateCounts } from './WeekHead.tsx'
import classes from './WeeklyReport.module.css'
import { WeekTable } from './WeekTable.tsx'

export default function LeadsTable() {
  const me = useMe()
  return me && <ByWeek me={me} />
}

function ByWeek({ me }: { me: CurrentUser }) {
  const list = useFilters(tableFilters, { year: lastTwelveMonths })
  const sorts = useSorts()
  const asked: TableQuery = { ...list.filters, sort: sorts.sort, order: sorts.order }
  const {
    data: table,
    error,
    isFetching,
    refetch,
  } = useApi(leadTable.read, { query: asked }, { keepPrevious: true, quiet: true })
  return (
    <Screen title="Leads Table" actions={<ExportButton call={leadTable.csv} input={{ body: asked }} />}>
      <FilterBar list={list}>
        <SmallSelect
          label="Year"
          value={list.filters.year}
          choices={yearChoices()}
          choose={(year) => list.setFilters({ year })}
        />
        {campaignCategories.list.allow(me) && <Categories at={list.filter('category_ids')} />}
      </FilterBar>
      {(table || !error) && <StateCounts table={table} />}
      {error && table && <Outdated what="These numbers" error={error} retry={refetch} />}
      {error && !table && (
        <div className={classes.nothing}>
          <Failed what="This table" error={error} retry={refetch} />
        </div>
      )}
      {!table && !error && <div className={classes.bones} role="status" aria-label="Loading" />}
      {table && table.campaigns.length > 0 && <WeekTable me={me} table={table} sorts={sorts} fetching={isFetching} />}
      {table && table.campaigns.length === 0 && (
        <div className={classes.nothing}>
          <Empty changed={list.changed} reset={list.reset} />
        </div>
      )}
      <ListFooter list={{ total: table?.campaigns.length }} totalLabel="Total Campaigns" />
    </Screen>
  )
}

const yearChoices = () => [
  { value: lastTwelveMonths, label: 'Last 12 Month' },
  ...yearsUntil(today(environment.timezone)).map((year) => ({ value: year, label: year })),
]

const byName = { sort: 'campaign', order: 'asc' } as const

function useSorts() {
  const [search, write] = useAddress()
  const now = sorting(search, tableSorts, byName)
  return {
    sort: now.sort as TableSort, // one of them, or the default
    order: now.order,
    sortBy: (column: TableSort) =>
      write((before) => tidy({ ...before, ...sortText(nextSort(column, now, byName), byName) }, {})),
  }
}
