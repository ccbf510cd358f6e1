import { stateNames } from '#contract/us-states.ts'
import { validationError } from '#core/http/errors.ts'
import type { BusinessLocation, LocationPatch, PostalAddress } from '#integrations/google/locations.ts'
import { type ChangedLocationFields, type LocationFields, placeSeparator } from '../labels.ts'

/** Converts between Google's locations and our rows. */

export function toLocationValues(location: BusinessLocation) {
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
    address: formatPostalAddress(location.storefrontAddress),
    region_code: location.storefrontAddress?.regionCode ?? location.serviceArea?.regionCode ?? 'US',
    phone: location.phoneNumbers?.primaryPhone || null,
    website: location.websiteUri || null,
    description: location.profile?.description || null,
    service_area:
      getServicePlaces(location)
        .map(({ placeName }) => placeName)
        .join(placeSeparator) || null,
    primary_category,
    categories: others,
    category_names: [...(primary_category ? [primary_category] : []), ...others]
      .map(({ displayName }) => displayName)
      .join(', '),
    google_maps_url: metadata.mapsUri ?? null,
    review_link: metadata.newReviewUri ?? null,
    place_id: metadata.placeId ?? null,
    cid: parseMapsCid(metadata.mapsUri),
    open_status: location.openInfo?.status ?? null,
    has_google_updated: metadata.hasGoogleUpdated ?? false,
    has_pending_edits: metadata.hasPendingEdits ?? false,
  }
}

const getServicePlaces = ({ serviceArea }: BusinessLocation) => serviceArea?.places?.placeInfos ?? []

function parseMapsCid(mapsUri: string | undefined): string | null {
  if (!mapsUri || !URL.canParse(mapsUri)) return null
  const cid = new URL(mapsUri).searchParams.get('cid') ?? ''
  return /^\d{1,20}$/.test(cid) ? cid : null
}

/** Formats `100 Main St, Austin, TX 78701`: the address lines, the town, and the state with the ZIP code. */
function formatPostalAddress(address: PostalAddress | undefined): string | null {
  if (!address) return null
  const { addressLines = [], locality, administrativeArea, postalCode } = address
  const end = [administrativeArea, postalCode].filter(Boolean).join(' ')
  return [...addressLines, locality, end].filter(Boolean).join(', ') || null
}

/** Returns the parts of Google's location that hold these fields. Parts are sent whole, so their other fields are copied. */
export function buildLocationPatch(fields: ChangedLocationFields, location: BusinessLocation): LocationPatch {
  const patch: LocationPatch = {}
  if (fields.title !== undefined) patch.title = fields.title
  if (fields.website !== undefined) patch.websiteUri = fields.website ?? ''
  if (fields.description !== undefined) patch.profile = { ...location.profile, description: fields.description ?? '' }
  if (fields.phone !== undefined)
    patch.phoneNumbers = { ...location.phoneNumbers, primaryPhone: fields.phone ?? undefined }
  if (fields.primary_category !== undefined || fields.categories !== undefined)
    patch.categories = buildCategoriesPatch(fields, location)
  if (fields.address !== undefined) patch.storefrontAddress = buildAddressPatch(fields.address, location)
  if (fields.service_area !== undefined) patch.serviceArea = buildServiceAreaPatch(fields.service_area, location)
  return patch
}

/** Sends names only; Google knows the display names. */
function buildCategoriesPatch(
  { primary_category, categories }: ChangedLocationFields,
  { categories: now = {} }: BusinessLocation,
) {
  const primary = primary_category === undefined ? now.primaryCategory : primary_category
  if (!primary) throw validationError({ primary_category: ['Google requires a primary category'] })
  const others = categories ?? now.additionalCategories ?? []
  return {
    primaryCategory: { name: primary.name },
    additionalCategories: others.map(({ name }) => ({ name })),
  }
}

function buildAddressPatch(wanted: string | null, { storefrontAddress: now }: BusinessLocation): PostalAddress {
  const refused = (sentence: string) => validationError({ address: [sentence] })
  if (!now) throw refused('This business shows no address: it visits its customers. That is changed at Google itself')
  const read = readAddress(
    (wanted ?? '').split(',').map((part) => part.trim()),
    now,
  )
  if (!read) throw refused('Write it like 100 Main St, Austin, TX 78701')
  const isSame = read.addressLines.join(', ') === (now.addressLines ?? []).join(', ')
  return { ...now, ...read, addressLines: isSame ? now.addressLines : read.addressLines }
}

type WrittenAddress = Required<Pick<PostalAddress, 'addressLines' | 'locality' | 'postalCode'>> &
  Pick<PostalAddress, 'administrativeArea'>

/** Reads an address from its end; null if its city, its state or its postal code is not sure. */
function readAddress(parts: readonly string[], now: PostalAddress): WrittenAddress | null {
  if (parts.includes('')) return null
  const isAmerican = (now.regionCode ?? 'US') === 'US'
  const readEnd = isAmerican ? readAmericanEnd : readForeignEnd
  // The comma of `TX, 78701`; some countries have no states.
  const isCodeLast = readEnd(parts.at(-1)!, now)?.area === ''
  const hasArea = isAmerican || hasAreaPart(parts, now)
  if (hasArea === null && isCodeLast) return null
  const isCodeAlone = hasArea === true && isCodeLast
  const end = readEnd(parts.slice(isCodeAlone ? -2 : -1).join(' '), now)
  if (!end || (isAmerican && end.area === '')) return null
  const before = parts.slice(0, isCodeAlone ? -2 : -1)
  const locality = end.city || before.pop()
  const isKnown = locality?.toLowerCase() === now.locality?.toLowerCase()
  // What stands before the state in the same part may be more than a city: Suite B Austin TX.
  if (!locality || before.length === 0 || (!isKnown && (end.city !== '' || !isCity(locality, now)))) return null
  return {
    ...(end.area ? { administrativeArea: end.area } : {}),
    ...{ addressLines: before, locality, postalCode: end.postalCode },
  }
}

/**
 * Returns whether the part before the last one is a state, not a city: `Sydney, NSW, 2001`, but `Soho, London, W1D 4HS`; null if it may be
 * either: `Geelong, Victoria, 3220`.
 */
function hasAreaPart(parts: readonly string[], { administrativeArea, locality }: PostalAddress): boolean | null {
  const [city = '', area = ''] = parts.slice(-3, -1).map((part) => part.toLowerCase())
  const known = locality?.toLowerCase()
  if (!administrativeArea || parts.length < 4 || (area === known && city !== known)) return false
  return city === known || area === administrativeArea.toLowerCase() || /^[A-Z]{2,3}$/.test(parts.at(-2)!) || null
}

type AddressEnd = { city: string; area: string; postalCode: string }

const partOfBuilding =
  /\d|^\P{L}*\p{L}?$|^(?:suite|unit|apt|apartment|bldg|building|floor|fl|room|rm|rear|lot)\b|^ste\b\.? ?[a-z]$/iu

/** Few cities have a number: 29 Palms, 100 Mile House, and Dublin 2 beside Dublin 1. */
function isCity(part: string, { locality = '' }: PostalAddress): boolean {
  const nameOf = (text: string) => /^(\p{L}+) \d{1,2}$/u.exec(text)?.[1]
  const isDistrict = nameOf(part) !== undefined && nameOf(part) === nameOf(locality)
  return isDistrict || /^\d+ (?:Palms|Mile House)$/i.test(part) || !partOfBuilding.test(part)
}

/** What stands in an address as a state does. */
const areaNames = {
  ...{ ...stateNames, PR: 'Puerto Rico', GU: 'Guam', VI: 'Virgin Islands' },
  ...{ AS: 'American Samoa', MP: 'Northern Mariana Islands' },
}
const areas = Object.entries(areaNames).flat().join('|')
/** With its points: D.C., Tex. */
const shortArea = String.raw`[A-Z]\. ?[A-Z]{1,2}\.?|[A-Z]{2,5}\.`
const americanEnd = new RegExp(`^(?:(.*?) ?\\b(${areas}|${shortArea}) )?(\\d{5}(?:-\\d{4})?)$`, 'i')

function readAmericanEnd(text: string): AddressEnd | null {
  const [, city = '', name = '', postalCode] = americanEnd.exec(text) ?? []
  return postalCode ? { city, area: findArea(name), postalCode } : null
}

/** Those with which no name begins. */
const shortNames: Readonly<Record<string, string>> = { fla: 'FL', wva: 'WV' }

/** Returns the code of a state; '' without one. Of the states that begin like `Ala.` and `Miss.`, the first is meant. */
function findArea(written: string): string {
  const name = written.replace(/\. ?/g, '').toLowerCase()
  const found =
    Object.entries(areaNames).find(([code, long]) => [code, long].some((one) => one.toLowerCase() === name)) ??
    Object.entries(areaNames).find(([, long]) => name.length > 2 && long.toLowerCase().startsWith(name))
  return found?.[0] ?? shortNames[name] ?? ''
}

function readForeignEnd(text: string, { administrativeArea = '' }: PostalAddress): AddressEnd | null {
  const [, area = '', postalCode] = /^(.*?)\s*([A-Z0-9]*\d[A-Z0-9 -]*)$/i.exec(text) ?? []
  if (!postalCode) return null
  const known = administrativeArea !== '' && area.endsWith(` ${administrativeArea}`) ? administrativeArea : ''
  const own = known || / ([A-Z]{2,3})$/.exec(area)?.[1]
  return own ? { city: area.slice(0, -own.length - 1), area: own, postalCode } : { city: '', area, postalCode }
}

/** Google identifies places by ids that only its own page offers, so places can be removed but not added. */
function buildServiceAreaPatch(wanted: string | null, location: BusinessLocation) {
  const names = (wanted ?? '')
    .split(placeSeparator.trim())
    .map((name) => name.trim())
    .filter(Boolean)
  const known = getServicePlaces(location)
  const foreign = names.filter((name) => !known.some(({ placeName }) => placeName === name))
  if (foreign.length > 0)
    throw validationError({ service_area: [`New places are added at Google itself: ${foreign.join(placeSeparator)}`] })
  return {
    ...location.serviceArea,
    places: { placeInfos: known.filter(({ placeName }) => names.includes(placeName)) },
  }
}

/** Returns the editable fields of a row. */
export const pickLocationFields = (row: LocationFields): LocationFields => ({
  title: row.title,
  primary_category: row.primary_category,
  categories: row.categories,
  phone: row.phone,
  website: row.website,
  address: row.address,
  service_area: row.service_area,
  description: row.description,
})
