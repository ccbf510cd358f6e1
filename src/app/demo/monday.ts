import { eq, inArray, sql } from 'drizzle-orm'
import { addDays, getToday, msPerDay } from '#contract/days.ts'
import { startOfZonedDay, toInstant } from '#core/time/local-time.ts'
import { findCurrentUserById } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { claimSignal } from '#domains/signals/server/mutations.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import type { CallRailStandIn } from '#integrations/fakes/callrail.ts'
import type { DemoAgency } from './agency.ts'
import type { LeadMoment } from './calendar.ts'
import type { DemoLead } from './incoming-leads.ts'

/**
 * The problems of a Monday morning, whatever day it is: two sources are dead, the webhooks of a third are lost while CallRail
 * has its calls, yesterday was a holiday, and over the weekend a listing was suspended and a site went down.
 */
export type DemoMonday = {
  /** Sources that no longer send anything. */
  silent: { site: number; provider: 'callrail' | 'formidable' }[]
  /** Calls of the lost webhooks, as CallRail lists them. */
  listed: CallRailStandIn['calls']
}

/** The leads that a silent source would have sent by now, at its rate over twelve weeks. */
const missedLeads = 17
const rateDays = 84

/** Drops nearly all leads of the day before `now`: a holiday. */
export function leaveOutHoliday(moments: LeadMoment[], now: Date, timeZone: string): LeadMoment[] {
  const today = getToday(timeZone, now)
  const [from, to] = [startOfZonedDay(addDays(today, -1), timeZone), startOfZonedDay(today, timeZone)]
  return moments.filter(({ at }, index) => at < from || at >= to || index % 40 === 0)
}

/** Drops the last leads of three busy sources. An agency with few leads has no such sources. */
export function silenceSources({ contracts }: DemoAgency, leads: DemoLead[], now: Date) {
  const recent = leads.filter(({ occurred_at }) => occurred_at.getTime() > now.getTime() - rateDays * msPerDay)
  // Only campaigns with one site, so that no remaining lead is newer than the dropped ones, and without a story.
  const lone = new Set(contracts.flatMap(({ sites, story }) => (sites.length === 1 && !story ? [sites[0]!.id] : [])))
  const rank = (provider: DemoLead['lead_s']) => {
    const own = recent.filter(({ lead_s, clientsite_id }) => lead_s === provider && lone.has(clientsite_id ?? 0))
    const sources = [...Map.groupBy(own, ({ clientsite_id }) => clientsite_id!)]
    return sources.filter(([, { length }]) => length > 2 * missedLeads).sort(([, a], [, b]) => b.length - a.length)
  }
  const [lost, dead] = rank('Callrail')
  const form = rank('Formidable').find(([site]) => site !== lost?.[0] && site !== dead?.[0])
  if (!lost || !dead || !form) return { heard: leads, monday: { silent: [], listed: [] } satisfies DemoMonday }
  const findMissed = ([, sent]: [site: number, sent: DemoLead[]]) => {
    const since = now.getTime() - (missedLeads / sent.length) * rateDays * msPerDay
    return sent.filter(({ occurred_at }) => occurred_at.getTime() > since)
  }
  const missed = findMissed(lost)
  const unsent = new Set([...missed, ...findMissed(dead), ...findMissed(form)])
  const company = contracts.flatMap(({ sites }) => sites).find(({ id }) => id === lost[0])?.callrail_campaign_identifier
  const monday: DemoMonday = {
    silent: [
      { site: lost[0], provider: 'callrail' },
      { site: dead[0], provider: 'callrail' },
      { site: form[0], provider: 'formidable' },
    ],
    listed: missed.map((lead) => toListedCall(lead, company ?? '')),
  }
  return { heard: leads.filter((lead) => !unsent.has(lead)), monday }
}

const toListedCall = (lead: DemoLead, company: string): DemoMonday['listed'][number] => ({
  id: lead.lead_id,
  start_time: lead.occurred_at.toISOString(),
  company_id: company,
  call_type: lead.call_type,
  answered: lead.answered,
  voicemail: lead.voicemail,
  duration: lead.duration,
  direction: 'inbound',
  customer_name: lead.lead_name ?? '',
  customer_phone_number: lead.lead_phone ?? '',
  formatted_customer_location: lead.lead_location ?? '',
  tracking_phone_number: lead.tracking_phone_number ?? '',
  source: lead.source ?? '',
  formatted_tracking_source: lead.tracking_source ?? '',
  keywords: lead.keywords ?? '',
  last_requested_url: lead.last_url ?? '',
  referring_url: lead.referrer ?? '',
  recording: lead.recording_url ?? '',
})

/** Runs the detectors for the days up to `now`, one after the other, and lets staff claim signals that were serious by Friday. */
export async function liveUntilMonday(context: AppContext, now = new Date()): Promise<void> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const yesterday = addDays(getToday(timeZone, now), -1)
  await runSignals(context, new Date(now.getTime() - 3 * msPerDay))
  await claimSerious(context)
  await runSignals(context, toInstant(yesterday, '21:00', timeZone))
  await suspendListing(context, toInstant(yesterday, '21:40', timeZone))
  await takeSiteDown(context, new Date(now.getTime() - 2.4 * 3_600_000))
  await runSignals(context, now)
}

/** Lets each campaign's manager claim its signals, except silent sources, which wait until Monday. */
async function claimSerious({ db }: AppContext) {
  const { rows } = await db.execute<{ id: number; user_id: number }>(sql`
    select signals.id, coalesce(manager.id, boss.id) as user_id from ${signalsTable}
    left join campaigns on campaigns.id = signals.campaign_id
    left join ${usersTable} manager on manager.role = 'admin' and lower(split_part(campaigns.manager, ' ', 1)) = manager.username
      and exists (select from user_campaigns ticked where ticked.user_id = manager.id and ticked.campaign_id = campaigns.id)
    cross join lateral (select min(id) as id from ${usersTable} where role = 'super_admin' and is_active) boss
    where signals.closed_at is null and signals.severity <> 'note' and signals.kind <> 'source_silent'`)
  for (const { id, user_id } of rows) {
    const me = await findCurrentUserById(db, user_id)
    if (me) await db.transaction((tx) => claimSignal(tx, { me, actor: { me } }, id))
  }
}

async function suspendListing({ db }: AppContext, at: Date) {
  const { rows } = await db.execute<{ id: number }>(sql`
    select gmb.id from ${gmbsTable} gmb join campaigns on campaigns.id = gmb.campaign_id and not archived
    where gmb.status = 1 and not gmb.changed order by campaigns.month_12_target desc, gmb.id limit 1`)
  const [listing] = rows
  if (!listing) return
  await db.update(gmbsTable).set({ status: suspendedStatus, suspended_at: at }).where(eq(gmbsTable.id, listing.id))
  await db
    .insert(gmbLogsTable)
    .values({ gmb_id: listing.id, created_at: at, changed: 'Status', old: 'Live', new: 'Suspended', username: null })
}

async function takeSiteDown({ db }: AppContext, at: Date) {
  const silent = db
    .select({ site: sql<number>`split_part(${signalsTable.subject_id}, '/', 1)::int` })
    .from(signalsTable)
    .where(eq(signalsTable.kind, 'source_silent'))
  const [site] = await db
    .select({ id: clientSitesTable.id })
    .from(clientSitesTable)
    .where(sql`${clientSitesTable.status} = 1 and not ${inArray(clientSitesTable.id, silent)}
      and ${clientSitesTable.campaign_id} in (select id from campaigns where not archived)`)
    .orderBy(sql`${clientSitesTable.id} % 7`, clientSitesTable.id)
    .limit(1)
  if (!site) return
  const down = { status: 0, http_status_code: 500, problem: 'Error 500', misses: 9 }
  await db.update(clientSitesTable).set(down).where(eq(clientSitesTable.id, site.id))
  await db.insert(clientSiteLogsTable).values({ site_id: site.id, status: 0, created_at: at })
}
