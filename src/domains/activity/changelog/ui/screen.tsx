import { Button } from '@mantine/core'
import { useColleagueChoices, useCurrentUser } from '#domains/access/ui/public.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { NewItemDialog } from '#domains/activity/ui/ItemDialog.tsx'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/public.ts'
import { addMonths, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryEmpty, QueryError, QueryOutdated } from '#ui/feedback/QueryStates.tsx'
import { MultiSelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar } from '#ui/filters/filters.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import { ListFooter } from '#ui/table/Pager.tsx'
import { TableFrame } from '#ui/table/TableFrame.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import { changelogContract, changelogFilters } from '../contract.ts'
import classes from './Changelog.module.css'
import { ChangelogCards } from './ChangelogCards.tsx'
import { ChangelogGrid } from './ChangelogGrid.tsx'
import { buildChangelogGrid } from './changelog-grid.ts'

export default function ChangelogScreen() {
  const me = useCurrentUser()
  const isPhone = useIsPhone()
  const creating = useDialog()
  const list = useChangelogFilters()
  const answer = useApi(changelogContract.grid, { query: list.filters }, { keepPrevious: true })
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
      <ChangelogFilterBar list={list} />
      <TableFrame
        className={grid?.rows.length === 0 ? undefined : classes.frame}
        fetching={answer.isFetching && !answer.isPending}
      >
        {answer.isError && grid && <QueryOutdated what="These notes" error={answer.error} retry={answer.refetch} />}
        {answer.isError && !grid && <QueryError what="The changelog" error={answer.error} retry={answer.refetch} />}
        {answer.isPending && <div className={classes.loading} role="status" aria-label="Loading" />}
        {grid?.rows.length === 0 && <QueryEmpty changed={list.changed} reset={list.reset} />}
        {grid && grid.rows.length > 0 && (isPhone ? <ChangelogCards grid={grid} /> : <ChangelogGrid grid={grid} />)}
      </TableFrame>
      <ListFooter list={{ total: answer.data?.total_changelog_count }} totalLabel="Total" />
      <NewItemDialog opened={creating.opened} onClose={creating.close} />
    </ScreenFrame>
  )
}

/** The last month by default. */
function useChangelogFilters() {
  const now = getToday(appConfig.timezone)
  return useFilters(changelogFilters, { from: addMonths(now, -1), to: now })
}

function ChangelogFilterBar({ list }: { list: ReturnType<typeof useChangelogFilters> }) {
  const places = useCampaignAndTeamChoices()
  const colleagues = useColleagueChoices()
  return (
    <FilterBar list={list}>
      <DateRangeFilter
        label="Dates"
        from={list.filters.from}
        to={list.filters.to}
        set={(from, to) => list.setFilters({ from, to })}
        changed={list.isSet('from') || list.isSet('to')}
      />
      <MultiSelectFilter label="User" choices={colleagues} {...list.filter('user_ids')} />
      <MultiSelectFilter label="Campaign" choices={places} {...list.filter('campaign_ids')} />
    </FilterBar>
  )
}
