import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { joinSelection, selectFields } from '#core/db/field-columns.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { campaignFields } from '../fields.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'
import { currentTargetSql } from './current-target.ts'

/** The tables that `buildCampaignFields` reads. */
export const campaignsWithClientSql = sql`${campaignsTable} join ${clientsTable} on ${clientsTable.id} = ${campaignsTable.client_id}`

export const netRevenueSql = sql`(${campaignsTable.service_fee} - ${campaignsTable.approved_ppc})`
/** Percent; null without a fee. */
export const ppcPercentSql = sql`(100 * ${campaignsTable.approved_ppc} / nullif(${campaignsTable.service_fee}, 0))`
/** Listings that are not deleted. */
export const gmbsCountSql = sql`(
  select count(*)::int from ${gmbsTable} listing where listing.campaign_id = ${campaignsTable.id} and listing.deleted_at is null)`

/** Returns one campaign as JSON, by id only: the caller has checked access. */
export async function readCampaignJson(db: DbOrTx, zone: string, id: number): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select row_to_json(campaign)::text as json
    from (select ${buildCampaignFields(zone)} from ${campaignsWithClientSql} where ${campaignsTable.id} = ${id}) campaign`)
  return found.rows[0]!.json
}

/** The columns of a row, which PostgreSQL turns into JSON. */
export const buildCampaignFields = (zone: string): SQL =>
  joinSelection(
    selectFields(campaignFields, campaignsTable, {
      categories: campaignCategoriesSql,
      client: sql`json_build_object('id', ${clientsTable.id}, 'name', ${clientsTable.name})`,
      client_sites: sql`(select coalesce(json_agg(json_build_object('id', site.id, 'url', site.url) order by fold_text(site.url), site.id), '[]')
        from ${clientSitesTable} site where site.campaign_id = ${campaignsTable.id} and site.deleted_at is null)`,
      current_target: currentTargetSql(zone),
      ppc: ppcPercentSql,
      net: netRevenueSql,
      gmbs_count: gmbsCountSql,
    }),
  )

/** A campaign's categories by name, as JSON. */
const campaignCategoriesSql = sql`(
  select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by fold_text(g.name), g.id), '[]')
  from ${campaignCategoryLinksTable} l join ${campaignCategoriesTable} g on g.id = l.category_id where l.campaign_id = ${campaignsTable.id})`
