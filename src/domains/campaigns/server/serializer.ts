import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { joinSelection, selectFields } from '#core/db/field-columns.ts'
import { campaignFields } from '../fields.ts'
import { campaignsTable } from '../schema.ts'
import { currentTargetSql } from './current-target.ts'

/** What a row's fields are read from. */
export const campaignsWithClientSql = sql`${campaignsTable} join clients on clients.id = ${campaignsTable.client_id}`

export const netRevenueSql = sql`(${campaignsTable.service_fee} - ${campaignsTable.approved_ppc})`
/** Percent; null where there is no fee. */
export const ppcPercentSql = sql`(100 * ${campaignsTable.approved_ppc} / nullif(${campaignsTable.service_fee}, 0))`
/** Listings that are not deleted. */
export const gmbsCountSql = sql`(
  select count(*)::int from campaign_gmbs listing where listing.campaign_id = ${campaignsTable.id} and listing.deleted_at is null)`

/** One campaign as it is answered, by id alone: who asks for it has been let in already. */
export async function readCampaignJson(db: DbOrTx, zone: string, id: number): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select row_to_json(campaign)::text as json
    from (select ${buildCampaignFields(zone)} from ${campaignsWithClientSql} where ${campaignsTable.id} = ${id}) campaign`)
  return found.rows[0]!.json
}

/** The columns of a row; PostgreSQL makes its JSON of them. */
export const buildCampaignFields = (zone: string): SQL =>
  joinSelection(
    selectFields(campaignFields, campaignsTable, {
      categories: campaignCategoriesSql,
      client: sql`json_build_object('id', clients.id, 'name', clients.name)`,
      client_sites: sql`(select coalesce(json_agg(json_build_object('id', site.id, 'url', site.url) order by lower(site.url), site.id), '[]')
        from client_sites site where site.campaign_id = ${campaignsTable.id} and site.deleted_at is null)`,
      current_target: currentTargetSql(zone),
      ppc: ppcPercentSql,
      net: netRevenueSql,
      gmbs_count: gmbsCountSql,
    }),
  )

/** A campaign's categories by name, as JSON. */
const campaignCategoriesSql = sql`(
  select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id), '[]')
  from campaign_category_links l join campaign_categories g on g.id = l.category_id where l.campaign_id = ${campaignsTable.id})`
