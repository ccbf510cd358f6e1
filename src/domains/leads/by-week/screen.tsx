import { today } from '#contract/days.ts'
import { campaignCategories } from '#domains/campaign-categories/contract.ts'
import type { CurrentUser } from '#domains/session/contract.ts'
import { useAddress } from '#web/address.ts'
import { ExportButton } from '#web/ExportButton.tsx'
import { environment } from '#web/environment.ts'
import { FilterBar } from '#web/filters.tsx'
import { nextSort, sorting, sortText, tidy } from '#web/listAddress.ts'
import { Empty, Failed, Outdated } from '#web/Missing.tsx'
import { useMe } from '#web/me.ts'
import { ListFooter } from '#web/Pager.tsx'
import { Screen } from '#web/Screen.tsx'
import { SmallSelect } from '#web/SmallSelect.tsx'
import { useApi } from '#web/useApi.ts'
import { useFilters } from '#web/useFilters.ts'
import classes from './ByWeek.module.css'
import { Categories } from './Categories.tsx'
import { leadTable, type TableQuery, type TableSort, tableFilters, tableSorts } from './contract.ts'
import { StateCounts } from './WeekHead.tsx'
import { WeekTable } from './WeekTable.tsx'
import { lastTwelveMonths, yearsUntil } from './weeks.ts'

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
