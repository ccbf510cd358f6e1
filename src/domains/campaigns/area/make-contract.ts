import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { cutText } from '#contract/cut-text.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, textField } from '#contract/fields.ts'

const canEditAreas = adminsWithPages('campaigns')
const pointSchema = z.object({ lat: z.number(), lng: z.number() })

/** Half of the distance that an area may span. */
const maxRadiusMiles = 150

/** Apart from the contract of areas, which the campaign's page loads too. */
export const makeAreaContract = {
  make: endpoint('POST /campaign/:id/area/make', {
    allow: canEditAreas,
    reads: ['campaign'],
    description:
      'Returns the corners of an area around ZIP codes, a place with a radius, and the places that the campaign’s listings serve: the hull of all their centers. Saves nothing.',
    body: z.strictObject({
      zip_codes: textField(20_000).default(''),
      place: textField(200).default(''),
      radius: z
        .number('Input a number')
        .min(1, 'At least 1 mile')
        .max(maxRadiusMiles, `At most ${maxRadiusMiles} miles`)
        .nullable()
        .default(null),
      listing: flagField.default(0),
    }),
    response: z.object({
      points: z.array(pointSchema),
      /** What is in no list of ZIP codes or cities. */
      unknown: z.array(z.string()),
    }),
  }),
  places: endpoint('GET /campaign/area/places', {
    allow: canEditAreas,
    reads: ['campaign'],
    description: 'US cities whose name begins with `q`, such as `Austin` or `Austin, TX`; the largest first.',
    query: z.object({ q: textField(200) }),
    response: z.array(z.object({ name: z.string(), ...pointSchema.shape })),
  }),
}

const mostNamed = 20

/** Names what was typed and is in no list; what was pasted by mistake is not repeated whole. */
export function describeUnknown(unknown: readonly string[]): string {
  const named = unknown.slice(0, mostNamed).map((one) => cutText(one, 40))
  const rest = unknown.length - named.length
  return `Not known: ${named.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''}`
}
