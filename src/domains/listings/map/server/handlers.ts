import { and, isNull, or, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { JsonText } from '#core/http/json-text.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignColorSql } from '#domains/campaigns/public.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { campaignMapContract, type mapFilters, maxPins } from '../contract.ts'

export const campaignMapHandlers = implementContract(campaignMapContract, {
  pins: async ({ db, me, query }) => {
    const [left, right] = [query['left-longitude'], query['right-longitude']]
    const conditions = [
      buildFilterCondition(me, query),
      sql`${gmbsTable.latitude} between ${query['down-latitude']} and ${query['upper-latitude']}`,
      left <= right
        ? sql`${gmbsTable.longitude} between ${left} and ${right}`
        : sql`(${gmbsTable.longitude} >= ${left} or ${gmbsTable.longitude} <= ${right})`,
    ]
    const found = await db.execute<{ json: string }>(sql`
      select coalesce(json_agg(pin), '[]')::text as json from (
        select ${gmbsTable.id}, ${gmbsTable.title}, ${gmbsTable.website}, ${gmbsTable.address}, ${gmbsTable.phone}, ${gmbsTable.link}, ${gmbsTable.latitude},
          ${gmbsTable.longitude}, ${gmbsTable.status}, ${campaignColorSql} as color, ${gmbsTable.is_client_location}, ${gmbsTable.campaign_id},
          ${campaignsTable.name} as campaign_name
        from ${gmbsTable} join ${campaignsTable} on ${campaignsTable.id} = ${gmbsTable.campaign_id}
        where ${and(...conditions)}
        order by ${gmbsTable.id} limit ${maxPins}) pin`)
    return new JsonText(found.rows[0]?.json ?? '[]')
  },

  unplaced: async ({ db, me, query }) => ({
    count: await db.$count(
      gmbsTable,
      and(buildFilterCondition(me, query), or(isNull(gmbsTable.latitude), isNull(gmbsTable.longitude))),
    ),
  }),
})

type MapFilters = Pick<QueryOf<typeof campaignMapContract.unplaced>, keyof typeof mapFilters>

/** The condition shared by pins and their count: every filter but the bounds. */
const buildFilterCondition = (me: CurrentUser, { campaign_ids, category_id, clients_only }: MapFilters) =>
  and(
    isNull(gmbsTable.deleted_at),
    inVisibleCampaigns(me, gmbsTable.campaign_id),
    campaign_ids?.length ? sql`${gmbsTable.campaign_id} = any(${sql.param(campaign_ids)}::int[])` : undefined,
    category_id
      ? sql`exists (select from ${campaignCategoryLinksTable} l
          where l.campaign_id = ${gmbsTable.campaign_id} and l.category_id = ${category_id})`
      : undefined,
    clients_only ? sql`${gmbsTable.is_client_location}` : undefined,
  )
