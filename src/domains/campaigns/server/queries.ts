import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { ordered } from '#core/db/list-sql.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import type { CampaignListQuery, CampaignSort } from '../contract.ts'
import { campaigns } from '../schema.ts'
import { currentTarget } from './current-target.ts'
import { campaignFields, campaignsWithClient, gmbsCount, net, ppc } from './serializer.ts'

type Asked = { me: Me; zone: string; archived: boolean }

/**
 * A page of campaigns with the total and the summary, as the JSON that is answered. The campaigns that match are read
 * once, for all three; what is dear to read, such as categories and sites, is read for the page alone.
 */
export async function campaignsPage(db: Queries, asked: Asked, query: CampaignListQuery): Promise<string> {
  const { page, per_page } = query
  const direction = sql.raw(query.order)
  const found = await db.execute<{ json: string }>(sql`
    with found as materialized (
      select ${campaigns.id}, ${campaigns.service_fee}, ${campaigns.approved_ppc}, ${net} as net, ${ppc} as ppc,
        ${keyOf(query.sort, asked.zone)} as key
      from ${campaignsWithClient} where ${matching(asked, query)}),
    page as materialized (
      select id, row_number() over () as place from (
        select id from found order by key ${direction} nulls last, id ${direction}
        limit ${per_page} offset ${(page - 1) * per_page}) sorted)
    select json_build_object(
      'data', coalesce((select json_agg(campaign) from (
        select ${campaignFields(asked.zone)} from page join ${campaignsWithClient} on page.id = ${campaigns.id}
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

/** All of them, for a file. */
export const campaignsQuery = (asked: Asked, query: CampaignListQuery): SQL => sql`
  select ${campaignFields(asked.zone)} from ${campaignsWithClient} where ${matching(asked, query)}
  order by ${ordered(keyOf(query.sort, asked.zone), query.order, campaigns.id)}`

function matching({ me, archived }: Asked, { q, campaign_category_id }: CampaignListQuery): SQL | undefined {
  return and(
    eq(campaigns.archived, archived),
    inTheirCampaigns(me, campaigns.id),
    campaign_category_id === undefined
      ? undefined
      : sql`exists (select from campaign_category_links link
          where link.campaign_id = ${campaigns.id} and link.category_id = ${campaign_category_id})`,
    q === undefined || q === '' ? undefined : named(q),
  )
}

/** Its own name, its client's, or the address of one of its sites. */
function named(q: string): SQL {
  const like = sql`like lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`}::text)`
  return sql`(lower(${campaigns.name}) ${like} or lower(clients.name) ${like} or ${campaigns.id} in (
    select campaign_id from client_sites where campaign_id is not null and deleted_at is null and lower(url) ${like}))`
}

function keyOf(sort: CampaignSort, zone: string): SQL {
  switch (sort) {
    case 'name':
      return sql`lower(${campaigns.name})`
    case 'manager':
      return sql`lower(${campaigns.manager})`
    case 'client.name':
      return sql`lower(clients.name)`
    // As the cells show them: by the first of them.
    case 'campaigncategory.name':
      return sql`(select min(lower(g.name)) from campaign_category_links l
        join campaign_categories g on g.id = l.category_id where l.campaign_id = ${campaigns.id})`
    case 'client_sites':
      return sql`(select min(lower(site.url)) from client_sites site
        where site.campaign_id = ${campaigns.id} and site.deleted_at is null)`
    case 'current_target':
      return currentTarget(zone)
    case 'ppc':
      return ppc
    case 'net':
      return net
    case 'gmbs_count':
      return gmbsCount
    default:
      return sql`${campaigns[sort]}`
  }
}
