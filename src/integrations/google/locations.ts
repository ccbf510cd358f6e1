import { z } from 'zod'
import type { Asking } from './connection.ts'
import { pagesOf } from './paging.ts'

/** What is read of a location. It must be named in each question. */
export const readMask =
  'name,title,languageCode,storeCode,phoneNumbers,storefrontAddress,websiteUri,categories,serviceArea,profile,metadata,openInfo'

/** Text of strangers, as PostgreSQL can store it. */
const text = z
  .string()
  .transform((value) => value.toWellFormed().replaceAll('\0', ''))
  .optional()
  .catch(undefined)
const yes = z.boolean().optional().catch(undefined)
const category = z.looseObject({ name: z.string(), displayName: text })
const placeInfo = z.looseObject({ placeName: z.string(), placeId: text })

/** A location as Google answers it. What is of another shape than it should be counts as not there. */
export const location = z.looseObject({
  name: z.string().regex(/^locations\/[\w-]+$/),
  title: text,
  languageCode: text,
  storeCode: text,
  websiteUri: text,
  phoneNumbers: z
    .looseObject({ primaryPhone: text, additionalPhones: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  categories: z
    .looseObject({
      primaryCategory: category.optional().catch(undefined),
      additionalCategories: z.array(category).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  storefrontAddress: z
    .looseObject({
      regionCode: text,
      administrativeArea: text,
      locality: text,
      postalCode: text,
      addressLines: z.array(z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  serviceArea: z
    .looseObject({
      businessType: text,
      regionCode: text,
      places: z
        .looseObject({ placeInfos: z.array(placeInfo).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  profile: z.looseObject({ description: text }).optional().catch(undefined),
  openInfo: z.looseObject({ status: text }).optional().catch(undefined),
  metadata: z
    .looseObject({
      mapsUri: text,
      newReviewUri: text,
      placeId: text,
      hasVoiceOfMerchant: yes,
      hasGoogleUpdated: yes,
      hasPendingEdits: yes,
    })
    .optional()
    .catch(undefined),
})
export type Location = z.infer<typeof location>
export type PostalAddress = NonNullable<Location['storefrontAddress']>

/** The locations directly in one Business Profile account, a hundred at a time. */
export async function* locationPages(ask: Asking, account: string): AsyncGenerator<Location[]> {
  const pages = pagesOf((pageToken) =>
    ask('business', `${account}/locations`, { query: { readMask, pageSize: '100', orderBy: 'title', pageToken } }),
  )
  for await (const page of pages)
    yield listed.parse(page).locations.flatMap((one) => {
      const known = location.safeParse(one)
      return known.success ? [known.data] : []
    })
}

export async function readLocation(ask: Asking, name: string): Promise<Location> {
  return location.parse(await ask('business', name, { query: { readMask } }))
}

/** Fields that Google is still looking at, as it names them. */
export async function pendingFields(ask: Asking, name: string): Promise<string[]> {
  const answer = await ask('business', `${name}:getGoogleUpdated`, { query: { readMask } })
  return updated.parse(answer).pendingMask.split(',').filter(Boolean)
}

export type Patch = Partial<Omit<Location, 'name' | 'metadata'>>

/** Only looks whether Google would take it; throws `GoogleRefusal` when not. Nothing changes. */
export async function tryPatch(ask: Asking, name: string, patch: Patch): Promise<void> {
  await send(ask, name, patch, 'true')
}

/** Google takes each named part as a whole: what a part does not say is gone. */
export async function patchLocation(ask: Asking, name: string, patch: Patch): Promise<Location> {
  return location.parse(await send(ask, name, patch))
}

const send = (ask: Asking, name: string, patch: Patch, validateOnly?: 'true') =>
  ask('business', name, {
    method: 'PATCH',
    query: { updateMask: Object.keys(patch).join(','), validateOnly },
    body: patch,
  })

const listed = z.looseObject({ locations: z.array(z.unknown()).default([]) })
const updated = z.looseObject({ pendingMask: z.string().catch('') })
