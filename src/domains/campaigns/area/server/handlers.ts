import { and, asc, eq, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { isStale, staleVersionError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignColorSql } from '#domains/campaigns/server/campaign-color.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { campaignAreasContract } from '../contract.ts'
import type { GeoPoint } from '../polygon.ts'
import { campaignAreasTable, zipCodesTable } from '../schema.ts'

const campaignAreaAuditKind = 'campaign area'
/** The map sends a request after each change of a drawing; no one draws faster than this. */
const countLookUp = createRateLimit(120, 'Too many requests for areas, please try again in a minute')

export const campaignAreasHandlers = implementContract(campaignAreasContract, {
  get: async ({ db, me, params }) => {
    await requireCampaign(db, me, params.id)
    return readArea(db, params.id)
  },

  save: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => saveArea(tx, { me, actor, campaignId: params.id, ...body })),

  remove: ({ db, me, params, query, actor }) =>
    db.transaction(async (tx) => {
      await saveArea(tx, { me, actor, campaignId: params.id, points: [], version: query.version })
    }),

  all: async ({ db, me, query }) => {
    const found = await db.execute<{ json: string }>(sql`
      select coalesce(json_agg(json_build_object(
        'campaign_id', ${campaignsTable.id}, 'campaign_title', ${campaignsTable.name},
        'color', coalesce(${campaignColorSql}, '#2a5bd7'),
        'points', (
          select json_agg(json_build_object('latitude', corner -> 'lat', 'longitude', corner -> 'lng') order by place)
          from jsonb_array_elements(${campaignAreasTable.points}) with ordinality corners (corner, place))
      ) order by fold_text(${campaignsTable.name}), ${campaignsTable.id}), '[]')::text as json
      from ${campaignAreasTable} join ${campaignsTable} on ${campaignsTable.id} = ${campaignAreasTable.campaign_id}
      where ${and(sql`${campaignAreasTable.points} <> '[]'`, inVisibleCampaigns(me, campaignsTable.id), ...buildAreaConditions(query))}`)
    return new JsonText(found.rows[0]?.json ?? '[]')
  },

  objects: async ({ db, me, context, body }) => {
    await countLookUp(context, me.id)
    const found = await db
      .select({ zip: zipCodesTable.zip, city: zipCodesTable.city, state: zipCodesTable.state })
      .from(zipCodesTable)
      .where(sql`${zipCodesTable.centre} <@ ${formatSqlPolygon(body.points)}::polygon`)
      .orderBy(asc(zipCodesTable.zip))
    const cities = new Set(found.map(({ city, state }) => `${city}, ${state}`))
    return { zipCodes: found.map(({ zip }) => zip), cities: [...cities].sort((a, b) => a.localeCompare(b, 'en-US')) }
  },
})

type AreaFilters = QueryOf<typeof campaignAreasContract.all>

const buildAreaConditions = ({ campaign_ids, category_id, clients_only }: AreaFilters) => [
  campaign_ids?.length ? sql`${campaignsTable.id} = any(${sql.param(campaign_ids)}::int[])` : undefined,
  category_id === undefined
    ? undefined
    : sql`exists (select from campaign_category_links link
      where link.campaign_id = ${campaignsTable.id} and link.category_id = ${category_id})`,
  clients_only === undefined
    ? undefined
    : sql`exists (select from ${gmbsTable} listing
      where listing.campaign_id = ${campaignsTable.id} and listing.is_client_location and listing.deleted_at is null)`,
]

const formatSqlPolygon = (points: readonly GeoPoint[]) =>
  `(${points.map(({ lat, lng }) => `(${lng},${lat})`).join(',')})`

async function readArea(db: DbOrTx, campaignId: number) {
  const [area] = await db
    .select({ points: campaignAreasTable.points, version: campaignAreasTable.version })
    .from(campaignAreasTable)
    .where(eq(campaignAreasTable.campaign_id, campaignId))
  return area ?? { points: [], version: 0 }
}

type AreaChange = {
  me: CurrentUser
  actor: AuditActor
  campaignId: number
  points: GeoPoint[]
  version?: number | undefined
}

async function saveArea(tx: Tx, { me, actor, campaignId, points, version }: AreaChange) {
  // Locks the campaign, not the area, because before the first save there is no area row to lock.
  await requireCampaign(tx, me, campaignId, { lock: 'no key update' })
  const before = await readArea(tx, campaignId)
  if (isStale(version, before.version))
    throw staleVersionError(campaignAreasContract.save, 'Someone else has changed this area', before)
  if (points.length === 0 && before.points.length === 0) return before
  const next = { points, version: before.version + 1, updated_at: new Date() }
  await tx
    .insert(campaignAreasTable)
    .values({ campaign_id: campaignId, ...next })
    .onConflictDoUpdate({ target: campaignAreasTable.campaign_id, set: next })
  await writeAudit(tx, actor, {
    kind: campaignAreaAuditKind,
    rowId: campaignId,
    before: before.points.length > 0 ? { points: before.points } : null,
    after: points.length > 0 ? { points } : null,
    version: next.version,
  })
  return { points, version: next.version }
}
