import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { teamsContract } from '#domains/access/teams/contract.ts'
import {
  describeViewedList,
  SavedViews,
  useColleagueChoices,
  useCurrentUser,
  useViewColumns,
} from '#domains/access/ui/public.ts'
import { type ActivityItem, activityItemsContract } from '#domains/activity/contract.ts'
import { EditItemDialog, NewItemDialog, toEditableItem } from '#domains/activity/ui/ItemDialog.tsx'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/public.ts'
import {
  addDays,
  addMonths,
  type CalendarDay,
  type DateRangePreset,
  getDateRangePresets,
  getToday,
} from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { buildFilterControls, FilterBar } from '#ui/filters/filters.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { activityLogContract } from '../contract.ts'
import { activityLogFilters } from '../fields.ts'
import { isTaskOverdue } from '../overdue.ts'
import classes from './Log.module.css'
import { createActivityLogColumns } from './LogColumns.tsx'
import { TeamsDialog } from './TeamsDialog.tsx'

export default function ActivityLogScreen() {
  const me = useCurrentUser()
  const now = getToday(appConfig.timezone)
  const list = useActivityLog(now)
  const creating = useDialog()
  const editing = useDialog<ActivityItem>()
  const keepingTeams = useDialog()
  const { patch } = list
  const { open } = editing
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening a dialog never changes, and rows are memoized by their columns.
  const ownColumns = useMemo(() => createActivityLogColumns(patch, open, now), [patch, now])
  const [columns, hidden] = useViewColumns('activity', ownColumns)

  return (
    <ScreenFrame
      title="Activity Log"
      actions={
        <>
          <ExportButton call={activityLogContract.csv} input={{ query: getExportQuery(list) }} />
          {teamsContract.list.allow(me) && (
            <Button variant="default" onClick={() => keepingTeams.open(undefined)}>
              Teams
            </Button>
          )}
          {activityItemsContract.create.allow(me) && (
            <Button onClick={() => creating.open(undefined)}>Create New Item</Button>
          )}
        </>
      }
    >
      <ActivityLogFilters list={list} now={now} />
      <SavedViews
        table="activity"
        list={describeViewedList(activityLogContract.list, getDefaultRange(now))}
        total={list.total}
      />
      <DataTable
        table="activity-log"
        label="Activity Log"
        list={list}
        columns={columns}
        hidden={hidden}
        rowClass={(item) => (isTaskOverdue(item, now) ? classes.overdue : undefined)}
        onOpen={open}
      />
      <ListFooter table="activity-log" list={list} />
      <NewItemDialog opened={creating.opened} onClose={creating.close} />
      {editing.opened && editing.subject && (
        <EditItemDialog item={toEditableItem(editing.subject)} onClose={editing.close} />
      )}
      <TeamsDialog opened={keepingTeams.opened} onClose={keepingTeams.close} />
    </ScreenFrame>
  )
}

const getDefaultRange = (now: CalendarDay) => ({ from: addMonths(now, -1), to: addMonths(now, 1) })
const useActivityLog = (now: CalendarDay) => useList(activityLogContract.list, { start: getDefaultRange(now) })

function ActivityLogFilters({ list, now }: { list: ReturnType<typeof useActivityLog>; now: CalendarDay }) {
  const choices = { campaign_ids: useCampaignAndTeamChoices(), user_ids: useColleagueChoices() }
  const { campaign_ids, user_ids, my_tasks } = buildFilterControls(activityLogFilters, choices)
  return (
    <FilterBar list={list}>
      <DateRangeFilter
        label="Dates"
        from={list.filters.from}
        to={list.filters.to}
        set={(from, to) => list.setFilters({ from, to })}
        presets={buildRangePresets(now)}
        changed={list.isSet('from') || list.isSet('to')}
        clearable
      />
      {campaign_ids(list.filter('campaign_ids'))}
      {user_ids(list.filter('user_ids'))}
      {my_tasks(list.filter('my_tasks'))}
    </FilterBar>
  )
}

/** Includes future ranges, because tasks may be due later. */
const buildRangePresets = (now: CalendarDay): DateRangePreset[] => [
  { label: 'Last and next month', ...getDefaultRange(now) },
  { label: 'Next 7 days', from: now, to: addDays(now, 6) },
  { label: 'Next 30 days', from: now, to: addDays(now, 29) },
  ...getDateRangePresets(now),
]
