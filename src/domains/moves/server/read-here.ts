import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { keywordsTable, spammersTable } from '#domains/leads/spam/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import type { ListedKind, MovedKind } from '../labels.ts'
import {
  accountKeys,
  joinKeys,
  keywordKeys,
  listingKeys,
  nameKeys,
  redirectKeys,
  siteKeys,
  spammerKeys,
} from './link-keys.ts'
import type { HereThing, LinkKeys } from './plan-links.ts'

const kindWords: Record<ListedKind, [one: string, many: string]> = {
  network_category: ['network category', 'network categories'],
  category: ['category', 'categories'],
  team: ['team', 'teams'],
  client: ['client', 'clients'],
  campaign: ['campaign', 'campaigns'],
  client_site: ['client site', 'client sites'],
  listing: ['listing', 'listings'],
  network_site: ['network site', 'network sites'],
  redirect_domain: ['301 domain', '301 domains'],
  admin: ['account', 'accounts'],
  leads_handler: ['account', 'accounts'],
  keyword: ['keyword', 'keywords'],
  spammer: ['spammer', 'spammers'],
  callrail_company: ['campaign', 'campaigns'],
}

/** Returns everything here that a thing of another system may be. */
export async function readHere(db: DbOrTx): Promise<HereThing[]> {
  const things: HereThing[] = []
  const add = (kind: ListedKind, id: number, label: string, keys: LinkKeys) => {
    const [labelKind, labelKinds] = kindWords[kind]
    things.push({ ...keys, kind, id, label, labelKind, labelKinds })
  }
  for (const { id, name } of await db.select().from(networkCategoriesTable))
    add('network_category', id, name, nameKeys(name))
  for (const { id, name } of await db.select().from(campaignCategoriesTable)) add('category', id, name, nameKeys(name))
  for (const { id, name } of await db.select().from(teamsTable).where(isNull(teamsTable.deleted_at)))
    add('team', id, name, nameKeys(name))

  const { id, url, campaign_id, callrail_campaign_identifier } = clientSitesTable
  const sites = await db
    .select({ id, url, campaign_id, callrail_campaign_identifier })
    .from(clientSitesTable)
    .where(isNull(clientSitesTable.deleted_at))
  const listings = await db.select().from(gmbsTable).where(isNull(gmbsTable.deleted_at))
  const ofCampaign = new Map<number, LinkKeys[]>()
  const belong = (campaign: number | null, keys: LinkKeys) => {
    if (campaign !== null) ofCampaign.set(campaign, [...(ofCampaign.get(campaign) ?? []), { ...keys, name: '' }])
  }
  for (const site of sites) {
    const keys = siteKeys(site.url, site.callrail_campaign_identifier)
    add('client_site', site.id, site.url, keys)
    belong(site.campaign_id, keys)
  }
  for (const listing of listings) {
    const keys = listingKeys(listing)
    add('listing', listing.id, listing.title, keys)
    belong(listing.campaign_id, keys)
  }
  const campaigns = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name, client_id: campaignsTable.client_id })
    .from(campaignsTable)
  const ofClient = new Map<number, LinkKeys[]>()
  for (const campaign of campaigns) {
    const parts = ofCampaign.get(campaign.id) ?? []
    const keys = joinKeys(campaign.name, parts)
    add('campaign', campaign.id, campaign.name, keys)
    add('callrail_company', campaign.id, campaign.name, keys)
    ofClient.set(campaign.client_id, [
      ...(ofClient.get(campaign.client_id) ?? []),
      ...parts.map((one) => ({ ...one, ids: [] })),
    ])
  }
  for (const client of await db
    .select({ id: clientsTable.id, name: clientsTable.name })
    .from(clientsTable)
    .where(isNull(clientsTable.deleted_at)))
    add('client', client.id, client.name, joinKeys(client.name, ofClient.get(client.id) ?? []))

  for (const site of await db.select({ id: networkSitesTable.id, url: networkSitesTable.url }).from(networkSitesTable))
    add('network_site', site.id, site.url, siteKeys(site.url, null))
  for (const { id, domain } of await db.select().from(redirectDomainsTable))
    add('redirect_domain', id, domain, redirectKeys(domain))
  for (const { id, keyword } of await db.select().from(keywordsTable)) add('keyword', id, keyword, keywordKeys(keyword))
  for (const { id, name, phone, email } of await db.select().from(spammersTable))
    add('spammer', id, name, spammerKeys(phone, email))
  const { username, email, role } = usersTable
  const people = await db
    .select({ id: usersTable.id, username, email })
    .from(usersTable)
    .where(and(inArray(role, ['super_admin', 'admin', 'leads_handler']), isNull(usersTable.deleted_at)))
  // A person may have another role here: an admin there is the super admin of the same name.
  for (const person of people)
    for (const kind of ['admin', 'leads_handler'] as const)
      add(kind, person.id, person.username, accountKeys(person.username, person.email))
  return things
}

/** The rows of each kind, and when they were deleted where they stay. */
const rowsHere: Partial<Record<MovedKind, { id: AnyPgColumn; deleted_at?: AnyPgColumn }>> = {
  network_category: networkCategoriesTable,
  category: campaignCategoriesTable,
  team: teamsTable,
  client: clientsTable,
  campaign: campaignsTable,
  callrail_company: campaignsTable,
  client_site: clientSitesTable,
  listing: gmbsTable,
  network_site: networkSitesTable,
  redirect_domain: redirectDomainsTable,
  admin: usersTable,
  leads_handler: usersTable,
} satisfies Partial<Record<ListedKind, unknown>>

/** Locks a row so that it stays until the transaction ends. Returns false if it is not here. What nothing refers to needs no lock. */
export async function holdHere(tx: Tx, kind: MovedKind, id: number): Promise<boolean> {
  const rows = rowsHere[kind]
  if (!rows) return true
  const isLeft = rows.deleted_at ? sql`and ${rows.deleted_at} is null` : sql``
  const found = await tx.execute(sql`select from ${rows.id.table} where ${rows.id} = ${id} ${isLeft} for share`)
  return found.rows.length > 0
}
