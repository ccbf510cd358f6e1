import { and, asc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters } from '#core/db/field-columns.ts'
import { containsFolded, likeFolded, orderNullsLast, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { GoogleAccount, GoogleLocation, googleLocationsContract } from '../contract.ts'
import { locationFields, locationFilters } from '../fields.ts'
import { getPartLabel } from '../labels.ts'
import { googleAccountsTable, googleEditsTable, googleLocationsTable } from '../schema.ts'

type LocationsQuery = QueryOf<typeof googleLocationsContract.list>

export async function readLocationsPage(db: DbOrTx, query: LocationsQuery) {
  const where = buildLocationFilter(db, query)
  const locations = selectWithAccount(db)
    .where(where)
    .orderBy(orderNullsLast(locationSortKeys[query.sort], query.order, googleLocationsTable.id))
  const isTheirs = eq(googleAccountsTable.id, googleLocationsTable.account_id)
  const joined = sql`${googleLocationsTable} join ${googleAccountsTable} on ${isTheirs}`
  const { data, total } = await readPage(locations, db.$count(joined, where), query)
  return { data: await attachEdits(db, data), total }
}

/** Reads one location, in the shape of the list. */
export async function readGoogleLocation(db: DbOrTx, id: number): Promise<BeforeJson<GoogleLocation>> {
  const rows = await selectWithAccount(db).where(eq(googleLocationsTable.id, id))
  const [found] = await attachEdits(db, rows)
  if (!found) throw notFoundError()
  return found
}

export async function readGoogleAccounts(
  db: DbOrTx,
  me: CurrentUser,
  id?: number,
): Promise<BeforeJson<GoogleAccount>[]> {
  const rows = await db
    .select({
      account: googleAccountsTable,
      syncing: sql<boolean>`coalesce(${googleAccountsTable.sync_ended_at} is null and ${googleAccountsTable.sync_started_at} > now() - interval '10 minutes', false)`,
      locations: sql<number>`(select count(*)::int from google_locations kept where kept.account_id = google_accounts.id)`,
    })
    .from(googleAccountsTable)
    .where(id === undefined ? undefined : eq(googleAccountsTable.id, id))
    .orderBy(asc(textOrderSql(googleAccountsTable.email)), googleAccountsTable.id)
  return rows.map(({ account, syncing, locations }) => ({
    id: account.id,
    account_name: account.account_name,
    email: account.email,
    needs_relink_since: account.needs_relink_since,
    synced_at: account.synced_at,
    syncing,
    problem: account.problem,
    locations,
    may_unlink: me.isSuperAdmin || account.linked_by === me.id,
  }))
}

function buildLocationFilter(db: DbOrTx, query: LocationsQuery): SQL | undefined {
  const waiting = db
    .select({ id: googleEditsTable.location_id })
    .from(googleEditsTable)
    .where(inArray(googleEditsTable.state, ['waiting', 'sending']))
  return matchFilters(locationFilters, googleLocationsTable, query, {
    search: (search) =>
      or(
        sql`${googleLocationsTable.searchable} like ${likeFolded(search)}`,
        containsFolded(googleAccountsTable.email, search),
      ),
    standing: (standing) =>
      and(eq(googleLocationsTable.standing, standing), isNull(googleAccountsTable.needs_relink_since)),
    pending: () => or(googleLocationsTable.has_pending_edits, inArray(googleLocationsTable.id, waiting)),
    needs_relink: () => isNotNull(googleAccountsTable.needs_relink_since),
    vanished: () => isNotNull(googleLocationsTable.vanished_since),
  })
}

const locationSortKeys = buildSortKeys(locationFields, googleLocationsTable, {
  website: textOrderSql(googleLocationsTable.website),
  primary_category: sql`fold_text(${googleLocationsTable.primary_category} ->> 'displayName')`,
  categories: textOrderSql(googleLocationsTable.category_names),
  email: textOrderSql(googleAccountsTable.email),
  account_name: textOrderSql(googleLocationsTable.business_account_name),
})

const selectWithAccount = (db: DbOrTx) =>
  db
    .select({
      location: googleLocationsTable,
      email: googleAccountsTable.email,
      needs_relink_since: googleAccountsTable.needs_relink_since,
    })
    .from(googleLocationsTable)
    .innerJoin(googleAccountsTable, eq(googleAccountsTable.id, googleLocationsTable.account_id))
    .$dynamic()

type LocationWithAccount = Awaited<ReturnType<typeof selectWithAccount>>[number]
type LocationEdit = Pick<
  typeof googleEditsTable.$inferSelect,
  'location_id' | 'fields' | 'state' | 'error' | 'username' | 'created_at'
>

/** Reads the edits of all rows at once. */
async function attachEdits(db: DbOrTx, rows: LocationWithAccount[]): Promise<BeforeJson<GoogleLocation>[]> {
  const ids = rows.map(({ location }) => location.id)
  const { location_id, fields, state, error, username, created_at } = googleEditsTable
  const edits = ids.length
    ? await db
        .select({ location_id, fields, state, error, username, created_at })
        .from(googleEditsTable)
        .where(
          and(
            inArray(location_id, ids),
            or(
              inArray(state, ['waiting', 'sending']),
              and(eq(state, 'failed'), gt(created_at, sql`now() - interval '1 day'`)),
            ),
          ),
        )
        .orderBy(googleEditsTable.id)
    : []
  const byLocation = Map.groupBy(edits, (edit) => edit.location_id)
  return rows.map((row) => toGoogleLocation(row, byLocation.get(row.location.id) ?? []))
}

function toGoogleLocation(
  { location, email, needs_relink_since }: LocationWithAccount,
  edits: LocationEdit[],
): BeforeJson<GoogleLocation> {
  return {
    id: location.id,
    title: location.title,
    primary_category: location.primary_category,
    categories: location.categories,
    phone: location.phone,
    website: location.website,
    address: location.address,
    service_area: location.service_area,
    description: location.description,
    google_maps_url: location.google_maps_url,
    email,
    account_id: location.account_id,
    account_name: location.business_account_name,
    needs_relink_since,
    review_link: location.review_link,
    standing: location.standing,
    standing_since: location.standing_since,
    open_status: location.open_status,
    pending: location.has_pending_edits ? formatPendingParts(location.pending_parts) : [],
    has_google_updated: location.has_google_updated,
    vanished_since: location.vanished_since,
    seen_at: location.seen_at,
    version: location.version,
    edit: summarizeEdits(edits),
  }
}

const formatPendingParts = (parts: string[]) =>
  parts.length > 0 ? [...new Set(parts.map(getPartLabel))] : ['Something']

/** Returns the waiting edits merged into one, or the last one that failed. */
function summarizeEdits(edits: LocationEdit[]): BeforeJson<GoogleLocation['edit']> {
  const waiting = edits.filter(({ state }) => state !== 'failed')
  const last = waiting.at(-1) ?? edits.at(-1)
  if (!last) return null
  return {
    state: waiting.length > 0 ? 'waiting' : 'failed',
    fields: waiting.length > 0 ? Object.assign({}, ...waiting.map(({ fields }) => fields)) : last.fields,
    error: last.error,
    username: last.username,
    created_at: last.created_at,
  }
}
