import { sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { evaluateSilence, type SilenceNow, type SourceHistory } from '#domains/insights/public.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { movedIdsTable, movesTable } from '#domains/moves/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import type { OfflineSite, SignalFacts, SilentSource } from './facts.ts'
import { PacedValue } from './paced-value.ts'
import type { OpenSignal } from './store.ts'

/** Days of history: rates halve the past every 28 days, and a source with one lead a month must show up several times. */
const historyDays = 240

/**
 * The model evaluates the leads of eight months. The result is cached in the process: recomputed at each whole hour, and in between
 * for little of the time. Every minute, only the newest leads of the few relevant sources are read.
 */
const getEvaluation = createOncePer((_context: AppContext) => new PacedValue<SilenceNow>())

export const readSilence = (context: AppContext, now: Date): Promise<SilenceNow> =>
  getEvaluation(context).get(now, async () =>
    evaluateSilence(await readSourceHistories(context.db, now), now.getTime(), context.settings.AGENCY_TIMEZONE),
  )

/**
 * Returns calls that a hook should have reported: they were found in CallRail's list. They are leads, but do not prove that hooks work,
 * so they do not end a silence. Calls of a company that is polled need no hook. The inbox is queried separately, because leads may be on other machines.
 */
async function readBroughtIn(db: DbOrTx, since: Date, siteIds: number[] | null = null): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select distinct found.lead_id as id from ${inboundEventsTable} found
    where found.reconciled_as is not null and not found.polled and found.reconciled_as not like '% %' and found.lead_id is not null
      and found.received_at > ${since}
      ${siteIds === null ? sql`` : sql`and found.clientsite_id = any(${sql.param(siteIds)}::int[])`}
      and not exists (select from ${inboundEventsTable} hook
        where hook.lead_id = found.lead_id and hook.provider = 'callrail' and hook.reconciled_as is null)`)
  return rows.map(({ id }) => id)
}

/** The sites of a move that is not over: their leads are not all here yet, or no longer, which is no silence. */
const halfMovedSites = sql`
  select ${movedIdsTable.row_id} from ${movedIdsTable} join ${movesTable} on ${movesTable.id} = ${movedIdsTable.move_id}
  where ${movedIdsTable.kind} = 'client_site' and ${movesTable.state} in ('writing', 'undoing')`

type SourceRow = { site: number; provider: string; category: string; seconds: number[] }

async function readSourceHistories(db: DbOrTx, now: Date): Promise<SourceHistory[]> {
  const since = new Date(now.getTime() - historyDays * msPerDay)
  const broughtIn = await readBroughtIn(db, since)
  const { rows } = await db.execute<SourceRow>(sql`
    with sent as materialized (
      select clientsite_id as site, lower(lead_s) as provider,
        array_agg(extract(epoch from occurred_at)::float8 order by occurred_at) as seconds
      from ${leadsTable}
      where clientsite_id is not null and occurred_at > ${since} and occurred_at <= ${now}
        and id <> all(${sql.param(broughtIn)}::int[]) group by 1, 2
    )
    select sent.site, sent.provider, sent.seconds,
      coalesce((select min(${campaignCategoriesTable.name}) from ${campaignCategoryLinksTable}
        join ${campaignCategoriesTable} on ${campaignCategoriesTable.id} = ${campaignCategoryLinksTable.category_id}
        where ${campaignCategoryLinksTable.campaign_id} = site.campaign_id), '') as category
    from sent join ${clientSitesTable} site on site.id = sent.site and site.deleted_at is null
      and site.id not in (${halfMovedSites})
    join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
    order by sent.site, sent.provider`)
  const { rows: outages } = await db.execute<{ site: number; from: number; to: number | null }>(sql`
    select site_id as site, extract(epoch from created_at)::float8 as "from", extract(epoch from until)::float8 as "to"
    from (select site_id, status, created_at, lead(created_at) over (partition by site_id order by created_at, id) as until
      from ${clientSiteLogsTable} where created_at > ${since}) log
    where status = 0`)
  const bySite = Map.groupBy(outages, ({ site }) => site)
  return rows.map(({ site, provider, category, seconds }) => {
    const offline = bySite
      .get(site)
      ?.map((one) => ({ from: one.from * 1000, to: (one.to ?? Number.POSITIVE_INFINITY) * 1000 }))
    return {
      id: `${site}/${provider}`,
      category,
      leads: seconds.map((one) => one * 1000),
      ...(offline ? { outages: offline } : {}),
    }
  })
}

const splitSourceId = (id: string) => {
  const [site = '', provider = ''] = id.split('/')
  return { site: Number(site), provider }
}

/** Adds the campaigns that are quiet: those whose sources have sent nothing since the agency fell silent. */
export async function nameQuietCampaigns(db: DbOrTx, { quiet, gaps }: SilenceNow): Promise<SignalFacts['quiet']> {
  if (!quiet) return null
  const sites = await readSites(db, [...new Set(gaps.map(({ id }) => splitSourceId(id).site))])
  const campaignOf = ({ id }: SilenceNow['gaps'][number]) => sites.get(splitSourceId(id).site)?.campaign_id ?? []
  const lively = new Set(gaps.filter(({ last_lead_at }) => last_lead_at >= quiet.opened_at).flatMap(campaignOf))
  const campaign_ids = [...new Set(gaps.flatMap(campaignOf))].filter((id) => !lively.has(id))
  return { ...quiet, campaign_ids: campaign_ids.toSorted((a, b) => a - b) }
}

type SourceNow = { site: number; host: string; campaign_id: number }

/**
 * Returns the silent sources: those found by the model, and those of open signals until a lead arrives (for lost hooks, a hook).
 * The model forgets a source that is silent for long; its signal stays.
 */
export async function readSilentSources(
  db: DbOrTx,
  silence: SilenceNow,
  open: readonly OpenSignal[],
  offline: readonly OfflineSite[],
  now: Date,
): Promise<SilentSource[]> {
  const known = new Map(silence.gaps.map((gap) => [gap.id, gap]))
  const signals = new Map(
    open.filter(({ detected_kind }) => detected_kind === 'source_silent').map((signal) => [signal.subject_id, signal]),
  )
  const ids = new Set([...silence.gaps.filter(({ silent }) => silent).map(({ id }) => id), ...signals.keys()])
  if (ids.size === 0) return []
  const siteIds = [...new Set([...ids].map((id) => splitSourceId(id).site))]
  const sites = await readSites(db, siteIds)
  const broughtIn = await readBroughtIn(db, new Date(now.getTime() - historyDays * msPerDay), siteIds)
  const latest = await readLastLeads(db, siteIds, { now, broughtIn })
  const offlineIds = new Set(offline.flatMap(({ type, id }) => (type === 'client_site' ? [id] : [])))
  const found: SilentSource[] = []
  for (const id of ids) {
    const { site, provider } = splitSourceId(id)
    const there = sites.get(site)
    const last = latest.get(id)
    if (!there || last === undefined) continue // removed, archived or without a campaign
    const signal = signals.get(id)
    const gap = known.get(id)
    const evidence = signal?.evidence
    const silentSince = signal ? Date.parse(String(evidence?.last_lead_at)) : (gap?.last_lead_at ?? 0)
    const hooks_lost = signal?.kind === 'hooks_lost'
    if (hooks_lost ? await hasHookLead(db, site, signal) : last > silentSince + 1) continue
    const brought_in = provider === 'callrail' ? await countLeadsSince(db, broughtIn, { site, since: silentSince }) : 0
    found.push({
      id,
      site_id: site,
      provider,
      host: there.host,
      campaign_id: there.campaign_id,
      is_offline: offlineIds.has(site),
      hooks_lost,
      brought_in,
      opened_at: signal?.opened_at ?? null,
      last_lead_at: hooks_lost ? silentSince : last,
      expected: gap?.expected ?? Number(evidence?.expected ?? 0),
      chance: gap?.chance ?? Number(evidence?.chance ?? 0),
      leads_per_month: gap?.leads_per_month ?? Number(evidence?.leads_per_month ?? 0),
      shape: gap?.shape ?? 1,
      silent: true,
    })
  }
  return found
}

async function readSites(db: DbOrTx, ids: number[]): Promise<Map<number, SourceNow>> {
  const { rows } = await db.execute<SourceNow>(sql`
    select site.id as site, coalesce(site.host, site.url) as host, site.campaign_id from ${clientSitesTable} site
    join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
    where site.id = any(${sql.param(ids)}::int[]) and site.deleted_at is null`)
  return new Map(rows.map((row) => [row.site, row]))
}

/** Returns the last lead of each source that its hook reported. */
async function readLastLeads(
  db: DbOrTx,
  siteIds: number[],
  { now, broughtIn }: { now: Date; broughtIn: number[] },
): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ id: string; last: number }>(sql`
    select clientsite_id || '/' || lower(lead_s) as id, extract(epoch from max(occurred_at))::float8 * 1000 as last from ${leadsTable}
    where clientsite_id = any(${sql.param(siteIds)}::int[]) and occurred_at <= ${now}
      and id <> all(${sql.param(broughtIn)}::int[]) group by clientsite_id, lead_s`)
  return new Map(rows.map(({ id, last }) => [id, last]))
}

async function countLeadsSince(db: DbOrTx, ids: number[], { site, since }: { site: number; since: number }) {
  if (ids.length === 0) return 0
  return db.$count(
    leadsTable,
    sql`${leadsTable.id} = any(${sql.param(ids)}::int[]) and ${leadsTable.clientsite_id} = ${site}
      and ${leadsTable.occurred_at} > ${new Date(since)}`,
  )
}

/** Whether a call has come since the hooks were found to be lost: by its hook, or from CallRail's list of an account that is polled by now. */
async function hasHookLead(db: DbOrTx, site: number, { evidence, opened_at }: OpenSignal): Promise<boolean> {
  const since = typeof evidence.hooks_lost_at === 'string' ? new Date(evidence.hooks_lost_at) : opened_at
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from ${leadsTable} where clientsite_id = ${site} and lead_s = 'Callrail' and created_at > ${since}`)
  if (rows.length === 0) return false
  const { rows: found } = await db.execute(sql`
    select 1 from ${inboundEventsTable} where lead_id = any(${sql.param(rows.map(({ id }) => id))}::int[])
      and (reconciled_as is null or polled) and provider = 'callrail' and received_at > ${since} limit 1`)
  return found.length > 0
}
