import { and, eq, getTableColumns, isNull, lte, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { buildVisibleItemsFilter } from '#domains/activity/public.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { signalsTable } from '../../schema.ts'
import { listHiddenKinds } from '../../server/kind-rights.ts'
import { isHandledAt, isMutedAt } from '../../server/queries.ts'
import { narrowSharedFaults } from '../../server/shared-faults.ts'
import type { OpenSignal } from '../../server/store.ts'
import type { MessageSignal, MessageTask } from './compose.ts'
import { findTaskWatch } from './find-watch.ts'
import type { StoredWatches } from './watches.ts'

/** A user, and how they want to be told. */
export type MessageReader = { me: CurrentUser; watches: StoredWatches }

export async function readOpenSignalsWithCampaign(db: DbOrTx, now = new Date()): Promise<MessageSignal[]> {
  const time = sql`${now.toISOString()}::timestamptz`
  const rows = await db
    .select({
      ...getTableColumns(signalsTable),
      campaign_name: campaignsTable.name,
      is_muted: isMutedAt(time),
      is_handled: isHandledAt(time),
    })
    .from(signalsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, signalsTable.campaign_id))
    .where(isNull(signalsTable.closed_at))
    .orderBy(signalsTable.id)
  return addExplainedCampaigns(rows, rows)
}

/** Returns the signals that a user may see, by the rule of the list (`buildVisibleSignalsFilter`). */
export function pickVisibleSignals(open: readonly MessageSignal[], me: CurrentUser): MessageSignal[] {
  if (!me.permissions.dashboard) return []
  const hidden = listHiddenKinds(me)
  const readable = open.filter(({ kind }) => !hidden.includes(kind))
  if (me.campaignIds === null) return readable
  const theirs = new Set(me.campaignIds)
  const children = open.filter(({ campaign_id }) => campaign_id !== null && theirs.has(campaign_id))
  const explaining = new Set(children.map(({ parent_id }) => parent_id))
  const visible = readable.flatMap((signal) => {
    const { id, campaign_id, kind, evidence } = signal
    const named = getNamedCampaigns(signal)
    const seen = named.filter((one) => theirs.has(one))
    if (kind === 'all_quiet') return named.length > 0 && seen.length === named.length ? signal : []
    const narrowed = named.length > 0 ? { ...signal, evidence: { ...evidence, campaign_ids: seen } } : signal
    if (campaign_id !== null && theirs.has(campaign_id)) return narrowed
    if (seen.length > 0) return { ...narrowed, campaign_id: seen[0]!, campaign_name: null }
    return explaining.has(id) ? signal : []
  })
  return addExplainedCampaigns(narrowSharedFaults(visible, children), children)
}

const getNamedCampaigns = ({ evidence: { campaign_ids } }: OpenSignal): number[] =>
  Array.isArray(campaign_ids) ? campaign_ids : []

/** Those of the signals that it explains, and those that share what it is about. */
function addExplainedCampaigns<T extends OpenSignal>(signals: readonly T[], children: readonly OpenSignal[]) {
  const byParent = Map.groupBy(children, ({ parent_id }) => parent_id)
  return signals.map((signal) => {
    const explained = (byParent.get(signal.id) ?? []).flatMap(({ campaign_id }) => campaign_id ?? [])
    const sharing = signal.kind === 'all_quiet' ? [] : getNamedCampaigns(signal)
    return { ...signal, explained_campaigns: [...new Set([...explained, ...sharing])] }
  })
}

/** Removes the signals whose parent is sent to the same user. */
export function pickCauses(visible: readonly MessageSignal[]): MessageSignal[] {
  const ids = new Set(visible.map(({ id }) => id))
  return visible.filter(({ parent_id }) => parent_id === null || !ids.has(parent_id))
}

/** Returns what a digest has: what no one is handling, as on Home. */
export const pickUnhandledCauses = (visible: readonly MessageSignal[]): MessageSignal[] =>
  pickCauses(visible).filter(({ is_handled }) => !is_handled)

export const taskColumns = {
  id: activityItemsTable.id,
  note: activityItemsTable.note,
  date: activityItemsTable.date,
  campaign_id: activityItemsTable.campaign_id,
  campaign_name: campaignsTable.name,
}
/** Matches a user's open tasks, of what they may see: not those of a campaign that was taken from them. */
export const isOwnTask = (me: CurrentUser) =>
  and(
    activityItemsTable.is_task,
    eq(activityItemsTable.is_done, false),
    eq(activityItemsTable.assignee_id, me.id),
    buildVisibleItemsFilter(me),
  )

/** Reads a user's tasks of the day and of earlier days, those that they want to be told of. */
export async function readDueTasks(
  db: DbOrTx,
  { me, watches: { watches } }: MessageReader,
  day: string,
  timeZone: string,
): Promise<MessageTask[]> {
  const tasks = await db
    .select(taskColumns)
    .from(activityItemsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, activityItemsTable.campaign_id))
    .where(and(isOwnTask(me), lte(activityItemsTable.date, day)))
    .orderBy(activityItemsTable.date, activityItemsTable.id)
  return tasks.filter((task) => findTaskWatch(watches, task, timeZone).channel !== 'none')
}
