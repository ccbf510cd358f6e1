import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db, DbOrTx, Tx } from '#core/db/db.ts'
import type { BusinessLocation } from '#integrations/google/locations.ts'
import { locationFieldLabels, type VerificationStatus } from '../labels.ts'
import { googleAccountsTable, googleLocationsTable } from '../schema.ts'
import { AccountUnlinkedError } from './google-access.ts'
import { toLocationValues } from './location-mapping.ts'
import { recordLocations } from './record-locations.ts'

/** A location with details from other requests; undefined keeps the stored value. */
export type FoundLocation = {
  location: BusinessLocation
  standing: VerificationStatus | undefined
  pending_parts: string[] | undefined
  /** Parts that Google has changed on its own. */
  google_parts?: string[]
}
type LocationSource = { accountId: number; business: { name: string; accountName: string } }

/**
 * Saves a page of locations as of the time of its request; rows that were read later stay. A location that several linked accounts
 * reach stays with its account, unless that account has lost it.
 */
export async function upsertLocations(
  db: Db,
  { accountId, business }: LocationSource,
  found: FoundLocation[],
  requestedAt: Date,
): Promise<void> {
  const rows = [...new Map(found.map((one) => [one.location.name, one])).values()]
  if (rows.length === 0) return
  const names = rows.map(({ location }) => location.name)
  await db.transaction(async (tx) => {
    await requireLinkedAccount(tx, accountId)
    const before = await tx.select().from(googleLocationsTable).where(inArray(googleLocationsTable.name, names))
    const known = new Map(before.map((one) => [one.name, one]))
    const values = rows.map(({ location, standing, pending_parts }) => ({
      ...toLocationValues(location),
      name: location.name,
      account_id: accountId,
      business_account: business.name,
      business_account_name: business.accountName || business.name,
      standing: standing ?? known.get(location.name)?.standing ?? 'unknown',
      pending_parts: pending_parts ?? known.get(location.name)?.pending_parts ?? [],
      read_at: requestedAt,
    }))
    const written = await tx
      .insert(googleLocationsTable)
      .values(values)
      .onConflictDoUpdate({
        target: googleLocationsTable.name,
        set: { ...excludedValues(values[0]!), standing_since: statusSince, version: nextVersion },
        setWhere: sql`${googleLocationsTable.read_at} <= excluded.read_at and ${claimableCondition}`,
      })
      .returning()
    await recordLocations(tx, known, written, new Map(rows.map((one) => [one.location.name, one.google_parts ?? []])))
    await tx
      .update(googleLocationsTable)
      .set({ seen_at: sql`now()`, vanished_since: null })
      .where(and(inArray(googleLocationsTable.name, names), eq(googleLocationsTable.account_id, accountId)))
  })
}

/** Marks the locations not seen since `since`: Google no longer lists them. */
export const markVanishedLocations = (db: DbOrTx, accountId: number, since: Date) =>
  markVanished(db, and(eq(googleLocationsTable.account_id, accountId), lt(googleLocationsTable.seen_at, since)))

export const markLocationVanished = (db: DbOrTx, id: number) => markVanished(db, eq(googleLocationsTable.id, id))

const markVanished = (db: DbOrTx, where: SQL | undefined) =>
  db
    .update(googleLocationsTable)
    .set({ vanished_since: sql`coalesce(${googleLocationsTable.vanished_since}, now())` })
    .where(where)

/** Increments the version, which makes open forms outdated. */
export const incrementLocationVersion = (tx: Tx, id: number) =>
  tx
    .update(googleLocationsTable)
    .set({ version: sql`${googleLocationsTable.version} + 1` })
    .where(eq(googleLocationsTable.id, id))

/** Keeps the account from being unlinked during the transaction. */
async function requireLinkedAccount(tx: Tx, id: number) {
  const [account] = await tx
    .select({ id: googleAccountsTable.id })
    .from(googleAccountsTable)
    .where(eq(googleAccountsTable.id, id))
    .for('key share')
  if (!account) throw new AccountUnlinkedError('The account is no longer linked')
}

const excludedColumn = (name: string) => sql`excluded.${sql.identifier(name)}`
const excludedValues = (row: object): Record<string, SQL> =>
  Object.fromEntries(Object.keys(row).map((name) => [name, excludedColumn(name)]))

const claimableCondition = sql`(${googleLocationsTable.account_id} = excluded.account_id or ${googleLocationsTable.vanished_since} is not null
  or exists (select from ${googleAccountsTable} holder where holder.id = ${googleLocationsTable.account_id} and holder.needs_relink_since is not null))`
const statusSince = sql`case when ${googleLocationsTable.standing} = excluded.standing then ${googleLocationsTable.standing_since} else now() end`

const versionedColumns = Object.keys(locationFieldLabels)
const rowExpression = (of: (name: string) => SQL) => sql`(${sql.join(versionedColumns.map(of), sql`, `)})`
/** A new version only if an editable field differs. */
const nextVersion = sql`${googleLocationsTable.version} + (${rowExpression((name) => sql`google_locations.${sql.identifier(name)}`)}
  is distinct from ${rowExpression(excludedColumn)})::int`
