import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { buildSortKeys, matchFilters } from '#core/db/field-columns.ts'
import { containsFolded, orderNullsLast, textOrderSql } from '#core/db/list-sql.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import type { CampaignListQuery } from '../contract.ts'
import { campaignFields, campaignFilters } from '../fields.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'
import { currentTargetSql } from './current-target.ts'
import {
  buildCampaignFields,
  campaignsWithClientSql,
  gmbsCountSql,
  netRevenueSql,
  ppcPercentSql,
} from './serializer.ts'

type CampaignListContext = { me: CurrentUser; zone: string; archived: boolean }

/**
 * Returns a page of campaigns with the total and the summary, as JSON. All three share one read of the matching
 * campaigns; expensive fields, such as categories and sites, are read only for the page.
 */
export async function readCampaignsPage(
  db: DbOrTx,
  context: CampaignListContext,
  query: CampaignListQuery,
): Promise<string> {
  const { page, per_page } = query
  const direction = sql.raw(query.order)
  const found = await db.execute<{ json: string }>(sql`
    with found as materialized (
      select ${campaignsTable.id}, ${campaignsTable.service_fee}, ${campaignsTable.approved_ppc}, ${netRevenueSql} as net, ${ppcPercentSql} as ppc,
        ${buildCampaignSortKeys(context.zone)[query.sort]} as key
      from ${campaignsWithClientSql} where ${buildCampaignsFilter(context, query)}),
    page as materialized (
      select id, row_number() over () as place from (
        select id from found order by key ${direction} nulls last, id ${direction}
        limit ${per_page} offset ${(page - 1) * per_page}) sorted)
    select json_build_object(
      'data', coalesce((select json_agg(campaign) from (
        select ${buildCampaignFields(context.zone)} from page join ${campaignsWithClientSql} on page.id = ${campaignsTable.id}
        order by page.place) campaign), '[]'),
      'meta', json_build_object('total', (select count(*) from found)),
      'summary', (select json_build_object(
        'approved_ppc', json_build_object('total', coalesce(sum(approved_ppc), 0), 'avg', round(avg(approved_ppc), 2)),
        'net', json_build_object('total', coalesce(sum(net), 0)),
        'ppc', json_build_object('avg', avg(ppc)),
        'service_fee', json_build_object('total', coalesce(sum(service_fee), 0), 'avg', round(avg(service_fee), 2)),
        'total', count(*)) from found))::text as json`)
  return found.rows[0]!.json
}

/** Builds the query of all matching campaigns, for a file. */
export const buildCampaignsQuery = (context: CampaignListContext, query: CampaignListQuery): SQL => sql`
  select ${buildCampaignFields(context.zone)} from ${campaignsWithClientSql} where ${buildCampaignsFilter(context, query)}
  order by ${orderNullsLast(buildCampaignSortKeys(context.zone)[query.sort], query.order, campaignsTable.id)}`

const buildCampaignsFilter = ({ me, archived }: CampaignListContext, query: CampaignListQuery): SQL | undefined =>
  and(
    eq(campaignsTable.archived, archived),
    inVisibleCampaigns(me, campaignsTable.id),
    matchFilters(campaignFilters, campaignsTable, query, {
      q: buildCampaignSearch,
      campaign_category_id: (id) => sql`exists (select from ${campaignCategoryLinksTable} link
        where link.campaign_id = ${campaignsTable.id} and link.category_id = ${id})`,
    }),
  )

/** Searches the campaign's name, its client's name, and the URLs of its sites. */
function buildCampaignSearch(q: string): SQL {
  return sql`(${containsFolded(campaignsTable.name, q)} or ${containsFolded(clientsTable.name, q)} or ${campaignsTable.id} in (
    select campaign_id from ${clientSitesTable} where campaign_id is not null and deleted_at is null and ${containsFolded(sql`url`, q)}))`
}

const buildCampaignSortKeys = (zone: string) =>
  buildSortKeys(campaignFields, campaignsTable, {
    'client.name': textOrderSql(clientsTable.name),
    // As in the cells: by the first one.
    'campaigncategory.name': sql`(select min(fold_text(g.name)) from ${campaignCategoryLinksTable} l
      join ${campaignCategoriesTable} g on g.id = l.category_id where l.campaign_id = ${campaignsTable.id})`,
    client_sites: sql`(select min(fold_text(site.url)) from ${clientSitesTable} site
      where site.campaign_id = ${campaignsTable.id} and site.deleted_at is null)`,
    current_target: currentTargetSql(zone),
    ppc: ppcPercentSql,
    net: netRevenueSql,
    gmbs_count: gmbsCountSql,
  })
