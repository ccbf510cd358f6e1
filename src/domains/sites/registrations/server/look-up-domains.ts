import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { parse } from 'tldts'
import { getErrorMessage } from '#contract/error-message.ts'
import { parseHost } from '#contract/web-address.ts'
import type { Tx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recordHappenings } from '#domains/happenings/public.ts'
import { aboutTomorrowSql, inSomeHoursSql } from '#domains/sites/checks/server/next-time.ts'
import { getRegisteredDomain, trackDomain } from '#domains/sites/checks/server/site-registration.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { CircuitBreaker, UpstreamStatusError } from '#integrations/outbound/upstream.ts'
import { RdapClient } from '#integrations/rdap/rdap.ts'
import type { DomainRegistration } from '#integrations/rdap/registration.ts'
import { lookUpWhois } from '#integrations/rdap/whois.ts'
import { isHostIndexed, isSearchIndexConfigured } from '#integrations/search-index/search-index.ts'
import { registrationsTable } from '../schema.ts'

const lookupBatchSize = 20
const claimExpiryTime = sql`now() + interval '10 minutes'`

type LookupLimits = { milliseconds?: number }
type LookupCounts = { domains: number; addresses: number; indexed: number; failed: number }

/** Runs all due lookups: registrations, IP networks and the Google index. No request is made inside a transaction. */
export async function runDueLookups(
  context: AppContext,
  { milliseconds = Number.POSITIVE_INFINITY }: LookupLimits = {},
): Promise<LookupCounts> {
  const end = performance.now() + milliseconds
  const counts: LookupCounts = { domains: 0, addresses: 0, indexed: 0, failed: 0 }
  const canContinue = () => performance.now() < end && !context.jobs.stopping.aborted
  await trackClientDomains(context)
  await trackLostDomains(context)
  await deleteUnusedRecords(context)
  while (canContinue() && (await lookUpDomainBatch(context, counts)));
  while (canContinue() && (await lookUpAddressBatch(context, counts)));
  if (isSearchIndexConfigured(context.settings)) await checkGoogleIndex(context, counts, canContinue)
  return counts
}

/** Makes all lookups due now. */
export async function markAllLookupsDue({ db }: AppContext) {
  await db.execute(sql`update registrations set next_look_up_at = now()`)
  await db.execute(sql`update ips set next_look_up_at = now()`)
  await db.execute(
    sql`update network_sites set google_asked_at = null where google_asked_at < now() - interval '1 hour'`,
  )
}

async function lookUpDomainBatch(context: AppContext, counts: LookupCounts): Promise<boolean> {
  const { db } = context
  const { rows } = await db.execute<{ domain: string }>(sql`
    update registrations set next_look_up_at = ${claimExpiryTime} where domain in (
      select domain from registrations where next_look_up_at <= now() order by next_look_up_at limit ${lookupBatchSize} for update skip locked)
    returning domain`)
  await Promise.all(
    rows.map(async ({ domain }) => {
      try {
        const answer = await queryRegistry(context, domain)
        await db.transaction((tx) => saveRegistration(tx, domain, answer))
        counts.domains += 1
      } catch (error) {
        counts.failed += 1
        await db
          .update(registrationsTable)
          .set({
            problem: getErrorReason(error),
            failures: sql`least(failures + 1, 100)`,
            next_look_up_at: getRetryTime(sql`failures`),
          })
          .where(eq(registrationsTable.domain, domain))
      }
    }),
  )
  return rows.length > 0
}

/** Saves the registry's answer, and records the changes. */
async function saveRegistration(tx: Tx, domain: string, found: RegistryAnswer): Promise<void> {
  const [before] = await tx.select().from(registrationsTable).where(eq(registrationsTable.domain, domain)).for('update')
  if (!before) return // no site uses the domain anymore
  const answer = { ...found, expires_on: found.expires_on === undefined ? before.expires_on : found.expires_on }
  await tx
    .update(registrationsTable)
    .set({ ...answer, looked_up_at: sql`now()`, next_look_up_at: aboutTomorrowSql, failures: 0 })
    .where(eq(registrationsTable.domain, domain))
  const { campaign_id } = clientSitesTable
  const sites = await tx
    .selectDistinct({ campaign_id })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.domain, domain), isNotNull(campaign_id), isNull(clientSitesTable.deleted_at)))
  const happening = {
    kind: 'registration',
    subject: { type: 'domain', id: before.id },
    before: before.looked_up_at ? pickRegistration(before) : null,
    after: pickRegistration(answer),
  } as const
  const campaigns = sites.length > 0 ? sites : [{ campaign_id: null }]
  await recordHappenings(
    tx,
    campaigns.map((campaign) => ({ ...happening, ...campaign })),
  )
}

const pickRegistration = ({
  registrar,
  registrant,
  expires_on,
  nameservers,
}: Omit<DomainRegistration, 'registered_on'>) => ({
  registrar,
  registrant,
  expires_on,
  nameservers,
})

/** Starts the lookups of client sites without a known domain. */
async function trackClientDomains({ db }: AppContext): Promise<void> {
  const untracked = await db
    .select({ id: clientSitesTable.id, url: clientSitesTable.url })
    .from(clientSitesTable)
    .where(and(isNull(clientSitesTable.domain), isNull(clientSitesTable.deleted_at)))
  const found = untracked.flatMap(({ id, url }) => {
    const domain = getRegisteredDomain(parseHost(url))
    return domain ? [{ id, url, domain }] : []
  })
  for (const { id, url, domain } of found)
    await db.transaction(async (tx) => {
      await tx
        .update(clientSitesTable)
        .set({ domain })
        .where(and(eq(clientSitesTable.id, id), eq(clientSitesTable.url, url)))
      await trackDomain(tx, domain)
    })
}

/** Starts the lookups of used domains without a record: it went with one site while another one, not yet committed, took it for its own. */
async function trackLostDomains({ db }: AppContext): Promise<void> {
  await db.execute(sql`
    insert into registrations (domain)
    select domain from (
      select domain from network_sites union select domain from client_sites where deleted_at is null
      union select registered_domain from redirect_domains) used
    where domain is not null and not exists (select from registrations r where r.domain = used.domain)
    on conflict do nothing`)
}

/** Looks a domain up now, if a site uses it. Throws if the registry does not answer. */
export async function lookUpDomainNow(context: AppContext, domain: string): Promise<void> {
  const answer = await queryRegistry(context, domain)
  await context.db.transaction((tx) => saveRegistration(tx, domain, answer))
}

async function lookUpAddressBatch(context: AppContext, counts: LookupCounts): Promise<boolean> {
  const { db } = context
  const { rows } = await db.execute<{ id: number; ip: string }>(sql`
    update ips set next_look_up_at = ${claimExpiryTime} where id in (
      select id from ips where next_look_up_at <= now() order by next_look_up_at limit ${lookupBatchSize} for update skip locked)
    returning id, ip`)
  await Promise.all(
    rows.map(async ({ id, ip }) => {
      try {
        const [network, reverse_ip] = await Promise.all([
          getRegistryClients(context).rdap.network(ip),
          context.outbound.reverse(ip),
        ])
        const found = network ?? { owner: null, country: null, region: null }
        await db
          .update(ipsTable)
          .set({ ...found, reverse_ip, looked_up_at: sql`now()`, next_look_up_at: aboutTomorrowSql })
          .where(eq(ipsTable.id, id))
        counts.addresses += 1
      } catch (error) {
        counts.failed += 1
        context.log.warn({ ip, reason: getErrorReason(error) }, 'the network of an IP address could not be looked up')
        await db
          .update(ipsTable)
          .set({ next_look_up_at: inSomeHoursSql(2) })
          .where(eq(ipsTable.id, id))
      }
    }),
  )
  return rows.length > 0
}

/** Exponential backoff up to a day. */
const getRetryTime = (failures: ReturnType<typeof sql>) =>
  sql`now() + least(interval '1 day', interval '5 minutes' * power(2, least(${failures}, 10))) * (0.8 + random() * 0.4)`

const getErrorReason = (error: unknown) => getErrorMessage(error).slice(0, 255)

/** Queries the search API about one site at a time, because it costs money, and stops at the first failure. */
async function checkGoogleIndex(context: AppContext, counts: LookupCounts, canContinue: () => boolean) {
  const { db, outbound, settings, log } = context
  const api = new CircuitBreaker('The search API')
  while (canContinue()) {
    const { rows } = await db.execute<{ id: number; host: string }>(sql`
      select id, host from network_sites where google_asked_at is null or google_asked_at < now() - interval '1 day'
      order by google_asked_at nulls first, id limit 1`)
    const [site] = rows
    if (!site) return
    try {
      const found = await api.ask(() => isHostIndexed(outbound, settings, site.host))
      await db
        .update(networkSitesTable)
        .set({ google_asked_at: sql`now()`, ...(found ? { last_google_index: sql`now()` } : {}) })
        .where(eq(networkSitesTable.id, site.id))
      counts.indexed += 1
    } catch (error) {
      counts.failed += 1
      log.warn({ reason: getErrorReason(error) }, 'the search API cannot be queried')
      return
    }
  }
}

/** Deletes unused records, in case they were missed when the last site was removed. */
async function deleteUnusedRecords({ db }: AppContext) {
  await db.execute(sql`
    delete from ips i where not exists (select from client_sites s where s.ip = i.ip and s.deleted_at is null)
      and not exists (select from network_sites s where s.ip = i.ip)`)
  await db.execute(sql`
    delete from registrations r where not exists (select from network_sites s where s.domain = r.domain)
      and not exists (select from client_sites s where s.domain = r.domain and s.deleted_at is null)
      and not exists (select from redirect_domains d where d.registered_domain = r.domain)`)
}

/** One of each per process: they cache server lists, and which servers do not answer. */
const getClientsOf = createOncePer((outbound: OutboundClient, settings: AppContext['settings']) => ({
  rdap: new RdapClient(outbound, settings),
  whois: new CircuitBreaker('WHOIS', { maxFailures: 10 }),
}))
const getRegistryClients = ({ outbound, settings }: AppContext) => getClientsOf(outbound, settings)

type RegistryAnswer = Omit<DomainRegistration, 'expires_on'> & {
  /** Undefined if WHOIS did not answer when it was asked for what RDAP left out. */
  expires_on: string | null | undefined
  told_by: 'rdap' | 'whois'
  problem: string | null
}

/** Queries RDAP, or else WHOIS, also for a day of expiry that RDAP leaves out. Throws if neither answers. */
async function queryRegistry(context: AppContext, domain: string): Promise<RegistryAnswer> {
  const { rdap } = getRegistryClients(context)
  try {
    const answer = await rdap.domain(domain)
    if (answer) {
      const expires_on = answer.expires_on ?? (await findExpiry(context, domain))
      return { ...answer, expires_on, told_by: 'rdap', problem: null }
    }
  } catch (error) {
    if (error instanceof UpstreamStatusError && error.status === 404)
      return { ...emptyRegistration, told_by: 'rdap', problem: 'Not registered' }
    throw error
  }
  if (!parse(domain).isIcann) throw new Error('No registry has names like this one')
  const answer = await queryWhois(context, domain)
  return {
    ...answer,
    told_by: 'whois',
    problem: answer.registrar || answer.expires_on ? null : 'The registry has no data about it',
  }
}

const queryWhois = (context: AppContext, domain: string) =>
  getRegistryClients(context).whois.ask(() => lookUpWhois(context.outbound, context.settings, domain))

async function findExpiry(context: AppContext, domain: string): Promise<string | null | undefined> {
  try {
    return (await queryWhois(context, domain)).expires_on
  } catch (error) {
    context.log.warn({ domain, reason: getErrorReason(error) }, 'WHOIS was not reached for a day of expiry')
    return undefined
  }
}

const emptyRegistration: DomainRegistration = {
  registrar: null,
  registrant: null,
  registered_on: null,
  expires_on: null,
  nameservers: [],
}
