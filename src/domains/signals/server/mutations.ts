import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { addDays, getToday, msPerDay } from '#contract/days.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, forbiddenError, notFoundError, validationError } from '#core/http/errors.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { addActivityItems } from '#domains/activity/public.ts'
import { signalsContract } from '../contract.ts'
import { maxMuteDays } from '../labels.ts'
import { signalsTable } from '../schema.ts'
import { buildVisibleSignalsFilter, readSignal } from './queries.ts'
import { announceSignals, type OpenSignal } from './store.ts'

type SignalActor = { me: CurrentUser; actor: AuditActor }

const signalAuditKind = 'signal'
const closedMessage = 'This signal is closed'

/** Locks an open signal that this user may see. Throws 404, or 409 if it is closed. */
export async function lockOpenSignal(tx: Tx, me: CurrentUser, id: number): Promise<OpenSignal> {
  const [signal] = await tx
    .select()
    .from(signalsTable)
    .where(and(eq(signalsTable.id, id), buildVisibleSignalsFilter(me)))
    .for('update')
  if (!signal) throw notFoundError()
  if (signal.closed_at !== null) throw conflictError(closedMessage)
  return signal
}

async function updateSignal(
  tx: Tx,
  { actor }: Pick<SignalActor, 'actor'>,
  before: OpenSignal,
  after: Partial<OpenSignal>,
) {
  await tx.update(signalsTable).set(after).where(eq(signalsTable.id, before.id))
  await writeAudit(tx, actor, { kind: signalAuditKind, rowId: before.id, before, after })
  await announceSignals(tx)
}

export async function claimSignal(tx: Tx, by: SignalActor, id: number): Promise<void> {
  const signal = await lockOpenSignal(tx, by.me, id)
  if (signal.claimed_by !== null && signal.claimed_by !== by.me.id)
    throw conflictError('Someone else is already handling this')
  if (signal.claimed_by === null) await updateSignal(tx, by, signal, { claimed_by: by.me.id })
}

export async function unclaimSignal(tx: Tx, by: SignalActor, id: number): Promise<void> {
  const signal = await lockOpenSignal(tx, by.me, id)
  if (signal.claimed_by === null) return
  if (signal.claimed_by !== by.me.id && !by.me.isSuperAdmin) throw forbiddenError()
  await updateSignal(tx, by, signal, { claimed_by: null })
}

/** Releases the claims of users who can no longer see their signal, or sign in: it needs someone again. */
export async function releaseLeftClaims(tx: Tx): Promise<void> {
  const claimed = await tx
    .select()
    .from(signalsTable)
    .where(and(isNull(signalsTable.closed_at), isNotNull(signalsTable.claimed_by)))
    .orderBy(signalsTable.id)
    .for('no key update')
  for (const [userId, theirs] of Map.groupBy(claimed, ({ claimed_by }) => claimed_by!)) {
    const seen = await findSeenSignals(
      tx,
      await findCurrentUserById(tx, userId),
      theirs.map(({ id }) => id),
    )
    for (const signal of theirs)
      if (!seen.has(signal.id)) await updateSignal(tx, { actor: { me: null } }, signal, { claimed_by: null })
  }
}

async function findSeenSignals(tx: Tx, me: CurrentUser | null, ids: number[]): Promise<Set<number>> {
  if (!me || !signalsContract.list.allow(me)) return new Set()
  const { id } = signalsTable
  const seen = await tx
    .select({ id })
    .from(signalsTable)
    .where(and(inArray(id, ids), buildVisibleSignalsFilter(me)))
  return new Set(seen.map((signal) => signal.id))
}

export async function muteSignal(
  tx: Tx,
  by: SignalActor,
  id: number,
  until: string | null,
  timeZone: string,
): Promise<void> {
  const signal = await lockOpenSignal(tx, by.me, id)
  const isDay = until?.length === 'yyyy-MM-dd'.length
  const muted_until = until === null ? null : isDay ? startOfZonedDay(until, timeZone) : new Date(until)
  // Days are counted in the calendar: with a change of daylight saving time, ninety of them take an hour more or less.
  const latest = isDay
    ? startOfZonedDay(addDays(getToday(timeZone), maxMuteDays), timeZone).getTime()
    : Date.now() + maxMuteDays * msPerDay
  if (muted_until && muted_until.getTime() > latest) throw validationError({ until: [`At most ${maxMuteDays} days`] })
  if (muted_until && muted_until.getTime() <= Date.now())
    throw validationError({ until: ['Please pick a time in the future'] })
  await updateSignal(tx, by, signal, { muted_until })
}

type TaskForm = NonNullable<BodyOf<typeof signalsContract.task>>

/** Adds a task for the signal to the activity log of its campaign. */
export async function addSignalTask(
  tx: Tx,
  by: SignalActor,
  id: number,
  form: TaskForm,
  timeZone: string,
): Promise<void> {
  const signal = await lockOpenSignal(tx, by.me, id)
  const { campaign, task_id: openTask } = await readSignal(tx, by.me, id)
  if (!campaign) throw validationError({ campaign_id: ['Only a signal of a campaign can become a task'] })
  if (openTask !== null) throw conflictError('This signal already has a task')
  const today = getToday(timeZone)
  const [task_id] = await addActivityItems(
    tx,
    by,
    {
      campaign_ids: [`campaign-${campaign.id}`],
      date: form.date ?? today,
      note: form.note ?? `${signal.title}\n\n${String(signal.evidence.says ?? '')}`,
      is_task: 1,
      client_may_read: 0,
      assignee_id: form.assignee_id ?? by.me.id,
      files: [],
    },
    addDays(today, -1),
  )
  await updateSignal(tx, by, signal, { task_id: task_id! })
}
