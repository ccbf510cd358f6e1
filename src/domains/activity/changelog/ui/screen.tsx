import { Button } from '@mantine/core'
import { useMe } from '#domains/access/ui/current-user.ts'
import { useColleagueChoices } from '#domains/access/ui/useColleagueChoices.ts'
import { activityItems } from '#domains/activity/contract.ts'
import { NewItemDialog } from '#domains/activity/ui/ItemDialog.tsx'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/useCampaignAndTeamChoices.ts'
import { addMonths, type Day, today } from '#ui/cells/days.ts'
import { environment } from '#ui/data/environment.ts'
import { useAddress } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { Empty, Failed, Outdated } from '#ui/feedback/QueryStates.tsx'
import { MultiSelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { tidy, without, written } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { TableFrame } from '#ui/table/TableFrame.tsx'
import { changelog } from '../contract.ts'
import classes from './Changelog.module.css'
import { ChangelogGrid } from './ChangelogGrid.tsx'
import { gridOf } from './changelog-grid.ts'

export default function Changelog() {
  const me = useMe()
  const creating = useDialog()
  const filters = useFilters()
  const answer = useApi(changelog.grid, { query: filters.query }, { keepPrevious: true })
  const grid = answer.data && gridOf(answer.data)

  return (
    <Screen
      title="Campaigns Changelog"
      actions={
        activityItems.create.allow(me) && <Button onClick={() => creating.open(undefined)}>Create New Item</Button>
      }
    >
      <ChangelogFilters filters={filters} />
      <TableFrame
        className={grid?.rows.length === 0 ? undefined : classes.frame}
        fetching={answer.isFetching && !answer.isPending}
      >
        {answer.isError && grid && <Outdated what="These notes" error={answer.error} retry={answer.refetch} />}
        {answer.isError && !grid && <Failed what="The changelog" error={answer.error} retry={answer.refetch} />}
        {answer.isPending && <div className={classes.loading} role="status" aria-label="Loading" />}
        {grid?.rows.length === 0 && <Empty changed={filters.changed} reset={filters.reset} />}
        {grid && grid.rows.length > 0 && <ChangelogGrid grid={grid} />}
      </TableFrame>
      <ListFooter list={{ total: answer.data?.total_changelog_count }} totalLabel="Total" />
      <NewItemDialog opened={creating.opened} onClose={creating.close} />
    </Screen>
  )
}

type Filters = ReturnType<typeof useFilters>

/** They live in the address bar as far as they differ from the last month. An address that cannot be read shows the last month. */
function useFilters() {
  const [search, write] = useAddress()
  const now = today(environment.timezone)
  const start = written({ from: addMonths(now, -1), to: now })
  const asked = changelog.grid.query.safeParse({ ...start, ...search })
  const query = asked.success ? asked.data : changelog.grid.query.parse(start)
  const names = ['from', 'to', 'user_ids', 'campaign_ids'] as const
  return {
    query,
    set: (next: { [Name in (typeof names)[number]]?: unknown }, replace?: boolean) =>
      write((before) => tidy({ ...before, ...written(next) }, start), replace),
    isSet: (name: (typeof names)[number]) => name in search,
    changed: names.some((name) => name in search),
    reset: () => write((before) => without(before, names)),
  }
}

function ChangelogFilters({ filters }: { filters: Filters }) {
  const places = useCampaignAndTeamChoices()
  const colleagues = useColleagueChoices()
  const { query, set, isSet } = filters
  const setRange = (from: Day | undefined, to: Day | undefined) => set({ from, to })
  return (
    <FilterBar list={filters}>
      <DateRangeFilter
        label="Dates"
        from={query.from}
        to={query.to}
        set={setRange}
        changed={isSet('from') || isSet('to')}
      />
      <MultiSelectFilter
        label="User"
        choices={colleagues}
        name="user_ids"
        value={query.user_ids}
        set={(user_ids, replace) => set({ user_ids }, replace)}
      />
      <MultiSelectFilter
        label="Campaign"
        choices={places}
        name="campaign_ids"
        value={query.campaign_ids}
        set={(campaign_ids, replace) => set({ campaign_ids }, replace)}
      />
    </FilterBar>
  )
}
