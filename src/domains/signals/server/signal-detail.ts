import { and, desc, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { visibleLeadsCondition } from '#domains/leads/public.ts'
import type { signalsContract } from '../contract.ts'
import type { SignalKind } from '../labels.ts'
import { signalsTable } from '../schema.ts'
import { buildVisibleSignalsFilter, readSignal } from './queries.ts'

type SignalDetail = BeforeJson<ResponseOf<typeof signalsContract.read>>

const shownDays = 28
const shownEarlier = 5

/** Reads a signal with its leads by day and the earlier signals of its subject. */
export async function readSignalDetail(
  db: DbOrTx,
  me: CurrentUser,
  id: number,
  timeZone: string,
): Promise<SignalDetail> {
  const signal = await readSignal(db, me, id)
  const { subject, closed_at } = signal
  const earlier = await db
    .select({
      id: signalsTable.id,
      title: signalsTable.title,
      opened_at: signalsTable.opened_at,
      closed_at: sql<Date>`${signalsTable.closed_at}`.mapWith(signalsTable.closed_at),
    })
    .from(signalsTable)
    .where(
      and(
        eq(signalsTable.subject_type, subject.type),
        eq(signalsTable.subject_id, String(subject.id)),
        ne(signalsTable.id, id),
        isNotNull(signalsTable.closed_at),
        buildVisibleSignalsFilter(me),
      ),
    )
    .orderBy(desc(signalsTable.id))
    .limit(shownEarlier)
  const of = matchLeads(signal)
  const last = getToday(timeZone, closed_at === null ? new Date() : new Date(closed_at))
  return { ...signal, days: of && (await countByDay(db, me, of, last, timeZone)), earlier }
}

/** The kinds whose harm shows in leads. */
const leadKinds: ReadonlySet<SignalKind> = new Set([
  'source_silent',
  'hooks_lost',
  'all_quiet',
  'site_offline',
  'listing_suspended',
  'listing_changed',
  'behind_target',
])

/** Returns the leads that a signal is about: of its source, its site, its campaign, or all of them. */
function matchLeads({ kind, subject, campaign }: Pick<SignalDetail, 'kind' | 'subject' | 'campaign'>): SQL | null {
  if (subject.type === 'source') {
    const [site = '', provider = ''] = String(subject.id).split('/')
    return sql`${leadsTable.clientsite_id} = ${Number(site)} and ${leadsTable.lead_s} = ${provider.replace(/^./, (letter) => letter.toUpperCase())}`
  }
  if (!leadKinds.has(kind)) return null
  if (subject.type === 'client_site') return sql`${leadsTable.clientsite_id} = ${subject.id}`
  if (campaign) return sql`${leadsTable.campaign_id} = ${campaign.id}`
  return kind === 'all_quiet' ? sql`true` : null
}

async function countByDay(db: DbOrTx, me: CurrentUser, of: SQL, last: string, timeZone: string) {
  const first = addDays(last, 1 - shownDays)
  const day = sql<string>`(${leadsTable.occurred_at} at time zone ${timeZone})::date::text`
  const rows = await db
    .select({ day, leads: sql<number>`count(*)::int` })
    .from(leadsTable)
    .where(
      and(
        of,
        sql`not ${leadsTable.archived} and ${leadsTable.occurred_at} >= ${startOfZonedDay(first, timeZone)}
          and ${leadsTable.occurred_at} < ${endOfZonedDay(last, timeZone)}`,
        visibleLeadsCondition(me),
      ),
    )
    .groupBy(sql`1`)
  const counts = new Map(rows.map((row) => [row.day, row.leads]))
  return Array.from({ length: shownDays }, (_, index) => {
    const one = addDays(first, index)
    return { day: one, leads: counts.get(one) ?? 0 }
  })
}
