import { wrongIn } from './patch-rules.ts'
import { type Answer, type Asked, invalidArgument, notFound, page, rpcError } from './reply.ts'
import type { GoogleWorld, LocationAtGoogle, Person } from './state.ts'

/** The Business Profile APIs: accounts, locations, categories, and the voice of the merchant. */
export function answerBusiness(world: GoogleWorld, asked: Asked): Answer {
  const path = asked.url.pathname.replace(/^\/v1\//, '')
  if (path === asked.url.pathname) return notFound()
  if (world.unapproved)
    return rpcError(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Requests'.", {
      info: { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'RequestsPerMinute', quota_limit_value: '0' } },
    })
  const person = whose(world, asked.headers.authorization)
  if (!person)
    return rpcError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.', {
      info: { reason: 'ACCESS_TOKEN_EXPIRED' },
    })
  const { searchParams: query } = asked.url
  if (path === 'accounts') return accountsOf(person, query)
  if (path === 'categories') return categoriesOf(world, query)
  const account = person.accounts.find(({ name }) => path === `${name}/locations`)
  if (account) return listed(world, account.locations, query)
  const [, name = '', what = ''] = /^(locations\/[\w-]+)(:getGoogleUpdated|\/VoiceOfMerchantState)?$/.exec(path) ?? []
  const location = world.locations.get(name)
  if (!location || !person.accounts.some(({ locations }) => locations.includes(name))) return notFound()
  if (what === '/VoiceOfMerchantState')
    return { status: 200, body: world.voices.get(name) ?? { hasVoiceOfMerchant: true, hasBusinessAuthority: true } }
  if (what === ':getGoogleUpdated') return updated(world, location, query)
  return asked.method === 'PATCH' ? patch(world, location, asked) : masked(world, location, query)
}

function whose({ accessTokens }: GoogleWorld, authorization = ''): Person | null {
  const known = accessTokens.get(authorization.replace(/^Bearer /, ''))
  return known && known.until > Date.now() ? known.person : null
}

function accountsOf({ accounts }: Person, query: URLSearchParams): Answer {
  const { rows, ...rest } = page(accounts, query, { most: 20, usual: 20 })
  const shown = rows.map(({ locations, ...account }) => ({
    ...account,
    role: 'PRIMARY_OWNER',
    verificationState: 'UNVERIFIED',
  }))
  return { status: 200, body: { accounts: shown, ...rest } }
}

/** Only names that begin so are found. */
function categoriesOf({ categories }: GoogleWorld, query: URLSearchParams): Answer {
  const missing = ['regionCode', 'languageCode', 'view'].filter((name) => !query.get(name))
  if (missing.length > 0)
    return invalidArgument(missing.map((field) => ({ field, description: `${field} is required.` })))
  const start = /^displayName="?([^"]*)"?$/.exec(query.get('filter') ?? '')?.[1]?.toLowerCase() ?? ''
  const found = categories.filter(({ displayName }) => displayName.toLowerCase().startsWith(start))
  const { rows, ...rest } = page(found, query, { most: 100, usual: 100 })
  return { status: 200, body: { categories: rows, totalCategoryCount: found.length, ...rest } }
}

function listed(world: GoogleWorld, names: string[], query: URLSearchParams): Answer {
  const mask = maskOf(query)
  if (!mask) return withoutMask()
  const all = names.flatMap((name) => world.locations.get(name) ?? [])
  const { rows, ...rest } = page(all, query, { most: 100, usual: 10 })
  return { status: 200, body: { locations: rows.map((one) => picked(world, one, mask)), ...rest } }
}

function masked(world: GoogleWorld, location: LocationAtGoogle, query: URLSearchParams): Answer {
  const mask = maskOf(query)
  return mask ? { status: 200, body: picked(world, location, mask) } : withoutMask()
}

const known =
  'name languageCode storeCode title phoneNumbers categories storefrontAddress websiteUri regularHours specialHours serviceArea labels latlng openInfo metadata profile relationshipData moreHours serviceItems'.split(
    ' ',
  )
const maskOf = (query: URLSearchParams) => {
  const mask = query.get('readMask')?.split(',') ?? []
  return mask.length > 0 && mask.every((field) => known.includes(field)) ? mask : null
}
const withoutMask = () =>
  invalidArgument([{ field: 'read_mask', description: 'Invalid field mask provided' }], {
    reason: 'INVALID_ATTRIBUTE_NAME',
  })

function picked({ voices, pending }: GoogleWorld, location: LocationAtGoogle, mask: string[]) {
  const metadata = {
    hasVoiceOfMerchant: !voices.has(location.name),
    ...(pending.get(location.name)?.size ? { hasPendingEdits: true } : {}),
    ...(location.metadata as object | undefined),
  }
  const whole: Record<string, unknown> = { ...location, metadata }
  return Object.fromEntries(mask.flatMap((field) => (field in whole ? [[field, whole[field]]] : [])))
}

function updated(world: GoogleWorld, location: LocationAtGoogle, query: URLSearchParams): Answer {
  const mask = maskOf(query)
  if (!mask) return withoutMask()
  const pendingMask = [...(world.pending.get(location.name) ?? [])].join(',')
  return { status: 200, body: { location: picked(world, location, mask), diffMask: '', pendingMask } }
}

/** Ten a minute for each location; only what the mask names, and each of that as a whole. */
function patch(world: GoogleWorld, location: LocationAtGoogle, { url, body }: Asked): Answer {
  const mask = url.searchParams.get('updateMask')?.split(',') ?? []
  const sent = JSON.parse(body) as Record<string, unknown> // what a client of ours wrote
  const wrong = wrongIn(world, location, mask, sent)
  if (wrong) return wrong
  if (url.searchParams.get('validateOnly') === 'true') return { status: 200, body: {} }
  const lately = (world.edits.get(location.name) ?? []).filter((at) => at > Date.now() - 60_000)
  if (lately.length >= world.editsAMinute)
    return rpcError(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Location updates'.", {
      info: { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit_value: String(world.editsAMinute) } },
    })
  world.edits.set(location.name, [...lately, Date.now()])
  const held = mask.filter((field) => world.reviewed.has(field))
  if (held.length > 0) world.pending.set(location.name, new Set(held))
  for (const field of mask) location[field] = field === 'categories' ? named(world, sent[field]) : sent[field]
  return { status: 200, body: picked(world, location, known) }
}

type Named = { name: string }
/** Names come in alone and go out with what they are called. */
function named({ categories }: GoogleWorld, sent: unknown) {
  const call = ({ name }: Named) => categories.find((one) => one.name === name)
  const { primaryCategory, additionalCategories = [] } = sent as {
    primaryCategory: Named
    additionalCategories?: Named[]
  } // checked before
  return { primaryCategory: call(primaryCategory), additionalCategories: additionalCategories.map(call) }
}
