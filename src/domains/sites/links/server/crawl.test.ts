import { parse } from 'csv-parse/sync'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { campaignEventsContract } from '#domains/insights/events/contract.ts'
import { readStoredFacts } from '#domains/insights/server/stored-facts.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { startLocalSites } from '#integrations/fakes/sites.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { outgoingLinksContract } from '../contract.ts'
import { outgoingLinksTable } from '../schema.ts'
import { extractPageLinks } from './crawl.ts'
import { crawlDueSites } from './jobs.ts'

const sites = await setUp(startLocalSites())
const app = await setUp(startApp())
app.context.outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['203.0.113.0/24', '127.0.0.1'] }, sites.world)
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  await app.context.db.delete(networkSitesTable)
  sites.requests.length = 0
})

const crawlAgain = async () => {
  await app.context.db.update(networkSitesTable).set({ next_crawl_at: sql`now() - interval '1 minute'` })
  return crawlDueSites(app.context, { between: 0 })
}
const list = async (query: object = {}) => (await root.call(outgoingLinksContract.list, { query: { ...query } })).body
const shown = async (query: object = {}) =>
  (await list(query)).data.map((link: Record<string, unknown>) => [link.url, link.anchor, link.rel, link.type])
const stateOf = async (id: number) =>
  (await app.context.db.select().from(networkSitesTable).where(eq(networkSitesTable.id, id)))[0]!
const linked = (...links: string[]) => links.map((link) => `<a href="${link}">to ${link}</a>`).join('\n')

test('every link to another host is stored with its anchor, its rel and the type of its page [OL-06] [OL-08] [OL-09]', async () => {
  sites.add('blog.example', {
    '/': `<base href="/deep/"><a href="page">inner</a> <a href="https://WWW.Client.example/a#b" rel="Nofollow  Sponsored"> Best <b>roofer</b>\n in town</a>
      <a href="//other.example/x"><img src=i alt="Other shop"></a> <a href="mailto:a@b.example">mail</a> <a href="javascript:alert(1)">js</a> <a href="http://[bad">bad</a>`,
    '/deep/page': `<p><a href='https://third.example'>third</a><a href="https://client.example/a">Best roofer in town</a> <a href="/">home</a>`,
  })
  const site = await app.make.networkSite({ url: 'http://blog.example' })
  expect(await crawlAgain()).toBe(1)
  expect(await shown({ sort: 'url' })).toEqual([
    ['http://other.example/x', 'Other shop', null, 'text/html'],
    ['https://client.example/a', 'Best roofer in town', null, 'text/html'],
    ['https://third.example/', 'third', null, 'text/html'],
    ['https://www.client.example/a', 'Best roofer in town', 'nofollow sponsored', 'text/html'],
  ])
  const { data, total } = await list({
    host: 'client.example',
    network_site_q: 'BLOG',
    q: 'best',
    page: 1,
    per_page: 1,
    sort: 'url',
    order: 'desc',
  })
  expect([total, data]).toMatchObject([
    2,
    [{ network_site: 'http://blog.example', network_site_id: site.id, page: 'http://blog.example/' }],
  ])
  expect(await stateOf(site.id)).toMatchObject({ outgoing_links_parsing_error: null, crawled_at: expect.any(Date) })
})

test('a site that refuses checkers is read once more as a browser would, however sloppy its HTTP is [EDGE-10]', async () => {
  sites.add('forbids.example').answer = (request, response) =>
    /Chrome\//.test(request.headers['user-agent'] ?? '')
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(linked('https://a.example/'))
      : response.writeHead(403).end()
  sites.add('sloppy.example').answer = ({ socket }) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nX Powered By: us\r\nContent-Type: text/html\r\n\r\n<a href="https://b.example/">b</a>',
    )
  for (const host of ['forbids.example', 'sloppy.example']) await app.make.networkSite({ url: `http://${host}` })
  await crawlAgain()
  expect((await shown({ sort: 'url' })).map(([url]: string[]) => url)).toEqual([
    'https://a.example/',
    'https://b.example/',
  ])
})

const readLinks = async (page: string | Buffer, charset: string | null = null) => {
  async function* pieces() {
    yield Buffer.from(page as string)
  }
  const links = await extractPageLinks(pieces(), 'https://blog.example/dir/page', charset)
  return links.map(({ url, anchor }) => `${url} ${anchor}`)
}

test('a page is read in the charset that a browser would read it in [OL-08] [EDGE-10]', async () => {
  const [head, link] = ['<meta charset="windows-1252">', '<a href="https://a.example">Müller’s</a>']
  const latin = (text: string) => Buffer.from(text.replace('’', '\u0092'), 'latin1')
  const oldHead = '<META http-equiv=Content-Type content="text/html; charset=iso-8859-1">'
  const utf16 = Buffer.from(`\ufeff${link}`, 'utf16le')
  for (const page of [link, latin(head + link), latin(oldHead + link), latin(link), utf16, Buffer.from(utf16).swap16()])
    expect(await readLinks(page)).toEqual(['https://a.example/ Müller’s'])
  for (const [page, charset] of [
    [latin(link), 'iso-8859-1'],
    [latin(`<meta charset="utf-8">${link}`), 'windows-1252'],
    [`<meta charset="utf-16">${link}`, null],
    [link, 'klingon'],
    [latin(head + link), 'klingon'],
    [utf16, 'utf-8'],
  ] as const)
    expect(await readLinks(page, charset)).toEqual(['https://a.example/ Müller’s'])
})

test('the first base of a page counts, and its last link does without an end [OL-08]', async () => {
  expect(await readLinks('<base href="/one/"><base href="/two/"><a href="x">A</a>')).toEqual([
    'https://blog.example/one/x A',
  ])
  expect(await readLinks('<base target="_top"><base href="https://b.example/"><a href="x">A</a>')).toEqual([
    'https://b.example/x A',
  ])
  for (const base of ['javascript:1', 'data:,', 'https://[bad'])
    expect(await readLinks(`<base href="${base}"><a href="x">A</a>`)).toEqual(['https://blog.example/dir/x A'])
  expect(await readLinks('<p><a href="https://a.example">our friends')).toEqual(['https://a.example/ our friends'])
})

test('a missing link stays with the day it was lost; one that returns is restored', async () => {
  const pages: Record<string, string> = { '/': linked('https://a.example/', 'https://b.example/') }
  sites.add('changes.example', pages)
  await app.make.networkSite({ url: 'http://changes.example' })
  await crawlAgain()
  const [before] = await app.context.db
    .select()
    .from(outgoingLinksTable)
    .where(eq(outgoingLinksTable.url, 'https://b.example/'))
  pages['/'] = linked('https://a.example/')
  await crawlAgain()
  const lost = async () =>
    (await list({ sort: 'url' })).data.map((link: { url: string; lost_at: string | null }) => [
      link.url,
      link.lost_at !== null,
    ])
  expect(await lost()).toEqual([
    ['https://a.example/', false],
    ['https://b.example/', true],
  ])
  pages['/'] = linked('https://a.example/', 'https://b.example/')
  await crawlAgain()
  expect(await lost()).toEqual([
    ['https://a.example/', false],
    ['https://b.example/', false],
  ])
  const [after] = await app.context.db
    .select()
    .from(outgoingLinksTable)
    .where(eq(outgoingLinksTable.url, 'https://b.example/'))
  expect([after!.id, after!.first_seen_at]).toEqual([before!.id, before!.first_seen_at])
  expect(after!.last_seen_at > before!.last_seen_at).toBe(true)
})

test('a failed crawl keeps the last good links and says why; one that misses a page loses no link [OL-10]', async () => {
  const pages: Record<string, string> = {
    '/': linked('/inner', 'https://a.example/'),
    '/inner': linked('https://b.example/'),
  }
  const local = sites.add('fails.example', pages)
  const good = local.answer
  const { id } = await app.make.networkSite({ url: 'http://fails.example' })
  await crawlAgain()
  const kept = await app.context.db.select().from(outgoingLinksTable).orderBy(outgoingLinksTable.id)
  local.answer = (_request, response) => response.writeHead(500).end()
  await crawlAgain()
  expect(await stateOf(id)).toMatchObject({
    outgoing_links_parsing_error: 'robots.txt answers 500',
    outgoing_links_parsing_failed_at: expect.any(Date),
  })
  expect(await app.context.db.select().from(outgoingLinksTable).orderBy(outgoingLinksTable.id)).toEqual(kept)
  local.answer = (request, response) =>
    request.url === '/inner' ? response.socket?.destroy() : good(request, response)
  await crawlAgain()
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe('1 page could not be read')
  expect(await app.context.db.$count(outgoingLinksTable, sql`lost_at is not null`)).toBe(0)
  local.answer = good
  delete pages['/inner'] // 404: the page is gone, and so are its links
  await crawlAgain()
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe(null)
  expect(await app.context.db.$count(outgoingLinksTable, sql`lost_at is not null`)).toBe(1)
})

test('a missing first page is a failure, an inner one that redirects elsewhere is not', async () => {
  const pages: Record<string, string> = {
    '/blog': linked('/out', 'https://a.example/'),
    '/out': 'https://elsewhere.example/',
  }
  sites.add('blogs.example', pages)
  sites.add('elsewhere.example')
  const { id } = await app.make.networkSite({ url: 'http://blogs.example/blog' })
  await crawlAgain()
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe(null)
  delete pages['/blog']
  await crawlAgain()
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe('Error 404')
  expect(await app.context.db.$count(outgoingLinksTable, sql`lost_at is null`)).toBe(1)
})

test('robots.txt is respected, and a site that fails to answer for it is not crawled [OL-08]', async () => {
  sites.add('shy.example', {
    '/robots.txt': 'User-agent: *\nDisallow: /private\n\nUser-agent: LeadlineBot\nDisallow: /ours\nDisallow: /private',
    '/': linked('/private/a', '/ours', '/open'),
    '/open': linked('https://a.example/'),
    '/ours': linked('https://never.example/'),
    '/private/a': linked('https://never.example/'),
  })
  sites.add('closed.example', { '/robots.txt': 'User-agent: *\nDisallow: /', '/': linked('https://never.example/') })
  await app.make.networkSite({ url: 'http://shy.example' })
  const closed = await app.make.networkSite({ url: 'http://closed.example' })
  await crawlAgain()
  expect((await shown()).map(([url]: [string]) => url)).toEqual(['https://a.example/'])
  expect(sites.requests.filter((request) => /private|ours/.test(request))).toEqual([])
  expect((await stateOf(closed.id)).outgoing_links_parsing_error).toBe('robots.txt keeps crawlers out')
})

test('at most 200 pages are read, and of a page at most 2 MB [OL-08]', async () => {
  sites.add('endless.example').answer = (request, response) => {
    const n = Number(request.url?.slice(1) || 0)
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(linked(`/${n + 1}`, `/${n + 2}`, 'https://a.example/'))
  }
  const { id } = await app.make.networkSite({ url: 'http://endless.example' })
  await crawlAgain()
  expect(sites.requests.filter((request) => !request.endsWith('robots.txt'))).toHaveLength(200)
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe(null)

  sites.add('heavy.example', {
    '/': `${linked('https://a.example/')}${'x'.repeat(2_100_000)}${linked('https://b.example/')}`,
  })
  const heavy = await app.make.networkSite({ url: 'http://heavy.example' })
  await crawlDueSites(app.context, { between: 0 })
  expect((await stateOf(heavy.id)).outgoing_links_parsing_error).toBe(null)
  expect(await app.context.db.$count(outgoingLinksTable, eq(outgoingLinksTable.network_site_id, heavy.id))).toBe(1)
})

test.each<[string, number, Record<string, string>, string]>([
  [
    'SiteGround',
    202,
    { 'sg-captcha': 'challenge' },
    '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=1">',
  ],
  ['AWS WAF', 202, {}, '<script>window.gokuProps = {}</script>'],
  ['Sucuri', 200, {}, '<script>var sucuri_cloudproxy_js=""</script>'],
  ['Imperva', 200, {}, '<iframe src="/_Incapsula_Resource?CWUDNSAI=1"></iframe>'],
])(
  'links are not lost behind the wall of %s, which answers %s in place of the site',
  async (name, status, headers, page) => {
    sites.add('walled.example', { '/': linked('https://a.example/') })
    const site = await app.make.networkSite({ url: 'http://walled.example' })
    await crawlAgain()
    sites.add('walled.example').answer = (_, response) =>
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(page)
    await crawlAgain()
    expect(await app.context.db.$count(outgoingLinksTable, sql`lost_at is null`)).toBe(1)
    expect((await stateOf(site.id)).outgoing_links_parsing_error).toBe(`${name} blocks automated requests (${status})`)
  },
)

test('of a site with more pages than are read, no link is lost on a page that was not visited [OL-08]', async () => {
  const numbers = Array.from({ length: 250 }, (_, index) => index + 1)
  const dropped = new Set<number>()
  sites.add('large.example').answer = (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    const number = Number(request.url?.slice(1))
    const links = number ? [`https://target-${number}.example/`] : numbers.map((one) => `/${one}`)
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(dropped.has(number) ? 'No link' : linked(...links))
  }
  await app.make.networkSite({ url: 'http://large.example' })
  await crawlAgain()
  const lost = () => app.context.db.$count(outgoingLinksTable, sql`lost_at is not null`)
  expect((await list()).total).toBe(199)
  numbers.reverse() // the newest first, as in a blog
  await crawlAgain()
  expect([(await list()).total, await lost()]).toEqual([250, 0])
  dropped.add(250)
  await crawlAgain()
  expect(await lost()).toBe(1)
})

test('a pause requested by the site is respected: short ones are waited for, long ones end the crawl', async () => {
  let refusals = 1
  const local = sites.add('busy.example', { '/': linked('https://a.example/') })
  const good = local.answer
  local.answer = (request, response) => {
    if (request.url === '/' && refusals-- > 0) return response.writeHead(429, { 'retry-after': '0' }).end()
    return good(request, response)
  }
  const { id } = await app.make.networkSite({ url: 'http://busy.example' })
  await crawlAgain()
  expect((await stateOf(id)).outgoing_links_parsing_error).toBe(null)
  local.answer = (request, response) => {
    if (request.url === '/robots.txt') return good(request, response)
    return response.writeHead(503, { 'retry-after': '7200' }).end()
  }
  await crawlAgain()
  const state = await stateOf(id)
  expect(state.outgoing_links_parsing_error).toBe('Error 503')
  expect(Math.round((state.next_crawl_at.getTime() - Date.now()) / 60_000)).toBe(120)
})

test('a site that redirects elsewhere, and one without an address, fail with a readable error', async () => {
  sites.add('elsewhere.example', { '/': 'http://busy.example/' })
  const [moved, nowhere] = [
    await app.make.networkSite({ url: 'http://elsewhere.example' }),
    await app.make.networkSite({ url: 'http://unheard-of.example' }),
  ]
  await crawlAgain()
  expect((await stateOf(moved.id)).outgoing_links_parsing_error).toBe('Leads to another host, busy.example')
  expect((await stateOf(nowhere.id)).outgoing_links_parsing_error).toBe('This website could not be found')
})

test('hostile pages cost little and store nothing invalid: tag bombs, endless words, invalid characters', async () => {
  const read = async (html: string | Buffer, charset = 'utf-8') => {
    const before = process.cpuUsage()
    const found = await extractPageLinks(
      (async function* () {
        yield Buffer.from(html)
      })(),
      'http://x.example/',
      charset,
    )
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000) // milliseconds of CPU time
    return found
  }
  expect(await read(`${'<div>'.repeat(200_000)}<a href="https://deep.example">x</a>`)).toEqual([])
  expect(await read(`${'<a1>'.repeat(100_000)}${'</b2>'.repeat(100_000)}`)).toEqual([])
  expect(await read(`<a href="https://a.example">${'word '.repeat(300_000)}</a>`)).toMatchObject([
    { anchor: expect.stringMatching(/^(word ){99}word/) },
  ])
  expect((await read('<a href=https://a.example>x'.repeat(60_000))).length).toBeLessThanOrEqual(5000)
  expect(await read('<a href="https://a.example" rel="\0\u202eevil">a\0b\u202ec\ud800</a>')).toEqual([
    { url: 'https://a.example/', anchor: 'a b c\ufffd', rel: 'evil' },
  ])
  expect(await read(Buffer.from('<a href="https://a.example">caf\xe9</a>', 'latin1'), 'iso-8859-1')).toMatchObject([
    { anchor: 'café' },
  ])
  expect(
    await read(
      `<a href="https://${'x'.repeat(10_000)}.example">long</a><a href="https://a.example/${'y'.repeat(3000)}">long</a>`,
    ),
  ).toEqual([])
  expect(await read(`<a ${'x="y" '.repeat(100_000)}href="https://a.example">many</a>`)).toHaveLength(1)
})

test('the file has the filtered rows, and anchors that a spreadsheet would run are text [OL-07]', async () => {
  const site = await app.make.networkSite({ url: 'https://filed.example' })
  await app.make.outgoingLink({
    network_site_id: site.id,
    url: 'https://a.example/',
    anchor: '=HYPERLINK("https://evil.example")',
    rel: '@x',
    first_seen_at: new Date('2026-03-02T03:30:00Z'), // a day earlier in New York, as the table shows it
    lost_at: new Date('2026-03-02T12:00:00Z'),
  })
  await app.make.outgoingLink({ url: 'https://b.example/' })
  const ask = (who: Caller, body: object) =>
    who.fetch('/api/networksite/outgoing-links/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const answer = await ask(root, { network_site_q: 'filed' })
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="outgoing-links.csv"')
  const rows = parse(await answer.text(), { columns: true, bom: true }) as Record<string, string>[]
  expect(rows).toMatchObject([
    {
      URL: 'https://a.example/',
      Anchor: '\'=HYPERLINK("https://evil.example")',
      Rel: "'@x",
      'Network Site': 'https://filed.example',
      'First Seen': '2026-03-01',
      Lost: '2026-03-02',
    },
  ])
  expect(rows).toHaveLength(1)
  const keeper = await app.as(await app.make.admin({ permissions: ['networkSites'] }))
  expect([(await ask(keeper, {})).status, (await keeper.call(outgoingLinksContract.list)).status]).toEqual([403, 200])
})

test('a link to client sites of one host is in the timeline of each of their campaigns [WHY-01]', async () => {
  const { clientSite, campaign } = app.make
  const [austin, dallas] = [(await campaign()).id, (await campaign()).id]
  await clientSite({ url: 'https://brand.example/austin', campaign_id: austin })
  await clientSite({ url: 'https://brand.example/dallas', campaign_id: dallas })
  await clientSite({ url: 'https://brand.example/new', campaign_id: null })
  const pages: Record<string, string> = { '/': linked('https://brand.example/', 'https://a.example/') }
  sites.add('brands.example', pages)
  await app.make.networkSite({ url: 'http://brands.example' })
  await crawlAgain()
  pages['/'] = linked('https://a.example/')
  await crawlAgain()
  for (const id of [austin, dallas]) {
    const { body } = await root.call(campaignEventsContract.list, { params: { id } })
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['link_lost', 'link_found'])
  }
  const stored = (await readStoredFacts(app.context.db, 'America/New_York')).events.filter(
    ({ event }) => event === 'link_lost',
  )
  expect(stored.map((fact) => fact.campaign).toSorted()).toEqual([austin, dallas].toSorted())
})

test('links to a client’s site are only shown to users who may see that site', async () => {
  const client = await app.make.clientSite({ url: 'https://secret-client.example' })
  await app.make.outgoingLink({ url: 'https://www.secret-client.example/' })
  const others = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))
  const theirs = await app.as(await app.make.admin({ campaigns: [client.campaign_id!] }))
  const total = async (who: Caller) =>
    (await who.call(outgoingLinksContract.list, { query: { host: 'secret-client.example' } })).body.total
  expect([await total(others), await total(theirs)]).toEqual([0, 1])
})
