import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db, DbOrTx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { customSourcesTable } from '../../custom-sources/schema.ts'
import type { EventInbox, SealedSite } from './inbox.ts'

/** What a hook presents to prove its sender. */
export type SenderClaim =
  | { provider: 'callrail'; signature: string }
  | { provider: 'formidable'; siteId: number; authorization: string }
  | { provider: 'other'; key: string }

type LeadSource = { id: number; clientsite_id: number }

/** The senders of events, with the keys that verify them. */
export type KnownSenders = {
  sitesOf(companies: string[]): Promise<SealedSite[]>
  siteById(id: number): Promise<SealedSite | undefined>
  sitesWithSigningKey(): Promise<Pick<SealedSite, 'id' | 'signingKey'>[]>
  sourceByKey(key: string): Promise<LeadSource | undefined>
}

/** Reads senders from the database. */
export const databaseSenders = ({ db, inbox }: { db: Db; inbox: EventInbox }): KnownSenders => ({
  sitesOf: (companies) => inbox.sitesOf(companies),
  siteById: (id) => inbox.siteById(id),
  sitesWithSigningKey: () =>
    db
      .select({ id: clientSitesTable.id, signingKey: clientSitesTable.callrail_signing_key })
      .from(clientSitesTable)
      .where(and(isNotNull(clientSitesTable.callrail_signing_key), isNull(clientSitesTable.deleted_at))),
  sourceByKey: async (key) => {
    const { id, clientsite_id, key_hash, deleted_at } = customSourcesTable
    const [source] = await db
      .select({ id, clientsite_id })
      .from(customSourcesTable)
      .where(and(eq(key_hash, hashSha256(key)), isNull(deleted_at)))
    return source
  },
})

/** Reads all senders into memory, for use while the database is down. */
export async function rememberSenders(db: DbOrTx): Promise<KnownSenders> {
  const sites: SealedSite[] = await db
    .select({
      id: clientSitesTable.id,
      company: clientSitesTable.callrail_campaign_identifier,
      signingKey: clientSitesTable.callrail_signing_key,
      hookKey: clientSitesTable.hook_key,
    })
    .from(clientSitesTable)
    .where(isNull(clientSitesTable.deleted_at))
  const { id, clientsite_id, key_hash, deleted_at } = customSourcesTable
  const sources = await db.select({ id, clientsite_id, key_hash }).from(customSourcesTable).where(isNull(deleted_at))
  return toKnownSenders(sites, sources)
}

function toKnownSenders(sites: SealedSite[], sources: (LeadSource & { key_hash: Buffer })[]): KnownSenders {
  const byCompany = Map.groupBy(sites, ({ company }) => company)
  const byId = new Map(sites.map((site) => [site.id, site]))
  const byKey = new Map(sources.map((source) => [source.key_hash.toString('hex'), source]))
  return {
    sitesOf: async (companies) => companies.flatMap((company) => byCompany.get(company) ?? []),
    siteById: async (id) => byId.get(id),
    sitesWithSigningKey: async () => sites.filter(({ signingKey }) => signingKey !== null),
    sourceByKey: async (key) => byKey.get(hashSha256(key).toString('hex')),
  }
}

/** The senders of a process that has not read any yet. */
export const noSenders: KnownSenders = toKnownSenders([], [])
