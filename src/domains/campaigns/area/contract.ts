import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryCheck, queryId, queryIds, queryInt } from '#contract/fields.ts'
import { leastPoints, mostPoints, squareMiles, wrongWith } from './polygon.ts'

const degrees = (name: string, most: number) =>
  z
    .number(`${name} must be a number`)
    .min(-most, `${name} must be from -${most} to ${most}`)
    .max(most, `${name} must be from -${most} to ${most}`)
const point = z.object({ lat: degrees('Latitude', 90), lng: degrees('Longitude', 180) })

/** The corners of one simple polygon, in their order, the first one not repeated. */
export const points = z
  .array(point, 'An area is a list of points')
  .min(leastPoints, `An area needs at least ${leastPoints} points`)
  .max(mostPoints, `An area has at most ${mostPoints} points`)
  .superRefine((corners, context) => {
    const message = wrongWith(corners)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The corners are in their order, none where there is no area. A new area starts from the version of the one before it. */
const campaignArea = z.object({ points: z.array(point), version: z.int() })
export type CampaignArea = z.infer<typeof campaignArea>
/** What a 409 carries besides its message. */
export const newerArea = z.object({ newer: campaignArea })

/** What lies in an area. Cities are written `Austin, TX`. */
const areaObjects = z.object({ zipCodes: z.array(z.string()), cities: z.array(z.string()) })

/** Alaska fits; a continent would be a list of everything. */
const mostSquareMiles = 1_000_000
export const tooLarge = 'This area is too large to list its ZIP codes: at most 1,000,000 square miles'

const draws = both(admin, may('campaigns'))
const looks = both(admin, may('campaigns', 'campaignMap'))

export const areas = {
  get: endpoint('GET /campaign/:id/area', { allow: looks, answers: campaignArea }),
  save: endpoint('POST /campaign/:id/area/save', {
    allow: draws,
    about: 'Replaces the area. A version older than the stored one answers 409 with the newer area.',
    body: z.object({ points, version: z.int().min(0).optional() }),
    answers: campaignArea,
    says: 'Campaign area was saved successfully',
  }),
  remove: endpoint('DELETE /campaign/:id/area', {
    allow: draws,
    query: z.object({ version: queryInt(0).optional() }),
    asks: 'Are you sure to remove campaign area?',
    says: 'Campaign area was removed successfully',
  }),
  all: endpoint('GET /campaign/area/all', {
    allow: looks,
    about:
      'The areas of the campaigns one may see; the colour is that of the campaign’s first category. `clients_only` leaves those whose campaign has a listing at a client’s location.',
    query: z.object({ campaign_ids: queryIds, category_id: queryId, clients_only: queryCheck }),
    answers: z.array(
      z.object({
        campaign_id: id,
        campaign_title: z.string(),
        color: z.string(),
        points: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
      }),
    ),
  }),
  objects: endpoint('POST /campaign/area/get-objects', {
    allow: looks,
    about: 'The US ZIP codes whose centre lies in the polygon, and their cities. Changes nothing.',
    body: z.object({
      points: points.refine((corners) => squareMiles(corners) <= mostSquareMiles, { error: tooLarge }),
    }),
    answers: areaObjects,
  }),
}
