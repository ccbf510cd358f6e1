import { and, eq, isNull, sql } from 'drizzle-orm'
import { parseHost } from '#contract/web-address.ts'
import type { Tx } from '#core/db/db.ts'
import { insertRows } from '#core/db/insert-rows.ts'
import { conflictError, validationError } from '#core/http/errors.ts'
import { customSourcesTable } from '#domains/leads/custom-sources/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import {
  type KindWriter,
  type MoveCaller,
  readDay,
  readFlag,
  readMoment,
  readNumber,
  readRecord,
  readRecords,
  readReference,
  readSiteIp,
  readText,
} from '#domains/moves/public.ts'
import { insertIp } from '#domains/sites/checks/server/ip-addresses.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { addClientSite, takeBackClientSite } from '#domains/sites/client/server/mutations.ts'
import { clientSiteAuditKind, updateClientSiteRow } from '#domains/sites/client/server/store.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { hashLink } from '#domains/sites/links/server/store-links.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'
import { addNetworkSite, removeNetworkSite } from '#domains/sites/network/server/mutations.ts'
import { redirectDomainsContract } from '#domains/sites/redirects/contract.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { findRedirectProblems } from '#domains/sites/redirects/server/import-rows.ts'
import { deleteRedirectDomain, insertRedirectDomain } from '#domains/sites/redirects/server/redirect-task.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { findPersonChange, fitForm } from './fit-form.ts'

type Row = Record<string, unknown>

/** What the last check of a site found. */
const readCheck = (row: Row) => ({
  status: readStatus(row, 'status'),
  http_status_code: readNumber(row, 'http_status_code'),
  redirect_url: readText(row, 'redirect_url'),
  ip: readSiteIp(row),
  tls_expires_at: readMoment(row, 'tls_expires_at'),
  blocked: readFlag(row, 'blocked'),
  misses: readFlag(row, 'missed') ? 1 : 0,
  problem: readText(row, 'problem'),
  checked_at: readMoment(row, 'checked_at'),
})

function readStatus(row: Row, name: string): 0 | 1 | null {
  const status = row[name]
  return status === null || status === undefined || status === '' ? null : readFlag(row, name) ? 1 : 0
}

/** Writes the address of a site, with what its network is known to be. */
async function writeIp(tx: Tx, row: Row): Promise<void> {
  const ip = readSiteIp(row)
  if (ip === null) return
  await insertIp(tx, ip)
  const details = readRecord(row, 'ip_details') ?? {}
  const known = {
    owner: readText(details, 'owner'),
    country: readText(details, 'country'),
    region: readText(details, 'region'),
    reverse_ip: readText(row, 'reverse_ip'),
  }
  if (Object.values(known).some((value) => value !== null))
    await tx
      .update(ipsTable)
      .set({ ...known, looked_up_at: sql`now()` })
      .where(and(eq(ipsTable.ip, ip), isNull(ipsTable.looked_up_at)))
}

/** Writes who registered a domain, unless a look-up has told it already. */
async function writeRegistration(
  tx: Tx,
  domain: string | null,
  row: Row,
  names: { registered: string; expires: string },
) {
  if (domain === null) return
  const known = {
    registrar: readText(row, 'registrar'),
    registrant: readText(row, 'registrant'),
    registered_on: readDay(row, names.registered),
    expires_on: readDay(row, names.expires),
  }
  const nameservers = [readText(row, 'nameserver_1'), readText(row, 'nameserver_2')].filter((one) => one !== null)
  if (Object.values(known).every((value) => value === null) && nameservers.length === 0) return
  await tx
    .update(registrationsTable)
    .set({ ...known, nameservers, told_by: 'rdap', looked_up_at: sql`now()` })
    .where(and(eq(registrationsTable.domain, domain), isNull(registrationsTable.told_by)))
}

/** The logs of a site, the oldest first. One that is live was reached, also where the old system has no log of it. */
function readLogs(row: Row, site_id: number) {
  const logs = readRecords(row, 'logs')
    .flatMap((log) => {
      const created_at = readMoment(log, 'created_at')
      return created_at === null ? [] : { site_id, created_at, status: readStatus(log, 'status') }
    })
    .reverse()
  const { status, checked_at } = readCheck(row)
  if (status === 1 && !logs.some((log) => log.status === 1))
    logs.push({ site_id, created_at: checked_at ?? new Date(), status })
  return logs
}

// ——— client sites ———

export const movedClientSite: KindWriter = {
  write: async (tx, by, { payload }, lookup) => {
    const campaign_id = lookup.findCampaign(payload)
    if (campaign_id === null) throw validationError({ campaign_id: [describeNoCampaign(payload)] })
    const company = readText(payload, 'callrail_campaign_identifier')
    const { form, kept } = fitForm(
      clientSitesContract.create.body,
      {
        url: readText(payload, 'url') ?? undefined,
        campaign_id,
        callrail_campaign_identifier: company ?? undefined,
        forms_only: company === null,
      },
      ['url', 'campaign_id'],
    )
    const id = await addClientSite(tx, by, form)
    await writeIp(tx, payload)
    await tx.update(clientSitesTable).set(readCheck(payload)).where(eq(clientSitesTable.id, id))
    const logs = readLogs(payload, id)
    if (logs.length > 0) await insertRows(tx, clientSiteLogsTable, logs, { id: clientSiteLogsTable.id })
    return { id, kept }
  },

  complete: async (tx, { actor }, id, { payload }) => {
    const company = readText(payload, 'callrail_campaign_identifier')
    return company === null ? null : completeCallRailId(tx, actor, id, company)
  },

  restore: async (tx, { actor }, id, values) => {
    const [site] = await tx.select().from(clientSitesTable).where(eq(clientSitesTable.id, id)).for('update')
    if (site && site.callrail_campaign_identifier === values.set)
      await updateClientSiteRow(tx, actor, site, { shown: { callrail_campaign_identifier: null } })
    return null
  },

  remove: async (tx, by, id, { stays }) => {
    const [site] = await tx.select().from(clientSitesTable).where(eq(clientSitesTable.id, id)).for('update')
    if (!site || site.deleted_at) return null
    const changed = await findPersonChange(tx, clientSiteAuditKind, id)
    if (changed) return changed
    if ((await tx.$count(customSourcesTable, eq(customSourcesTable.clientsite_id, id))) > 0)
      return 'a lead source has been made for it'
    const leads = await tx.select({ id: leadsTable.id }).from(leadsTable).where(eq(leadsTable.clientsite_id, id))
    for (const lead of leads) if (await stays('lead', lead.id)) return 'a lead of it stays'
    await takeBackClientSite(tx, by, id)
    return null
  },
}

/** Sets the company of a site that has none; returns what was there before. */
async function completeCallRailId(
  tx: Tx,
  actor: MoveCaller['actor'],
  id: number,
  company: string,
): Promise<Row | null> {
  const [site] = await tx.select().from(clientSitesTable).where(eq(clientSitesTable.id, id)).for('update')
  if (!site || site.callrail_campaign_identifier !== null) return null
  await updateClientSiteRow(tx, actor, site, { shown: { callrail_campaign_identifier: company } })
  return { callrail_campaign_identifier: null, set: company }
}

export const describeNoCampaign = (row: Row) =>
  readReference(row, 'campaign') === null && readText(row, 'campaign') === null
    ? 'No campaign in the old system'
    : 'The campaign was not moved'

// ——— network sites and 301 domains ———

export const movedNetworkSite: KindWriter = {
  write: async (tx, by, { payload }, lookup) => {
    const category_id = lookup.find('network_category', readReference(payload, 'category'))
    if (category_id === null) throw validationError({ category_id: ['The category was not moved'] })
    const { form, kept } = fitForm(
      networkSitesContract.create.body,
      { url: readText(payload, 'url') ?? undefined, category_id },
      ['url', 'category_id'],
    )
    const id = await addNetworkSite(tx, by, form)
    await writeIp(tx, payload)
    const [site] = await tx
      .update(networkSitesTable)
      .set({
        ...readCheck(payload),
        last_google_index: readMoment(payload, 'last_google_index'),
        google_asked_at: readMoment(payload, 'google_asked_at'),
        crawled_at: readMoment(payload, 'crawled_at'),
        outgoing_links_parsing_error: readText(payload, 'outgoing_links_parsing_error'),
        outgoing_links_parsing_failed_at: readMoment(payload, 'outgoing_links_parsing_failed_at'),
      })
      .where(eq(networkSitesTable.id, id))
      .returning({ domain: networkSitesTable.domain, url: networkSitesTable.url })
    await writeRegistration(tx, site!.domain, payload, { registered: 'registration_date', expires: 'expiration_date' })
    const logs = readLogs(payload, id)
    if (logs.length > 0) await insertRows(tx, networkSiteLogsTable, logs, { id: networkSiteLogsTable.id })
    await writeLinks(tx, id, site!.url, readRecords(payload, 'links'))
    return { id, kept }
  },

  remove: async (tx, by, id) => {
    const changed = await findPersonChange(tx, 'network site', id)
    if (changed) return changed
    const [site] = await tx
      .select({ id: networkSitesTable.id })
      .from(networkSitesTable)
      .where(eq(networkSitesTable.id, id))
    if (site) await removeNetworkSite(tx, by, id)
    return null
  },
}

async function writeLinks(tx: Tx, network_site_id: number, site: string, links: readonly Row[]): Promise<void> {
  const rows = new Map<string, typeof outgoingLinksTable.$inferInsert>()
  for (const link of links) {
    const url = readText(link, 'url')
    if (url === null) continue
    const [anchor, rel] = [readText(link, 'anchor'), readText(link, 'rel')]
    const page = readText(link, 'page') ?? site
    const key = hashLink({ url, anchor, rel } as Parameters<typeof hashLink>[0])
    rows.set(key, {
      ...{ network_site_id, url, anchor, rel, page, key },
      host: parseHost(url).replace(/^www\./, ''),
      type: readText(link, 'type'),
      first_seen_at: readMoment(link, 'first_seen_at') ?? undefined,
      last_seen_at: readMoment(link, 'last_seen_at') ?? undefined,
      lost_at: readMoment(link, 'lost_at'),
    })
  }
  const all = [...rows.values()]
  for (let from = 0; from < all.length; from += 500)
    await tx
      .insert(outgoingLinksTable)
      .values(all.slice(from, from + 500))
      .onConflictDoNothing()
}

/** 301 domains come as rows: cPanel is asked neither to make them nor, by an undo, to remove them. */
export const movedRedirectDomain: KindWriter = {
  write: async (tx, { actor }, { payload }) => {
    const { form } = fitForm(
      redirectDomainsContract.create.body,
      {
        domain: readText(payload, 'domain') ?? undefined,
        redirect_url: readText(payload, 'redirect_url') ?? undefined,
      },
      ['domain', 'redirect_url'],
    )
    const wrong = findRedirectProblems(form)
    if (wrong) throw validationError(wrong)
    const id = await insertRedirectDomain(tx, actor, { ...form, domainkey: '' })
    if (id === null) throw conflictError('This domain is here already')
    const [row] = await tx
      .update(redirectDomainsTable)
      .set({ live_status: readStatus(payload, 'live_status'), problem: readText(payload, 'problem') })
      .where(eq(redirectDomainsTable.id, id))
      .returning({ domain: redirectDomainsTable.registered_domain })
    await writeRegistration(tx, row!.domain, payload, { registered: 'registration', expires: 'expiration' })
    return { id }
  },

  remove: async (tx, { actor }, id) => {
    const changed = await findPersonChange(tx, 'redirect domain', id)
    if (changed) return changed
    const [row] = await tx.select().from(redirectDomainsTable).where(eq(redirectDomainsTable.id, id)).for('update')
    if (row) await deleteRedirectDomain(tx, actor, eq(redirectDomainsTable.id, id))
    return null
  },
}
