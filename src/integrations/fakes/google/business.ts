import {
  createInvalidArgument,
  createNotFound,
  createRpcError,
  paginateList,
  type StandInRequest,
  type StandInResponse,
} from './reply.ts'
import type { GoogleStandInState, GoogleUser, StandInLocation } from './state.ts'

/** Handles the Business Profile APIs: accounts, locations, categories, and voice of merchant. */
export function handleBusinessRequest(world: GoogleStandInState, request: StandInRequest): StandInResponse {
  const path = request.url.pathname.replace(/^\/v1\//, '')
  if (path === request.url.pathname) return createNotFound()
  if (world.unapproved)
    return createRpcError(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Requests'.", {
      info: { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'RequestsPerMinute', quota_limit_value: '0' } },
    })
  const person = findTokenOwner(world, request.headers.authorization)
  if (!person)
    return createRpcError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.', {
      info: { reason: 'ACCESS_TOKEN_EXPIRED' },
    })
  const { searchParams: query } = request.url
  if (path === 'accounts') return listAccounts(person, query)
  if (path === 'categories') return listCategories(world, query)
  const account = person.accounts.find(({ name }) => path === `${name}/locations`)
  if (account) return listLocations(world, account.locations, query)
  const [, name = '', what = ''] = /^(locations\/[\w-]+)(:getGoogleUpdated|\/VoiceOfMerchantState)?$/.exec(path) ?? []
  const location = world.locations.get(name)
  if (!location || !person.accounts.some(({ locations }) => locations.includes(name))) return createNotFound()
  if (what === '/VoiceOfMerchantState')
    return { status: 200, body: world.voices.get(name) ?? { hasVoiceOfMerchant: true, hasBusinessAuthority: true } }
  if (what === ':getGoogleUpdated') return getGoogleUpdated(world, location, query)
  return request.method === 'PATCH' ? applyPatch(world, location, request) : getLocation(world, location, query)
}

function findTokenOwner({ accessTokens }: GoogleStandInState, authorization = ''): GoogleUser | null {
  const known = accessTokens.get(authorization.replace(/^Bearer /, ''))
  return known && known.until > Date.now() ? known.person : null
}

function listAccounts({ accounts }: GoogleUser, query: URLSearchParams): StandInResponse {
  const { rows, ...rest } = paginateList(accounts, query, { most: 20, usual: 20 })
  const shown = rows.map(({ locations, ...account }) => ({
    ...account,
    role: 'PRIMARY_OWNER',
    verificationState: 'UNVERIFIED',
  }))
  return { status: 200, body: { accounts: shown, ...rest } }
}

/** Like Google, finds categories by the start of their names only. */
function listCategories({ categories }: GoogleStandInState, query: URLSearchParams): StandInResponse {
  const missing = ['regionCode', 'languageCode', 'view'].filter((name) => !query.get(name))
  if (missing.length > 0)
    return createInvalidArgument(missing.map((field) => ({ field, description: `${field} is required.` })))
  const start = /^displayName="?([^"]*)"?$/.exec(query.get('filter') ?? '')?.[1]?.toLowerCase() ?? ''
  const found = categories.filter(({ displayName }) => displayName.toLowerCase().startsWith(start))
  const { rows, ...rest } = paginateList(found, query, { most: 100, usual: 100 })
  return { status: 200, body: { categories: rows, totalCategoryCount: found.length, ...rest } }
}

function listLocations(world: GoogleStandInState, names: string[], query: URLSearchParams): StandInResponse {
  const mask = parseReadMask(query)
  if (!mask) return createMaskError()
  const all = names.flatMap((name) => world.locations.get(name) ?? [])
  const { rows, ...rest } = paginateList(all, query, { most: 100, usual: 10 })
  return { status: 200, body: { locations: rows.map((one) => applyReadMask(world, one, mask)), ...rest } }
}

function getLocation(world: GoogleStandInState, location: StandInLocation, query: URLSearchParams): StandInResponse {
  const mask = parseReadMask(query)
  return mask ? { status: 200, body: applyReadMask(world, location, mask) } : createMaskError()
}

const knownFields =
  'name languageCode storeCode title phoneNumbers categories storefrontAddress websiteUri regularHours specialHours serviceArea labels latlng openInfo metadata profile relationshipData moreHours serviceItems'.split(
    ' ',
  )
const parseReadMask = (query: URLSearchParams) => {
  const mask = query.get('readMask')?.split(',') ?? []
  return mask.length > 0 && mask.every((field) => knownFields.includes(field)) ? mask : null
}
const createMaskError = () =>
  createInvalidArgument([{ field: 'read_mask', description: 'Invalid field mask provided' }], {
    reason: 'INVALID_ATTRIBUTE_NAME',
  })

function applyReadMask({ voices, pending }: GoogleStandInState, location: StandInLocation, mask: string[]) {
  const metadata = {
    hasVoiceOfMerchant: !voices.has(location.name),
    ...(pending.get(location.name)?.size ? { hasPendingEdits: true } : {}),
    ...(location.metadata as object | undefined),
  }
  const whole: Record<string, unknown> = { ...location, metadata }
  return Object.fromEntries(mask.flatMap((field) => (field in whole ? [[field, whole[field]]] : [])))
}

function getGoogleUpdated(
  world: GoogleStandInState,
  location: StandInLocation,
  query: URLSearchParams,
): StandInResponse {
  const mask = parseReadMask(query)
  if (!mask) return createMaskError()
  const pendingMask = [...(world.pending.get(location.name) ?? [])].join(',')
  return { status: 200, body: { location: applyReadMask(world, location, mask), diffMask: '', pendingMask } }
}

/** Applies a patch: at most `editsAMinute` per location, and only the fields of the mask, each as a whole. */
function applyPatch(
  world: GoogleStandInState,
  location: StandInLocation,
  { url, body }: StandInRequest,
): StandInResponse {
  const mask = url.searchParams.get('updateMask')?.split(',') ?? []
  const sent = JSON.parse(body) as Record<string, unknown> // sent by our own client
  const wrong = findPatchError(world, location, mask, sent)
  if (wrong) return wrong
  if (url.searchParams.get('validateOnly') === 'true') return { status: 200, body: {} }
  const lately = (world.edits.get(location.name) ?? []).filter((at) => at > Date.now() - 60_000)
  if (lately.length >= world.editsAMinute)
    return createRpcError(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Location updates'.", {
      info: { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit_value: String(world.editsAMinute) } },
    })
  world.edits.set(location.name, [...lately, Date.now()])
  const held = mask.filter((field) => world.reviewed.has(field))
  if (held.length > 0) world.pending.set(location.name, new Set(held))
  for (const field of mask)
    location[field] = field === 'categories' ? resolveCategories(world, sent[field]) : sent[field]
  return { status: 200, body: applyReadMask(world, location, knownFields) }
}

type CategoryRef = { name: string }
/** Adds the display names to categories, which clients send with their names only. */
function resolveCategories({ categories }: GoogleStandInState, sent: unknown) {
  const call = ({ name }: CategoryRef) => categories.find((one) => one.name === name)
  const { primaryCategory, additionalCategories = [] } = sent as {
    primaryCategory: CategoryRef
    additionalCategories?: CategoryRef[]
  } // checked before
  return { primaryCategory: call(primaryCategory), additionalCategories: additionalCategories.map(call) }
}

const writableFields =
  'title storeCode phoneNumbers categories storefrontAddress websiteUri regularHours specialHours serviceArea labels openInfo profile moreHours serviceItems'.split(
    ' ',
  )

/** Returns Google's error response for an invalid change; null for a valid one. */
function findPatchError(
  { categories }: GoogleStandInState,
  location: StandInLocation,
  mask: string[],
  sent: Record<string, unknown>,
): StandInResponse | null {
  const unknown = mask.filter((field) => !writableFields.includes(field))
  if (mask.length === 0 || unknown.length > 0)
    return createInvalidArgument([{ field: 'update_mask', description: 'Invalid field mask provided' }], {
      reason: 'INVALID_ATTRIBUTE_NAME',
    })
  const has = (field: string) => mask.includes(field)
  const violations: { field: string; description: string }[] = []
  if (has('title') && !String(sent.title ?? '').trim())
    violations.push({ field: 'location.title', description: 'A business needs a name.' })
  if (has('websiteUri') && sent.websiteUri && !URL.canParse(String(sent.websiteUri)))
    violations.push({ field: 'location.website_uri', description: 'This is not a valid website address.' })
  const description = getPath(sent, 'profile', 'description')
  if (has('profile') && typeof description === 'string' && description.length > 750)
    violations.push({ field: 'location.profile.description', description: 'At most 750 characters are allowed.' })
  const phone = getPath(sent, 'phoneNumbers', 'primaryPhone')
  if (has('phoneNumbers') && phone && !/^\+?[\d\s().-]{7,20}$/.test(String(phone)))
    violations.push({ field: 'location.phone_numbers.primary_phone', description: 'The phone number is not valid.' })
  const names = [
    getPath(sent, 'categories', 'primaryCategory', 'name'),
    ...((getPath(sent, 'categories', 'additionalCategories') as { name: string }[] | undefined) ?? []).map(
      ({ name }) => name,
    ),
  ]
  if (has('categories') && !names.every((name) => categories.some((one) => one.name === name)))
    violations.push({ field: 'location.categories', description: 'There is no such category.' })
  if (violations.length > 0) return createInvalidArgument(violations)
  return findMaskError(location, has, sent)
}

/** Returns errors that Google reports without a violation: with a reason, and the field in its metadata. */
function findMaskError(
  location: StandInLocation,
  has: (field: string) => boolean,
  sent: Record<string, unknown>,
): StandInResponse | null {
  const said = (reason: string, field_mask: string) =>
    createRpcError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
      info: { reason, metadata: { field_mask } },
    })
  const lines = getPath(sent, 'storefrontAddress', 'addressLines')
  if (has('storefrontAddress') && Array.isArray(lines) && lines.some((line) => /\bP\.?O\.? ?box\b/i.test(String(line))))
    return said('PO_BOX_IN_ADDRESS_NOT_ALLOWED', 'storefront_address')
  const now = { ...location, ...sent }
  if ((has('phoneNumbers') || has('websiteUri')) && !getPath(now, 'phoneNumbers', 'primaryPhone') && !now.websiteUri)
    return said('MISSING_BOTH_PHONE_AND_WEBSITE', 'phone_numbers,website_uri')
  return null
}

/** Returns the value at a path through objects. */
const getPath = (value: unknown, ...way: string[]): unknown =>
  way.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
