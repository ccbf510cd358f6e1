import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { teams } from '#domains/teams/contract.ts'
import { MultiSelectFilter } from '#web/ChoiceFilter.tsx'
import { DataTable } from '#web/DataTable.tsx'
import { DateRangeFilter } from '#web/DateRangeFilter.tsx'
import { addDays, addMonths, type Day, type Range, today, usualRanges } from '#web/days.ts'
import { askedOf, ExportButton } from '#web/ExportButton.tsx'
import { environment } from '#web/environment.ts'
import { CheckFilter, FilterBar } from '#web/filters.tsx'
import { useMe } from '#web/me.ts'
import { ListFooter } from '#web/Pager.tsx'
import { Screen } from '#web/Screen.tsx'
import { useCampaignAndTeamChoices } from '#web/useCampaignAndTeamChoices.ts'
import { useColleagueChoices } from '#web/useColleagueChoices.ts'
import { useDialog } from '#web/useDialog.ts'
import { useList } from '#web/useList.ts'
import { type ActivityItem, activityItems } from '../contract.ts'
import { EditItemDialog, NewItemDialog, toEdit } from '../ItemDialog.tsx'
import { activityLog } from './contract.ts'
import classes from './Log.module.css'
import { logColumns } from './LogColumns.tsx'
import { isOverdue } from './overdue.ts'
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
