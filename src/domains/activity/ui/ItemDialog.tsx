import { type ReactNode, useEffect, useState } from 'react'
import { useColleagueChoices } from '#domains/access/ui/useColleagueChoices.ts'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/useCampaignAndTeamChoices.ts'
import { addDays, shownDay, today } from '#ui/cells/days.ts'
import { ApiError } from '#ui/data/api.ts'
import { environment } from '#ui/data/environment.ts'
import { readAgain } from '#ui/data/useApi.ts'
import type { Choice } from '#ui/filters/ChoiceFilter.tsx'
import { date } from '#ui/form/DateField.tsx'
import { type Draft, FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldAt, type FieldControl, multiSelect, select, textarea, toggle } from '#ui/form/fields.tsx'
import { keyOf } from '../campaign-or-team.ts'
import { changelog } from '../changelog/contract.ts'
import { type ActivityItem, activityItems, newerItem } from '../contract.ts'
import { Attachments } from '../files/ui/Attachments.tsx'
import { activityLog } from '../log/contract.ts'
import classes from './ItemDialog.module.css'

/** What writing an item changes elsewhere. */
export const refreshedByItems = [activityLog.list, changelog.grid]

/** An item as its form needs it: from the log, or from a cell of the changelog. */
export type ItemToEdit = Pick<
  ActivityItem,
  'id' | 'date' | 'note' | 'is_task' | 'assignee_id' | 'files' | 'version'
> & {
  key: string
  /** The campaign or team, by name. */
  name: string
  /** Named here, because who has left is offered to nobody any more. */
  assignee?: { id: number; username: string } | null
}

export const toEdit = (item: ActivityItem): ItemToEdit => ({
  ...item,
  key: keyOf(item),
  name: item.campaign?.name ?? item.team?.name ?? '',
})

export function NewItemDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const places = useCampaignAndTeamChoices(opened)
  const { fields, setTask } = useFields(opened)
  return (
    <FormDialog
      title="Create New Item"
      call={activityItems.create}
      start={empty}
      fields={{
        ...fields,
        id: () => null,
        campaignId: () => null,
        campaign_ids: multiSelect(labels.campaign_ids, places),
        date: date(labels.date, { earliest: addDays(today(environment.timezone), -1) }),
      }}
      layout={arranged}
      refreshes={refreshedByItems}
      opened={opened}
      onClose={() => {
        setTask(false)
        onClose()
      }}
      size="lg"
    />
  )
}

export function EditItemDialog({ item, onClose }: { item: ItemToEdit; onClose: () => void }) {
  const { fields, colleagues } = useFields(true, item)
  return (
    <FormDialog
      title="Edit Item"
      call={activityItems.update}
      params={{ id: item.id }}
      start={startOf(item)}
      fields={{
        ...fields,
        id: () => null,
        campaignId: () => null,
        version: () => null,
        campaign_ids: (_, { ReadOnly }) => <ReadOnly label={labels.campaign_ids} value={item.name} />,
        date: (_, { ReadOnly }) => <ReadOnly label={labels.date} value={shownDay(item.date) ?? item.date} />,
      }}
      layout={arranged}
      newer={{ read: newerForm, shown: (name, value) => shown(name, value, colleagues) }}
      refreshes={refreshedByItems}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const labels = {
  campaign_ids: 'Campaigns and teams',
  date: 'Date',
  note: 'Note',
  is_task: 'Task',
  assignee_id: 'Assignee',
  files: 'Images',
}

/** The fields that both forms have, and how to say that the next form is of no task. */
function useFields(opened: boolean, item?: ItemToEdit) {
  const [isTask, setTask] = useState(item?.is_task === 1)
  const colleagues = withOwn(useColleagueChoices(opened), item?.assignee)
  const is_task: FieldControl<boolean | 0 | 1> = (at, controls) =>
    toggle(labels.is_task)(
      {
        ...at,
        set: (on) => {
          setTask(on === true)
          at.set(on)
        },
      },
      controls,
    )
  const assignee_id: FieldControl<number> = (at, controls) =>
    isTask ? (
      select(labels.assignee_id, colleagues, { searchable: true })({ ...at, required: true }, controls)
    ) : (
      <Cleared at={at} />
    )
  const files: FieldControl<number[]> = (at) => <Attachments label={labels.files} at={at} />
  return { fields: { note: textarea(labels.note, { rows: 6 }), is_task, assignee_id, files }, colleagues, setTask }
}

function withOwn(choices: Choice<number>[], own: ItemToEdit['assignee']): Choice<number>[] {
  return !own || choices.some(({ value }) => value === own.id)
    ? choices
    : [...choices, { value: own.id, label: own.username }]
}

/** What is no task is nobody's. */
function Cleared({ at }: { at: FieldAt<number> }) {
  const { value, set } = at
  useEffect(() => {
    if (value) set(null)
  })
  return null
}

const empty: Draft<typeof activityItems.create> = {
  id: null,
  campaign_ids: [],
  campaignId: null,
  date: null,
  note: '',
  is_task: 0,
  assignee_id: null,
  files: [],
}

const startOf = ({ id, key, date, note, is_task, assignee_id, files, version }: ItemToEdit) => ({
  id,
  campaign_ids: [key],
  campaignId: null,
  date,
  note,
  is_task,
  assignee_id,
  files: files.map((file) => file.id),
  version,
})

function newerForm(problem: unknown) {
  if (!(problem instanceof ApiError && problem.status === 409)) return undefined
  const newer = newerItem.safeParse(problem.body)
  if (!newer.success) return undefined
  void readAgain(refreshedByItems)
  return startOf(toEdit(newer.data.item))
}

/** How people read what a field holds. */
function shown(name: string, value: unknown, colleagues: Choice<number>[]): string | null {
  if (name === 'assignee_id') return colleagues.find((one) => one.value === value)?.label ?? null
  if (name === 'is_task') return value === 1 || value === true ? 'a task' : 'no task'
  if (name === 'files' && Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'image' : 'images'}`
  return value === null || value === '' ? null : String(value)
}

type Arranged = Record<keyof typeof labels, ReactNode>

function arranged({ campaign_ids, date, note, is_task, assignee_id, files }: Arranged) {
  return (
    <div className={classes.fields}>
      <div className={classes.long}>{campaign_ids}</div>
      <div>{date}</div>
      <div className={classes.whole}>{note}</div>
      <div className={classes.task}>{is_task}</div>
      <div className={classes.long}>{assignee_id}</div>
      <div className={classes.whole}>{files}</div>
    </div>
  )
}
