import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryCheckbox, queryId, queryIds, queryInt } from '#contract/fields.ts'
import { computeSquareMiles, maxPolygonPoints, minPolygonPoints, validatePolygon } from './polygon.ts'

const createDegreesField = (name: string, most: number) =>
  z
    .number(`${name} must be a number`)
    .min(-most, `${name} must be from -${most} to ${most}`)
    .max(most, `${name} must be from -${most} to ${most}`)
const pointSchema = z.object({ lat: createDegreesField('Latitude', 90), lng: createDegreesField('Longitude', 180) })

/** The corners of one simple polygon, in order, without repeating the first. */
const areaPointsSchema = z
  .array(pointSchema, 'An area is a list of points')
  .min(minPolygonPoints, `An area needs at least ${minPolygonPoints} points`)
  .max(maxPolygonPoints, `An area has at most ${maxPolygonPoints} points`)
  .superRefine((corners, context) => {
    // What is wrong with a single point has been said by then.
    const message = context.issues.length === 0 ? validatePolygon(corners) : undefined
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The corners in order; empty without an area. A new area continues the version of the removed one. */
const campaignAreaSchema = z.object({ points: z.array(pointSchema), version: z.int() })
export type CampaignArea = z.infer<typeof campaignAreaSchema>

/** The ZIP codes and cities in an area. Cities have the form `Austin, TX`. */
const areaObjectsSchema = z.object({ zipCodes: z.array(z.string()), cities: z.array(z.string()) })

/** Alaska fits; a continent would list everything. */
const maxSquareMiles = 1_000_000
export const areaTooLargeMessage = 'This area is too large to list its ZIP codes: at most 1,000,000 square miles'

const canEditAreas = adminsWithPages('campaigns')
const canViewAreas = adminsWithPages('campaigns', 'campaignMap')

export const campaignAreasContract = {
  get: endpoint('GET /campaign/:id/area', { allow: canViewAreas, reads: ['campaign'], response: campaignAreaSchema }),
  save: endpoint('POST /campaign/:id/area/save', {
    allow: canEditAreas,
    changes: ['campaign'],
    description: 'Replaces the area. A version older than the stored one returns 409 with the newer area.',
    body: z.object({ points: areaPointsSchema, version: z.int().min(0).optional() }),
    response: campaignAreaSchema,
    conflict: { newer: campaignAreaSchema },
    success: 'Campaign area was saved successfully',
  }),
  remove: endpoint('DELETE /campaign/:id/area', {
    allow: canEditAreas,
    changes: ['campaign'],
    query: z.object({ version: queryInt(0).optional() }),
    conflict: { newer: campaignAreaSchema },
    confirm: 'Are you sure to remove campaign area?',
    success: 'Campaign area was removed successfully',
  }),
  all: endpoint('GET /campaign/area/all', {
    allow: canViewAreas,
    reads: ['campaign'],
    description:
      'The areas of the campaigns that the caller may see; the color is that of the campaign’s first category. `clients_only` keeps those whose campaign has a listing at a client’s location.',
    query: z.object({ campaign_ids: queryIds, category_id: queryId, clients_only: queryCheckbox }),
    response: z.array(
      z.object({
        campaign_id: idField,
        campaign_title: z.string(),
        color: z.string(),
        points: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
      }),
    ),
  }),
  objects: endpoint('POST /campaign/area/get-objects', {
    allow: canViewAreas,
    reads: ['campaign'],
    description: 'The US ZIP codes whose center is in the polygon, and their cities. Changes nothing.',
    body: z.object({
      points: areaPointsSchema.refine((corners) => computeSquareMiles(corners) <= maxSquareMiles, {
        error: areaTooLargeMessage,
      }),
    }),
    response: areaObjectsSchema,
  }),
}
