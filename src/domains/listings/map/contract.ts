import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryCheckbox, queryId, queryIds } from '#contract/fields.ts'

const pinSchema = z.object({
  id: idField,
  title: z.string(),
  website: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  link: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  status: z.int(),
  /** The color of the campaign's first category that has one; it replaces the status color. */
  color: z.string().nullable(),
  is_client_location: z.boolean(),
  campaign_id: idField,
  campaign_name: z.string(),
})
export type MapPin = z.infer<typeof pinSchema>

/** The most pins in one response; zooming in shows the rest. */
export const maxPins = 10_000

const createDegreesField = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : value),
    z.number('Must be a number').min(-most, `Must be at least -${most}`).max(most, `Must be at most ${most}`),
  )
const boundsFields = {
  'right-longitude': createDegreesField(180),
  'upper-latitude': createDegreesField(90),
  'down-latitude': createDegreesField(90),
  'left-longitude': createDegreesField(180),
}
/** The filters of both pins and areas. */
export const mapFilters = { campaign_ids: queryIds, category_id: queryId, clients_only: queryCheckbox }

export const campaignMapContract = {
  pins: endpoint('GET /campaign-gmb/map', {
    allow: adminsWithPages('campaignMap'),
    reads: ['gmb'],
    description: `The listings within the bounds, of the campaigns that the user may see, at most ${maxPins}. If the left longitude is greater than the right, the bounds cross the date line.`,
    query: z.object({ ...boundsFields, ...mapFilters }).refine((at) => at['upper-latitude'] >= at['down-latitude'], {
      path: ['upper-latitude'],
      error: 'Must not be below the lower one',
    }),
    response: z.array(pinSchema),
  }),
  unplaced: endpoint('GET /campaign-gmb/unplaced', {
    allow: adminsWithPages('campaignMap'),
    reads: ['gmb'],
    description:
      'The number of listings that the map cannot show, because their address does not end with a known ZIP code.',
    query: z.object(mapFilters),
    response: z.object({ count: z.int() }),
  }),
}
