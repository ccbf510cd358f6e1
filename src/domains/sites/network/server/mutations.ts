import { eq, sql } from 'drizzle-orm'
import { hostOf } from '#contract/fields.ts'
import type { House } from '#core/app-context.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { networkCategories } from '#domains/sites/categories/schema.ts'
import { unchecked } from '#domains/sites/checks/server/check-columns.ts'
import { forgetUnused } from '#domains/sites/checks/server/ip-addresses.ts'
import {
  expectReachable,
  followDomain,
  forgetDomain,
  registeredDomain,
} from '#domains/sites/checks/server/site-registration.ts'
import { outgoingLinks } from '#domains/sites/links/schema.ts'
import type { NetworkSiteForm } from '../contract.ts'
import { networkSites } from '../schema.ts'

const kind = 'network site'
type By = { house: House; actor: Actor }

/** Answers the new site's id. */
export async function addSite(tx: Tx, { house, actor }: By, form: NetworkSiteForm): Promise<number> {
  expectReachable(house, form.url)
  await expectCategory(tx, form.category_id)
  const domain = registeredDomain(hostOf(form.url))
  const [made] = await tx
    .insert(networkSites)
    .values({ ...form, domain })
    .returning({ id: networkSites.id })
  await followDomain(tx, domain)
  await record(tx, actor, { kind, rowId: made!.id, before: null, after: form })
  return made!.id
}

/** A site with another address is another site: what was known of the old one, and found on it, is forgotten. */
export async function changeSite(tx: Tx, { house, actor }: By, id: number, form: NetworkSiteForm) {
  expectReachable(house, form.url)
  const before = await lockSite(tx, id)
  await expectCategory(tx, form.category_id)
  const domain = registeredDomain(hostOf(form.url))
  const moved = before.url !== form.url
  await tx
    .update(networkSites)
    .set({ ...form, ...(moved ? { ...unknown, domain } : {}) })
    .where(eq(networkSites.id, id))
  if (moved) {
    await tx.delete(outgoingLinks).where(eq(outgoingLinks.network_site_id, id))
    await followDomain(tx, domain)
    await forgetDomain(tx, before.domain)
    await forgetUnused(tx, before.ip)
  }
  await record(tx, actor, { kind, rowId: id, before, after: form })
}

export async function removeSite(tx: Tx, { actor }: By, id: number) {
  const { url, category_id, domain, ip } = await lockSite(tx, id)
  await tx.delete(networkSites).where(eq(networkSites.id, id))
  await forgetDomain(tx, domain)
  await forgetUnused(tx, ip)
  await record(tx, actor, { kind, rowId: id, before: { url, category_id }, after: null })
}

const unknown = {
  ...unchecked,
  last_google_index: null,
  google_asked_at: null,
  crawled_at: null,
  next_crawl_at: sql`now()`,
  outgoing_links_parsing_error: null,
  outgoing_links_parsing_failed_at: null,
}

async function lockSite(tx: Tx, id: number) {
  const [site] = await tx.select().from(networkSites).where(eq(networkSites.id, id)).for('update')
  if (!site) throw notFound()
  return site
}

async function expectCategory(tx: Tx, id: number) {
  const [category] = await tx
    .select({ id: networkCategories.id })
    .from(networkCategories)
    .where(eq(networkCategories.id, id))
    .for('share')
  if (!category) throw notFound()
}
