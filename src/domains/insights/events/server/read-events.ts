import { and, type SQL, sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { CampaignEvent, CampaignEventsQuery } from '../contract.ts'
import { campaignEventKinds, canReadEvents } from '../labels.ts'
import { describeEvent, type EventRow } from './describe-event.ts'
import { buildEventSources, campaignTargetFields, type EventSource } from './event-sources.ts'

/** Reads a page of a campaign's events with their total. The caller has checked access to the campaign. */
export async function readCampaignEvents(
  { db, settings }: AppContext,
  me: CurrentUser,
  campaignId: number,
  query: CampaignEventsQuery,
): Promise<{ data: CampaignEvent[]; total: number }> {
  const { from, to, page, per_page } = query
  if (from !== undefined && to !== undefined && to < from)
    throw validationError({ to: ['The last day is before the first'] })
  const timeZone = settings.AGENCY_TIMEZONE
  const today = getToday(timeZone)
  const toDay = to !== undefined && to < today ? to : today
  const kinds = campaignEventKinds.filter(
    (kind) => canReadEvents(kind, me.permissions) && (query.kinds?.includes(kind) ?? true),
  )
  const sources = Object.entries(
    buildEventSources({
      campaignId,
      from: from === undefined ? null : startOfZonedDay(from, timeZone),
      until: endOfZonedDay(toDay, timeZone),
      fromDay: from ?? null,
      toDay,
      timeZone,
      campaignFields: listReadableCampaignFields(me),
    }),
  ).filter(([, source]) => source.kinds.some((kind) => kinds.includes(kind)))
  if (sources.length === 0) return { data: [], total: 0 }

  const direction = sql.raw(query.order)
  /** Filters by kind only if needed, so that an index-only scan can count the rest. */
  const narrow = ({ kinds: all }: EventSource): SQL | undefined =>
    and(
      all.every((kind) => kinds.includes(kind)) ? undefined : sql`kind = any(${sql.param(kinds)}::text[])`,
      query.by && sql`by = ${query.by}`,
    )
  const parts = sources.map(([name, source]) => {
    const entries = sql`(select * from (${source.entries}) entry where ${narrow(source) ?? sql`true`}
      order by ${source.sortKey ?? sql`at`} ${direction}, id ${direction} limit ${page * per_page}) entry`
    return sql`select ${sql.raw(`'${name}'`)} as source, entry.id, entry.kind, entry.by, ${source.columns}
      from ${source.subjects ? sql`${source.subjects} cross join lateral ${entries}` : entries}`
  })
  const counts = sources.map(([, source]) => {
    const counted = sql`select count(*) as entries from (${source.entries}) entry where ${narrow(source) ?? sql`true`}`
    return source.subjects
      ? sql`(select coalesce(sum(entries), 0) from ${source.subjects} cross join lateral (${counted}) counted)`
      : sql`(${counted})`
  })
  const [rows, counted] = await Promise.all([
    db.execute<EventRow>(sql`
      select source, id, kind, by, username, subject_type, subject_id::int as subject_id, label, before, after,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from (${sql.join(parts, sql` union all `)}) event
      order by event.at ${direction}, source, id ${direction} limit ${per_page} offset ${(page - 1) * per_page}`),
    db.execute<{ total: number }>(sql`select (${sql.join(counts, sql` + `)})::int as total`),
  ])
  return { data: rows.rows.map((row) => describeEvent(row, timeZone)), total: counted.rows[0]?.total ?? 0 }
}

/** Money and terms take the Campaigns page; targets take that or the leads table. */
function listReadableCampaignFields({ permissions }: CurrentUser): readonly string[] | null {
  if (permissions.campaigns) return null
  return [...commonFields, ...(permissions.leadChart ? campaignTargetFields : [])]
}
const commonFields = ['name', 'archived', 'categories', 'client_id', 'is_ppc', 'trouble_state', 'notes']
