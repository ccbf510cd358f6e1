import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { QueryOf } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters } from '#core/db/field-columns.ts'
import { containsFolded, sortDirection, textOrderSql, toIsoTimestamp } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { googleLocationsTable } from '#domains/listings/google/schema.ts'
import type { Gmb, gmbsContract } from '../contract.ts'
import { gmbFields, gmbFilters } from '../fields.ts'
import { statusesOnMaps, suspendedStatus } from '../labels.ts'
import { getRecoveryEmailContext, gmbsTable } from '../schema.ts'
import type { GmbRow } from './store.ts'

type GmbsQuery = QueryOf<typeof gmbsContract.list>

export const buildVisibleGmbsFilter = (me: CurrentUser) =>
  and(isNull(gmbsTable.deleted_at), inVisibleCampaigns(me, gmbsTable.campaign_id))

export async function readGmbsPage(db: DbOrTx, secrets: SecretBox, me: CurrentUser, query: GmbsQuery) {
  const where = buildGmbFilter(me, query)
  const gmbs = selectWithCampaign(db)
    .where(where)
    .orderBy(...buildGmbOrder(query))
  const joined = sql`${gmbsTable} join ${campaignsTable} on ${eq(campaignsTable.id, gmbsTable.campaign_id)}`
  const { data, total } = await readPage(gmbs, db.$count(joined, where), query)
  return { data: data.map((row) => toGmb(secrets, row)), total }
}

const buildGmbFilter = (me: CurrentUser, query: GmbsQuery) =>
  and(
    buildVisibleGmbsFilter(me),
    matchFilters(gmbFilters, gmbsTable, query, { search: buildSearchFilter, state: buildStateFilter }),
  )

const notFoundCondition = and(isNotNull(gmbsTable.gone_at), inArray(gmbsTable.status, statusesOnMaps))

function buildStateFilter(state: NonNullable<GmbsQuery['state']>): SQL | undefined {
  if (state === 'changed') return eq(gmbsTable.changed, true)
  if (state === 'not_found') return notFoundCondition
  return and(eq(gmbsTable.status, Number(state)), sql`not (${notFoundCondition})`)
}

/** Returns all matching listings for a CSV file, with times in the agency's time zone. */
export function buildGmbsCsvQuery(db: DbOrTx, { me, zone }: { me: CurrentUser; zone: string }, query: GmbsQuery): SQL {
  const formatTime = (column: AnyPgColumn) => sql`to_char(${column} at time zone ${zone}, 'YYYY-MM-DD HH24:MI')`
  const { password, recovery_email, seen, ...columns } = getTableColumns(gmbsTable)
  return db
    .select({
      ...columns,
      campaign_name: sql`${campaignsTable.name}`.as('campaign_name'),
      checked_at: formatTime(gmbsTable.checked_at).as('checked_at'),
      updated_at: formatTime(gmbsTable.updated_at).as('updated_at'),
    })
    .from(gmbsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, gmbsTable.campaign_id))
    .where(buildGmbFilter(me, query))
    .orderBy(...buildGmbOrder(query))
    .getSQL()
}

/** Reads one listing, in the shape of the list. Throws 404 for a listing that this user may not see. */
export async function readGmb(db: DbOrTx, secrets: SecretBox, me: CurrentUser, id: number): Promise<Gmb> {
  const [row] = await selectWithCampaign(db).where(and(eq(gmbsTable.id, id), buildVisibleGmbsFilter(me)))
  if (!row) throw notFoundError()
  return toGmb(secrets, row)
}

/** The earlier of our date and that of the linked account, which knows of no day before its first sync. */
export const suspendedSinceSql = sql`case when ${gmbsTable.status} = ${suspendedStatus} then least(
  (select ${googleLocationsTable.standing_since} from ${googleLocationsTable}
    where ${googleLocationsTable.cid} = ${gmbsTable.cid} and ${googleLocationsTable.vanished_since} is null
      and ${googleLocationsTable.standing} in ('suspended', 'disabled')
    order by ${googleLocationsTable.seen_at} desc, ${googleLocationsTable.id} limit 1),
  ${gmbsTable.suspended_at}) end`.mapWith(gmbsTable.suspended_at) as SQL<Date | null>

const selectWithCampaign = (db: DbOrTx) =>
  db
    .select({ gmb: gmbsTable, campaign_name: campaignsTable.name, suspended_since: suspendedSinceSql })
    .from(gmbsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, gmbsTable.campaign_id))
    .$dynamic()

type ListedGmb = Awaited<ReturnType<typeof selectWithCampaign>>[number]

function toGmb(secrets: SecretBox, { gmb, campaign_name, suspended_since }: ListedGmb): Gmb {
  const {
    password,
    recovery_email,
    deleted_at,
    created_at,
    latitude,
    longitude,
    seen,
    seen_at,
    seen_by,
    cid,
    next_check_at,
    ...row
  } = gmb
  return {
    ...row,
    password: null,
    has_password: password !== null,
    recovery_email: decryptRecoveryEmail(secrets, gmb),
    campaign_name,
    suspended_at: suspended_since && toIsoTimestamp(suspended_since),
    changed_at: gmb.changed_at && toIsoTimestamp(gmb.changed_at),
    missed_at: gmb.missed_at && toIsoTimestamp(gmb.missed_at),
    gone_at: gmb.gone_at && toIsoTimestamp(gmb.gone_at),
    checked_at: gmb.checked_at && toIsoTimestamp(gmb.checked_at),
    check_asked_at: gmb.check_asked_at && toIsoTimestamp(gmb.check_asked_at),
    updated_at: toIsoTimestamp(gmb.updated_at),
  }
}

export const decryptRecoveryEmail = (secrets: SecretBox, { id, recovery_email }: GmbRow) =>
  recovery_email && secrets.open(recovery_email, getRecoveryEmailContext(id))

type TextColumn = {
  [Name in keyof typeof gmbFields]: (typeof gmbFields)[Name]['kind'] extends 'text' | 'longText' | 'phone'
    ? Name
    : never
}[keyof typeof gmbFields]
const isTextColumn = (name: keyof typeof gmbFields): name is TextColumn =>
  /^(text|longText|phone)$/.test(gmbFields[name].kind)
/** Those that are searched. */
const textColumns = (Object.keys(gmbFields) as (keyof typeof gmbFields)[]).filter(isTextColumn) // its keys

function buildSearchFilter(search: string): SQL | undefined {
  const columns = [campaignsTable.name, ...textColumns.map((name) => gmbsTable[name])]
  return or(...columns.map((column) => containsFolded(column, search)))
}

/** Nulls come last. */
function buildGmbOrder({ sort, order }: GmbsQuery): SQL[] {
  const direction = sortDirection(order)
  return [sql`${direction(gmbSortKeys[sort])} nulls last`, sql`${gmbsTable.id}`]
}

const gmbSortKeys = buildSortKeys(gmbFields, gmbsTable, { campaign_name: textOrderSql(campaignsTable.name) })
