import { sql } from 'drizzle-orm'
import { implement, JsonText } from '#core/http/handle.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { gmbs } from '#domains/listings/gmbs/schema.ts'
import { campaignMap as contract, mostPins } from '../contract.ts'

export const campaignMapCalls = implement(contract, {
  pins: async ({ db, me, query }) => {
    const [left, right] = [query['left-longitude'], query['right-longitude']]
    const { campaign_ids, category_id, clients_only } = query
    const conditions = [
      sql`${gmbs.deleted_at} is null`,
      sql`${gmbs.latitude} between ${query['down-latitude']} and ${query['upper-latitude']}`,
      left <= right
        ? sql`${gmbs.longitude} between ${left} and ${right}`
        : sql`(${gmbs.longitude} >= ${left} or ${gmbs.longitude} <= ${right})`,
      inTheirCampaigns(me, gmbs.campaign_id),
      campaign_ids?.length && sql`${gmbs.campaign_id} = any(${sql.param(campaign_ids)}::int[])`,
      category_id &&
        sql`exists (select from campaign_category_links l
          where l.campaign_id = ${gmbs.campaign_id} and l.category_id = ${category_id})`,
      clients_only && sql`${gmbs.is_client_location}`,
    ]
    const found = await db.execute<{ json: string }>(sql`
      select coalesce(json_agg(pin), '[]')::text as json from (
        select ${gmbs.id}, ${gmbs.title}, ${gmbs.website}, ${gmbs.address}, ${gmbs.phone}, ${gmbs.link}, ${gmbs.latitude},
          ${gmbs.longitude}, ${gmbs.status}, ${color} as color, ${gmbs.is_client_location}, ${gmbs.campaign_id},
          ${campaigns.name} as campaign_name
        from ${gmbs} join ${campaigns} on ${campaigns.id} = ${gmbs.campaign_id}
        where ${sql.join(
          conditions.filter((one) => typeof one === 'object'),
          sql` and `,
        )}
        order by ${gmbs.id} limit ${mostPins}) pin`)
    return new JsonText(found.rows[0]?.json ?? '[]')
  },
})

/** White is what a category has as long as nobody gives it a colour. */
const color = sql`(
  select g.color from campaign_category_links l join campaign_categories g on g.id = l.category_id
  where l.campaign_id = ${campaigns.id} and g.color <> '#ffffff' order by lower(g.name), g.id limit 1)`
