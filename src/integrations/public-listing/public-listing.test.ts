import { afterAll, beforeEach, expect, test } from 'vitest'
import { addPublicListings, mapsHosts } from '../fakes/public-listings.ts'
import { startLocalSites } from '../fakes/sites.ts'
import { OutboundClient } from '../outbound/outbound.ts'
import { readPublicListing } from './public-listing.ts'

const cid = '9876543210987654321'
const sites = await startLocalSites({ names: mapsHosts, trusted: true })
afterAll(() => sites.close())
const maps = addPublicListings(sites)
const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
beforeEach(() => {
  maps.instead = null
})

const read = () => readPublicListing(outbound, cid)
const page = (html: string, type = 'text/html; charset=utf-8') => {
  maps.instead = (_request, response) => response.writeHead(200, { 'content-type': type }).end(html)
}
const head = (title: string, more = '') => page(`<head><meta content="${title}" property="og:title">${more}</head>`)
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const answering = (status: number, headers: Record<string, string> = {}) => {
  maps.instead = (_request, response) => response.writeHead(status, headers).end()
}

test('the page of a place has its name, address and category, and no other fields', async () => {
  maps.known.set(cid, {
    title: 'Summit · Roofing & Sons',
    address: '100 Main St, Austin, TX 78701',
    category: 'Roofer',
  })
  expect(await read()).toEqual({
    outcome: 'listing',
    snapshot: {
      title: 'Summit · Roofing & Sons',
      address: '100 Main St, Austin, TX 78701',
      category: 'Roofer',
      closed: null,
    },
  })
  expect(sites.requests.slice(-2)).toEqual([
    `GET maps.google.com/maps?cid=${cid}&hl=en`,
    `GET www.google.com/maps?cid=${cid}&hl=en`,
  ])
})

test('linked data adds phone and website; a closed place is marked as closed', async () => {
  maps.known.set(cid, {
    title: 'Summit',
    address: '1 Main St, Austin',
    phone: '(512) 555-0100',
    website: 'https://summit.example/',
    closed: 'Permanently closed',
  })
  expect(await read()).toMatchObject({
    snapshot: { phone: '(512) 555-0100', website: 'https://summit.example/', closed: 'permanently closed' },
  })
})

test('linked data may be a graph with an address in parts, and a link to Maps is not a website', async () => {
  const address = {
    streetAddress: '1 Pier',
    addressLocality: 'Austin',
    addressRegion: 'TX',
    postalCode: '78701',
    addressCountry: 'US',
  }
  const url = 'https://www.google.com/maps?cid=1'
  page(data({ '@graph': [{ name: 'A site' }, { '@type': 'Store', name: 'Harbor Movers', address, url }] }))
  expect(await read()).toEqual({
    outcome: 'listing',
    snapshot: { title: 'Harbor Movers', address: '1 Pier, Austin, TX 78701', phone: null },
  })
})

test('an address that is too long ends with a whole character', async () => {
  const address = { streetAddress: '🏠'.repeat(400), addressLocality: '🏡'.repeat(400) }
  page(data({ '@type': 'Store', name: 'Harbor Movers', address }))
  const found = await read()
  expect('snapshot' in found && found.snapshot.address).toBe(`${'🏠'.repeat(255)}, ${'🏡'.repeat(243)}`)
})

test('a business without an address has none', async () => {
  head('Summit Roofing')
  expect(await read()).toMatchObject({ snapshot: { title: 'Summit Roofing', address: null } })
})

test.each([404, 410])('%i means for certain that there is no such place', async (status) => {
  answering(status)
  expect(await read()).toEqual({ outcome: 'none', certain: true })
})

test('a Maps page without a place means so too, but not for certain', async () => {
  maps.known.delete(cid)
  expect(await read()).toEqual({ outcome: 'none', certain: false })
})

const captcha = 'Google takes us for a bot and asks for a captcha'
const consent = 'Google asks for consent before it shows anything'
test.each<[string, () => unknown, string, number | null]>([
  ['a 403', () => answering(403), 'Google blocks automated requests (403)', 3600],
  [
    'a 429 with Retry-After',
    () => answering(429, { 'retry-after': '120' }),
    'Google blocks automated requests (429)',
    120,
  ],
  ['a 503', () => answering(503), 'Google blocks automated requests (503)', 3600],
  [
    'a 429 with a huge Retry-After',
    () => answering(429, { 'retry-after': '999999999' }),
    'Google blocks automated requests (429)',
    86_400,
  ],
  [
    'a redirect to a captcha',
    () => answering(302, { location: 'https://www.google.com/sorry/index?continue=x' }),
    captcha,
    3600,
  ],
  [
    'a redirect to a consent page',
    () => answering(302, { location: 'https://consent.google.com/ml?continue=x' }),
    consent,
    3600,
  ],
  ['a captcha', () => page('<form id="captcha-form"></form>'), captcha, 3600],
  ['a captcha’s box', () => head('Summit', '</head><div class="x g-recaptcha">'), captcha, 3600],
  ['a consent form', () => page('<form action="https://consent.google.com/save">'), consent, 3600],
  [
    'a redirect elsewhere',
    () => answering(302, { location: 'https://elsewhere.example/' }),
    'Leads to another host, elsewhere.example',
    null,
  ],
  ['a server error', () => answering(500), 'Google answers 500', null],
  ['JSON', () => page('{}', 'application/json'), 'The response is not a page', null],
  ['a page that names nothing', () => page('<title>Maps</title>'), 'The page names no place', null],
  ['a lost connection', () => hangUp(), 'The connection was closed unexpectedly', null],
  ['tags without an end', () => page('<div>'.repeat(200_000)), 'The page names no place', null],
  [
    'invalid linked data',
    () => page('<script type="application/ld+json">{"name":</script>'),
    'The page names no place',
    null,
  ],
])('%s says nothing about the listing', async (_, answer, problem, rest) => {
  answer()
  expect(await read()).toEqual({ outcome: 'unread', problem, rest })
})
const hangUp = () => {
  maps.instead = (_request, response) => response.socket?.destroy()
}

test('a page that is too long is read up to the limit', async () => {
  head('Summit · 1 Main St', `</head>${'x'.repeat(2_000_000)}`)
  expect(await read()).toMatchObject({ outcome: 'listing', snapshot: { title: 'Summit', address: '1 Main St' } })
})

test('text of a page becomes one plain line', async () => {
  head(`Sum\u202emit\u0000\n${'x'.repeat(900)} · 1 Main St`)
  const answer = await read()
  expect(answer.outcome === 'listing' && answer.snapshot.title).toMatch(/^Sum mit.? x{400}/)
})
