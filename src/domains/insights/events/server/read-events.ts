import { and, type SQL, sql } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import { formatCalendarDay, getToday } from '#contract/days.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignFields } from '#domains/campaigns/fields.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import type { CampaignEvent, CampaignEventsQuery } from '../contract.ts'
import { type CampaignEventKind, campaignEventKinds, campaignEvents, canReadEvents } from '../labels.ts'
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

type EventFields = Record<string, unknown> | null
type EventRow = {
  source: string
  id: number | string
  at: string
  kind: CampaignEventKind
  by: CampaignEvent['by']
  username: string | null
  subject_type: CampaignEvent['subject']['type']
  subject_id: number | null
  label: string | null
  before: EventFields
  after: EventFields
}

const maxTitle = 300

/** Converts an event to its API format: what happened, in words, and to what. */
function describeEvent(row: EventRow, timeZone: string): CampaignEvent {
  const { source, id, at, kind, by, username, subject_type, subject_id, label } = row
  const title = writeTitle(row, timeZone)
  return {
    key: `${source}-${id}`,
    at,
    kind,
    title: title.length > maxTitle ? `${cutText(title, maxTitle - 1)}…` : title,
    subject: { type: subject_type, id: subject_id, label: label ?? '' },
    by,
    username,
  }
}

function writeTitle({ kind, label, before, after }: EventRow, timeZone: string): string {
  const name = campaignEvents[kind].label
  const about = label ?? ''
  switch (kind) {
    case 'note':
      return about
    case 'task':
      return `${after?.is_done === true ? 'Task, done' : 'Task'}: ${about.split('\n')[0]}` // a signal's task has its evidence on the lines below
    case 'campaign_added':
    case 'hours_edited':
    case 'area_edited':
    case 'terms_changed':
      return name
    case 'campaign_archived':
      return isOn(after?.archived) ? 'Campaign archived' : 'Campaign unarchived'
    case 'target_changed':
    case 'campaign_edited':
      return `${name}: ${describeFields(before, after).join('; ')}`
    case 'listing_edited':
    case 'listing_changed':
      return `${name}: ${about}: ${describeFields(before, after).join('; ')}`
    case 'site_edited':
      return `${before === null ? 'Client site added' : after === null ? 'Client site removed' : name}: ${about}`
    case 'site_ip':
      return `${name}: ${about}: ${formatValue('ip', before?.ip)} → ${formatValue('ip', after?.ip)}`
    case 'site_certificate':
      return `${name}: ${about}: expires ${formatDay(after?.expires_at, timeZone)}`
    case 'registration':
    case 'google_location':
      return `${name}: ${about}: ${describeFields(before, after).join('; ')}`
    default:
      return `${name}: ${about}`
  }
}

const isOn = (value: unknown) => value === true || value === 1

const formOrder = Object.keys(campaignFields)
/** For long texts and lists, says only that they changed. */
function describeFields(before: EventFields, after: EventFields): string[] {
  return Object.entries(after ?? {})
    .filter(([field]) => field !== 'edited_by')
    .toSorted(([a], [b]) => formOrder.indexOf(a) - formOrder.indexOf(b))
    .map(([field, value]) => {
      const said = [before?.[field], value].map((one) => formatValue(field, one))
      return said.every((one) => one !== null) ? `${labelField(field)} ${said.join(' → ')}` : labelField(field)
    })
}

const otherLabels: Record<string, string> = {
  trouble_state: 'Status',
  notes: 'Notes',
  is_ppc: 'PPC',
  client_id: 'Client',
  expires_on: 'Expires',
  nameservers: 'Name servers',
}

function labelField(field: string): string {
  if (field in campaignFields) return campaignFields[field as keyof typeof campaignFields].label
  const words = otherLabels[field] ?? field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns null for values that are not spelled out: lists, long texts, ids. */
function formatValue(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'client_id' || field === 'notes' || typeof value === 'object') return null
  if (field === 'trouble_state') return getTroubleStateLabel(Number(value)) ?? String(value)
  if (field === 'is_ppc') return isOn(value) ? 'Yes' : 'No'
  const text = formatCalendarDay(String(value))
  return text.length > 80 ? null : text
}

const formatDay = (value: unknown, timeZone: string) =>
  typeof value === 'string' ? formatCalendarDay(toWallClock(new Date(value), timeZone).day) : '–'
