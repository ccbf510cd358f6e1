import { parse } from 'tldts'
import { foldText } from '#contract/fold-text.ts'
import { isObject } from '#contract/is-object.ts'
import { readEmail } from '#contract/read-email.ts'
import { type AccountCompany, toPhoneKey } from '#domains/leads/public.ts'
import { foldKeyword } from '#domains/leads/spam/contract.ts'
import { getCid } from '#domains/listings/public.ts'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'
import type { MovedKind } from '../labels.ts'
import { foldName, readReference, readText } from './legacy-values.ts'
import type { LinkKeys } from './plan-links.ts'
import type { FoundThing } from './read-legacy.ts'

/** Hosts that many businesses have a page on: their name says nothing about whose it is. */
const sharedHosts = new Set([
  ...['callrail.com', 'goo.gl', 'g.page', 'apple.com', 'bing.com', 'mapquest.com', 'foursquare.com'],
  ...['facebook.com', 'fb.com', 'fb.me', 'm.me', 'instagram.com', 'x.com', 'twitter.com', 'tiktok.com'],
  ...['linkedin.com', 'pinterest.com', 'youtube.com', 'youtu.be', 'nextdoor.com', 'wa.me'],
  ...['bbb.org', 'yellowpages.com', 'tripadvisor.com', 'trustpilot.com', 'houzz.com', 'thumbtack.com', 'porch.com'],
  ...['angi.com', 'angieslist.com', 'homeadvisor.com'],
  ...['linktr.ee', 'beacons.ai', 'bit.ly', 'tinyurl.com'],
])
/** The same, with a name in many countries: google.co.uk, yelp.ca. */
const sharedNames = new Set(['google', 'yelp'])
/** Hosts that give each business a name of its own below theirs, beyond those of the public suffix list. */
const namingHosts = new Set([
  ...['business.site', 'godaddysites.com', 'homestead.com', 'site123.me', 'squarespace.com'],
  ...['weebly.com', 'wordpress.com'],
])

/** Returns the domain that tells whose an address is; null for a shared one. */
export function toLinkDomain(address: string | null): string | null {
  if (address === null) return null
  const { domain, domainWithoutSuffix, hostname } = parse(address, { allowPrivateDomains: true })
  if (domain === null || sharedHosts.has(domain) || sharedNames.has(domainWithoutSuffix ?? '')) return null
  if (!namingHosts.has(domain)) return domain
  const own = hostname?.replace(/^www\./, '') ?? domain
  return own === domain ? null : own
}

const noKeys: LinkKeys = { ids: [], domains: [], phones: [], name: '', city: null }

/** The keys of things that belong to a campaign, from which the campaign and its client are known too. */
export const siteKeys = (url: string | null, company: string | null): LinkKeys => ({
  ...noKeys,
  ids: company === null ? [] : [{ name: 'CallRail Company ID', value: company }],
  domains: keepValues([toLinkDomain(url)]),
  name: url === null ? '' : url.toLowerCase().replace(/^https?:\/\/(www\.)?|\/+$/g, ''),
})

type ListingValues = {
  title: string | null
  link: string | null
  website: string | null
  phone: string | null
  address: string | null
}
export const listingKeys = ({ title, link, website, phone, address }: ListingValues): LinkKeys => {
  const cid = link !== null && URL.canParse(link) ? getCid(link) : null
  return {
    ids: cid ? [{ name: 'listing (cid)', value: cid }] : [],
    domains: keepValues([toLinkDomain(website)]),
    phones: keepValues([toPhoneKey(phone)]),
    name: foldName(title ?? ''),
    city: findCity(address),
  }
}

/** What CallRail knows of a company, as the payload of its item. */
export type CompanyPayload = {
  /** Its id, and the older number if that is known. */
  ids: string[]
  domains: string[]
  /** As `toPhoneKey`. */
  phones: string[]
  /** The address of the site that most of its calls and forms came from; null if it has none. */
  url: string | null
  timezone: string
  is_active: boolean
}

/** Returns what tells whose a company is. */
export function readCompany({ id, number, phones, pages, timeZone, isActive }: AccountCompany): CompanyPayload {
  const sites = Map.groupBy(
    pages.flatMap((page) => toSite(page) ?? []),
    ({ domain }) => domain,
  )
  // The newest of those with the most pages.
  const [most] = [...sites.values()].toSorted((a, b) => b.length - a.length)
  return {
    ids: number === null ? [id] : [id, number],
    domains: [...sites.keys()],
    phones: [...new Set(keepValues(phones.map((phone) => toPhoneKey(phone))))],
    url: most?.[0]?.origin ?? null,
    timezone: timeZone,
    is_active: isActive,
  }
}

function toSite(page: string): { domain: string; origin: string } | null {
  const address = page.includes('://') ? page : `https://${page}`
  const domain = URL.canParse(address) ? toLinkDomain(address) : null
  return domain === null ? null : { domain, origin: new URL(address).origin }
}

const companyKeys = (name: string, { ids, domains, phones }: CompanyPayload): LinkKeys => ({
  ...nameKeys(name),
  ids: ids.map((value) => ({ name: 'CallRail Company ID', value })),
  domains,
  phones,
})

export const nameKeys = (name: string | null): LinkKeys => ({ ...noKeys, name: foldName(name ?? '') })
export const accountKeys = (username: string | null, email: string | null): LinkKeys => ({
  ...noKeys,
  ids: toEmailIds(email),
  name: (username ?? '').toLowerCase(),
})
const toEmailIds = (email: string | null) =>
  email === null ? [] : [{ name: 'email', value: (readEmail(email).only ?? email).toLowerCase() }]
export const redirectKeys = (domain: string | null): LinkKeys => ({
  ...noKeys,
  domains: keepValues([domain?.toLowerCase() ?? null]),
})
export const keywordKeys = (keyword: string): LinkKeys => ({ ...noKeys, name: foldKeyword(keyword) })
export const spammerKeys = (phone: string | null, email: string | null): LinkKeys => ({
  ...noKeys,
  ids: toEmailIds(email),
  phones: keepValues([toPhoneKey(phone)]),
})

/** Adds the keys of what belongs to a thing, under its own name. */
export const joinKeys = (name: string | null, parts: readonly LinkKeys[]): LinkKeys => ({
  ids: parts.flatMap(({ ids }) => ids),
  domains: [...new Set(parts.flatMap(({ domains }) => domains))],
  phones: [...new Set(parts.flatMap(({ phones }) => phones))],
  name: foldName(name ?? ''),
  city: parts.find(({ city }) => city !== null)?.city ?? null,
})

const keepValues = (values: readonly (string | null)[]): string[] =>
  values.filter((value) => value !== null && value !== '') as string[]

/** `austin, tx` of `12 Main St, Austin, TX 78701`. */
function findCity(address: string | null): string | null {
  const [, city, state] = /(?:^|,)\s*([^,\d]+),\s*([A-Za-z]{2})\b/.exec(address ?? '') ?? []
  return city && state ? foldText(`${city.trim()}, ${state}`) : null
}

/** Which campaign a thing of an old system belongs to: by id, or by a name in `campaign_id` or `campaign`. */
function createCampaignFinder(things: readonly FoundThing[]): (row: LegacyRow) => string | null {
  const campaigns = things.filter(({ kind }) => kind === 'campaign')
  const ids = new Set(campaigns.map(({ old_id }) => old_id))
  const byName = Map.groupBy(campaigns, ({ label }) => foldText(label))
  return (row) => {
    const named = [row.campaign_id, row.campaign, row.campaign_name].filter((one) => typeof one === 'string')
    for (const name of named) {
      const found = byName.get(foldText(name))
      if (found?.length === 1) return found[0]!.old_id
    }
    const id = readReference(row, 'campaign')
    return id !== null && ids.has(id) ? id : null
  }
}

/** Returns the keys of everything that an old system has, by kind and id. */
export function readFoundKeys(things: readonly FoundThing[]): Map<FoundThing, LinkKeys> {
  const findCampaign = createCampaignFinder(things)
  const keys = new Map<FoundThing, LinkKeys>()
  const ofCampaign = new Map<string, LinkKeys[]>()
  const ofClient = new Map<string, LinkKeys[]>()
  const belong = (campaign: string | null, one: LinkKeys) => {
    if (campaign !== null) ofCampaign.set(campaign, [...(ofCampaign.get(campaign) ?? []), one])
  }
  for (const thing of things) {
    const own = readOwnKeys(thing)
    if (own === null) continue
    keys.set(thing, own)
    if (thing.kind === 'client_site' || thing.kind === 'listing')
      belong(findCampaign(thing.payload), { ...own, name: '' })
  }
  for (const thing of things) {
    if (thing.kind !== 'campaign') continue
    const parts = ofCampaign.get(thing.old_id) ?? []
    keys.set(thing, joinKeys(thing.label, parts))
    const client = readReference(thing.payload, 'client')
    if (client !== null)
      ofClient.set(client, [...(ofClient.get(client) ?? []), ...parts.map((one) => ({ ...one, ids: [] }))])
  }
  for (const thing of things)
    if (thing.kind === 'client') keys.set(thing, joinKeys(thing.label, ofClient.get(thing.old_id) ?? []))
  return keys
}

function readOwnKeys({ kind, payload, label }: FoundThing): LinkKeys | null {
  const text = (name: string) => readText(payload, name)
  const account = isObject(payload.user) ? payload.user : payload
  const readers: Partial<Record<MovedKind, () => LinkKeys>> = {
    network_category: () => nameKeys(label),
    category: () => nameKeys(label),
    team: () => nameKeys(label),
    client_site: () => siteKeys(text('url'), text('callrail_campaign_identifier')),
    listing: () =>
      listingKeys({
        title: label,
        link: text('link'),
        website: text('website'),
        phone: text('phone'),
        address: text('address'),
      }),
    network_site: () => siteKeys(text('url'), null),
    redirect_domain: () => redirectKeys(text('domain')),
    admin: () => accountKeys(readText(account, 'username'), readText(account, 'email')),
    leads_handler: () => accountKeys(readText(account, 'username'), readText(account, 'email')),
    keyword: () => keywordKeys(label),
    spammer: () => spammerKeys(text('phone'), text('email')),
    callrail_company: () => companyKeys(label, payload as CompanyPayload), // as `readCompany` made it
  }
  return readers[kind]?.() ?? null
}
