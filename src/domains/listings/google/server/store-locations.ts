import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#core/db/db.ts'
import type { Location } from '#integrations/google/locations.ts'
import type { Standing } from '../labels.ts'
import { googleAccounts, googleLocations } from '../schema.ts'
import { Unlinked } from './google-access.ts'
import { columnsOf } from './location-mapping.ts'

/** A location with what only other questions tell of it; undefined keeps what is known. */
export type Found = { location: Location; standing: Standing | undefined; pending_parts: string[] | undefined }
type From = { accountId: number; business: { name: string; accountName: string } }

/**
 * Keeps what a page of Google's says, as of when it was asked for: what was read later stays. One that another linked account
 * has stays with that one, unless it has lost it.
 */
export async function keep(db: Db, { accountId, business }: From, found: Found[], askedAt: Date): Promise<void> {
  const rows = [...new Map(found.map((one) => [one.location.name, one])).values()]
  if (rows.length === 0) return
  const names = rows.map(({ location }) => location.name)
  await db.transaction(async (tx) => {
    await expectLinked(tx, accountId)
    const before = await tx
      .select({
        name: googleLocations.name,
        standing: googleLocations.standing,
        pending_parts: googleLocations.pending_parts,
      })
      .from(googleLocations)
      .where(inArray(googleLocations.name, names))
    const known = new Map(before.map((one) => [one.name, one]))
    const values = rows.map(({ location, standing, pending_parts }) => ({
      ...columnsOf(location),
      name: location.name,
      account_id: accountId,
      business_account: business.name,
      business_account_name: business.accountName || business.name,
      standing: standing ?? known.get(location.name)?.standing ?? 'unknown',
      pending_parts: pending_parts ?? known.get(location.name)?.pending_parts ?? [],
      read_at: askedAt,
    }))
    await tx
      .insert(googleLocations)
      .values(values)
      .onConflictDoUpdate({
        target: googleLocations.name,
        set: { ...theirs(values[0]!), standing_since: sinceWhen, version: nextVersion },
        setWhere: sql`${googleLocations.read_at} <= excluded.read_at and ${isFree}`,
      })
    await tx
      .update(googleLocations)
      .set({ seen_at: sql`now()`, vanished_since: null })
      .where(and(inArray(googleLocations.name, names), eq(googleLocations.account_id, accountId)))
  })
}

/** What was not seen since: Google does not list it any more. It stays, with the mark. */
export async function markVanished(db: Db, accountId: number, since: Date): Promise<void> {
  await db
    .update(googleLocations)
    .set({ vanished_since: sql`coalesce(${googleLocations.vanished_since}, now())` })
    .where(and(eq(googleLocations.account_id, accountId), lt(googleLocations.seen_at, since)))
}

/** Nobody unlinks it while this is written. */
async function expectLinked(tx: Tx, id: number) {
  const [account] = await tx
    .select({ id: googleAccounts.id })
    .from(googleAccounts)
    .where(eq(googleAccounts.id, id))
    .for('key share')
  if (!account) throw new Unlinked('The account is not linked any more')
}

const excluded = (name: string) => sql`excluded.${sql.identifier(name)}`
const theirs = (row: object): Record<string, SQL> =>
  Object.fromEntries(Object.keys(row).map((name) => [name, excluded(name)]))

const isFree = sql`(${googleLocations.account_id} = excluded.account_id or ${googleLocations.vanished_since} is not null
  or exists (select from ${googleAccounts} holder where holder.id = ${googleLocations.account_id} and holder.needs_relink_since is not null))`
const sinceWhen = sql`case when ${googleLocations.standing} = excluded.standing then ${googleLocations.standing_since} else now() end`

const counted = [
  'title',
  'primary_category',
  'categories',
  'phone',
  'website',
  'address',
  'service_area',
  'description',
]
const row = (of: (name: string) => SQL) => sql`(${sql.join(counted.map(of), sql`, `)})`
/** Whoever has a form open is told when something in it is different now. */
const nextVersion = sql`${googleLocations.version} + (${row((name) => sql`google_locations.${sql.identifier(name)}`)}
  is distinct from ${row(excluded)})::int`
