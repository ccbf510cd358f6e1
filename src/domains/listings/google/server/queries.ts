import { and, asc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { contains, folded, ordered } from '#core/db/list-sql.ts'
import { notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import type { GoogleAccount, GoogleLocation, locationSorts } from '../contract.ts'
import { partName, type Standing } from '../labels.ts'
import { googleAccounts, googleEdits, googleLocations } from '../schema.ts'

type Sort = (typeof locationSorts)[number]
type Asked = {
  page: number
  per_page: number
  sort: Sort
  order: 'asc' | 'desc'
  search?: string | undefined
  account_id?: number | undefined
  standing?: Standing | undefined
  pending?: 1 | undefined
  needs_relink?: 1 | undefined
  vanished?: 1 | undefined
}

export async function locationsPage(db: Queries, asked: Asked) {
  const where = matching(db, asked)
  const [rows, [counted]] = await Promise.all([
    withAccount(db)
      .where(where)
      .orderBy(ordered(sortable[asked.sort], asked.order, googleLocations.id))
      .limit(asked.per_page)
      .offset((asked.page - 1) * asked.per_page),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(googleLocations)
      .innerJoin(googleAccounts, eq(googleAccounts.id, googleLocations.account_id))
      .where(where),
  ])
  return { data: await withEdits(db, rows), total: counted?.total ?? 0 }
}

/** One, in the shape of the list. */
export async function readRow(db: Queries, id: number): Promise<GoogleLocation> {
  const rows = await withAccount(db).where(eq(googleLocations.id, id))
  const [found] = await withEdits(db, rows)
  if (!found) throw notFound()
  return found
}

export async function accountsFor(db: Queries, me: Me, id?: number): Promise<GoogleAccount[]> {
  const rows = await db
    .select({
      account: googleAccounts,
      syncing: sql<boolean>`coalesce(${googleAccounts.sync_ended_at} is null and ${googleAccounts.sync_started_at} > now() - interval '10 minutes', false)`,
      locations: sql<number>`(select count(*)::int from google_locations kept where kept.account_id = google_accounts.id)`,
    })
    .from(googleAccounts)
    .where(id === undefined ? undefined : eq(googleAccounts.id, id))
    .orderBy(asc(folded(googleAccounts.email)), googleAccounts.id)
  return rows.map(({ account, syncing, locations }) => ({
    id: account.id,
    account_name: account.account_name,
    email: account.email,
    needs_relink_since: account.needs_relink_since?.toISOString() ?? null,
    synced_at: account.synced_at?.toISOString() ?? null,
    syncing,
    problem: account.problem,
    locations,
    may_unlink: me.isSuperAdmin || account.linked_by === me.id,
  }))
}

function matching(
  db: Queries,
  { search, account_id, standing, pending, needs_relink, vanished }: Asked,
): SQL | undefined {
  const waiting = db
    .select({ id: googleEdits.location_id })
    .from(googleEdits)
    .where(inArray(googleEdits.state, ['waiting', 'sending']))
  return and(
    search === undefined
      ? undefined
      : or(contains(googleLocations.searchable, search.toLowerCase()), contains(googleAccounts.email, search)),
    account_id === undefined ? undefined : eq(googleLocations.account_id, account_id),
    standing === undefined
      ? undefined
      : and(eq(googleLocations.standing, standing), isNull(googleAccounts.needs_relink_since)),
    pending ? or(googleLocations.has_pending_edits, inArray(googleLocations.id, waiting)) : undefined,
    needs_relink ? isNotNull(googleAccounts.needs_relink_since) : undefined,
    vanished ? isNotNull(googleLocations.vanished_since) : undefined,
  )
}

const sortable: Record<Sort, SQL> = {
  title: folded(googleLocations.title),
  standing: sql`${googleLocations.standing}`,
  address: folded(googleLocations.address),
  phone: sql`${googleLocations.phone}`,
  website: folded(googleLocations.website),
  service_area: folded(googleLocations.service_area),
  primary_category: sql`lower(${googleLocations.primary_category} ->> 'displayName')`,
  categories: folded(googleLocations.category_names),
  description: folded(googleLocations.description),
  email: folded(googleAccounts.email),
  account_name: folded(googleLocations.business_account_name),
  seen_at: sql`${googleLocations.seen_at}`,
}

const withAccount = (db: Queries) =>
  db
    .select({
      location: googleLocations,
      email: googleAccounts.email,
      needs_relink_since: googleAccounts.needs_relink_since,
    })
    .from(googleLocations)
    .innerJoin(googleAccounts, eq(googleAccounts.id, googleLocations.account_id))
    .$dynamic()

type Row = {
  location: typeof googleLocations.$inferSelect
  email: string
  needs_relink_since: Date | null
}
type Edit = Pick<
  typeof googleEdits.$inferSelect,
  'location_id' | 'fields' | 'state' | 'error' | 'username' | 'created_at'
>

/** The edits of all of them at once. */
async function withEdits(db: Queries, rows: Row[]): Promise<GoogleLocation[]> {
  const ids = rows.map(({ location }) => location.id)
  const { location_id, fields, state, error, username, created_at } = googleEdits
  const edits = ids.length
    ? await db
        .select({ location_id, fields, state, error, username, created_at })
        .from(googleEdits)
        .where(
          and(
            inArray(location_id, ids),
            or(
              inArray(state, ['waiting', 'sending']),
              and(eq(state, 'failed'), gt(created_at, sql`now() - interval '1 day'`)),
            ),
          ),
        )
        .orderBy(googleEdits.id)
    : []
  const byLocation = Map.groupBy(edits, (edit) => edit.location_id)
  return rows.map((row) => shown(row, byLocation.get(row.location.id) ?? []))
}

function shown({ location, email, needs_relink_since }: Row, edits: Edit[]): GoogleLocation {
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
    needs_relink_since: needs_relink_since?.toISOString() ?? null,
    review_link: location.review_link,
    standing: location.standing,
    standing_since: location.standing_since.toISOString(),
    open_status: location.open_status,
    pending: location.has_pending_edits ? pendingOf(location.pending_parts) : [],
    has_google_updated: location.has_google_updated,
    vanished_since: location.vanished_since?.toISOString() ?? null,
    seen_at: location.seen_at.toISOString(),
    version: location.version,
    edit: editOf(edits),
  }
}

const pendingOf = (parts: string[]) => (parts.length > 0 ? [...new Set(parts.map(partName))] : ['Something'])

/** Those that wait, as one; else the last that failed. */
function editOf(edits: Edit[]): GoogleLocation['edit'] {
  const waiting = edits.filter(({ state }) => state !== 'failed')
  const last = waiting.at(-1) ?? edits.at(-1)
  if (!last) return null
  return {
    state: waiting.length > 0 ? 'waiting' : 'failed',
    fields: waiting.length > 0 ? Object.assign({}, ...waiting.map(({ fields }) => fields)) : last.fields,
    error: last.error,
    username: last.username,
    created_at: last.created_at.toISOString(),
  }
}
