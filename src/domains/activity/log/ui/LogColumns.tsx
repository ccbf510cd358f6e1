import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type ActivityItem, activityItems } from '#domains/activity/contract.ts'
import { Images } from '#domains/activity/files/ui/Images.tsx'
import { refreshedByItems } from '#domains/activity/ui/ItemDialog.tsx'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { badge, date, text } from '#ui/cells/cells.tsx'
import type { Day } from '#ui/cells/days.ts'
import { LinkedText } from '#ui/cells/LinkedText.tsx'
import type { Input } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import type { Column } from '#ui/table/DataTable.tsx'
import { activityLog, type LogSort } from '../contract.ts'
import { columnTitles as titles } from '../labels.ts'
import { isOverdue } from '../overdue.ts'
import classes from './Log.module.css'

type Patch = (id: number, fields: Partial<ActivityItem>) => () => void

export function logColumns(
  patch: Patch,
  edit: (item: ActivityItem) => void,
  now: Day,
): Column<ActivityItem, LogSort>[] {
  return [
    {
      key: 'date',
      title: titles.date,
      sort: 'date',
      width: 112,
      cell: (item) => (
        <>
          {date(item.date)}
          {isOverdue(item, now) && <div>{badge('warn', 'Overdue')}</div>}
        </>
      ),
    },
    {
      key: 'campaign',
      title: titles.campaign,
      sort: 'campaign',
      width: 190,
      cell: ({ campaign, team }) =>
        team ? (
          <>
            {team.name} {badge('neutral', 'Team')}
          </>
        ) : (
          text(campaign?.name)
        ),
    },
    {
      key: 'note',
      title: titles.note,
      sort: 'note',
      cell: (item) => <Note note={item.note} />,
      plain: ({ note }) => note,
    },
    {
      key: 'files',
      title: titles.files,
      width: 144,
      cell: ({ files }) => (files.length > 0 ? <Images ids={files.map(({ id }) => id)} /> : text(null)),
    },
    { key: 'user', title: titles.user, sort: 'user', width: 112, cell: ({ user }) => user.username },
    {
      key: 'assignee',
      title: titles.assignee,
      sort: 'assignee',
      width: 112,
      cell: ({ assignee }) => text(assignee?.username),
    },
    {
      key: 'is_done',
      title: titles.is_done,
      sort: 'is_done',
      width: 84,
      cell: (item) => (item.is_task ? <DoneSwitch item={item} patch={patch} /> : text(null)),
    },
    {
      key: 'actions',
      title: 'Actions',
      width: 100,
      pinned: 'end',
      cell: (item) => <Actions item={item} edit={edit} />,
    },
  ]
}

const long = 180
const manyLines = 3

/** A long one is cut after its third line, until somebody wants to read on. */
function Note({ note }: { note: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = note.length > long || note.split('\n').length > manyLines
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

function DoneSwitch({ item, patch }: { item: ActivityItem; patch: Patch }) {
  const shared = {
    refreshes: refreshedByItems,
    optimistic: ({ body }: Input<typeof activityLog.toggleStatus>) =>
      patch(item.id, { is_done: body?.is_done ? 1 : 0 }),
  }
  const back = useAction(activityLog.toggleStatus, shared)
  const { run } = useAction(activityLog.toggleStatus, {
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

function Actions({ item, edit }: { item: ActivityItem; edit: (item: ActivityItem) => void }) {
  return (
    <div className={classes.actions}>
      <IconButton label="Edit" onClick={() => edit(item)}>
        <IconPencil size={16} aria-hidden="true" />
      </IconButton>
      <ActionButton
        call={activityItems.remove}
        input={{ params: { id: item.id } }}
        refreshes={refreshedByItems}
        label="Delete"
        icon={<IconTrash size={16} aria-hidden="true" />}
      />
    </div>
  )
}
