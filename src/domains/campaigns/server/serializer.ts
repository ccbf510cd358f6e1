import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { campaigns } from '../schema.ts'
import { currentTarget } from './current-target.ts'

/** What a row's fields are read from. */
export const campaignsWithClient = sql`${campaigns} join clients on clients.id = ${campaigns.client_id}`

export const net = sql`(${campaigns.service_fee} - ${campaigns.approved_ppc})`
/** Percent; null where there is no fee. */
export const ppc = sql`(100 * ${campaigns.approved_ppc} / nullif(${campaigns.service_fee}, 0))`
/** Listings that are not deleted. */
export const gmbsCount = sql`(
  select count(*)::int from campaign_gmbs listing where listing.campaign_id = ${campaigns.id} and listing.deleted_at is null)`

/** One campaign as it is answered, by id alone: who asks for it has been let in already. */
export async function campaignJson(db: Queries, zone: string, id: number): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select row_to_json(campaign)::text as json
    from (select ${campaignFields(zone)} from ${campaignsWithClient} where ${campaigns.id} = ${id}) campaign`)
  return found.rows[0]!.json
}

/** The columns of a row; PostgreSQL makes its JSON of them. */
export function campaignFields(zone: string): SQL {
  return sql`${campaigns.id}, ${campaigns.name}, ${categoriesOf} as categories,
    json_build_object('id', clients.id, 'name', clients.name) as client,
    (select coalesce(json_agg(json_build_object('id', site.id, 'url', site.url) order by lower(site.url), site.id), '[]')
      from client_sites site where site.campaign_id = ${campaigns.id} and site.deleted_at is null) as client_sites,
    ${campaigns.manager}, ${campaigns.start_date}, ${campaigns.due_date}, ${currentTarget(zone)} as current_target,
    ${campaigns.initial_target}, ${campaigns.month_3_target}, ${campaigns.month_6_target}, ${campaigns.month_9_target},
    ${campaigns.month_12_target}, ${campaigns.service_fee}, ${campaigns.approved_ppc}, ${ppc} as ppc, ${net} as net,
    ${gmbsCount} as gmbs_count, ${campaigns.archived}::int, ${campaigns.fixed_to_top}::int, ${campaigns.version}`
}

/** A campaign's categories by name, as JSON. */
const categoriesOf = sql`(
  select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id), '[]')
  from campaign_category_links l join campaign_categories g on g.id = l.category_id where l.campaign_id = ${campaigns.id})`
