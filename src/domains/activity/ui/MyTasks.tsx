import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CalendarDay } from '#contract/days.ts'
import { formatShortDay } from '#contract/short-times.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { formatDay, getToday } from '#ui/cells/days.ts'
import type { CallInput } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { Panel, PanelNote } from '#ui/layout/Panel.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import type { ActivityItem } from '../contract.ts'
import { activityLogContract } from '../log/contract.ts'
import { isTaskOverdue } from '../log/overdue.ts'
import classes from './MyTasks.module.css'

const EditTask = lazyComponent(async () => {
  const { EditItemDialog, toEditableItem } = await import('./ItemDialog.tsx')
  return {
    default: ({ item, onClose }: { item: ActivityItem; onClose: () => void }) => (
      <EditItemDialog item={toEditableItem(item)} onClose={onClose} />
    ),
  }
})

const taskQuery = { my_tasks: 1, per_page: 200 } as const

/** The signed-in user's tasks: overdue, today's, later, and done ones collapsed. Renders nothing without access to the activity log. */
export function MyTasks() {
  const me = useCurrentUser()
  return activityLogContract.list.allow(me) ? <TaskList /> : null
}

function TaskList() {
  const { data, error, refetch } = useApi(activityLogContract.list, { query: taskQuery }, { quiet: true })
  const editing = useDialog<ActivityItem>()
  const now = getToday(appConfig.timezone)
  const groups = data && 'total' in data ? groupTasks(data.data, now) : undefined
  const isEmpty = groups && groups.overdue.length + groups.today.length + groups.open.length === 0
  return (
    <Panel
      title="My tasks"
      action={
        <Link to="/activity-log" search={{ my_tasks: '1', from: '', to: '' }}>
          Activity Log
        </Link>
      }
    >
      {error && !data && <QueryError what="Tasks" error={error} retry={refetch} />}
      {!error && !data && (
        <PanelNote>
          <span data-waiting>Loading…</span>
        </PanelNote>
      )}
      {isEmpty && <PanelNote>You have no open tasks.</PanelNote>}
      {groups && (
        <>
          <TaskGroup title="Overdue" tasks={groups.overdue} edit={editing.open} overdue />
          <TaskGroup title="Today" tasks={groups.today} edit={editing.open} />
          <TaskGroup title="Open" tasks={groups.open} edit={editing.open} />
          {groups.done.length > 0 && (
            <details className={classes.done}>
              <summary>Done ({groups.done.length})</summary>
              <TaskGroup title="Done" tasks={groups.done} edit={editing.open} untitled />
            </details>
          )}
        </>
      )}
      {editing.opened && editing.subject && (
        <Suspense>
          <EditTask item={editing.subject} onClose={editing.close} />
        </Suspense>
      )}
    </Panel>
  )
}

type TaskGroupProps = {
  title: string
  tasks: readonly ActivityItem[]
  edit: (task: ActivityItem) => void
  overdue?: boolean
  untitled?: boolean
}

function TaskGroup({ title, tasks, edit, overdue = false, untitled = false }: TaskGroupProps) {
  if (tasks.length === 0) return null
  return (
    <>
      {!untitled && (
        <h3 className={classes.title}>
          {title} <span>{tasks.length}</span>
        </h3>
      )}
      <ul className={classes.list} aria-label={title}>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} edit={edit} overdue={overdue} />
        ))}
      </ul>
    </>
  )
}

function TaskRow({
  task,
  edit,
  overdue,
}: {
  task: ActivityItem
  edit: (task: ActivityItem) => void
  overdue: boolean
}) {
  const back = useAction(activityLogContract.toggleStatus)
  const { run, running } = useAction(activityLogContract.toggleStatus, {
    undo: ({ params, body }: CallInput<typeof activityLogContract.toggleStatus>) =>
      back.run({ params, body: { is_done: body?.is_done ? 0 : 1 } }),
  })
  const isDone = task.is_done === 1
  const [line = ''] = task.note.split('\n')
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Done: ${line}`}
        checked={isDone}
        disabled={running}
        onChange={() => void run({ params: { id: task.id }, body: { is_done: isDone ? 0 : 1 } })}
      />
      <div className={classes.task}>
        <span className={classes.note} data-done={isDone || undefined}>
          {line}
        </span>
        <span className={text.small}>
          <time dateTime={task.date} title={formatDay(task.date) ?? undefined}>
            {formatShortDay(task.date, getToday(appConfig.timezone))}
          </time>{' '}
          · {task.campaign?.name ?? task.team?.name} {overdue && renderBadge('warn', 'Overdue')}
        </span>
      </div>
      <Button variant="subtle" color="gray" size="compact-sm" aria-label={`Edit: ${line}`} onClick={() => edit(task)}>
        Edit
      </Button>
    </li>
  )
}

/** Groups tasks in work order: the longest overdue first, done ones last. */
function groupTasks(tasks: readonly ActivityItem[], now: CalendarDay) {
  const open = tasks.filter(({ is_done }) => is_done !== 1).toSorted((a, b) => a.date.localeCompare(b.date))
  return {
    overdue: open.filter((task) => isTaskOverdue(task, now)),
    today: open.filter(({ date }) => date === now),
    open: open.filter(({ date }) => date > now),
    done: tasks.filter(({ is_done }) => is_done === 1),
  }
}
