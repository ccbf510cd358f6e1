import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { addDays, getToday, msPerDay, msPerHour } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { readUndeliveredStatements } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { unassignedLeadCondition } from '#domains/leads/public.ts'
import { keywordsTable, spammersTable } from '#domains/leads/spam/schema.ts'
import { suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { googleAccountsTable } from '#domains/listings/google/schema.ts'
import { suspendedSinceSql } from '#domains/listings/public.ts'
import { readUndelivered } from '#domains/messages/public.ts'
import { offlineSpellsTable } from '#domains/sites/checks/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'
import { neverLiveSql } from '#domains/sites/public.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { signalFindingsTable } from '../schema.ts'
import { expirySteps } from './detectors/expiry.ts'
import type { CertificateFacts, ExpiringDomain, LostLink, OfflineSite, SignalFacts, UncheckedSite } from './facts.ts'
import { readRefusedMails } from './read-refused-mails.ts'
import type { OpenSignal } from './store.ts'

/** The facts read from the database, without those that models compute. */
type StoredFacts = Omit<SignalFacts, 'sources' | 'quiet' | 'targets' | 'caps' | 'connections' | 'google_connection_id'>

/** Days that a lost link is reported. */
const lostLinkDays = 30
/** Days that a refused email is reported. */
const refusedDays = 14

/** Reads current problems. Each query uses an index or a small table, because this runs every minute. */
export async function readSignalFacts(
  db: DbOrTx,
  timeZone: string,
  open: readonly OpenSignal[],
  asOf: Date,
): Promise<StoredFacts> {
  const day = getToday(timeZone, asOf)
  const refusedSince = new Date(asOf.getTime() - refusedDays * msPerDay)
  return {
    timeZone,
    offline_since: await readOfflineSince(db),
    sites: await readOfflineSites(db),
    unchecked: await readUncheckedSites(db, open, asOf),
    certificates: await readCertificates(db, asOf),
    domains: await readDomains(db, addDays(day, expirySteps[0]), open),
    listings: await readListings(db),
    accounts: await readAccounts(db),
    redirects: await db
      .select({
        id: redirectDomainsTable.id,
        domain: redirectDomainsTable.domain,
        redirect_url: redirectDomainsTable.redirect_url,
      })
      .from(redirectDomainsTable)
      .where(eq(redirectDomainsTable.live_status, 0)),
    links: await readLostLinks(db, asOf),
    quarantined: await readQuarantine(db),
    unassigned: await readUnassigned(db),
    refused: await readRefusedMails(db, refusedSince, open),
    statements: await readUndeliveredStatements(db, refusedSince),
    reports: await readUndeliveredReports(db, refusedSince),
    tasks: await readOverdueTasks(db, day),
    rules: await readWrongRules(db),
  }
}

/** A spam rule that was removed hides nothing more; the findings of the night still name it. */
async function readWrongRules(db: DbOrTx) {
  const { subject_id } = signalFindingsTable
  const isRule = (table: typeof keywordsTable | typeof spammersTable) =>
    sql`exists (select from ${table} rule where rule.id::text = ${subject_id})`
  return db
    .select()
    .from(signalFindingsTable)
    .where(or(isRule(keywordsTable), isRule(spammersTable)))
}

async function readOfflineSince(db: DbOrTx): Promise<Date | null> {
  const [spell] = await db
    .select({ since: offlineSpellsTable.began_at })
    .from(offlineSpellsTable)
    .where(isNull(offlineSpellsTable.ended_at))
  return spell?.since ?? null
}

async function readOfflineSites(db: DbOrTx): Promise<OfflineSite[]> {
  const { rows } = await db.execute<Omit<OfflineSite, 'since' | 'leads_per_month' | 'came'> & { since: string }>(sql`
    select 'client_site' as type, site.id, site.host, site.campaign_id, site.ip, ip.id as ip_id, site.problem, site.http_status_code,
      coalesce((select max(log.created_at) from ${clientSiteLogsTable} log where log.site_id = site.id and log.status = 0), site.checked_at, now()) as since,
      ${neverLiveSql(sql`site.id`, clientSiteLogsTable)} as never_live
    from ${clientSitesTable} site
    join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
    left join ${ipsTable} ip on ip.ip = site.ip
    where site.status = 0 and site.deleted_at is null
    union all
    select 'network_site', site.id, site.host, null, site.ip, ip.id, site.problem, site.http_status_code,
      coalesce((select max(log.created_at) from ${networkSiteLogsTable} log where log.site_id = site.id and log.status = 0), site.checked_at, now()),
      ${neverLiveSql(sql`site.id`, networkSiteLogsTable)}
    from ${networkSitesTable} site left join ${ipsTable} ip on ip.ip = site.ip
    where site.status = 0
    order by type, id`)
  const down = rows.map((row) => ({ ...row, since: new Date(row.since), leads_per_month: 0 }))
  const came = await countLeadsSince(db, down)
  return down.map((site) => ({ ...site, came: site.type === 'client_site' ? (came.get(site.id) ?? 0) : 0 }))
}

/** Returns lead counts by client site. */
async function countLeadsSince(db: DbOrTx, sites: readonly Pick<OfflineSite, 'type' | 'id' | 'since'>[]) {
  const down = sites.filter(({ type }) => type === 'client_site')
  if (down.length === 0) return new Map<number, number>()
  const { rows } = await db.execute<{ id: number; came: number }>(sql`
    select down.id, count(*)::int as came
    from unnest(${sql.param(down.map(({ id }) => id))}::int[], ${sql.param(down.map(({ since }) => since))}::timestamptz[]) down (id, since)
    join ${leadsTable} on ${leadsTable.clientsite_id} = down.id and ${leadsTable.occurred_at} > down.since group by down.id`)
  return new Map(rows.map(({ id, came }) => [id, came]))
}

/** Hours that a live site may keep checkers out before that is worth a word. */
const uncheckedHours = 24

/** A site that was kept out last. Once that is said, only an answer says otherwise: a check without one has no reason to give. */
async function readUncheckedSites(db: DbOrTx, open: readonly OpenSignal[], asOf: Date): Promise<UncheckedSite[]> {
  const known = open.flatMap((one) =>
    one.detected_kind === 'site_unchecked' ? `${one.subject_type} ${one.subject_id}` : [],
  )
  const isKeptOut = (type: UncheckedSite['type']) =>
    sql`((site.blocked and not site.unreached) or ${`${type} `} || site.id = any(${sql.param(known)}::text[]))`
  const problem = sql`case when site.blocked then site.problem end as problem`
  const until = new Date(asOf.getTime() - uncheckedHours * msPerHour).toISOString()
  const { rows } = await db.execute<Omit<UncheckedSite, 'since'> & { since: string }>(sql`
    select 'client_site' as type, site.id, site.host, site.campaign_id, ${problem}, site.blocked_since as since
    from ${clientSitesTable} site
    join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
    where site.status = 1 and site.blocked_since <= ${until} and site.deleted_at is null and ${isKeptOut('client_site')}
    union all
    select 'network_site', site.id, site.host, null, ${problem}, site.blocked_since
    from ${networkSitesTable} site where site.status = 1 and site.blocked_since <= ${until} and ${isKeptOut('network_site')}
    order by type, id`)
  return rows.map((row) => ({ ...row, since: new Date(row.since) }))
}

async function readCertificates(db: DbOrTx, asOf: Date): Promise<CertificateFacts[]> {
  const until = new Date(asOf.getTime() + (expirySteps[0] + 1) * msPerDay)
  const { rows } = await db.execute<Omit<CertificateFacts, 'expires_at'> & { expires_at: string }>(sql`
    select 'client_site' as type, site.id, site.host, site.campaign_id, site.tls_expires_at as expires_at
    from ${clientSitesTable} site
    join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
    where site.tls_expires_at < ${until} and site.deleted_at is null
    union all
    select 'network_site', site.id, site.host, null, site.tls_expires_at from ${networkSitesTable} site where site.tls_expires_at < ${until}
    order by type, id`)
  return rows.map((row) => ({ ...row, expires_at: new Date(row.expires_at) }))
}

/**
 * The domains of active campaigns, of our network and of our redirects. One about to expire stays one when its registry no longer knows it:
 * then it may be lost.
 */
async function readDomains(db: DbOrTx, until: string, open: readonly OpenSignal[]): Promise<ExpiringDomain[]> {
  const known = open.flatMap((one) => (one.detected_kind === 'domain_expiring' ? [Number(one.subject_id)] : []))
  const { rows } = await db.execute<ExpiringDomain>(sql`
    select * from (
      select ${registrationsTable.id} as id, ${registrationsTable.domain} as domain, ${registrationsTable.expires_on}::text as expires_on,
        ${registrationsTable.registrar} as registrar, ${registrationsTable.problem} as problem,
        array(select distinct site.campaign_id from ${clientSitesTable} site
          join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
          where site.domain = ${registrationsTable.domain} and site.deleted_at is null order by 1) as campaign_ids,
        exists (select from ${networkSitesTable} site where site.domain = ${registrationsTable.domain}) as in_network
      from ${registrationsTable} where ${registrationsTable.expires_on} <= ${until}::date
        or (${registrationsTable.expires_on} is null and ${registrationsTable.id} = any(${sql.param(known)}::int[]))) found
    where campaign_ids <> '{}' or in_network
      or exists (select from ${redirectDomainsTable} redirect where redirect.registered_domain = found.domain)
    order by id`)
  return rows
}

async function readListings(db: DbOrTx) {
  const rows = await db
    .select({
      id: gmbsTable.id,
      title: gmbsTable.title,
      link: gmbsTable.link,
      campaign_id: gmbsTable.campaign_id,
      status: gmbsTable.status,
      suspended_at: suspendedSinceSql,
      changed: gmbsTable.changed,
      changed_at: gmbsTable.changed_at,
      changed_fields: gmbsTable.changed_fields,
      gone_at: gmbsTable.gone_at,
    })
    .from(gmbsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, gmbsTable.campaign_id))
    .where(
      and(
        isNull(gmbsTable.deleted_at),
        eq(campaignsTable.archived, false),
        sql`(${gmbsTable.status} = ${suspendedStatus} or ${gmbsTable.changed})`,
      ),
    )
    .orderBy(gmbsTable.id)
  return rows.map(({ status, ...row }) => ({ ...row, is_suspended: status === suspendedStatus }))
}

async function readAccounts(db: DbOrTx) {
  const rows = await db
    .select({
      id: googleAccountsTable.id,
      email: googleAccountsTable.email,
      since: googleAccountsTable.needs_relink_since,
    })
    .from(googleAccountsTable)
    .where(isNotNull(googleAccountsTable.needs_relink_since))
  return rows.flatMap(({ since, ...row }) => (since ? [{ ...row, since }] : []))
}

/** A network site's links to the site of an active campaign or to one of our redirects, unless another of its links leads there. */
async function readLostLinks(db: DbOrTx, asOf: Date): Promise<LostLink[]> {
  const since = new Date(asOf.getTime() - lostLinkDays * msPerDay)
  const { rows } = await db.execute<Omit<LostLink, 'lost_at'> & { lost_at: string }>(sql`
    with ours as materialized (
      select host, array_agg(distinct campaign_id order by campaign_id) as campaign_ids from ${clientSitesTable} site
      join ${campaignsTable} campaign on campaign.id = site.campaign_id and not campaign.archived
      where site.deleted_at is null and host is not null group by host
      union all
      select domain, '{}' from ${redirectDomainsTable}
    )
    select distinct on (link.network_site_id, link.host) link.id::int as id, link.url, link.page, site.host as "from", ours.campaign_ids, link.lost_at
    from ours join ${outgoingLinksTable} link on link.host = ours.host
    join ${networkSitesTable} site on site.id = link.network_site_id
    where link.lost_at > ${since} and not exists (
      select from ${outgoingLinksTable} other
      where other.host = link.host and other.network_site_id = link.network_site_id and other.lost_at is null)
    order by link.network_site_id, link.host, link.id`)
  return rows.map((row) => ({ ...row, lost_at: new Date(row.lost_at) }))
}

async function readQuarantine(db: DbOrTx) {
  const { rows } = await db.execute<{ count: number; oldest: string | null; reason: string | null }>(sql`
    select count(*)::int as count, min(received_at) as oldest, (array_agg(reason order by id desc))[1] as reason
    from ${inboundEventsTable} where state = 'quarantined'`)
  const [{ count, oldest, reason } = { count: 0, oldest: null, reason: null }] = rows
  return { count, oldest: oldest ? new Date(oldest) : null, reason }
}

async function readUnassigned(db: DbOrTx) {
  const { rows } = await db.execute<{ count: number; oldest: string | null }>(sql`
    select count(*)::int as count, min(${leadsTable.occurred_at}) as oldest from ${leadsTable} where ${unassignedLeadCondition}`)
  const [{ count, oldest } = { count: 0, oldest: null }] = rows
  return { count, oldest: oldest ? new Date(oldest) : null }
}

const readOverdueTasks = (db: DbOrTx, day: string) =>
  db
    .select({
      id: activityItemsTable.id,
      campaign_id: activityItemsTable.campaign_id,
      date: activityItemsTable.date,
      note: activityItemsTable.note,
      assignee: sql<string | null>`coalesce(${activityItemsTable.assignee_name}, ${usersTable.username})`,
    })
    .from(activityItemsTable)
    .leftJoin(usersTable, eq(usersTable.id, activityItemsTable.assignee_id))
    .where(
      and(
        activityItemsTable.is_task,
        eq(activityItemsTable.is_done, false),
        isNull(activityItemsTable.deleted_at),
        sql`${activityItemsTable.date} < ${day}::date`,
      ),
    )
    .orderBy(activityItemsTable.id)

async function readUndeliveredReports(db: DbOrTx, since: Date) {
  const undelivered = await readUndelivered(db, 'report', since)
  if (undelivered.length === 0) return []
  const ids = undelivered.map(({ record_id }) => record_id)
  const { rows } = await db.execute<{ id: number; client: string; campaign_ids: number[] }>(sql`
    select client.id, client.name as client,
      array(select campaign.id from ${campaignsTable} campaign where campaign.client_id = client.id and not campaign.archived order by 1) as campaign_ids
    from ${clientsTable} client where client.id = any(${sql.param(ids)}::int[]) and ${getsReportsSql}`)
  const byId = new Map(undelivered.map((one) => [one.record_id, one]))
  return rows.map(({ id, ...client }) => ({ ...byId.get(id)!, ...client })) // they were asked for by it
}

/** Whether a `client` is neither removed nor switched off. */
export const getsReportsSql = sql`client.deleted_at is null and not exists (
  select from ${usersTable} account where account.client_id = client.id and account.deleted_at is null and not account.is_active)`
