import { type ReactNode, useEffect } from 'react'
import { countOf } from '#contract/count-of.ts'
import { useColleagueChoices } from '#domains/access/ui/public.ts'
import { useCampaignAndTeamChoices } from '#domains/campaigns/ui/public.ts'
import { addDays, formatDay, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import grid from '#ui/form/field-grid.module.css'
import type { FormDraft } from '#ui/form/form-dialog-props.ts'
import { ReadOnlyControl } from '#ui/form/ReadOnlyControl.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { formatOwnerKey } from '../campaign-or-team.ts'
import { type ActivityItem, activityItemsContract } from '../contract.ts'
import { AttachmentsField } from '../files/ui/Attachments.tsx'
import classes from './ItemDialog.module.css'

/** The fields that the form needs, from the log or from a changelog cell. */
type EditableItem = Pick<
  ActivityItem,
  'id' | 'date' | 'note' | 'is_task' | 'assignee_id' | 'client_may_read' | 'files' | 'version'
> & {
  key: string
  /** The campaign or team, by name. */
  name: string
  /** Includes the name, because a user who has left is not in the choices. */
  assignee?: { id: number; username: string } | null
}

export const toEditableItem = (item: ActivityItem): EditableItem => ({
  ...item,
  key: formatOwnerKey(item),
  name: item.campaign?.name ?? item.team?.name ?? '',
})

export function NewItemDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const places = useCampaignAndTeamChoices(opened)
  const today = getToday(appConfig.timezone)
  const { fields } = useItemFields(opened)
  return (
    <FormDialog
      title="Create New Item"
      call={activityItemsContract.create}
      start={{ ...emptyItemDraft, date: today }}
      fields={(controls) => ({
        ...fields(controls),
        id: () => null,
        campaignId: () => null,
        campaign_ids: controls.multiSelectControl(itemFieldLabels.campaign_ids, places),
        date: controls.dateControl(itemFieldLabels.date, { earliest: addDays(today, -1) }),
      })}
      layout={renderItemLayout}
      opened={opened}
      onClose={onClose}
      size="lg"
    />
  )
}

type EditItemDialogProps = {
  item: EditableItem
  /** A note that was typed before the dialog was opened. */
  note?: string | undefined
  onClose: () => void
}

export function EditItemDialog({ item, note, onClose }: EditItemDialogProps) {
  const { fields, colleagues } = useItemFields(true, item)
  return (
    <FormDialog
      title="Edit Item"
      call={activityItemsContract.update}
      params={{ id: item.id }}
      start={toItemFormValues(item)}
      {...(note === undefined ? {} : { edited: { note } })}
      fields={(controls) => ({
        ...fields(controls),
        id: () => null,
        campaignId: () => null,
        campaign_ids: () => <ReadOnlyControl label={itemFieldLabels.campaign_ids} value={item.name} />,
        date: () => <ReadOnlyControl label={itemFieldLabels.date} value={formatDay(item.date) ?? item.date} />,
      })}
      layout={renderItemLayout}
      conflict={{
        read: (now) => toItemFormValues(toEditableItem(now)),
        shown: (name, value) => formatItemValue(name, value, colleagues),
      }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const itemFieldLabels = {
  campaign_ids: 'Campaigns and teams',
  date: 'Date',
  note: 'Note',
  is_task: 'Task',
  assignee_id: 'Assignee',
  client_may_read: 'Client may read',
  files: 'Images',
}

/** Returns the fields of both forms, and whom a task can be given to. */
function useItemFields(opened: boolean, item?: EditableItem) {
  const colleagues = includeAssignee(useColleagueChoices(opened), item)
  const fields = ({ textareaControl, toggleControl, selectControl }: ControlSet) => {
    const assignee_id: FieldControl<number> = (at) =>
      at.other('is_task') ? (
        selectControl(itemFieldLabels.assignee_id, colleagues, {
          searchable: true,
          ...(isOfStranger(item) && { placeholder: item?.assignee?.username ?? 'Someone without an account here' }),
        })({ ...at, required: at.value !== undefined })
      ) : (
        <ClearedAssignee at={at} />
      )
    const files: FieldControl<number[]> = (at) => <AttachmentsField label={itemFieldLabels.files} at={at} />
    return {
      note: textareaControl(itemFieldLabels.note, { rows: 6 }),
      is_task: toggleControl(itemFieldLabels.is_task),
      assignee_id,
      client_may_read: toggleControl(itemFieldLabels.client_may_read),
      files,
    }
  }
  return { fields, colleagues }
}

function includeAssignee(choices: SelectChoice<number>[], item: EditableItem | undefined): SelectChoice<number>[] {
  const own = item?.assignee
  return !own || isOfStranger(item) || choices.some(({ value }) => value === own.id)
    ? choices
    : [...choices, { value: own.id, label: own.username }]
}

/** Whether this is a task that was moved here, for a person who has no account: it stays theirs until another one is chosen. */
const isOfStranger = (item: Pick<EditableItem, 'is_task' | 'assignee_id'> | undefined) =>
  item?.is_task === 1 && item.assignee_id === null

/** Clears the assignee when the item is not a task. */
function ClearedAssignee({ at }: { at: FieldBinding<number> }) {
  const { value, set } = at
  useEffect(() => {
    if (value) set(null)
  })
  return null
}

const emptyItemDraft: FormDraft<typeof activityItemsContract.create> = {
  id: null,
  campaign_ids: [],
  campaignId: null,
  date: null,
  note: '',
  is_task: 0,
  assignee_id: null,
  client_may_read: 0,
  files: [],
}

const toItemFormValues = ({
  id,
  key,
  date,
  note,
  is_task,
  assignee_id,
  client_may_read,
  files,
  version,
}: EditableItem) => ({
  id,
  campaign_ids: [key],
  campaignId: null,
  date,
  note,
  is_task,
  assignee_id: isOfStranger({ is_task, assignee_id }) ? undefined : assignee_id,
  client_may_read,
  files: files.map((file) => file.id),
  version,
})

/** Formats a field's value for people. */
function formatItemValue(name: string, value: unknown, colleagues: SelectChoice<number>[]): string | null {
  if (name === 'assignee_id') return colleagues.find((one) => one.value === value)?.label ?? null
  if (name === 'client_may_read') return value === 1 || value === true ? 'yes' : 'no'
  if (name === 'is_task') return value === 1 || value === true ? 'a task' : 'no task'
  if (name === 'files' && Array.isArray(value)) return countOf(value.length, 'image')
  return value === null || value === '' ? null : String(value)
}

type ItemFieldNodes = Record<keyof typeof itemFieldLabels, ReactNode>

function renderItemLayout(nodes: ItemFieldNodes) {
  const { campaign_ids, date, note, is_task, assignee_id, client_may_read, files } = nodes
  return (
    <div className={`${grid.fields} ${arrange.skipEmpty}`} data-columns={3}>
      <div className={grid.half}>{campaign_ids}</div>
      <div>{date}</div>
      <div data-wide>{note}</div>
      <div className={classes.task}>{is_task}</div>
      <div className={grid.half}>{assignee_id}</div>
      <div data-wide>{client_may_read}</div>
      <div data-wide>{files}</div>
    </div>
  )
}
