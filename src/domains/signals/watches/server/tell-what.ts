import { and, eq, isNull, lte } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { canReadForecasts } from '#domains/insights/contract.ts'
import { signalsTable } from '../../schema.ts'
import type { MessageSignal, MessageTask } from './compose.ts'

export async function readOpenSignalsWithCampaign(db: DbOrTx): Promise<MessageSignal[]> {
  const rows = await db
    .select({ signal: signalsTable, campaign_name: campaignsTable.name })
    .from(signalsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, signalsTable.campaign_id))
    .where(isNull(signalsTable.closed_at))
    .orderBy(signalsTable.id)
  return rows.map(({ signal, campaign_name }) => ({ ...signal, campaign_name }))
}

/** Returns the signals that a user may see, by the rule of the list: their campaigns, and targets only with the right to read them. */
export const pickVisible = (open: readonly MessageSignal[], me: CurrentUser): MessageSignal[] =>
  !me.permissions.dashboard
    ? []
    : open.filter(
        ({ campaign_id, kind }) =>
          (me.campaignIds === null || (campaign_id !== null && me.campaignIds.includes(campaign_id))) &&
          (kind !== 'behind_target' || canReadForecasts(me)),
      )

/** Removes muted signals, and those whose parent is sent to the same user. */
export function pickSpeaking(visible: readonly MessageSignal[], now: Date): MessageSignal[] {
  const ids = new Set(visible.map(({ id }) => id))
  return visible.filter(
    ({ muted_until, parent_id }) =>
      (muted_until === null || muted_until <= now) && (parent_id === null || !ids.has(parent_id)),
  )
}

export const taskColumns = {
  id: activityItemsTable.id,
  note: activityItemsTable.note,
  date: activityItemsTable.date,
  campaign_name: campaignsTable.name,
}
export const isOpenTask = and(
  activityItemsTable.is_task,
  eq(activityItemsTable.is_done, false),
  isNull(activityItemsTable.deleted_at),
)

/** Reads a user's tasks of the day and of earlier days. */
export const readDueTasks = (db: DbOrTx, userId: number, day: string): Promise<MessageTask[]> =>
  db
    .select(taskColumns)
    .from(activityItemsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, activityItemsTable.campaign_id))
    .where(and(isOpenTask, eq(activityItemsTable.assignee_id, userId), lte(activityItemsTable.date, day)))
    .orderBy(activityItemsTable.date, activityItemsTable.id)
    .limit(50)
