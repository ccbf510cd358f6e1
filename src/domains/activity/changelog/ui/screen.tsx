import { Button } from '@mantine/core'
import { useColleagueChoices, useCurrentUser } from '#domains/access/ui/public.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { NewItemDialog } from '#domains/activity/ui/ItemDialog.tsx'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/public.ts'
import { addMonths, type CalendarDay, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryEmpty, QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { MultiSelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import { dropDefaultParams, formatFilters, omitParams } from '#ui/table/list-address.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { TableFrame } from '#ui/table/TableFrame.tsx'
import { changelogContract } from '../contract.ts'
import classes from './Changelog.module.css'
import { ChangelogCards } from './ChangelogCards.tsx'
import { ChangelogGrid } from './ChangelogGrid.tsx'
import { buildChangelogGrid } from './changelog-grid.ts'

export default function ChangelogScreen() {
  const me = useCurrentUser()
  const isPhone = useIsPhone()
  const creating = useDialog()
  const filters = useChangelogFilters()
  const answer = useApi(changelogContract.grid, { query: filters.query }, { keepPrevious: true })
  const grid = answer.data && buildChangelogGrid(answer.data)

  return (
    <ScreenFrame
      title="Campaigns Changelog"
      actions={
        activityItemsContract.create.allow(me) && (
          <Button onClick={() => creating.open(undefined)}>Create New Item</Button>
        )
      }
    >
      <ChangelogFilterBar filters={filters} />
      <TableFrame
        className={grid?.rows.length === 0 ? undefined : classes.frame}
        fetching={answer.isFetching && !answer.isPending}
      >
        {answer.isError && grid && <QueryOutdated what="These notes" error={answer.error} retry={answer.refetch} />}
        {answer.isError && !grid && <QueryError what="The changelog" error={answer.error} retry={answer.refetch} />}
        {answer.isPending && <div className={classes.loading} role="status" aria-label="Loading" />}
        {grid?.rows.length === 0 && <QueryEmpty changed={filters.changed} reset={filters.reset} />}
        {grid && grid.rows.length > 0 && (isPhone ? <ChangelogCards grid={grid} /> : <ChangelogGrid grid={grid} />)}
      </TableFrame>
      <ListFooter list={{ total: answer.data?.total_changelog_count }} totalLabel="Total" />
      <NewItemDialog opened={creating.opened} onClose={creating.close} />
    </ScreenFrame>
  )
}

type ChangelogFilterState = ReturnType<typeof useChangelogFilters>

/** The filters are in the URL unless they are the default, the last month. An invalid URL shows the last month. */
function useChangelogFilters() {
  const [search, write] = useSearchParams()
  const now = getToday(appConfig.timezone)
  const start = formatFilters({ from: addMonths(now, -1), to: now })
  const asked = changelogContract.grid.query.safeParse({ ...start, ...search })
  const query = asked.success ? asked.data : changelogContract.grid.query.parse(start)
  const names = ['from', 'to', 'user_ids', 'campaign_ids'] as const
  return {
    query,
    set: (next: { [Name in (typeof names)[number]]?: unknown }, replace?: boolean) =>
      write((before) => dropDefaultParams({ ...before, ...formatFilters(next) }, start), replace),
    isSet: (name: (typeof names)[number]) => name in search,
    changed: names.some((name) => name in search),
    reset: () => write((before) => omitParams(before, names)),
  }
}

function ChangelogFilterBar({ filters }: { filters: ChangelogFilterState }) {
  const places = useCampaignAndTeamChoices()
  const colleagues = useColleagueChoices()
  const { query, set, isSet } = filters
  const setRange = (from: CalendarDay | undefined, to: CalendarDay | undefined) => set({ from, to })
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
