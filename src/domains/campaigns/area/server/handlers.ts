import { and, asc, eq, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { conflict, notFound, tooMany } from '#core/http/errors.ts'
import { implement, JsonText } from '#core/http/handle.ts'
import { timesAMinute } from '#core/http/rate-limit.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { areas as contract } from '../contract.ts'
import type { Point } from '../polygon.ts'
import { campaignAreas, zipCodes } from '../schema.ts'

const kind = 'campaign area'
/** Somebody who draws asks after each change; nobody draws faster. */
const isWithinLimit = timesAMinute(120)

export const areaCalls = implement(contract, {
  get: async ({ db, me, params }) => {
    await seenCampaign(db, me, params.id)
    return areaOf(db, params.id)
  },

  save: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => write(tx, { me, actor, campaignId: params.id, ...body })),

  remove: ({ db, me, params, query, actor }) =>
    db.transaction(async (tx) => {
      await write(tx, { me, actor, campaignId: params.id, points: [], version: query.version })
      return undefined
    }),

  all: async ({ db, me, query }) => {
    const found = await db.execute<{ json: string }>(sql`
      select coalesce(json_agg(json_build_object(
        'campaign_id', ${campaigns.id}, 'campaign_title', ${campaigns.name},
        'color', coalesce((
          select g.color from campaign_category_links l join campaign_categories g on g.id = l.category_id
          where l.campaign_id = ${campaigns.id} order by lower(g.name), g.id limit 1), '#2a5bd7'),
        'points', (
          select json_agg(json_build_object('latitude', corner -> 'lat', 'longitude', corner -> 'lng') order by place)
          from jsonb_array_elements(${campaignAreas.points}) with ordinality corners (corner, place))
      ) order by lower(${campaigns.name}), ${campaigns.id}), '[]')::text as json
      from ${campaignAreas} join ${campaigns} on ${campaigns.id} = ${campaignAreas.campaign_id}
      where ${and(sql`${campaignAreas.points} <> '[]'`, inTheirCampaigns(me, campaigns.id), ...asked(query))}`)
    return new JsonText(found.rows[0]?.json ?? '[]')
  },

  objects: async ({ db, me, house, body }) => {
    if (!isWithinLimit(house, me.id)) throw tooMany('Too many areas were asked for, please try again in a minute')
    const found = await db
      .select({ zip: zipCodes.zip, city: zipCodes.city, state: zipCodes.state })
      .from(zipCodes)
      .where(sql`${zipCodes.centre} <@ ${polygon(body.points)}::polygon`)
      .orderBy(asc(zipCodes.zip))
    const cities = new Set(found.map(({ city, state }) => `${city}, ${state}`))
    return { zipCodes: found.map(({ zip }) => zip), cities: [...cities].sort((a, b) => a.localeCompare(b, 'en-US')) }
  },
})

type Filters = QueryOf<typeof contract.all>

const asked = ({ campaign_ids, category_id, clients_only }: Filters) => [
  campaign_ids?.length ? sql`${campaigns.id} = any(${sql.param(campaign_ids)}::int[])` : undefined,
  category_id === undefined
    ? undefined
    : sql`exists (select from campaign_category_links link
      where link.campaign_id = ${campaigns.id} and link.category_id = ${category_id})`,
  clients_only === undefined
    ? undefined
    : sql`exists (select from campaign_gmbs listing
      where listing.campaign_id = ${campaigns.id} and listing.is_client_location and listing.deleted_at is null)`,
]

const polygon = (points: readonly Point[]) => `(${points.map(({ lat, lng }) => `(${lng},${lat})`).join(',')})`

async function areaOf(db: Queries, campaignId: number) {
  const [area] = await db
    .select({ points: campaignAreas.points, version: campaignAreas.version })
    .from(campaignAreas)
    .where(eq(campaignAreas.campaign_id, campaignId))
  return area ?? { points: [], version: 0 }
}

/** Throws 404 for a campaign that this person does not see. */
async function seenCampaign(db: Queries, me: Me, id: number) {
  const [campaign] = await db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.id, id), inTheirCampaigns(me, campaigns.id)))
  if (!campaign) throw notFound()
}

type Change = { me: Me; actor: Actor; campaignId: number; points: Point[]; version?: number | undefined }

async function write(tx: Tx, { me, actor, campaignId, points, version }: Change) {
  await seenCampaign(tx, me, campaignId)
  // The first two to draw an area have no row to wait at.
  await tx.execute(sql`select from ${campaigns} where ${campaigns.id} = ${campaignId} for no key update`)
  const before = await areaOf(tx, campaignId)
  if (version !== undefined && version < before.version)
    throw conflict('Somebody changed this area meanwhile', { newer: before })
  if (points.length === 0 && before.points.length === 0) return before
  const next = { points, version: before.version + 1, updated_at: new Date() }
  await tx
    .insert(campaignAreas)
    .values({ campaign_id: campaignId, ...next })
    .onConflictDoUpdate({ target: campaignAreas.campaign_id, set: next })
  await record(tx, actor, {
    kind,
    rowId: campaignId,
    before: before.points.length > 0 ? { points: before.points } : null,
    after: points.length > 0 ? { points } : null,
    version: next.version,
  })
  return { points, version: next.version }
}
