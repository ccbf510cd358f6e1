import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#core/db/db.ts'
import type { BusinessLocation } from '#integrations/google/locations.ts'
import type { VerificationStatus } from '../labels.ts'
import { googleAccountsTable, googleLocationsTable } from '../schema.ts'
import { AccountUnlinkedError } from './google-access.ts'
import { toLocationValues } from './location-mapping.ts'

/** A location with what only other questions tell of it; undefined keeps what is known. */
export type FoundLocation = {
  location: BusinessLocation
  standing: VerificationStatus | undefined
  pending_parts: string[] | undefined
}
type LocationSource = { accountId: number; business: { name: string; accountName: string } }

/**
 * Keeps what a page of Google's says, as of when it was asked for: what was read later stays. One that another linked account
 * has stays with that one, unless it has lost it.
 */
export async function upsertLocations(
  db: Db,
  { accountId, business }: LocationSource,
  found: FoundLocation[],
  askedAt: Date,
): Promise<void> {
  const rows = [...new Map(found.map((one) => [one.location.name, one])).values()]
  if (rows.length === 0) return
  const names = rows.map(({ location }) => location.name)
  await db.transaction(async (tx) => {
    await requireLinkedAccount(tx, accountId)
    const before = await tx
      .select({
        name: googleLocationsTable.name,
        standing: googleLocationsTable.standing,
        pending_parts: googleLocationsTable.pending_parts,
      })
      .from(googleLocationsTable)
      .where(inArray(googleLocationsTable.name, names))
    const known = new Map(before.map((one) => [one.name, one]))
    const values = rows.map(({ location, standing, pending_parts }) => ({
      ...toLocationValues(location),
      name: location.name,
      account_id: accountId,
      business_account: business.name,
      business_account_name: business.accountName || business.name,
      standing: standing ?? known.get(location.name)?.standing ?? 'unknown',
      pending_parts: pending_parts ?? known.get(location.name)?.pending_parts ?? [],
      read_at: askedAt,
    }))
    await tx
      .insert(googleLocationsTable)
      .values(values)
      .onConflictDoUpdate({
        target: googleLocationsTable.name,
        set: { ...excludedValues(values[0]!), standing_since: statusSince, version: nextVersion },
        setWhere: sql`${googleLocationsTable.read_at} <= excluded.read_at and ${claimableCondition}`,
      })
    await tx
      .update(googleLocationsTable)
      .set({ seen_at: sql`now()`, vanished_since: null })
      .where(and(inArray(googleLocationsTable.name, names), eq(googleLocationsTable.account_id, accountId)))
  })
}

/** What was not seen since: Google does not list it any more. It stays, with the mark. */
export async function markVanishedLocations(db: Db, accountId: number, since: Date): Promise<void> {
  await db
    .update(googleLocationsTable)
    .set({ vanished_since: sql`coalesce(${googleLocationsTable.vanished_since}, now())` })
    .where(and(eq(googleLocationsTable.account_id, accountId), lt(googleLocationsTable.seen_at, since)))
}

/** Nobody unlinks it while this is written. */
async function requireLinkedAccount(tx: Tx, id: number) {
  const [account] = await tx
    .select({ id: googleAccountsTable.id })
    .from(googleAccountsTable)
    .where(eq(googleAccountsTable.id, id))
    .for('key share')
  if (!account) throw new AccountUnlinkedError('The account is not linked any more')
}

const excludedColumn = (name: string) => sql`excluded.${sql.identifier(name)}`
const excludedValues = (row: object): Record<string, SQL> =>
  Object.fromEntries(Object.keys(row).map((name) => [name, excludedColumn(name)]))

const claimableCondition = sql`(${googleLocationsTable.account_id} = excluded.account_id or ${googleLocationsTable.vanished_since} is not null
  or exists (select from ${googleAccountsTable} holder where holder.id = ${googleLocationsTable.account_id} and holder.needs_relink_since is not null))`
const statusSince = sql`case when ${googleLocationsTable.standing} = excluded.standing then ${googleLocationsTable.standing_since} else now() end`

const versionedColumns = [
  'title',
  'primary_category',
  'categories',
  'phone',
  'website',
  'address',
  'service_area',
  'description',
]
const rowExpression = (of: (name: string) => SQL) => sql`(${sql.join(versionedColumns.map(of), sql`, `)})`
/** Whoever has a form open is told when something in it is different now. */
const nextVersion = sql`${googleLocationsTable.version} + (${rowExpression((name) => sql`google_locations.${sql.identifier(name)}`)}
  is distinct from ${rowExpression(excludedColumn)})::int`
