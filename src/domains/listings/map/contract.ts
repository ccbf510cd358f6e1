import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryCheck, queryId, queryIds } from '#contract/fields.ts'

const pin = z.object({
  id,
  title: z.string(),
  website: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  link: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  status: z.int(),
  /** Of the campaign's first category that has one; it stands for the status's own. */
  color: z.string().nullable(),
  is_client_location: z.boolean(),
  campaign_id: id,
  campaign_name: z.string(),
})
export type Pin = z.infer<typeof pin>

/** More are not answered at once: who zooms in sees the rest. */
export const mostPins = 10_000

const degrees = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : value),
    z.number('Must be a number').min(-most, `Must be at least -${most}`).max(most, `Must be at most ${most}`),
  )
const bounds = {
  'right-longitude': degrees(180),
  'upper-latitude': degrees(90),
  'down-latitude': degrees(90),
  'left-longitude': degrees(180),
}
/** What is shown of pins and areas alike. */
export const mapFilters = { campaign_ids: queryIds, category_id: queryId, clients_only: queryCheck }

export const campaignMap = {
  pins: endpoint('GET /campaign-gmb/map', {
    allow: both(admin, may('campaignMap')),
    about: `The listings within the bounds, of the campaigns one may see, at most ${mostPins}. Where the left longitude is greater than the right, the bounds cross the date line.`,
    query: z.object({ ...bounds, ...mapFilters }).refine((at) => at['upper-latitude'] >= at['down-latitude'], {
      path: ['upper-latitude'],
      error: 'Must not be below the lower one',
    }),
    answers: z.array(pin),
  }),
}
