import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { LeadSort } from '#domains/leads/contract.ts'
import { shownRatingColumn } from '#domains/leads/model/facets.ts'
import type { LeadKey } from '#domains/leads/model/lead-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type LeadReader, leadsWithCampaignJoin, readVisiblePageJson } from '#domains/leads/model/serializer.ts'
import { occurredWithin } from '#domains/leads/sums/server/build-sums.ts'
import { findStartDays } from '#domains/leads/sums/server/find-start.ts'
import { type CountedSelection, countBySums } from '#domains/leads/sums/server/read-sums.ts'
import { type LeadPageQuery, type LeadSelection, planPage } from './plan.ts'

/**
 * Returns a page of leads with the total, as the JSON of the response. Finding the leads depends on the query, but serializing them does
 * not, so those statements are prepared. Planning all as one would take longer than running it.
 */
export async function readLeadsPage(
  db: Db,
  reader: LeadReader,
  which: LeadSelection,
  query: LeadPageQuery,
): Promise<string> {
  const { keys, total } = await findLeads(db, reader.zone, which, query)
  const leads = await readVisiblePageJson(db, reader, keys)
  return `{"data":${leads},"meta":{"total":${total}}}`
}

/** Returns how many leads match. */
export async function countMatches(db: Db, zone: string, which: LeadSelection): Promise<number> {
  const plan = planPage(which, { page: 1, per_page: 1, sort: 'lead_date', order: 'desc' })
  if (plan.way === 'scan' || plan.way === 'count') return Number(await countByIndex(db, which.where))
  const total = await countBySums(db, plan.sums, zone)
  return total === null ? countMatches(db, zone, { ...which, sums: null }) : Number(total)
}

type FoundLeads = { keys: LeadKey[]; total: string | number }

async function findLeads(db: Db, zone: string, which: LeadSelection, query: LeadPageQuery): Promise<FoundLeads> {
  const plan = planPage(which, query)
  if (plan.way === 'scan') return scanOnce(db, which.where, query)
  if (plan.way === 'count') return countBeside(db, which.where, query)
  const find = plan.way === 'seek' ? seekPage : sumPage
  const found = await find(db, zone, plan.sums, which.where, query)
  return found ?? findLeads(db, zone, { ...which, sums: null }, query) // there are no sums while they are being built
}

/** Reads the matching leads once. */
async function scanOnce(db: Db, where: SQL, query: LeadPageQuery): Promise<FoundLeads> {
  const found = await db.execute<{ keys: [id: number, campaignId: number][]; total: string }>(sql`
    with found as materialized (
      select ${leadsTable.id}, ${leadsTable.campaign_id}, ${sortExpressions[query.sort]} as key from ${sortedTables(query)} where ${where})
    select (select count(*) from found) as total, array(
      select array[found.id, found.campaign_id] from found order by ${orderByClause(sql`found.key`, query, sql`found.id`)} ${pageSlice(query)}) as keys`)
  const { keys, total } = found.rows[0]!
  return { keys: keys.map(([id, campaign_id]) => ({ id, campaign_id })), total }
}

async function countBeside(db: Db, where: SQL, query: LeadPageQuery): Promise<FoundLeads> {
  const [total, keys] = await Promise.all([countByIndex(db, where), readPageKeys(db, where, query)])
  return { keys, total }
}

async function countByIndex(db: Db, where: SQL): Promise<string> {
  const { rows } = await db.execute<{ total: string }>(sql`select count(*) as total from ${leadsTable} where ${where}`)
  return rows[0]!.total
}

type FindBySums = (
  db: Db,
  zone: string,
  sums: CountedSelection,
  where: SQL,
  query: LeadPageQuery,
) => Promise<FoundLeads | null>

const sumPage: FindBySums = async (db, zone, sums, where, query) => {
  const [total, keys] = await Promise.all([countBySums(db, sums, zone), readPageKeys(db, where, query)])
  return total === null ? null : { keys, total }
}

const seekPage: FindBySums = async (db, zone, sums, where, query) => {
  const start = await findStartDays(db, sums, { offset: (query.page - 1) * query.per_page, order: query.order, zone })
  if (!start?.days) return start && { keys: [], total: start.total }
  const { from, end } = start.days
  const onwards = occurredWithin(query.order === 'desc' ? { from: undefined, end } : { from, end: undefined }, zone)
  return { keys: await readPageKeys(db, sql`${where} and ${onwards}`, query, start.skipped), total: start.total }
}

async function readPageKeys(db: Db, where: SQL, query: LeadPageQuery, offset?: number): Promise<LeadKey[]> {
  const { rows } = await db.execute<LeadKey>(sql`
    select ${leadsTable.id}, ${leadsTable.campaign_id} from ${sortedTables(query)} where ${where}
    order by ${orderByClause(sortExpressions[query.sort], query)} ${pageSlice(query, offset)}`)
  return rows
}

/** The leads, with their campaigns only where the order needs them: where leads are sharded, these are sent to every machine. */
const sortedTables = ({ sort }: Pick<LeadPageQuery, 'sort'>): SQL =>
  sort === 'campaign_name' ? leadsWithCampaignJoin : sql`${leadsTable}`

const pageSlice = ({ page, per_page }: LeadPageQuery, offset = (page - 1) * per_page) =>
  sql`limit ${per_page} offset ${offset}`

/** Returns the list's order, for other queries that follow it. */
export const leadOrderBy = (query: Pick<LeadPageQuery, 'sort' | 'order'>): SQL =>
  orderByClause(sortExpressions[query.sort], query)

/** Puts nulls last in both directions, and breaks ties by id in the same direction. */
function orderByClause(
  key: SQL,
  { sort, order }: Pick<LeadPageQuery, 'sort' | 'order'>,
  id: SQL = sql`${leadsTable.id}`,
): SQL {
  const direction = sql.raw(order)
  const nulls = nonNullSorts.has(sort) ? sql`` : sql` nulls last`
  return sql`${key} ${direction}${nulls}, ${id} ${direction}`
}

const lowerCased = (column: SQL) => sql`lower(${column})`

const sortExpressions: Record<LeadSort, SQL> = {
  campaign_name: lowerCased(sql`${campaignsTable.name}`),
  lead_date: sql`${leadsTable.occurred_at}`,
  lead_type: sql`${leadsTable.lead_type}`,
  lead_name: lowerCased(sql`${leadsTable.lead_name}`),
  lead_location: lowerCased(sql`${leadsTable.lead_location}`),
  lead_email: sql`${leadsTable.email_key}`,
  lead_phone: sql`${leadsTable.lead_phone}`,
  duration: sql`${leadsTable.duration}`,
  confirmed: sql`${leadsTable.confirmed}`,
  client_progress: sql`${leadsTable.client_progress}`,
  client_value: sql`${leadsTable.client_value}`,
  client_profit: sql`${leadsTable.client_profit}`,
  rating: shownRatingColumn,
  source: lowerCased(sql`${leadsTable.source}`),
}

/** Sorts that omit "nulls last", to match the order of the index. */
const nonNullSorts = new Set<LeadSort>(['lead_date', 'lead_type', 'confirmed'])
