import { createHash } from 'node:crypto'
import { hostOf } from '#contract/fields.ts'
import type { Tx } from '#core/db/db.ts'
import { networkCategories } from '#domains/sites/categories/schema.ts'
import { clientSiteLogs } from '#domains/sites/client/schema.ts'
import { ips } from '#domains/sites/ips/schema.ts'
import { outgoingLinks } from '#domains/sites/links/schema.ts'
import { networkSiteLogs, networkSites } from '#domains/sites/network/schema.ts'
import { redirectDomains } from '#domains/sites/redirects/schema.ts'
import { registrations } from '#domains/sites/registrations/schema.ts'
import type { Agency } from './agency.ts'
import { write } from './insert-rows.ts'
import type { Dice } from './random.ts'

/** The agency's own network: sites about nothing much, which link to its clients', and old domains that lead there. */

const day = 86_400_000
const subjects = ['Home and garden', 'Local news', 'Health', 'Building', 'Travel', 'Food', 'Law', 'Cars']
const words: Record<string, string[]> = {
  'Home and garden': ['cosy-porch', 'green-thumb-notes', 'attic-and-shed', 'the-tidy-yard', 'evening-on-the-deck'],
  'Local news': ['hill-country-gazette', 'lakeside-post', 'the-county-line', 'main-street-weekly', 'river-bend-herald'],
  Health: ['smile-better', 'posture-first', 'good-night-sleep', 'walk-it-off', 'clear-water-habits'],
  Building: ['roof-and-rafter', 'brick-by-brick-blog', 'the-honest-quote', 'gutter-talk', 'blueprint-corner'],
  Travel: ['weekend-miles', 'backroad-maps', 'porchlight-inns', 'two-lane-diary', 'desert-and-pine'],
  Food: ['cast-iron-sunday', 'the-pie-window', 'market-basket-notes', 'smoke-and-salt', 'noodle-street'],
  Law: ['plain-clauses', 'court-steps', 'the-small-print-desk', 'fair-hearing', 'know-your-lease'],
  Cars: ['second-gear', 'driveway-mechanic', 'the-tow-truck', 'miles-per-tale', 'chrome-and-clay'],
}
const registrars = ['NameCheap, Inc.', 'GoDaddy.com, LLC', 'Tucows Domains Inc.', 'Porkbun LLC']
export const keepers = {
  '198.51.100.': { owner: 'Harbor Hosting LLC', country: 'US', region: 'Texas' },
  '203.0.113.': { owner: 'Bluebonnet Cloud, Inc.', country: 'US', region: 'Virginia' },
}
const anchors = [
  'best {trade} in {city}',
  '{name}',
  'their website',
  'read more',
  '{trade} near {city}',
  'this {trade} company',
]

type Stored<T extends { $inferInsert: object }> = T['$inferInsert'] & { id: number }

export async function writeNetwork(tx: Tx, dice: Dice, agency: Agency, now: Date) {
  const sites = subjects.flatMap((subject, category) =>
    words[subject]!.map((word, nth) =>
      openSite(dice, `http://${word}.example`, category * 5 + nth + 1, category + 1, now),
    ),
  )
  const redirects = agency.contracts
    .filter(({ row }) => row.id % 5 === 2)
    .map((contract, nth) => redirect(contract, nth + 1))
  const clientSites = agency.contracts.flatMap(({ sites: own }) => own)
  const domains = [
    ...sites.map(({ domain }) => domain!),
    ...redirects.map(({ registered_domain }) => registered_domain!),
  ]
  const addresses = [...new Set([...sites, ...clientSites].flatMap(({ ip }) => ip ?? []))].toSorted()
  await write(
    tx,
    networkCategories,
    subjects.map((name, index) => ({ id: index + 1, name })),
  )
  await write(tx, networkSites, sites)
  await write(
    tx,
    outgoingLinks,
    sites.flatMap((site) => linksOf(dice, agency, site, now)),
  )
  await write(
    tx,
    registrations,
    domains.map((domain) => registered(dice, domain, now)),
  )
  await write(
    tx,
    ips,
    addresses.map((ip, index) => address(ip, index + 1, now)),
  )
  await write(tx, redirectDomains, redirects)
  await write(
    tx,
    networkSiteLogs,
    sites.flatMap((site) => changes(dice, site.id, site.status ?? 1, now)),
  )
  await write(
    tx,
    clientSiteLogs,
    clientSites.flatMap((site) => changes(dice, site.id, site.status ?? 1, now)),
  )
}

function openSite(dice: Dice, url: string, id: number, category_id: number, now: Date): Stored<typeof networkSites> {
  const isDown = id % 17 === 9
  const checked = new Date(now.getTime() - dice.int(1, 14) * 60_000)
  return {
    id,
    category_id,
    url,
    domain: hostOf(url),
    ip: `198.51.100.${10 + (id % 12)}`,
    status: isDown ? 0 : 1,
    misses: isDown ? 40 : 0,
    http_status_code: isDown ? 500 : id % 13 === 5 ? 403 : 200,
    blocked: id % 13 === 5,
    problem: isDown ? 'It answers 500' : id % 13 === 5 ? 'Cloudflare keeps programs out (403)' : null,
    redirect_url: id % 11 === 4 ? `http://www.${hostOf(url)}/home` : null,
    checked_at: checked,
    next_check_at: new Date(now.getTime() + dice.int(0, 14) * 60_000),
    last_google_index: dice.chance(0.8) ? new Date(now.getTime() - dice.int(0, 3) * day) : null,
    google_asked_at: now,
    crawled_at: new Date(now.getTime() - dice.int(1, 20) * 3_600_000),
    next_crawl_at: new Date(now.getTime() + dice.int(1, 20) * 3_600_000),
    outgoing_links_parsing_error: isDown ? 'robots.txt answers 500' : null,
    outgoing_links_parsing_failed_at: isDown ? checked : null,
  }
}

function linksOf(dice: Dice, { contracts }: Agency, site: Stored<typeof networkSites>, now: Date) {
  const found = Array.from({ length: dice.int(3, 14) }, () => {
    const { sites: own, place, trade, client } = dice.pick(contracts)
    const url = `${dice.pick(own).url}/${dice.chance(0.4) ? 'services' : ''}`
    const anchor = dice
      .pick(anchors)
      .replace('{trade}', trade.name.toLowerCase())
      .replace('{city}', place.city)
      .replace('{name}', client.row.name)
    const rel = dice.weighted({ '': 60, nofollow: 25, 'nofollow sponsored': 10, ugc: 5 }) || null
    const page = `${site.url}/${dice.chance(0.5) ? '' : 'about'}`
    return { url, anchor, rel, page }
  })
  return [...new Map(found.map((link) => [keyOf(link), link]))].map(([key, link]) => {
    const lost = dice.chance(0.07)
    const first = now.getTime() - dice.int(20, 400) * day
    const last = lost ? now.getTime() - dice.int(2, 18) * day : site.crawled_at!.getTime()
    return {
      network_site_id: site.id,
      ...link,
      host: hostOf(link.url),
      type: 'text/html',
      key,
      first_seen_at: new Date(first),
      last_seen_at: new Date(last),
      lost_at: lost ? new Date(last + day) : null,
    }
  })
}

/** As a crawl would make it, so that the demo's own crawls find the same links again. */
const keyOf = ({ url, anchor, rel }: { url: string; anchor: string; rel: string | null }) =>
  createHash('sha256')
    .update(JSON.stringify([url, anchor, rel]))
    .digest('base64url')

function registered(dice: Dice, domain: string, now: Date): typeof registrations.$inferInsert {
  const since = now.getTime() - dice.int(400, 4000) * day
  const left = dice.weighted({ soon: 8, later: 12, far: 80 })
  const days = left === 'soon' ? dice.int(3, 29) : left === 'later' ? dice.int(31, 60) : dice.int(61, 700)
  return {
    domain,
    registrar: dice.pick(registrars),
    registrant: dice.chance(0.75) ? 'Redacted' : 'Agency Holdings LLC',
    registered_on: new Date(since).toISOString().slice(0, 10),
    expires_on: new Date(now.getTime() + days * day).toISOString().slice(0, 10),
    nameservers: [`ns1.${domain}`, `ns2.${domain}`],
    told_by: 'rdap',
    looked_up_at: now,
    next_look_up_at: new Date(now.getTime() + dice.int(60, 1400) * 60_000),
  }
}

function address(ip: string, id: number, now: Date): Stored<typeof ips> {
  const [, keeper] = Object.entries(keepers).find(([start]) => ip.startsWith(start)) ?? []
  const known = keeper ?? { owner: null, country: null, region: null }
  return {
    id,
    ip,
    reverse_ip: `host-${ip.replaceAll('.', '-')}.hosting.example`,
    ...known,
    looked_up_at: now,
    next_look_up_at: new Date(now.getTime() + day),
  }
}

function redirect(
  { client, place, sites, row }: Agency['contracts'][number],
  id: number,
): Stored<typeof redirectDomains> {
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

/** Up since it was there; some went down and came back. */
function changes(dice: Dice, site_id: number, status: number, now: Date) {
  const at = (days: number) => new Date(now.getTime() - days * day)
  const start = { site_id, status: 1, created_at: at(dice.int(200, 700)) }
  const down = dice.int(5, 150)
  if (status === 0) return [start, { site_id, status: 0, created_at: at(0.05) }]
  return dice.chance(0.5)
    ? [start, { site_id, status: 0, created_at: at(down) }, { site_id, status: 1, created_at: at(down - 0.1) }]
    : [start]
}
