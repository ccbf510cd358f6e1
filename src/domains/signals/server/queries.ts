import { and, ne, type SQL, sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { canReadForecasts } from '#domains/insights/contract.ts'
import type { Signal, signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'

type SignalCount = ResponseOf<typeof signalsContract.count>
type SignalQuery = QueryOf<typeof signalsContract.list>

/** Matches the signals of this user's campaigns; super admins also see those without one. Target signals need the right to read targets. */
export const buildVisibleSignalsFilter = (me: CurrentUser): SQL | undefined =>
  and(
    inVisibleCampaigns(me, signalsTable.campaign_id),
    canReadForecasts(me) ? undefined : ne(signalsTable.kind, 'behind_target'),
  )

/** Whether someone is on it: claimed, muted, or with an open task. */
const isHandledSql = sql<boolean>`(${signalsTable.claimed_by} is not null or coalesce(${signalsTable.muted_until} > now(), false)
  or exists (select from ${activityItemsTable} where ${activityItemsTable.id} = ${signalsTable.task_id} and not ${activityItemsTable.is_done}))`

/** Counts the open, unhandled signals that this user sees, without those that another of them explains. */
export async function countSignals(db: DbOrTx, me: CurrentUser): Promise<SignalCount> {
  const { rows } = await db.execute<SignalCount>(sql`
    with seen as materialized (
      select ${signalsTable.id}, ${signalsTable.parent_id}, ${signalsTable.severity}, ${isHandledSql} as is_handled from ${signalsTable}
      where ${signalsTable.closed_at} is null and ${buildVisibleSignalsFilter(me) ?? sql`true`})
    select count(*)::int as open, max(id) as newest_id, (count(*) filter (where is_waiting))::int as needs_you,
      (count(*) filter (where is_waiting and severity = 'severe'))::int as severe
    from (select *, not is_handled and not exists (select from seen parent where parent.id = seen.parent_id) as is_waiting from seen) told`)
  return rows[0]!
}

const severityOrder = sql`case ${signalsTable.severity} when 'severe' then 0 when 'warning' then 1 else 2 end`

export async function readSignalsPage(
  db: DbOrTx,
  me: CurrentUser,
  query: SignalQuery,
  timeZone: string,
): Promise<{ data: Signal[]; total: number }> {
  const { page, per_page, sort, order, state, kind, campaign_id, mine } = query
  const midnight = startOfZonedDay(getToday(timeZone), timeZone).toISOString()
  const states = {
    open: sql`${signalsTable.closed_at} is null`,
    closed: sql`${signalsTable.closed_at} is not null`,
    today: sql`(${signalsTable.closed_at} is null or ${signalsTable.closed_at} >= ${midnight})`,
  }
  const conditions = [
    states[state ?? 'open'],
    ...(kind ? [sql`${signalsTable.kind} = ${kind}`] : []),
    ...(campaign_id ? [sql`${signalsTable.campaign_id} = ${campaign_id}`] : []),
    ...(mine ? [sql`${signalsTable.claimed_by} = ${me.id}`] : []),
    buildVisibleSignalsFilter(me) ?? sql`true`,
  ]
  const where = sql.join(conditions, sql` and `)
  const direction = sql.raw(order)
  const orders = {
    // Closed ones by closing time, latest first; others by severity, then newest first.
    severity:
      state === 'closed'
        ? sql`${signalsTable.closed_at} desc`
        : sql`(${signalsTable.closed_at} is not null), ${severityOrder} ${direction}, ${signalsTable.opened_at} desc`,
    opened_at: sql`${signalsTable.opened_at} ${direction}`,
    closed_at: sql`${signalsTable.closed_at} ${direction}`,
    id: sql`${signalsTable.id} ${direction}`,
  }
  const [{ rows }, total] = await Promise.all([
    db.execute<SignalRow>(
      sql`${selectSignals} where ${where} order by ${orders[sort]}, ${signalsTable.id} desc limit ${per_page} offset ${(page - 1) * per_page}`,
    ),
    db.$count(signalsTable, where),
  ])
  return { data: rows.map(toSignal), total }
}

/** Returns the signals with these ids that this user may see. */
export async function readSignals(db: DbOrTx, me: CurrentUser, ids: readonly number[]): Promise<Signal[]> {
  const visible = buildVisibleSignalsFilter(me) ?? sql`true`
  const { rows } = await db.execute<SignalRow>(
    sql`${selectSignals} where ${signalsTable.id} = any(${sql.param(ids)}::int[]) and ${visible} order by ${signalsTable.id}`,
  )
  return rows.map(toSignal)
}

export async function readSignal(db: DbOrTx, me: CurrentUser, id: number): Promise<Signal> {
  const [signal] = await readSignals(db, me, [id])
  if (!signal) throw notFoundError()
  return signal
}

type SignalRow = Omit<
  Signal,
  'opened_at' | 'closed_at' | 'muted_until' | 'probed_at' | 'campaign' | 'claimed_by' | 'subject'
> & {
  opened_at: string
  closed_at: string | null
  muted_until: string | null
  probed_at: string | null
  subject_type: Signal['subject']['type']
  subject_id: string
  subject_label: string
  campaign_id: number | null
  campaign_name: string | null
  claimer_id: number | null
  claimer: string | null
  closing_evidence: Record<string, unknown> | null
}

const selectSignals = sql`
  select ${signalsTable.id}, ${signalsTable.kind}, ${signalsTable.severity}, ${signalsTable.title}, ${signalsTable.subject_type},
    ${signalsTable.subject_id}, ${signalsTable.subject_label}, ${signalsTable.opened_at}, ${signalsTable.closed_at}, ${signalsTable.evidence},
    ${signalsTable.closing_evidence}, ${signalsTable.expected_lost}, ${signalsTable.muted_until}, ${signalsTable.probed_at}, ${signalsTable.parent_id}, ${signalsTable.task_id},
    ${campaignsTable.id} as campaign_id, ${campaignsTable.name} as campaign_name, ${usersTable.id} as claimer_id, ${usersTable.username} as claimer,
    ${isHandledSql} as is_handled
  from ${signalsTable}
  left join ${campaignsTable} on ${campaignsTable.id} = ${signalsTable.campaign_id}
  left join ${usersTable} on ${usersTable.id} = ${signalsTable.claimed_by}`

function toSignal(row: SignalRow): Signal {
  const { subject_type, subject_id, subject_label, campaign_id, campaign_name, claimer_id, claimer, ...rest } = row
  const { opened_at, closed_at, muted_until, probed_at, evidence, closing_evidence, ...columns } = rest
  return {
    ...columns,
    campaign: campaign_id === null ? null : { id: campaign_id, name: campaign_name ?? '' },
    subject: {
      type: subject_type,
      id: /^\d{1,9}$/.test(subject_id) ? Number(subject_id) : subject_id,
      label: subject_label,
    },
    opened_at: toIso(opened_at),
    closed_at: closed_at && toIso(closed_at),
    evidence: closing_evidence ? { ...closing_evidence, opened_with: evidence } : evidence,
    claimed_by: claimer_id === null ? null : { id: claimer_id, username: claimer ?? '' },
    muted_until: muted_until && toIso(muted_until),
    probed_at: probed_at && toIso(probed_at),
  }
}

const toIso = (value: string) => new Date(value).toISOString()
