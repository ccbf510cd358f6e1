import { eq, sql } from 'drizzle-orm'
import { parseHost } from '#contract/web-address.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { uncheckedValues } from '#domains/sites/checks/server/check-columns.ts'
import { deleteUnusedIp } from '#domains/sites/checks/server/ip-addresses.ts'
import {
  assertReachable,
  getRegisteredDomain,
  trackDomain,
  untrackDomain,
} from '#domains/sites/checks/server/site-registration.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { type NetworkSiteForm, type NetworkSiteUpdate, networkSitesContract } from '../contract.ts'
import { networkSitesTable } from '../schema.ts'
import { readNetworkSite } from './queries.ts'

export const networkSiteAuditKind = 'network site'
type NetworkSiteMutationContext = { context: AppContext; actor: AuditActor }

/** Adds a site and returns its id. */
export async function addNetworkSite(
  tx: Tx,
  { context, actor }: NetworkSiteMutationContext,
  form: NetworkSiteForm,
): Promise<number> {
  assertReachable(context, form.url)
  await requireNetworkCategory(tx, form.category_id)
  const domain = getRegisteredDomain(parseHost(form.url))
  const [made] = await tx
    .insert(networkSitesTable)
    .values({ ...form, domain })
    .returning({ id: networkSitesTable.id })
  await trackDomain(tx, domain)
  await writeAudit(tx, actor, { kind: networkSiteAuditKind, rowId: made!.id, before: null, after: form })
  return made!.id
}

/** Updates a site. A new URL makes it another site: results and links of the old one are removed. */
export async function updateNetworkSite(
  tx: Tx,
  { context, actor }: NetworkSiteMutationContext,
  id: number,
  { version: seen, ...form }: NetworkSiteUpdate,
) {
  assertReachable(context, form.url)
  const before = await lockNetworkSite(tx, id)
  if (isStale(seen, before.version))
    throw staleVersionError(
      networkSitesContract.update,
      'Someone else has changed this site',
      await readNetworkSite(tx, id),
    )
  await requireNetworkCategory(tx, form.category_id)
  const domain = getRegisteredDomain(parseHost(form.url))
  const moved = before.url !== form.url
  await tx
    .update(networkSitesTable)
    .set({ ...form, version: before.version + 1, ...(moved ? { ...resetSiteValues, domain } : {}) })
    .where(eq(networkSitesTable.id, id))
  if (moved) {
    await tx.delete(outgoingLinksTable).where(eq(outgoingLinksTable.network_site_id, id))
    await trackDomain(tx, domain)
    await untrackDomain(tx, before.domain)
    await deleteUnusedIp(tx, before.ip)
  }
  await writeAudit(tx, actor, { kind: networkSiteAuditKind, rowId: id, before, after: form })
}

export async function removeNetworkSite(tx: Tx, { actor }: NetworkSiteMutationContext, id: number) {
  const { url, category_id, domain, ip } = await lockNetworkSite(tx, id)
  await tx.delete(networkSitesTable).where(eq(networkSitesTable.id, id))
  await untrackDomain(tx, domain)
  await deleteUnusedIp(tx, ip)
  await writeAudit(tx, actor, { kind: networkSiteAuditKind, rowId: id, before: { url, category_id }, after: null })
}

const resetSiteValues = {
  ...uncheckedValues,
  last_google_index: null,
  google_asked_at: null,
  crawled_at: null,
  next_crawl_at: sql`now()`,
  outgoing_links_parsing_error: null,
  outgoing_links_parsing_failed_at: null,
}

async function lockNetworkSite(tx: Tx, id: number) {
  const [site] = await tx.select().from(networkSitesTable).where(eq(networkSitesTable.id, id)).for('update')
  if (!site) throw notFoundError()
  return site
}

async function requireNetworkCategory(tx: Tx, id: number) {
  const [category] = await tx
    .select({ id: networkCategoriesTable.id })
    .from(networkCategoriesTable)
    .where(eq(networkCategoriesTable.id, id))
    .for('share')
  if (!category) throw validationError({ category_id: ['There is no such category'] })
}
