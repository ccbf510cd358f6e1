import { invalid } from '#core/http/errors.ts'
import type { Location, Patch, PostalAddress } from '#integrations/google/locations.ts'
import { between, type ChangedFields, type Fields } from '../labels.ts'

/** Between a location as Google has it and as we keep it. */

export function columnsOf(location: Location) {
  const { metadata = {}, categories = {} } = location
  const { primaryCategory = null, additionalCategories = [] } = categories
  const called = (one: { name: string; displayName?: string | undefined }) => ({
    name: one.name,
    displayName: one.displayName ?? one.name,
  })
  const primary_category = primaryCategory && called(primaryCategory)
  const others = additionalCategories.map(called)
  return {
    title: location.title ?? '',
    store_code: location.storeCode || null,
    address: shownAddress(location.storefrontAddress),
    region_code: location.storefrontAddress?.regionCode ?? location.serviceArea?.regionCode ?? 'US',
    phone: location.phoneNumbers?.primaryPhone || null,
    website: location.websiteUri || null,
    description: location.profile?.description || null,
    service_area:
      placesOf(location)
        .map(({ placeName }) => placeName)
        .join(between) || null,
    primary_category,
    categories: others,
    category_names: [...(primary_category ? [primary_category] : []), ...others]
      .map(({ displayName }) => displayName)
      .join(', '),
    google_maps_url: metadata.mapsUri ?? null,
    review_link: metadata.newReviewUri ?? null,
    place_id: metadata.placeId ?? null,
    cid: cidOf(metadata.mapsUri),
    open_status: location.openInfo?.status ?? null,
    has_google_updated: metadata.hasGoogleUpdated ?? false,
    has_pending_edits: metadata.hasPendingEdits ?? false,
  }
}

const placesOf = ({ serviceArea }: Location) => serviceArea?.places?.placeInfos ?? []

function cidOf(mapsUri: string | undefined): string | null {
  if (!mapsUri || !URL.canParse(mapsUri)) return null
  const cid = new URL(mapsUri).searchParams.get('cid') ?? ''
  return /^\d{1,20}$/.test(cid) ? cid : null
}

/** `100 Main St, Austin, TX 78701`: its lines, its town, and its state with the code. */
function shownAddress(address: PostalAddress | undefined): string | null {
  if (!address) return null
  const { addressLines = [], locality, administrativeArea, postalCode } = address
  const end = [administrativeArea, postalCode].filter(Boolean).join(' ')
  return [...addressLines, locality, end].filter(Boolean).join(', ') || null
}

/** The parts of Google's that these fields stand in, each as a whole: what they do not say of a part stays as Google has it. */
export function patchFor(fields: ChangedFields, location: Location): Patch {
  const patch: Patch = {}
  if (fields.title !== undefined) patch.title = fields.title
  if (fields.website !== undefined) patch.websiteUri = fields.website ?? ''
  if (fields.description !== undefined) patch.profile = { ...location.profile, description: fields.description ?? '' }
  if (fields.phone !== undefined)
    patch.phoneNumbers = { ...location.phoneNumbers, primaryPhone: fields.phone ?? undefined }
  if (fields.primary_category !== undefined || fields.categories !== undefined)
    patch.categories = categoriesFor(fields, location)
  if (fields.address !== undefined) patch.storefrontAddress = addressFor(fields.address, location)
  if (fields.service_area !== undefined) patch.serviceArea = areaFor(fields.service_area, location)
  return patch
}

/** By name alone: what they are called is Google's to say. */
function categoriesFor({ primary_category, categories }: ChangedFields, { categories: now = {} }: Location) {
  const primary = primary_category === undefined ? now.primaryCategory : primary_category
  if (!primary) throw invalid({ primary_category: ['Google wants a primary category'] })
  const others = categories ?? now.additionalCategories ?? []
  return {
    primaryCategory: { name: primary.name },
    additionalCategories: others.map(({ name }) => ({ name })),
  }
}

function addressFor(wanted: string | null, { storefrontAddress: now }: Location): PostalAddress {
  const refused = (sentence: string) => invalid({ address: [sentence] })
  if (!now) throw refused('This business shows no address: it visits its customers. That is changed at Google itself')
  const parts = (wanted ?? '').split(',').map((part) => part.trim())
  const [, administrativeArea, postalCode] = /^(.*?)\s*([A-Z0-9]*\d[A-Z0-9 -]*)$/i.exec(parts.at(-1) ?? '') ?? []
  if (parts.length < 3 || !postalCode || parts.some((part) => part === ''))
    throw refused('Write it like 100 Main St, Austin, TX 78701')
  const lines = parts.slice(0, -2)
  const isSame = lines.join(', ') === (now.addressLines ?? []).join(', ')
  return {
    ...now,
    ...(administrativeArea ? { administrativeArea } : {}),
    postalCode,
    locality: parts.at(-2),
    addressLines: isSame ? now.addressLines : lines,
  }
}

/** Places are known to Google by an id of theirs, which only its own page finds. */
function areaFor(wanted: string | null, location: Location) {
  const names = (wanted ?? '')
    .split(between.trim())
    .map((name) => name.trim())
    .filter(Boolean)
  const known = placesOf(location)
  const foreign = names.filter((name) => !known.some(({ placeName }) => placeName === name))
  if (foreign.length > 0)
    throw invalid({ service_area: [`New places are added at Google itself: ${foreign.join(between)}`] })
  return {
    ...location.serviceArea,
    places: { placeInfos: known.filter(({ placeName }) => names.includes(placeName)) },
  }
}

/** What can be edited, out of a row. */
export const fieldsOf = (row: Fields): Fields => ({
  title: row.title,
  primary_category: row.primary_category,
  categories: row.categories,
  phone: row.phone,
  website: row.website,
  address: row.address,
  service_area: row.service_area,
  description: row.description,
})
