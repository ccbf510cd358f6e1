import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { Signal, signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'
import { listHiddenKinds } from './kind-rights.ts'
import { narrowSharedFaults, readVisibleChildren } from './shared-faults.ts'

type SignalCount = ResponseOf<typeof signalsContract.count>
type SignalQuery = QueryOf<typeof signalsContract.list>

/**
 * Matches the signals of this user's campaigns, those that one of them shares (a domain, a link, a client) and those that explain one of
 * them; super admins also see those without a campaign. A quiet agency is for users who see every quiet campaign. Some kinds need a right of their own. `pickVisibleSignals` has the same rule.
 */
export const buildVisibleSignalsFilter = (me: CurrentUser): SQL | undefined =>
  and(
    me.campaignIds === null
      ? undefined
      : or(
          inVisibleCampaigns(me, signalsTable.campaign_id),
          explainsVisibleSignal(me),
          isQuietFor(me.campaignIds),
          sql`${findSharing(me.campaignIds)} is not null`,
        ),
    notInArray(signalsTable.kind, listHiddenKinds(me)),
  )

const explainsVisibleSignal = (me: CurrentUser) => sql`(${signalsTable.kind} <> 'all_quiet'
  and exists (select from ${signalsTable} child where child.parent_id = ${signalsTable.id}
    and (child.closed_at is null or ${signalsTable.closed_at} is not null) and ${inVisibleCampaigns(me, sql`child.campaign_id`)}))`

const isQuietFor = (campaignIds: readonly number[]) => sql`(${signalsTable.kind} = 'all_quiet'
  and ${signalsTable.evidence} -> 'campaign_ids' <> '[]'
  and ${signalsTable.evidence} -> 'campaign_ids' <@ ${JSON.stringify(campaignIds)}::jsonb)`

/** The first of these campaigns that share what a signal is about: a domain, a link or a client. */
const findSharing = (campaignIds: readonly number[]) =>
  sql<number | null>`(select min(one::int) from jsonb_array_elements(case when ${signalsTable.kind} <> 'all_quiet'
    then ${signalsTable.evidence} -> 'campaign_ids' end) one where one::int = any(${sql.param(campaignIds)}::int[]))`

/** The campaign of a signal, for a user who does not see it another one that shares what the signal is about. */
const shownCampaignSql = (me: CurrentUser) =>
  me.campaignIds === null
    ? signalsTable.campaign_id
    : sql`case when ${inVisibleCampaigns(me, signalsTable.campaign_id)} then ${signalsTable.campaign_id} else ${findSharing(me.campaignIds)} end`

const hasOpenTaskSql = sql<boolean>`exists (select from ${activityItemsTable}
  where ${activityItemsTable.id} = ${signalsTable.task_id} and not ${activityItemsTable.is_done} and ${activityItemsTable.deleted_at} is null)`

export const isMutedAt = (now: SQL) => sql<boolean>`coalesce(${signalsTable.muted_until} > ${now}, false)`

/** Whether someone is on it: claimed, muted, or with an open task. It then needs no one else, on Home and in a digest. */
export const isHandledAt = (now: SQL) =>
  sql<boolean>`(${signalsTable.claimed_by} is not null or ${isMutedAt(now)} or ${hasOpenTaskSql})`

/** Counts the open, unhandled signals that this user sees, without those that another of them explains. */
export async function countSignals(db: DbOrTx, me: CurrentUser): Promise<SignalCount> {
  const { rows } = await db.execute<SignalCount>(sql`
    with seen as materialized (
      select ${signalsTable.id}, ${signalsTable.parent_id}, ${signalsTable.severity}, ${isHandledAt(sql`now()`)} as is_handled from ${signalsTable}
      where ${signalsTable.closed_at} is null and ${signalsTable.kind} <> 'task_overdue' and ${buildVisibleSignalsFilter(me) ?? sql`true`})
    select count(*)::int as open, max(id) as newest_id, (count(*) filter (where is_waiting))::int as needs_you,
      (count(*) filter (where is_waiting and severity = 'severe'))::int as severe
    from (select *, not is_handled and not exists (select from seen parent where parent.id = seen.parent_id) as is_waiting from seen) told`)
  return rows[0]!
}

/** Whether this user is the manager of the campaign: managers are named there, by username or by first name. */
const isManagedBy = (me: CurrentUser) => sql<boolean>`coalesce(lower(${me.username}) in
  (lower(${campaignsTable.manager}), lower(split_part(${campaignsTable.manager}, ' ', 1))), false)`

const lostOrder = sql`coalesce((${signalsTable.expected_lost} ->> 'mid')::float8, 0)`
const severityOrder = sql`case ${signalsTable.severity} when 'severe' then 0 when 'warning' then 1 else 2 end`

export async function readSignalsPage(
  db: DbOrTx,
  me: CurrentUser,
  query: SignalQuery,
  timeZone: string,
): Promise<{ data: BeforeJson<Signal>[]; total: number }> {
  const { sort, order, state, kind, campaign_id, mine } = query
  const midnight = startOfZonedDay(getToday(timeZone), timeZone)
  const states = {
    open: isNull(signalsTable.closed_at),
    closed: isNotNull(signalsTable.closed_at),
    today: or(isNull(signalsTable.closed_at), gte(signalsTable.closed_at, midnight)),
  }
  const where = and(
    states[state ?? 'open'],
    kind && eq(signalsTable.kind, kind),
    campaign_id === undefined
      ? undefined
      : or(eq(signalsTable.campaign_id, campaign_id), sql`${findSharing([campaign_id])} is not null`),
    mine && eq(signalsTable.claimed_by, me.id),
    buildVisibleSignalsFilter(me),
  )
  const direct = order === 'asc' ? asc : desc
  const orders = {
    // Closed ones by closing time, latest first; others by what is most urgent to this user.
    severity:
      state === 'closed'
        ? [desc(signalsTable.closed_at)]
        : [
            isNotNull(signalsTable.closed_at),
            direct(severityOrder),
            desc(lostOrder),
            desc(isManagedBy(me)),
            desc(signalsTable.opened_at),
          ],
    opened_at: [direct(signalsTable.opened_at)],
    // Nulls are last in either direction; among closed ones there are none, and the index is read backward.
    closed_at: [...(state === 'closed' ? [] : [isNull(signalsTable.closed_at)]), direct(signalsTable.closed_at)],
    id: [direct(signalsTable.id)],
  }
  const rows = selectSignals(db, me)
    .where(where)
    .orderBy(...orders[sort], desc(signalsTable.id))
  const { data, total } = await readPage(rows, db.$count(signalsTable, where), query)
  return { data: await toSignals(db, me, data), total }
}

/** Returns the signals with these ids that this user may see. */
export async function readSignals(db: DbOrTx, me: CurrentUser, ids: readonly number[]): Promise<BeforeJson<Signal>[]> {
  const rows = await selectSignals(db, me)
    .where(and(inArray(signalsTable.id, [...ids]), buildVisibleSignalsFilter(me)))
    .orderBy(signalsTable.id)
  return toSignals(db, me, rows)
}

export async function readSignal(db: DbOrTx, me: CurrentUser, id: number): Promise<BeforeJson<Signal>> {
  const [signal] = await readSignals(db, me, [id])
  if (!signal) throw notFoundError()
  return signal
}

function selectSignals(db: DbOrTx, me: CurrentUser) {
  const { detected_kind, stage, claimed_by, campaign_id, task_id, ...columns } = getTableColumns(signalsTable)
  return db
    .select({
      ...columns,
      campaign: { id: campaignsTable.id, name: campaignsTable.name },
      claimed_by: { id: usersTable.id, username: usersTable.username },
      task_id: sql<
        number | null
      >`case when ${signalsTable.closed_at} is not null or ${hasOpenTaskSql} then ${signalsTable.task_id} end`,
      is_handled: isHandledAt(sql`now()`),
      is_mine: isManagedBy(me),
    })
    .from(signalsTable)
    .leftJoin(campaignsTable, eq(campaignsTable.id, shownCampaignSql(me)))
    .leftJoin(usersTable, eq(usersTable.id, signalsTable.claimed_by))
}

type SignalRow = Awaited<ReturnType<typeof selectSignals>>[number]

async function toSignals(db: DbOrTx, me: CurrentUser, rows: readonly SignalRow[]): Promise<BeforeJson<Signal>[]> {
  if (me.campaignIds === null) return rows.map(toSignal)
  return narrowSharedFaults(rows, await readVisibleChildren(db, me, rows)).map((row) =>
    toSignal({ ...row, evidence: narrowCampaigns(row.evidence, me) }),
  )
}

/** Returns the evidence without the campaigns that this user does not see. */
const narrowCampaigns = ({ campaign_ids, ...evidence }: SignalRow['evidence'], me: CurrentUser) =>
  Array.isArray(campaign_ids)
    ? { ...evidence, campaign_ids: campaign_ids.filter((id) => me.campaignIds?.includes(id)) }
    : evidence

function toSignal(row: SignalRow): BeforeJson<Signal> {
  const { subject_type, subject_id, subject_label, evidence, closing_evidence, ...columns } = row
  return {
    ...columns,
    subject: {
      type: subject_type,
      id: /^\d{1,9}$/.test(subject_id) ? Number(subject_id) : subject_id,
      label: subject_label,
    },
    evidence: closing_evidence ? { ...closing_evidence, opened_with: evidence } : evidence,
  }
}
