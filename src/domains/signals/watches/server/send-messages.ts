import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  isUntaken,
  queueChatMessage,
  queueEmail,
  takeUntakenMessages,
  type UntakenMessage,
} from '#domains/messages/public.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { signalNoticesTable } from '../../schema.ts'
import type { WatchChannel } from '../labels.ts'
import { taskNoticesTable, userWatchesTable } from '../schema.ts'
import {
  composeAlert,
  composeDigest,
  composeTask,
  type MessageDraft,
  type MessageSignal,
  renderDraft,
  toChatText,
} from './compose.ts'
import { findDigestClock, findTaskWatch, findWatch, getDigestDay, isQuietNow } from './find-watch.ts'
import {
  isOwnTask,
  type MessageReader,
  pickCauses,
  pickUnhandledCauses,
  pickVisibleSignals,
  readDueTasks,
  readOpenSignalsWithCampaign,
  taskColumns,
} from './message-signals.ts'
import { readWatches, saveDigestDay } from './watches.ts'

const messageKind = 'signal'
const messagesLock = 7_226_002

/**
 * Notifies users: new signals at once, the daily digest, new tasks. The record of a notice is written in the transaction that queues its
 * message, so that killed processes and concurrent workers neither repeat nor lose one.
 */
export async function sendMessages(context: AppContext, now = new Date()): Promise<void> {
  const { db } = context
  const staff = await db
    .select({
      id: usersTable.id,
      created_at: usersTable.created_at,
      hasArrived: sql<boolean>`${usersTable.password_hash} <> ${notArrivedHash}`,
    })
    .from(usersTable)
    .where(
      and(
        inArray(usersTable.role, ['super_admin', 'admin', 'leads_handler']),
        usersTable.is_active,
        isNull(usersTable.deleted_at),
      ),
    )
    .orderBy(usersTable.id)
  await switchOffGoneWebhooks(context)
  const open = await readOpenSignalsWithCampaign(db, now)
  for (const { id, ...account } of staff) {
    const me = await findCurrentUserById(db, id)
    if (!me) continue
    await tryForUser(context, id, async (tx) => {
      const watches = await readWatches(tx, context, id)
      const person = { me, watches }
      await sendTaskNotices(tx, context, person, account, now)
      const visible = await pickNews(tx, id, account, pickVisibleSignals(open, me))
      if (!account.hasArrived) return
      await sendAlerts(tx, context, person, visible, now)
      await sendDigest(tx, context, person, visible, now)
    })
  }
}

/** A failure for one user, such as a message of theirs that cannot be decrypted, does not affect the others; the next run tries again. */
async function tryForUser({ db, log }: AppContext, userId: number | null, run: (tx: Tx) => Promise<void>) {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${messagesLock}, ${userId ?? 0})`)
      await run(tx)
    })
  } catch (error) {
    log.error({ err: error, user_id: userId }, 'a user could not be notified of signals')
  }
}

type Account = { created_at: Date; hasArrived: boolean }

/**
 * Returns the signals that this user may be told of: not those from before the account, unless they have become worse. Those and what opens
 * before the invitation is accepted are recorded as if they had been told, so that they are not announced later.
 */
async function pickNews(
  tx: Tx,
  userId: number,
  { created_at, hasArrived }: Account,
  visible: readonly MessageSignal[],
): Promise<MessageSignal[]> {
  const isOld = ({ opened_at }: MessageSignal) => opened_at < created_at
  const old = hasArrived ? visible.filter(isOld) : visible
  if (old.length === 0) return [...visible]
  const { signal_id, user_id, stage } = signalNoticesTable
  const rows = await tx
    .select({ signal_id, stage: sql<number>`min(${stage})` })
    .from(signalNoticesTable)
    .where(
      and(
        eq(user_id, userId),
        inArray(
          signal_id,
          old.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(signal_id)
  const told = new Map(rows.map((row) => [row.signal_id, row.stage]))
  const untold = hasArrived ? old.filter(({ id }) => !told.has(id)) : old
  if (untold.length > 0)
    await tx
      .insert(signalNoticesTable)
      .values(untold.map(({ id, stage }) => ({ signal_id: id, user_id: userId, stage })))
      .onConflictDoNothing()
  return visible.filter((signal) => !isOld(signal) || (told.get(signal.id) ?? signal.stage) < signal.stage)
}

async function sendAlerts(
  tx: Tx,
  context: AppContext,
  { me, watches }: MessageReader,
  visible: readonly MessageSignal[],
  now: Date,
): Promise<void> {
  const due = pickCauses(visible).flatMap((signal) => {
    const watch = findWatch(watches.watches, signal, context.settings.AGENCY_TIMEZONE)
    const isDue = !signal.is_muted && watch.digest === 'at_once' && watch.channel !== 'none' && !isQuietNow(watch, now)
    return isDue ? [{ signal, channel: watch.channel }] : []
  })
  if (due.length === 0) return
  const recorded = await tx
    .insert(signalNoticesTable)
    .values(due.map(({ signal: { id, stage } }) => ({ signal_id: id, user_id: me.id, stage })))
    .onConflictDoNothing()
    .returning({ id: signalNoticesTable.signal_id })
  const fresh = new Set(recorded.map(({ id }) => id))
  const news = due.filter(({ signal }) => fresh.has(signal.id))
  for (const [channel, of] of Map.groupBy(news, (one) => one.channel))
    await queueDraft(
      tx,
      context,
      { me, watches },
      channel,
      composeAlert(
        context,
        of.map(({ signal }) => signal),
      ),
    )
}

async function sendDigest(
  tx: Tx,
  context: AppContext,
  { me, watches }: MessageReader,
  visible: readonly MessageSignal[],
  now: Date,
): Promise<void> {
  const zone = context.settings.AGENCY_TIMEZONE
  const clock = findDigestClock(watches.watches, zone)
  const day = getDigestDay(clock, now)
  if (day === null || (watches.digest_day !== null && watches.digest_day >= day)) return
  const daily = pickUnhandledCauses(visible).flatMap((signal) => {
    const watch = findWatch(watches.watches, signal, zone)
    return watch.digest === 'daily' && watch.channel !== 'none' ? [{ signal, channel: watch.channel }] : []
  })
  const tasks = await readDueTasks(tx, { me, watches }, day, zone)
  if (daily.length === 0 && tasks.length === 0) return
  await saveDigestDay(tx, me.id, day)
  const channels = new Set([...daily.map(({ channel }) => channel), ...(tasks.length > 0 ? [clock.channel] : [])])
  for (const channel of channels) {
    const signals = daily.filter((one) => one.channel === channel).map(({ signal }) => signal)
    const draft = composeDigest(context, signals, channel === clock.channel ? tasks : [], day)
    // The key has the time zone: after a move, the same day has another digest.
    const key = `digest:${me.id}:${day}:${clock.timezone}:${channel}`
    await queueDraft(tx, context, { me, watches }, channel, draft, key)
  }
}

/** Queues a message through a channel; for a webhook that was switched off, as mail. */
export async function queueDraft(
  tx: Tx,
  context: AppContext,
  { me, watches }: MessageReader,
  channel: WatchChannel,
  draft: MessageDraft,
  dedupe_key?: string,
): Promise<{ channel: WatchChannel; to: string; text: string }> {
  const options = { kind: messageKind, user_id: me.id, ...(dedupe_key ? { dedupe_key } : {}) }
  const text = toChatText(draft)
  if (channel === 'webhook' && watches.webhook_url !== null) {
    await queueChatMessage(tx, context, { ...options, url: watches.webhook_url, text })
    return { channel, to: new URL(watches.webhook_url).origin, text }
  }
  await queueEmail(tx, context, {
    ...options,
    to: me.email,
    subject: draft.subject,
    ...(await renderDraft(context, draft, me)),
  })
  return { channel: 'mail', to: me.email, text }
}

// ——— tasks ———

/** Notifies of tasks assigned by someone else, not by the user; not of those from before the invitation is accepted. */
async function sendTaskNotices(
  tx: Tx,
  context: AppContext,
  { me, watches }: MessageReader,
  { hasArrived }: Account,
  now: Date,
): Promise<void> {
  const tasks = await tx
    .select(taskColumns)
    .from(activityItemsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, activityItemsTable.campaign_id))
    .where(
      and(
        isOwnTask(me),
        sql`${activityItemsTable.user_id} <> ${me.id}`,
        sql`not exists (select from ${taskNoticesTable} notice where notice.item_id = ${activityItemsTable.id} and notice.assignee_id = ${me.id})`,
      ),
    )
    .orderBy(activityItemsTable.id)
  let handled = 0
  for (const task of tasks) {
    if (handled === 50) break // the next run goes on
    const watch = findTaskWatch(watches.watches, task, context.settings.AGENCY_TIMEZONE)
    const isWanted = hasArrived && watch.channel !== 'none'
    if (isWanted && isQuietNow(watch, now)) continue // a later run sends it
    handled += 1
    await tx.insert(taskNoticesTable).values({ item_id: task.id, assignee_id: me.id }).onConflictDoNothing()
    if (!isWanted) continue
    await queueDraft(tx, context, { me, watches }, 'mail', composeTask(context, task), `task:${task.id}:${me.id}`)
  }
}

// ——— webhooks that are gone ———

/**
 * Switches off a webhook that answers 404 or 410: its watches become mail, and one mail says so. That mail contains the undelivered
 * messages, so that nothing is lost. A webhook entered since is kept.
 */
async function switchOffGoneWebhooks(context: AppContext): Promise<void> {
  const people = await context.db
    .selectDistinct({ user_id: messagesTable.user_id })
    .from(messagesTable)
    .where(isUntaken(messageKind))
  for (const { user_id } of people) {
    const me = user_id === null ? null : await findCurrentUserById(context.db, user_id)
    await tryForUser(context, user_id, async (tx) => {
      const untaken = await takeUntakenMessages(tx, context, { kind: messageKind, user_id })
      if (me && untaken.length > 0) await sendUndelivered(tx, context, me, untaken)
    })
  }
}

async function sendUndelivered(
  tx: Tx,
  context: AppContext,
  me: CurrentUser,
  untaken: readonly UntakenMessage[],
): Promise<void> {
  const [row] = await tx.select().from(userWatchesTable).where(eq(userWatchesTable.user_id, me.id)).for('update')
  const last = untaken.at(-1)!
  const isCurrentWebhook = row !== undefined && row.webhook_url !== null && last.created_at > row.updated_at
  if (isCurrentWebhook)
    await tx
      .update(userWatchesTable)
      .set({
        webhook_url: null,
        webhook_problem: last.error,
        watches: row.watches.map((watch) => ({
          ...watch,
          channel: watch.channel === 'webhook' ? 'mail' : watch.channel,
        })),
        updated_at: sql`now()`,
      })
      .where(eq(userWatchesTable.user_id, me.id))
  const reason = last.error ?? 'The webhook was removed'
  const watches = await readWatches(tx, context, me.id)
  await queueDraft(tx, context, { me, watches }, 'mail', {
    subject: isCurrentWebhook ? 'Your webhook was switched off' : 'Your webhook did not accept a message',
    lines: [
      isCurrentWebhook
        ? `${reason}. Signals are sent to ${me.email} from now on; a new webhook can be entered in your notifications.`
        : `${reason}.`,
      'Not delivered:',
      ...untaken.flatMap(({ lines }) => lines),
    ],
    groups: [],
    url: context.settings.PUBLIC_URL,
  })
}
