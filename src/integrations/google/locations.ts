import { z } from 'zod'
import type { GoogleFetch } from './connection.ts'
import { iteratePages } from './paging.ts'

/** What is read of a location. It must be named in each question. */
const locationReadMask =
  'name,title,languageCode,storeCode,phoneNumbers,storefrontAddress,websiteUri,categories,serviceArea,profile,metadata,openInfo'

/** Text of strangers, as PostgreSQL can store it. */
const optionalTextSchema = z
  .string()
  .transform((value) => value.toWellFormed().replaceAll('\0', ''))
  .optional()
  .catch(undefined)
const optionalBooleanSchema = z.boolean().optional().catch(undefined)
const categorySchema = z.looseObject({ name: z.string(), displayName: optionalTextSchema })
const placeInfoSchema = z.looseObject({ placeName: z.string(), placeId: optionalTextSchema })

/** A location as Google answers it. What is of another shape than it should be counts as not there. */
const locationSchema = z.looseObject({
  name: z.string().regex(/^locations\/[\w-]+$/),
  title: optionalTextSchema,
  languageCode: optionalTextSchema,
  storeCode: optionalTextSchema,
  websiteUri: optionalTextSchema,
  phoneNumbers: z
    .looseObject({
      primaryPhone: optionalTextSchema,
      additionalPhones: z.array(z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  categories: z
    .looseObject({
      primaryCategory: categorySchema.optional().catch(undefined),
      additionalCategories: z.array(categorySchema).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  storefrontAddress: z
    .looseObject({
      regionCode: optionalTextSchema,
      administrativeArea: optionalTextSchema,
      locality: optionalTextSchema,
      postalCode: optionalTextSchema,
      addressLines: z.array(z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  serviceArea: z
    .looseObject({
      businessType: optionalTextSchema,
      regionCode: optionalTextSchema,
      places: z
        .looseObject({ placeInfos: z.array(placeInfoSchema).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  profile: z.looseObject({ description: optionalTextSchema }).optional().catch(undefined),
  openInfo: z.looseObject({ status: optionalTextSchema }).optional().catch(undefined),
  metadata: z
    .looseObject({
      mapsUri: optionalTextSchema,
      newReviewUri: optionalTextSchema,
      placeId: optionalTextSchema,
      hasVoiceOfMerchant: optionalBooleanSchema,
      hasGoogleUpdated: optionalBooleanSchema,
      hasPendingEdits: optionalBooleanSchema,
    })
    .optional()
    .catch(undefined),
})
export type BusinessLocation = z.infer<typeof locationSchema>
export type PostalAddress = NonNullable<BusinessLocation['storefrontAddress']>

/** The locations directly in one Business Profile account, a hundred at a time. */
export async function* readLocationPages(ask: GoogleFetch, account: string): AsyncGenerator<BusinessLocation[]> {
  const pages = iteratePages((pageToken) =>
    ask('business', `${account}/locations`, {
      query: { readMask: locationReadMask, pageSize: '100', orderBy: 'title', pageToken },
    }),
  )
  for await (const page of pages)
    yield locationsPageSchema.parse(page).locations.flatMap((one) => {
      const known = locationSchema.safeParse(one)
      return known.success ? [known.data] : []
    })
}

export async function readLocation(ask: GoogleFetch, name: string): Promise<BusinessLocation> {
  return locationSchema.parse(await ask('business', name, { query: { readMask: locationReadMask } }))
}

/** Fields that Google is still looking at, and those that it has changed by itself, as it names them. */
export async function readGoogleUpdates(
  ask: GoogleFetch,
  name: string,
): Promise<{ pending: string[]; changed: string[] }> {
  const answer = await ask('business', `${name}:getGoogleUpdated`, { query: { readMask: locationReadMask } })
  const { pendingMask, diffMask } = googleUpdatedSchema.parse(answer)
  return { pending: pendingMask.split(',').filter(Boolean), changed: diffMask.split(',').filter(Boolean) }
}

export type LocationPatch = Partial<Omit<BusinessLocation, 'name' | 'metadata'>>

/** Only looks whether Google would take it; throws `GoogleRefusal` when not. Nothing changes. */
export async function validateLocationPatch(ask: GoogleFetch, name: string, patch: LocationPatch): Promise<void> {
  await sendPatch(ask, name, patch, 'true')
}

/** Google takes each named part as a whole: what a part does not say is gone. */
export async function patchLocation(ask: GoogleFetch, name: string, patch: LocationPatch): Promise<BusinessLocation> {
  return locationSchema.parse(await sendPatch(ask, name, patch))
}

const sendPatch = (ask: GoogleFetch, name: string, patch: LocationPatch, validateOnly?: 'true') =>
  ask('business', name, {
    method: 'PATCH',
    query: { updateMask: Object.keys(patch).join(','), validateOnly },
    body: patch,
  })

const locationsPageSchema = z.looseObject({ locations: z.array(z.unknown()).default([]) })
const googleUpdatedSchema = z.looseObject({ pendingMask: z.string().catch(''), diffMask: z.string().catch('') })
