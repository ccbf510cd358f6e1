import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { teams } from '#domains/access/teams/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { useColleagueChoices } from '#domains/access/ui/useColleagueChoices.ts'
import { type ActivityItem, activityItems } from '#domains/activity/contract.ts'
import { EditItemDialog, NewItemDialog, toEdit } from '#domains/activity/ui/ItemDialog.tsx'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/useCampaignAndTeamChoices.ts'
import { addDays, addMonths, type Day, type Range, today, usualRanges } from '#ui/cells/days.ts'
import { environment } from '#ui/data/environment.ts'
import { MultiSelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { CheckFilter, FilterBar } from '#ui/filters/filters.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { activityLog } from '../contract.ts'
import { isOverdue } from '../overdue.ts'
import classes from './Log.module.css'
import { logColumns } from './LogColumns.tsx'
import { TeamsDialog } from './TeamsDialog.tsx'

export default function ActivityLog() {
  const me = useMe()
  const now = today(environment.timezone)
  const list = useLog(now)
  const creating = useDialog()
  const editing = useDialog<ActivityItem>()
  const keepingTeams = useDialog()
  const { patch } = list
  const { open } = editing
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening a dialog does the same at any time, and rows are memoised by their columns.
  const columns = useMemo(() => logColumns(patch, open, now), [patch, now])

  return (
    <Screen
      title="Activity Log"
      actions={
        <>
          <ExportButton call={activityLog.csv} input={{ query: askedOf(list) }} />
          {teams.list.allow(me) && (
            <Button variant="default" onClick={() => keepingTeams.open(undefined)}>
              Teams
            </Button>
          )}
          {activityItems.create.allow(me) && <Button onClick={() => creating.open(undefined)}>Create New Item</Button>}
        </>
      }
    >
      <LogFilters list={list} now={now} />
      <DataTable
        table="activity-log"
        label="Activity Log"
        list={list}
        columns={columns}
        rowClass={(item) => (isOverdue(item, now) ? classes.overdue : undefined)}
        onOpen={open}
      />
      <ListFooter table="activity-log" list={list} />
      <NewItemDialog opened={creating.opened} onClose={creating.close} />
      {editing.opened && editing.subject && <EditItemDialog item={toEdit(editing.subject)} onClose={editing.close} />}
      <TeamsDialog opened={keepingTeams.opened} onClose={keepingTeams.close} />
    </Screen>
  )
}

const rangeOf = (now: Day) => ({ from: addMonths(now, -1), to: addMonths(now, 1) })
const useLog = (now: Day) => useList(activityLog.list, { start: rangeOf(now) })

function LogFilters({ list, now }: { list: ReturnType<typeof useLog>; now: Day }) {
  const places = useCampaignAndTeamChoices()
  const colleagues = useColleagueChoices()
  return (
    <FilterBar list={list}>
      <DateRangeFilter
        label="Dates"
        from={list.filters.from}
        to={list.filters.to}
        set={(from, to) => list.setFilters({ from, to })}
        presets={rangesAround(now)}
        changed={list.isSet('from') || list.isSet('to')}
        clearable
      />
      <MultiSelectFilter label="Campaigns and teams" choices={places} {...list.filter('campaign_ids')} />
      <MultiSelectFilter label="Admin users" choices={colleagues} {...list.filter('user_ids')} />
      <CheckFilter label="My tasks" {...list.filter('my_tasks')} />
    </FilterBar>
  )
}

/** Tasks lie ahead as well. */
const rangesAround = (now: Day): Range[] => [
  { label: 'Last and next month', ...rangeOf(now) },
  { label: 'Next 7 days', from: now, to: addDays(now, 6) },
  { label: 'Next 30 days', from: now, to: addDays(now, 29) },
  ...usualRanges(now),
]
