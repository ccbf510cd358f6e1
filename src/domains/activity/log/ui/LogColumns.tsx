import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type ActivityItem, activityItemsContract } from '#domains/activity/contract.ts'
import { ImageGallery } from '#domains/activity/files/ui/Images.tsx'
import { describeItem } from '#domains/activity/ui/describe-item.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { dateCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import type { CalendarDay } from '#ui/cells/days.ts'
import { LinkedText } from '#ui/cells/LinkedText.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import type { CallInput } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type ActivityLogSort, activityLogContract } from '../contract.ts'
import { activityLogFields } from '../fields.ts'
import { isTaskOverdue } from '../overdue.ts'
import classes from './Log.module.css'

type PatchItem = (id: number, fields: Partial<ActivityItem>) => () => void

export function createActivityLogColumns(
  patch: PatchItem,
  edit: (item: ActivityItem) => void,
  now: CalendarDay,
): TableColumn<ActivityItem, ActivityLogSort>[] {
  const columns = buildFieldColumns<typeof activityLogFields, ActivityItem>(activityLogFields, {
    date: {
      pinned: 'start',
      cell: (item) => (
        <span className={isTaskOverdue(item, now) ? classes.late : undefined}>
          {dateCell(item.date)}
          {isTaskOverdue(item, now) && <div>Overdue</div>}
        </span>
      ),
    },
    campaign: {
      telling: true,
      cell: ({ campaign, team }) =>
        team ? (
          <>
            {team.name} {renderBadge('neutral', 'Team')}
          </>
        ) : (
          <RecordLink kind="campaign" id={campaign?.id}>
            {textCell(campaign?.name)}
          </RecordLink>
        ),
    },
    note: { telling: true, cell: (item) => <ItemNote note={item.note} />, plain: ({ note }) => note },
    files: {
      cell: ({ files }) => (files.length > 0 ? <ImageGallery ids={files.map(({ id }) => id)} /> : textCell(null)),
    },
    user: { cell: ({ user }) => user.username },
    assignee: { cell: ({ assignee }) => textCell(assignee?.username) },
    is_done: { cell: (item) => (item.is_task ? <DoneSwitch item={item} patch={patch} /> : null) },
  })
  return [
    // At the row's start, like a task's box.
    ...columns.filter(({ key }) => key === 'is_done'),
    ...columns.filter(({ key }) => key !== 'is_done'),
    {
      key: 'actions',
      title: 'Actions',
      width: 100,
      pinned: 'end',
      cell: (item) => <ItemActions item={item} edit={edit} />,
    },
  ]
}

const longNoteLength = 180
const longNoteLines = 3

/** A long note is cut after its third line until expanded. */
function ItemNote({ note }: { note: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = note.length > longNoteLength || note.split('\n').length > longNoteLines
  return (
    <>
      <div className={isLong && !isOpen ? classes.cut : undefined}>
        <LinkedText text={note} />
      </div>
      {isLong && (
        <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Read Less' : 'Read More'}
        </button>
      )}
    </>
  )
}

function DoneSwitch({ item, patch }: { item: ActivityItem; patch: PatchItem }) {
  const shared = {
    optimistic: ({ body }: CallInput<typeof activityLogContract.toggleStatus>) =>
      patch(item.id, { is_done: body?.is_done ? 1 : 0 }),
  }
  const back = useAction(activityLogContract.toggleStatus, shared)
  const { run } = useAction(activityLogContract.toggleStatus, {
    ...shared,
    undo: ({ params, body }) => back.run({ params, body: { is_done: body?.is_done ? 0 : 1 } }),
  })
  return (
    <CellSwitch
      label="Done"
      on={item.is_done === 1}
      set={(on) => void run({ params: { id: item.id }, body: { is_done: on ? 1 : 0 } })}
    />
  )
}

function ItemActions({ item, edit }: { item: ActivityItem; edit: (item: ActivityItem) => void }) {
  return (
    <div className={classes.actions}>
      <IconButton label="Edit" icon={IconPencil} onClick={() => edit(item)} />
      <ActionButton
        call={activityItemsContract.remove}
        input={{ params: { id: item.id } }}
        label="Delete"
        icon={IconTrash}
        details={describeItem(item)}
      />
    </div>
  )
}
