import { type SQL, sql } from 'drizzle-orm'
import { type Db, runPrepared } from '#core/db/db.ts'
import type { LeadListQuery, LeadSort } from '#domains/leads/contract.ts'
import type { Matching } from '#domains/leads/model/filter.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { leadsAsJson, leadsWithCampaign, type Reader } from '#domains/leads/model/serializer.ts'
import { visibleTo } from '#domains/leads/model/visibility.ts'

/** A query's leads, or those of whoever else pages through leads. */
type Which = Pick<Matching, 'where' | 'readsRows'>
type Page = Pick<LeadListQuery, 'page' | 'per_page' | 'sort' | 'order'>

/**
 * A page of leads with the total, as the JSON that is answered. Two steps, because PostgreSQL would plan their sum anew each time,
 * for longer than it takes to carry it out: which leads depends on what is asked; how a lead is written does not.
 */
export async function leadsPage(db: Db, reader: Reader, which: Which, query: Page): Promise<string> {
  const found = await db.execute<Found>(
    which.readsRows ? foundOnce(which.where, query) : foundByIndex(which.where, query),
  )
  const { ids, total } = found.rows[0]!
  return `{"data":${ids.length === 0 ? '[]' : await written(db, reader, ids)},"meta":{"total":${total}}}`
}

type Found = { ids: number[]; total: string }

/** Walks the index for the page; the count reads nothing but the index either. */
const foundByIndex = (where: SQL, query: Page) => sql`
  select (select count(*) from ${leads} where ${where}) as total, array(
    select ${leads.id} from ${leadsWithCampaign} where ${where}
    order by ${ordered(sortable[query.sort], query)} ${slice(query)}) as ids`

/** Reads the matching rows once, for the page and the count together. */
const foundOnce = (where: SQL, query: Page) => sql`
  with found as materialized (
    select ${leads.id}, ${sortable[query.sort]} as key from ${leadsWithCampaign} where ${where})
  select (select count(*) from found) as total, array(
    select found.id from found order by ${ordered(sql`found.key`, query, sql`found.id`)} ${slice(query)}) as ids`

/** These leads in this order, but for one that the reader has just lost sight of. */
async function written(db: Db, reader: Reader, ids: number[]): Promise<string> {
  const [page] = await runPrepared<{ json: string }>(db, leadsAsJson(reader, ids, visibleTo(reader.me)))
  return page!.json
}

const slice = ({ page, per_page }: Page) => sql`limit ${per_page} offset ${(page - 1) * per_page}`

/** The list's order, for whatever else follows it. */
export const orderOf = (query: Pick<Page, 'sort' | 'order'>): SQL => ordered(sortable[query.sort], query)

/** Nulls are last either way, and the id decides between equals in the same direction. */
function ordered(key: SQL, { sort, order }: Pick<Page, 'sort' | 'order'>, id: SQL = sql`${leads.id}`): SQL {
  const direction = sql.raw(order)
  const nulls = neverNull.has(sort) ? sql`` : sql` nulls last`
  return sql`${key} ${direction}${nulls}, ${id} ${direction}`
}

const folded = (column: SQL) => sql`lower(${column})`

const sortable: Record<LeadSort, SQL> = {
  campaign_name: folded(sql`campaigns.name`),
  lead_date: sql`${leads.occurred_at}`,
  lead_type: sql`${leads.lead_type}`,
  lead_name: folded(sql`${leads.lead_name}`),
  lead_location: folded(sql`${leads.lead_location}`),
  lead_email: sql`${leads.email_key}`,
  lead_phone: sql`${leads.lead_phone}`,
  duration: sql`${leads.duration}`,
  confirmed: sql`${leads.confirmed}`,
  client_progress: sql`${leads.client_progress}`,
  client_value: sql`${leads.client_value}`,
  client_profit: sql`${leads.client_profit}`,
  rating: sql`${leads.rating}`,
  source: folded(sql`${leads.source}`),
}

/** Without "nulls last" the order is the index's own. */
const neverNull = new Set<LeadSort>(['lead_date', 'lead_type', 'confirmed'])
