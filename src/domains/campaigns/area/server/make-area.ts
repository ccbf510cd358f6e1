import { and, eq, isNull } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { implementContract } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { placeSeparator } from '#domains/listings/google/labels.ts'
import { googleLocationsTable } from '#domains/listings/google/schema.ts'
import { buildCircle, buildHull, computeMiles } from '../hull.ts'
import { describeUnknown, makeAreaContract } from '../make-contract.ts'
import type { GeoPoint } from '../polygon.ts'
import { findPlaces, findZipCenters } from './find-places.ts'

/** A suggestion is asked for at each pause in typing. */
const countLookUps = createRateLimit(120, 'Too many requests for places, please try again in a minute')
const shownPlaces = 10

/** A center's own surroundings, so that a single one makes an area too. */
const centerMiles = 1
const maxSpanMiles = 300

export const makeAreaHandlers = implementContract(makeAreaContract, {
  make: async ({ db, me, params, body, context }) => {
    await requireCampaign(db, me, params.id)
    await countLookUps(context, me.id)
    return makeArea(db, params.id, body)
  },

  places: async ({ db, me, query, context }) => {
    await countLookUps(context, me.id)
    const places = query.q.length < 2 ? [] : await findPlaces(db, query.q, { whole: false })
    return places.slice(0, shownPlaces).map(({ name, middle }) => ({ name, ...middle }))
  },
})

type AreaSources = BodyOf<typeof makeAreaContract.make>
/** Circles around centers, and what was asked for and is not known. */
type FoundCenters = { circles: { center: GeoPoint; miles: number }[]; unknown: string[] }

async function makeArea(db: Db, campaignId: number, { zip_codes, place, radius, listing }: AreaSources) {
  const parts = await Promise.all([
    findZipCodes(db, zip_codes),
    place === '' ? nothingFound : findPlaceCircle(db, place, radius),
    listing ? findServedPlaces(db, campaignId) : nothingFound,
  ])
  const circles = parts.flatMap((part) => part.circles)
  const unknown = [...new Set(parts.flatMap((part) => part.unknown))]
  if (circles.length === 0)
    throw validationError(
      unknown.length > 0
        ? { [zip_codes.trim() === '' ? 'listing' : 'zip_codes']: [describeUnknown(unknown)] }
        : { zip_codes: ['Type ZIP codes or a place, or choose the listing'] },
    )
  const corners = buildHull(
    circles.flatMap(({ center, miles }) => buildCircle(center, miles, miles > centerMiles ? 48 : 12)),
  )
  const span = findSpan(buildHull(circles.map(({ center }) => center)))
  if (span > maxSpanMiles)
    throw validationError({
      zip_codes: [
        `These places are up to ${Math.ceil(span).toLocaleString('en-US')} miles apart: an area spans at most ${maxSpanMiles} miles`,
      ],
    })
  return { points: corners.map(roundPoint), unknown }
}

const nothingFound: FoundCenters = { circles: [], unknown: [] }

const toCenters = (centers: Iterable<GeoPoint>) => [...centers].map((center) => ({ center, miles: centerMiles }))

/** A ZIP+4 code counts as its first five digits. */
async function findZipCodes(db: Db, typed: string): Promise<FoundCenters> {
  const codes = [...new Set(typed.split(/[\s,;]+/).filter((code) => code !== ''))]
  const zipOf = (code: string) => /^(\d{5})-\d{4}$/.exec(code)?.[1] ?? code
  const found = await findZipCenters(db, codes.map(zipOf))
  return { circles: toCenters(found.values()), unknown: codes.filter((code) => !found.has(zipOf(code))) }
}

async function findPlaceCircle(db: Db, place: string, radius: number | null): Promise<FoundCenters> {
  if (radius === null) throw validationError({ radius: ['Input a number'] })
  const zip = (await findZipCenters(db, [place])).get(place)
  const places = zip ? [] : await findPlaces(db, place, { whole: true })
  const [only, other] = places
  if (only && other)
    throw validationError({
      place: [`There are ${places.length} places of this name: add the state, as in ${only.name}`],
    })
  const center = zip ?? only?.middle
  if (!center) throw validationError({ place: [describeUnknown([place])] })
  return { circles: [{ center, miles: radius }], unknown: [] }
}

/** Finds the places of Google's service areas of the campaign's listings, as `Austin, TX, USA` or `78701, USA`. */
async function findServedPlaces(db: Db, campaignId: number): Promise<FoundCenters> {
  const rows = await db
    .select({ area: googleLocationsTable.service_area })
    .from(gmbsTable)
    .innerJoin(googleLocationsTable, eq(googleLocationsTable.cid, gmbsTable.cid))
    .where(and(eq(gmbsTable.campaign_id, campaignId), isNull(gmbsTable.deleted_at)))
  const names = new Set(
    rows.flatMap(({ area }) => area?.split(placeSeparator.trim()).map((name) => name.trim()) ?? []).filter(Boolean),
  )
  if (names.size === 0) throw validationError({ listing: ['No listing of this campaign has a service area'] })
  const parts = await Promise.all([...names].map((name) => findServedPlace(db, name)))
  return { circles: parts.flatMap((part) => part.circles), unknown: parts.flatMap((part) => part.unknown) }
}

async function findServedPlace(db: Db, name: string): Promise<FoundCenters> {
  const zip = /\b\d{5}\b/.exec(name)?.[0]
  const center = zip && (await findZipCenters(db, [zip])).get(zip)
  if (center) return { circles: toCenters([center]), unknown: [] }
  const [only, other] = await findPlaces(db, name, { whole: true })
  return only && !other ? { circles: toCenters(only.centers), unknown: [] } : { circles: [], unknown: [name] }
}

/** Returns the greatest distance between two corners. */
const findSpan = (corners: readonly GeoPoint[]) =>
  Math.max(0, ...corners.flatMap((here, index) => corners.slice(index + 1).map((other) => computeMiles(here, other))))

const roundPoint = ({ lat, lng }: GeoPoint): GeoPoint => ({
  lat: Math.round(lat * 1e6) / 1e6,
  lng: Math.round(lng * 1e6) / 1e6,
})
