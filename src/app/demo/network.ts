import { createHash } from 'node:crypto'
import { msPerDay, toUtcDay } from '#contract/days.ts'
import { parseHost } from '#contract/web-address.ts'
import type { Tx } from '#core/db/db.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import type { DemoAgency } from './agency.ts'
import { insertRows } from './insert-rows.ts'
import type { SeededRandom } from './random.ts'

/** The agency's own network: filler sites that link to its clients' sites, and old domains that redirect there. */

const categoryNames = ['Home and garden', 'Local news', 'Health', 'Building', 'Travel', 'Food', 'Law', 'Cars']
const siteNames: Record<string, string[]> = {
  'Home and garden': ['cosy-porch', 'green-thumb-notes', 'attic-and-shed', 'the-tidy-yard', 'evening-on-the-deck'],
  'Local news': ['hill-country-gazette', 'lakeside-post', 'the-county-line', 'main-street-weekly', 'river-bend-herald'],
  Health: ['smile-better', 'posture-first', 'good-night-sleep', 'walk-it-off', 'clear-water-habits'],
  Building: ['roof-and-rafter', 'brick-by-brick-blog', 'the-honest-quote', 'gutter-talk', 'blueprint-corner'],
  Travel: ['weekend-miles', 'backroad-maps', 'porchlight-inns', 'two-lane-diary', 'desert-and-pine'],
  Food: ['cast-iron-sunday', 'the-pie-window', 'market-basket-notes', 'smoke-and-salt', 'noodle-street'],
  Law: ['plain-clauses', 'court-steps', 'the-small-print-desk', 'fair-hearing', 'know-your-lease'],
  Cars: ['second-gear', 'driveway-mechanic', 'the-tow-truck', 'miles-per-tale', 'chrome-and-clay'],
}
const registrarNames = ['NameCheap, Inc.', 'GoDaddy.com, LLC', 'Tucows Domains Inc.', 'Porkbun LLC']
export const networkOwners = {
  '198.51.100.': { owner: 'Harbor Hosting LLC', country: 'US', region: 'Texas' },
  '203.0.113.': { owner: 'Bluebonnet Cloud, Inc.', country: 'US', region: 'Virginia' },
}
const anchorTexts = [
  'best {trade} in {city}',
  '{name}',
  'their website',
  'read more',
  '{trade} near {city}',
  'this {trade} company',
]

type StoredRow<T extends { $inferInsert: object }> = T['$inferInsert'] & { id: number }

export async function seedNetwork(tx: Tx, dice: SeededRandom, agency: DemoAgency, now: Date) {
  const sites = categoryNames.flatMap((subject, category) =>
    siteNames[subject]!.map((word, nth) =>
      createNetworkSite(dice, `http://${word}.example`, category * 5 + nth + 1, category + 1, now),
    ),
  )
  const redirects = agency.contracts
    .filter(({ row }) => row.id % 5 === 2)
    .map((contract, nth) => createRedirectDomain(contract, nth + 1))
  const clientSites = agency.contracts.flatMap(({ sites: own }) => own)
  const domains = [
    ...sites.map(({ domain }) => domain!),
    ...redirects.map(({ registered_domain }) => registered_domain!),
  ]
  const addresses = [...new Set([...sites, ...clientSites].flatMap(({ ip }) => ip ?? []))].toSorted()
  await insertRows(
    tx,
    networkCategoriesTable,
    categoryNames.map((name, index) => ({ id: index + 1, name })),
  )
  await insertRows(tx, networkSitesTable, sites)
  await insertRows(
    tx,
    outgoingLinksTable,
    sites.flatMap((site) => createSiteLinks(dice, agency, site, now)),
  )
  await insertRows(
    tx,
    registrationsTable,
    domains.map((domain) => createRegistration(dice, domain, now)),
  )
  await insertRows(
    tx,
    ipsTable,
    addresses.map((ip, index) => createIp(ip, index + 1, now)),
  )
  await insertRows(tx, redirectDomainsTable, redirects)
  await insertRows(
    tx,
    networkSiteLogsTable,
    sites.flatMap((site) => createSiteLogs(dice, site.id, site.status ?? 1, now)),
  )
  await insertRows(
    tx,
    clientSiteLogsTable,
    agency.contracts.flatMap(({ sites: own, story }) =>
      own.flatMap((site) => createSiteLogs(dice, site.id, site.status ?? 1, now, story?.since)),
    ),
  )
}

function createNetworkSite(
  dice: SeededRandom,
  url: string,
  id: number,
  category_id: number,
  now: Date,
): StoredRow<typeof networkSitesTable> {
  const isDown = id % 17 === 9
  const checked = new Date(now.getTime() - dice.int(1, 14) * 60_000)
  return {
    id,
    category_id,
    url,
    domain: parseHost(url),
    ip: `198.51.100.${10 + (id % 12)}`,
    status: isDown ? 0 : 1,
    misses: isDown ? 40 : 0,
    http_status_code: isDown ? 500 : id % 13 === 5 ? 403 : 200,
    blocked: id % 13 === 5,
    problem: isDown ? 'Error 500' : id % 13 === 5 ? 'Cloudflare blocks automated requests (403)' : null,
    redirect_url: id % 11 === 4 ? `http://www.${parseHost(url)}/home` : null,
    checked_at: checked,
    next_check_at: new Date(now.getTime() + dice.int(0, 14) * 60_000),
    last_google_index: dice.chance(0.8) ? new Date(now.getTime() - dice.int(0, 3) * msPerDay) : null,
    google_asked_at: now,
    crawled_at: new Date(now.getTime() - dice.int(1, 20) * 3_600_000),
    next_crawl_at: new Date(now.getTime() + dice.int(1, 20) * 3_600_000),
    outgoing_links_parsing_error: isDown ? 'robots.txt answers 500' : null,
    outgoing_links_parsing_failed_at: isDown ? checked : null,
  }
}

function createSiteLinks(
  dice: SeededRandom,
  { contracts }: DemoAgency,
  site: StoredRow<typeof networkSitesTable>,
  now: Date,
) {
  const found = Array.from({ length: dice.int(3, 14) }, () => {
    const { sites: own, place, trade, client } = dice.pick(contracts)
    const url = `${dice.pick(own).url}/${dice.chance(0.4) ? 'services' : ''}`
    const anchor = dice
      .pick(anchorTexts)
      .replace('{trade}', trade.name.toLowerCase())
      .replace('{city}', place.city)
      .replace('{name}', client.row.name)
    const rel = dice.weighted({ '': 60, nofollow: 25, 'nofollow sponsored': 10, ugc: 5 }) || null
    const page = `${site.url}/${dice.chance(0.5) ? '' : 'about'}`
    return { url, anchor, rel, page }
  })
  return [...new Map(found.map((link) => [computeLinkKey(link), link]))].map(([key, link]) => {
    const lost = dice.chance(0.07)
    // Most of the lost ones have been gone for a long time.
    const last = lost ? now.getTime() - dice.skewed(90, 1.1) * msPerDay : site.crawled_at!.getTime()
    const first = last - dice.int(20, 400) * msPerDay
    return {
      network_site_id: site.id,
      ...link,
      host: parseHost(link.url),
      type: 'text/html',
      key,
      first_seen_at: new Date(first),
      last_seen_at: new Date(last),
      lost_at: lost ? new Date(last + msPerDay) : null,
    }
  })
}

/** Builds the link as a crawl would, so that the demo's own crawls find the same links again. */
const computeLinkKey = ({ url, anchor, rel }: { url: string; anchor: string; rel: string | null }) =>
  createHash('sha256')
    .update(JSON.stringify([url, anchor, rel]))
    .digest('base64url')

function createRegistration(dice: SeededRandom, domain: string, now: Date): typeof registrationsTable.$inferInsert {
  const since = now.getTime() - dice.int(400, 4000) * msPerDay
  const left = dice.weighted({ soon: 8, later: 12, far: 80 })
  const days = left === 'soon' ? dice.int(3, 29) : left === 'later' ? dice.int(31, 60) : dice.int(61, 700)
  return {
    domain,
    registrar: dice.pick(registrarNames),
    registrant: dice.chance(0.75) ? 'Redacted' : 'Agency Holdings LLC',
    registered_on: toUtcDay(since),
    expires_on: toUtcDay(now.getTime() + days * msPerDay),
    nameservers: [`ns1.${domain}`, `ns2.${domain}`],
    told_by: 'rdap',
    looked_up_at: now,
    next_look_up_at: new Date(now.getTime() + dice.int(60, 1400) * 60_000),
  }
}

function createIp(ip: string, id: number, now: Date): StoredRow<typeof ipsTable> {
  const [, keeper] = Object.entries(networkOwners).find(([start]) => ip.startsWith(start)) ?? []
  const known = keeper ?? { owner: null, country: null, region: null }
  return {
    id,
    ip,
    reverse_ip: `host-${ip.replaceAll('.', '-')}.hosting.example`,
    ...known,
    looked_up_at: now,
    next_look_up_at: new Date(now.getTime() + msPerDay),
  }
}

function createRedirectDomain(
  { client, place, sites, row }: DemoAgency['contracts'][number],
  id: number,
): StoredRow<typeof redirectDomainsTable> {
  const domain = `old-${client.slug}-${place.city.toLowerCase().replaceAll(' ', '')}-${row.id}.example`
  const label = domain.replaceAll('.', '-').slice(0, 63)
  return {
    id,
    domain,
    redirect_url: `${sites[0]!.url}/`,
    registered_domain: domain,
    domainkey: `${label}_agency.example`,
    live_status: id % 6 === 0 ? 0 : 1,
  }
}

/** The site's history: up since it was added; some went down and came back. */
function createSiteLogs(dice: SeededRandom, site_id: number, status: number, now: Date, downSince?: Date) {
  const at = (days: number) => new Date(now.getTime() - days * msPerDay)
  const start = { site_id, status: 1, created_at: at(dice.int(200, 700)) }
  const down = dice.int(5, 150)
  if (status === 0) return [start, { site_id, status: 0, created_at: downSince ?? at(0.05) }]
  if (downSince) return [start]
  return dice.chance(0.5)
    ? [start, { site_id, status: 0, created_at: at(down) }, { site_id, status: 1, created_at: at(down - 0.1) }]
    : [start]
}
