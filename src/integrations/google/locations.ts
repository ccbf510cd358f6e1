import { z } from 'zod'
import type { GoogleFetch } from './connection.ts'
import { parseGoogleAnswer } from './errors.ts'
import { iteratePages } from './paging.ts'

/** The fields to read of a location. Google requires them in each request. */
const locationReadMask =
  'name,title,languageCode,storeCode,phoneNumbers,storefrontAddress,websiteUri,categories,serviceArea,profile,metadata,openInfo'

/** Untrusted text, made safe to store in PostgreSQL. */
const optionalTextSchema = z
  .string()
  .transform((value) => value.toWellFormed().replaceAll('\0', ''))
  .optional()
  .catch(undefined)
const optionalBooleanSchema = z.boolean().optional().catch(undefined)
const categorySchema = z.looseObject({ name: z.string(), displayName: optionalTextSchema })
const placeInfoSchema = z.looseObject({ placeName: z.string(), placeId: optionalTextSchema })

/** A location as Google returns it. Fields of an unexpected type are ignored. */
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

/** Reads the locations directly in one Business Profile account, a hundred at a time. */
export async function* readLocationPages(ask: GoogleFetch, account: string): AsyncGenerator<BusinessLocation[]> {
  const pages = iteratePages((pageToken) =>
    ask('business', `${account}/locations`, {
      query: { readMask: locationReadMask, pageSize: '100', orderBy: 'title', pageToken },
    }),
  )
  for await (const page of pages)
    yield parseGoogleAnswer(locationsPageSchema, page).locations.flatMap((one) => {
      const known = locationSchema.safeParse(one)
      return known.success ? [known.data] : []
    })
}

export async function readLocation(ask: GoogleFetch, name: string): Promise<BusinessLocation> {
  return parseGoogleAnswer(locationSchema, await ask('business', name, { query: { readMask: locationReadMask } }))
}

/** Returns the fields that Google is still reviewing, and those that Google has changed, by Google's names. */
export async function readGoogleUpdates(
  ask: GoogleFetch,
  name: string,
): Promise<{ pending: string[]; changed: string[] }> {
  const answer = await ask('business', `${name}:getGoogleUpdated`, { query: { readMask: locationReadMask } })
  const { pendingMask, diffMask } = parseGoogleAnswer(googleUpdatedSchema, answer)
  return { pending: pendingMask.split(',').filter(Boolean), changed: diffMask.split(',').filter(Boolean) }
}

export type LocationPatch = Partial<Omit<BusinessLocation, 'name' | 'metadata'>>

/** Validates a patch without applying it; throws `GoogleApiError` if Google refuses it. */
export async function validateLocationPatch(ask: GoogleFetch, name: string, patch: LocationPatch): Promise<void> {
  await sendPatch(ask, name, patch, 'true')
}

/** Applies a patch. Google replaces each field as a whole: parts that are left out are removed. */
export async function patchLocation(ask: GoogleFetch, name: string, patch: LocationPatch): Promise<BusinessLocation> {
  return parseGoogleAnswer(locationSchema, await sendPatch(ask, name, patch))
}

const sendPatch = (ask: GoogleFetch, name: string, patch: LocationPatch, validateOnly?: 'true') =>
  ask('business', name, {
    method: 'PATCH',
    query: { updateMask: Object.keys(patch).join(','), validateOnly },
    body: patch,
  })

const locationsPageSchema = z.looseObject({ locations: z.array(z.unknown()).default([]) })
const googleUpdatedSchema = z.looseObject({ pendingMask: z.string().catch(''), diffMask: z.string().catch('') })
