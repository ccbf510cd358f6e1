import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { seedAgency } from '#app/demo/seed.ts'
import { allEndpoints } from '#app/server/parts.ts'
import { addDays } from '#contract/days.ts'
import { listSorts } from '#contract/field-definitions.ts'
import { createOpenApi } from '#core/http/openapi.ts'
import { activityLogFields } from '#domains/activity/log/fields.ts'
import { campaignFields } from '#domains/campaigns/fields.ts'
import { clientFields } from '#domains/clients/fields.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { campaignHealths } from '#domains/insights/labels.ts'
import { leadSorts } from '#domains/leads/contract.ts'
import { checkFilterList, choiceFilterList } from '#domains/leads/filters.ts'
import { leadTags, ratingFilters } from '#domains/leads/labels.ts'
import { leadQueues } from '#domains/leads/queues.ts'
import { gmbFields } from '#domains/listings/gmbs/fields.ts'
import { listingStates } from '#domains/listings/gmbs/labels.ts'
import type { Move } from '#domains/moves/contract.ts'
import { movesContract } from '#domains/moves/contract.ts'
import { resumeMoves } from '#domains/moves/server/jobs.ts'
import { clientSiteFields } from '#domains/sites/client/fields.ts'
import { ipFields } from '#domains/sites/ips/fields.ts'
import { outgoingLinkFields } from '#domains/sites/links/fields.ts'
import { networkSiteFields } from '#domains/sites/network/fields.ts'
import { redirectDomainFields } from '#domains/sites/redirects/fields.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { watchAudit } from '#test/audited-rows.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

const today = new Date().toISOString().slice(0, 10)
const allDays = { date_from: '2000-01-01', date_to: '2099-01-01' }
const lists = [
  'campaigns?per_page=200&sort=name',
  'campaigns/archived?per_page=200&sort=name',
  'campaigns/all?with_teams=1',
  'campaigncategory?nopag=1',
  'campaign/area/all',
  'client?per_page=200',
  'clientsite?per_page=200',
  'clientsite/all',
  'networkcategory',
  'networksite?per_page=200',
  'networksite/outgoing-links?per_page=200',
  'redirect_domains?per_page=200',
  'ip?per_page=200',
  'campaign-gmb?per_page=200',
  'activity-log?per_page=200&from=2000-01-01&to=2099-01-01',
  'admin/admins',
  'leads-handlers',
  'leads/keywords',
  'leads/spammers',
  'leads/list/data?per_page=200&date_from=2000-01-01&date_to=2099-01-01',
  'leads/list/archived/data?per_page=200&date_from=2000-01-01&date_to=2099-01-01',
  'leads/list/statistic?date_from=2000-01-01&date_to=2099-01-01',
  'leads/list/archived/statistic?date_from=2000-01-01&date_to=2099-01-01',
  'lead/related?global=1&per_page=200',
  'lead/chart/total',
  'lead/table?year=last_12_months',
  `campaign-changelog?from=${addDays(today, -365)}&to=${addDays(today, 365)}`,
  `campaign-changelog?from=${addDays(today, -1095)}&to=${addDays(today, -366)}`,
  `campaign-changelog?from=${addDays(today, -30)}&to=${today}`,
  'campaign-gmb/map?upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180',
  'campaign-gmb/map?upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180&clients_only=1',
  'campaign-gmb/unplaced',
  'campaign-gmb/statuses-list',
  'client/timezones',
]

/** Written files, and what is asked for by POST; `:campaign` is the busiest one, `:user` and others are as in `places`. */
const posts: [path: string, body: Record<string, unknown>][] = [
  ['lead/chart', { group: 'month' }],
  ['lead/chart', { group: 'week', date_from: addDays(today, -60), date_to: today }],
  ['lead/chart', { campaign_id: ':campaign' }],
  ['lead/chart/export', { group: 'month' }],
  ['lead/table/export', { year: today.slice(0, 4) }],
  ['lead/export', { ...allDays, sort: 'lead_date', order: 'desc' }],
  ['lead/export', { ...allDays, global: 1 }],
  ['networksite/outgoing-links/export', {}],
]
const files = [
  'activity-log/export?from=2000-01-01&to=2099-01-01',
  'campaigns/export?sort=name',
  'campaigns/archived/export?sort=name',
  'client/export',
  'clientsite/export',
  'networksite/export',
  'redirect_domains/export',
  'campaign-gmb/export',
]

/** The orders of the lists. */
const sorts = {
  ...{ 'leads/list/data': leadSorts, campaigns: listSorts(campaignFields), client: listSorts(clientFields) },
  ...{ clientsite: listSorts(clientSiteFields), networksite: listSorts(networkSiteFields), ip: listSorts(ipFields) },
  ...{ 'networksite/outgoing-links': listSorts(outgoingLinkFields), redirect_domains: listSorts(redirectDomainFields) },
  ...{ 'campaign-gmb': listSorts(gmbFields) },
  // Who is not here, such as the old super admin, has no place among the names here: under Assignee their tasks come last, and under User
  // their notes come where the person is who moved them.
  'activity-log': listSorts(activityLogFields).filter((sort) => sort !== 'assignee' && sort !== 'user'),
}
const { paths } = createOpenApi(allEndpoints, 'https://leadline.example')
const listQueryNames = (path: string) =>
  (paths[`/api/${path}`]!.get!.parameters ?? []).flatMap((one) => ('name' in one && one.in === 'query' ? one.name : []))
/** What pages and orders a list is no filter; the last ones are of no specification. */
const notCompared = [
  'page',
  'per_page',
  'sort',
  'order',
  'nopag',
  'cache',
  'from',
  'to',
  'date_from',
  'date_to',
  'network_site_id',
  'health',
  'client_id',
  'manager',
]

/** Each filter of the lists, with each of its values. */
const leadQueries = [
  ...choiceFilterList.flatMap(([name, { values }]) => values.map((value) => `${name}=${value}`)),
  ...checkFilterList.map(([name]) => `${name}=1`),
  ...leadTags.map((tag) => `tags=${tag}`),
  ...leadQueues.map((queue) => `queue=${queue}`),
  ...ratingFilters.map((via) => `rating_via=${via}`),
  ...[
    'missed=1',
    'has_campaign=1',
    'no_campaign=1',
    'global=1',
    'lead_search=roof',
    'campaign_ids=:campaign',
    'category_id=:category',
  ],
  `dateRange=${addDays(today, -30)},${today}`,
]
const filters = {
  'leads/list/data': leadQueries,
  'leads/list/statistic': leadQueries,
  'leads/list/archived/data': leadQueries,
  'leads/list/archived/statistic': leadQueries,
  'lead/table': [
    `year=${today.slice(0, 4)}`,
    `year=${Number(today.slice(0, 4)) - 1}`,
    'archived=0',
    'trouble_state=1&trouble_state=3',
    'category_ids=:category',
    'sort=verified&order=desc',
  ],
  campaigns: ['q=roof', 'campaign_category_id=:category'],
  'campaigns/archived': ['q=roof', 'campaign_category_id=:category'],
  'activity-log': [
    `from=${addDays(today, -90)}`,
    'from=2000-01-01&campaign_ids=:campaign',
    'from=2000-01-01&user_ids=:user',
    'from=2000-01-01&my_tasks=1',
  ],
  'campaign-changelog': [
    `from=${addDays(today, -90)}&campaign_ids=:campaign`,
    `from=${addDays(today, -700)}&user_ids=:user`,
  ],
  'campaign-gmb': [...listingStates.map((state) => `state=${state}`), ...['campaign_id=:campaign', 'search=roof']],
  'campaign-gmb/map': [
    ...['campaign_ids=:campaign', 'category_id=:category', 'clients_only=1'].map(
      (one) => `upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180&${one}`,
    ),
  ],
  clientsite: ['status=0', 'status=1', 'url=roof', 'ip=1', 'campaign_id=:campaign'],
  networksite: ['status=0', 'status=1', 'url=a', 'ip=1', 'category=:network', 'host=:host'],
  'networksite/outgoing-links': ['q=a', 'network_site_q=a', 'host=:host'],
  redirect_domains: ['q=a'],
  ip: ['ip=1', 'owner=a', 'country=us', 'region=a'],
  client: ['search=roof'],
}

const folder = mkdtempSync(join(tmpdir(), 'leadline-move-'))
afterAll(() => rmSync(folder, { recursive: true }))
const sink = await setUp(startSmtpSink())
const old = await setUp(startApp({ settings: { DATA_DIR: join(folder, 'old') } }))
await seedAgency(old.context, 120, new Date())
// Four months of notes are three quarters of all that moves; one in six of them has all that a note can have.
await old.context.pool.query(`
  delete from activity_item_files where item_id % 6 <> 0;
  delete from activity_items where id % 6 <> 0`)
const settings = { DATA_DIR: join(folder, 'new'), SMTP_URL: sink.url, ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' }
const app = await setUp(startApp({ settings }))
// Checks on a schedule would find that the sites of the demo are offline.
await app.context.pool.query(`
  create function refuse_schedule() returns trigger language plpgsql as 'begin return null; end';
  create trigger refuse_schedule before insert on pgboss.schedule for each row execute function refuse_schedule()`)
let worker = await startWorker()
afterAll(() => stopServer(worker, 'SIGKILL'))
const boss = await app.as(await app.make.user({ role: 'super_admin', username: 'boss' }))
const oldBoss = await asSuperAdmin(old)

function startWorker() {
  const { DATABASE_URL, SECRET_KEY } = app.context.settings
  return startServer({ ...settings, LEADLINE_ROLE: 'worker', DATABASE_URL, SECRET_KEY })
}

/**
 * Kills the worker so often while a job goes through the items of the move, evenly from the first to the last, and each time in the middle
 * of a batch: there its transaction waits for a lock. `begin` starts the job.
 */
async function killWorker(job: string, times: number, begin: () => Promise<void>) {
  const { pool } = app.context
  const holder = await pool.connect()
  await holder.query(
    `select pg_advisory_lock(${stops}, position) from move_items where move_id = $1 and position in (
      select n * (select count(*) from move_items where move_id = $1) / ($2 + 1) from generate_series(1, $2) n)`,
    [move.id, times],
  )
  await holder.query(`
    create function wait_here() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(${stops}, old.position); return new; end';
    create trigger wait_here before update on move_items for each row
      when (old.move_id = ${move.id}) execute function wait_here()`)
  await begin()
  for (let kill = 1; kill <= times; kill++) {
    const { position, pid } = await until(async () => {
      const waiting = await pool.query<{ position: number; pid: number }>(
        `select objid::int as position, pid from pg_locks where locktype = 'advisory' and classid = ${stops} and not granted`,
      )
      return waiting.rows[0]
    })
    await stopServer(worker, 'SIGKILL')
    // Nor does the statement end that it waits in.
    await pool.query('select pg_terminate_backend($1, 60000)', [pid])
    await holder.query(`select pg_advisory_unlock(${stops}, $1)`, [position])
    // The lease of the dead worker's job passes. A job that was tried often enough is given up.
    const left = await pool.query<{ state: string }>(
      `update pgboss.job set state = case when retry_count < retry_limit then 'retry' else 'failed' end::pgboss.job_state, start_after = now()
        where name = $1 and state = 'active' returning state`,
      [job],
    )
    expect(left.rowCount, `kill ${kill} of ${job}`).toBe(1)
    if (left.rows[0]!.state === 'failed') {
      await pool.query(`update moves set updated_at = now() - interval '3 minutes'`)
      await resumeMoves(app.context)
    }
    worker = await startWorker()
  }
  await holder.query('drop function wait_here cascade')
  holder.release()
}
/** The space of the locks at which the worker waits. */
const stops = 4711

/** How many rows of each table are not deleted. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await app.context.pool.query<{ name: string; count: number }>(`
    select relname as name, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || relname || case when hides then ' where deleted_at is null' else '' end, false, true, '')))[1]::text::int as count
    from (select relname, exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'deleted_at') as hides
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) tables order by relname`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** What every act leaves, what deleted rows have, and images that no item has, which a job removes. */
const alwaysLeft = /^(audit|connections|move_items|moved_ids|moves|lead_changes|client_site_logs|user_campaigns|files) /

async function asSuperAdmin(of: App): Promise<Caller> {
  return of.as(await of.make.user({ role: 'super_admin', username: 'the-old-boss' }))
}

const call = (who: Caller, path: string, method = 'GET', body?: unknown) =>
  who
    .fetch(`/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    .then(async (response) => {
      expect([path, response.status]).toEqual([path, 200])
      return response.json()
    })

type Line = { key: string; name: string }
type Changelog = Record<'campaigns' | 'sticky_campaigns' | 'teams', Line[]> & {
  changelogs_by_campaign: Record<string, unknown>
}

/**
 * Without ids and versions, and without what does not move and is compared below: the emails about a lead, and whether a listing has a
 * password. A forecast is of its own system: it follows from when a lead was verified there, and only what is verified here is known here.
 */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  if ('changelogs_by_campaign' in value) {
    const { changelogs_by_campaign, ...grid } = value as unknown as Changelog
    const lines = [...grid.campaigns, ...grid.sticky_campaigns, ...grid.teams]
    const named = Object.entries(changelogs_by_campaign).map(([key, cells]) => [
      lines.find((line) => line.key === key || line.key === `campaign-${key}`)?.name,
      withoutIds(cells),
    ])
    return { ...(withoutIds(grid) as object), cells: Object.fromEntries(named) }
  }
  if ('admins' in value) return withoutIds(Object.values(value.admins as object))
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name]) => !/^(id|key|version|(?!lead_id$).*_ids?|mail|has_password|before_the_move|forecast)$/.test(name),
      )
      .map(([name, one]) => [
        name,
        name === 'url' && String(one).startsWith('/api/files/') ? 'a file' : withoutIds(one),
      ]),
  )
}

/** A forecast knows more of leads that were verified here. */
const withoutForecast = (csv: string) => csv.replace(forecastCells, '')
const forecastCells = new RegExp(`,[\\d.]+,(${campaignHealths.map(({ label }) => label).join('|')})(?=,)`, 'g')

/** The same things of either, whose names are the same in both: the busiest campaign, and what is filtered by id. */
const places = new Map<Caller, Record<string, number | string>>()
const fillIn = (who: Caller, text: string) => text.replace(/:([a-z]+)/g, (_, name) => String(places.get(who)![name]))
const findNamed = (rows: Named[], name: string) => rows.find((one) => one.name === name)!.id
async function findPlaces(who: Caller, names: Record<'campaign' | 'category' | 'network' | 'user', string>) {
  const { admins } = (await call(who, 'admin/admins')) as { admins: Record<string, { id: number; username: string }> }
  const [link] = (await call(who, 'networksite/outgoing-links?sort=url')).data as { url: string }[]
  places.set(who, {
    campaign: findNamed((await call(who, 'campaigns?per_page=200')).data, names.campaign),
    category: findNamed(await call(who, 'campaigncategory?nopag=1'), names.category),
    network: findNamed(await call(who, 'networkcategory'), names.network),
    user: Object.values(admins).find(({ username }) => username === names.user)!.id,
    host: new URL(link!.url).host,
  })
}
const readFile = (who: Caller, path: string, body?: unknown) =>
  who
    .fetch(`/api/${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    .then(async (response) => [response.status, response.headers.get('content-type'), await response.text()])

const wait = (id: number, state: Move['state']) =>
  until(async () => {
    const { body } = await boss.call(movesContract.get, { params: { id } })
    if (body.state === 'failed') throw new Error(body.says)
    return body.state === state ? (body as Move) : null
  }, 240)

type Named = { id: number; name: string }
let move: Move

const emptyLists = await readLists()
const readUnaudited = await watchAudit(app)
const emptyTables = await countRows()

async function readLists() {
  return Object.fromEntries(await Promise.all(lists.map(async (path) => [path, withoutIds(await call(boss, path))])))
}

test('a plan reads everything of another Leadline, and finds that all of it is new [MOVE-04] [MOVE-05]', async () => {
  const connection = await boss.call(connectionsContract.create, {
    body: { kind: 'legacy', address: old.url, token: oldBoss.token },
  })
  expect(connection.status).toBe(200)
  const started = await boss.call(movesContract.start, { body: { connections: [connection.body.id] } })
  expect(started.status).toBe(200)
  move = await wait(started.body.id, 'ready')
  expect(move.questions).toBe(0)
}, 300_000)

test('accepting writes all of it though the worker is killed 8 times, and mails no one [MOVE-04]', async () => {
  // A job is tried 6 times: after more kills than that, the move goes on with a new one.
  await killWorker('move-write', 8, async () => {
    expect((await boss.call(movesContract.accept, { params: { id: move.id } })).status).toBe(200)
  })
  move = await wait(move.id, 'done')
  expect(move.kept).toEqual([])
  expect(sink.letters).toEqual([])
  expect(await readUnaudited()).toEqual([])
}, 300_000)

test.each(lists)('%s is equal in both but for ids [MOVE-07]', async (path) => {
  const [there, here] = [await call(oldBoss, path), await call(boss, path)].map(withoutIds)
  expect(here).toEqual(there)
})

test('every list is equal under each of its filters and orders [MOVE-07]', async () => {
  const [{ campaigns }, [category], [network], { admins }] = await Promise.all([
    call(oldBoss, 'lead/table?sort=verified&order=desc') as Promise<{ campaigns: Named[] }>,
    call(oldBoss, 'campaigncategory?nopag=1') as Promise<Named[]>,
    call(oldBoss, 'networkcategory') as Promise<Named[]>,
    call(oldBoss, 'admin/admins') as Promise<{ admins: Record<string, { username: string }> }>,
  ])
  const user = Object.values(admins)[0]!.username
  for (const who of [boss, oldBoss])
    await findPlaces(who, { campaign: campaigns[0]!.name, category: category!.name, network: network!.name, user })
  const differing: string[] = []
  const unknown: string[] = []
  const missing: string[] = []
  for (const [path, queries] of Object.entries(filters)) {
    const known = listQueryNames(path)
    const names = queries.flatMap((query) => [...new URLSearchParams(query).keys()])
    // A name that no one reads lets everything through, and one that is missing is not compared.
    unknown.push(...names.filter((one) => !known.includes(one)).map((one) => `${path}?${one}`))
    missing.push(...known.filter((one) => ![...names, ...notCompared].includes(one)).map((one) => `${path}?${one}`))
    const ordered = path in sorts ? sorts[path as keyof typeof sorts].map((sort) => `sort=${sort}`) : []
    for (const query of [...queries, ...ordered]) {
      const days = /^leads/.test(path) && !/date_from|dateRange/.test(query) ? '&date_from=2000-01-01' : ''
      const read = async (who: Caller) => withoutIds(await call(who, `${path}?${fillIn(who, query)}${days}`))
      const [there, here] = await Promise.allSettled([read(oldBoss), read(boss)])
      const isEqual = there.status === 'fulfilled' && isDeepStrictEqual(there, here)
      if (!isEqual) differing.push(`${path}?${query}`)
    }
  }
  const help = 'What is missing needs a value in `filters`, above, or its name in `notCompared`'
  expect({ differing, unknown, missing }, help).toEqual({ differing: [], unknown: [], missing: [] })
}, 120_000)

test.each(posts)('POST %s %j is equal in both but for ids [MOVE-07]', async (path, body) => {
  const read = async (who: Caller) => {
    const sent = Object.fromEntries(
      Object.entries(body).map(([key, one]) => [key, one === ':campaign' ? places.get(who)!.campaign : one]),
    )
    const [status, type, text] = await readFile(who, path, sent)
    return [
      status,
      String(type).includes('json') ? withoutIds(JSON.parse(String(text))) : withoutForecast(String(text)),
    ]
  }
  const [there, here] = [await read(oldBoss), await read(boss)]
  expect(here).toEqual(there)
  expect(there[0]).toBe(200)
})

test.each(files)('the file of %s is equal in both [MOVE-07]', async (path) => {
  const read = async (who: Caller) => {
    const [status, type, text] = await readFile(who, path)
    // The first column of these is the id; ids have gaps where the worker was killed.
    return [status, type, /^(campaigns|client)\//.test(path) ? String(text).replace(/^\d+,/gm, '') : text]
  }
  const [there, here] = [await read(oldBoss), await read(boss)]
  expect(here).toEqual(there)
  expect(there[0]).toBe(200)
})

test('what does not move is empty here: the emails about leads, and passwords of listings [MOVE-07]', async () => {
  const read = async (who: Caller) => {
    const leads = await call(who, 'leads/list/data?per_page=200&date_from=2000-01-01&date_to=2099-01-01')
    const listings = await call(who, 'campaign-gmb?per_page=200')
    return [
      (leads.data as { mail: object | null }[]).filter(({ mail }) => mail !== null).length,
      (listings.data as { has_password: boolean }[]).filter(({ has_password }) => has_password).length,
    ]
  }
  const there = await read(oldBoss)
  expect(there.every((count) => count > 0)).toBe(true)
  expect(await read(boss)).toEqual([0, 0])
})

test('the images of the activity log have come along [MOVE-05]', async () => {
  const read = async (who: Caller) => {
    const { data } = await call(who, 'activity-log?per_page=200&from=2000-01-01&to=2099-01-01')
    const urls = (data as { files: { url: string }[] }[]).flatMap(({ files: own }) => own.map(({ url }) => url))
    return Promise.all(
      urls.map(async (url) => {
        const response = await who.fetch(url)
        return [response.status, response.headers.get('content-type'), (await response.arrayBuffer()).byteLength]
      }),
    )
  }
  const [there, here] = [await read(oldBoss), await read(boss)]
  expect(there.length).toBeGreaterThan(0)
  expect(here.map(([status, type]) => [status, type])).toEqual(there.map(([status, type]) => [status, type]))
})

test('the differences are 0 [MOVE-07]', async () => {
  const { body } = await boss.call(movesContract.differences, { params: { id: move.id } })
  expect(body.data.filter((one: { theirs: number; ours: number }) => one.theirs !== one.ours)).toEqual([])
  expect(body.total).toBeGreaterThan(15)
})

/** What is ticked by the id of a campaign is by its name in both. */
function nameCampaigns(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.length > 0 && entries.every(([key]) => names.has(key)))
    return entries.map(([key]) => names.get(key)).toSorted()
  return Object.fromEntries(entries.map(([key, one]) => [key, nameCampaigns(one, names)]))
}

test('each campaign, listing, site, person and lead is equal by itself: hours, area, chart, logs, pages, campaigns, related leads [MOVE-05] [MOVE-07]', async () => {
  const readAll = async (who: Caller, list: string, paths: readonly string[]) => {
    const answer = await call(who, list)
    const found = answer.admins ?? answer.users ?? answer.data
    const rows = (Array.isArray(found) ? found : Object.values(found)) as { id: number }[]
    const campaigns = (await call(who, 'campaigns/all')) as Named[]
    const names = new Map(campaigns.map(({ id, name }) => [String(id), name]))
    const each = async (path: string, id: number) => {
      return withoutIds(nameCampaigns(await call(who, path.replace(':id', String(id))), names))
    }
    return Promise.all(rows.slice(0, 100).flatMap(({ id }) => paths.map((path) => each(path, id))))
  }
  for (const [list, ...paths] of [
    ['campaigns?per_page=200&sort=name', 'campaign/:id/working-hours', 'campaign/:id/area', 'lead/chart/:id'],
    ['campaigns/archived?per_page=200&sort=name', 'campaign/:id/working-hours', 'campaign/:id/area', 'lead/chart/:id'],
    ['campaign-gmb?per_page=200', 'campaign-gmb/:id/logs'],
    ['clientsite?per_page=200', 'clientsite/:id/logs'],
    ['networksite?per_page=200', 'networksite/:id/logs'],
    ['admin/admins', 'admin/admins/:id'],
    ['leads-handlers', 'leads-handlers/:id'],
    ['leads/list/data?per_page=100&date_from=2000-01-01', 'lead/:id/related'],
  ] as const) {
    const there = await readAll(oldBoss, list, paths)
    expect(await readAll(boss, list, paths), list).toEqual(there)
    expect(there.length, list).toBeGreaterThan(0)
  }
}, 120_000)

test('a second plan knows everything that was moved [MOVE-04]', async () => {
  const { body } = await boss.call(movesContract.start, { body: { connections: move.connections.map(({ id }) => id) } })
  const again = await wait(body.id, 'ready')
  const others = again.kinds.filter(({ kind, found, same }) => !['link', 'ip', 'log'].includes(kind) && found !== same)
  expect(others).toEqual([])
  await boss.call(movesContract.accept, { params: { id: again.id } })
  await wait(again.id, 'done')
  const page = await call(boss, 'leads/list/data?per_page=1&date_from=2000-01-01')
  expect(page.meta.total).toBe((await call(oldBoss, 'leads/list/data?per_page=1&date_from=2000-01-01')).meta.total)
}, 300_000)

test('an undo takes everything back that no one has changed though the worker is killed 4 times, and names the rest [MOVE-04]', async () => {
  const { data } = await call(boss, 'campaigns?per_page=200&sort=name')
  const [changed] = data
  await call(boss, `campaign/${changed.id}/update-note`, 'POST', { note: 'Mine now' })
  const readUnaudited = await watchAudit(app)
  await killWorker('move-undo', 4, async () => {
    expect((await boss.call(movesContract.undo, { params: { id: move.id } })).status).toBe(200)
  })
  const undone = await wait(move.id, 'undone')
  expect(undone.kept.find(({ kind }) => kind === 'campaign')?.reason).toBe(
    `${changed.name}: somebody has changed it since`,
  )
  expect(undone.kept.map(({ kind }) => kind).sort()).toEqual(['campaign', 'category', 'client'])
  const left = await readLists()
  expect((left['campaigns?per_page=200&sort=name'] as { data: unknown[] }).data).toHaveLength(1)
  for (const path of lists.filter((one) => !/^(campaign|client\?|lead\/table|campaigns)/.test(one)))
    expect(left[path], path).toEqual(emptyLists[path])
  expect(await readUnaudited()).toEqual([])
  const tables = Object.entries(await countRows()).flatMap(([name, count]) =>
    count === emptyTables[name] ? [] : `${name} ${count - emptyTables[name]!}`,
  )
  // The campaign that was changed, its client and its category.
  expect(tables.filter((one) => !alwaysLeft.test(one))).toEqual([
    'campaign_areas 1',
    'campaign_categories 1',
    'campaign_category_links 1',
    'campaigns 1',
    'clients 1',
    'users 1',
  ])
  const again = await boss.call(movesContract.undo, { params: { id: move.id } })
  expect([again.status, again.body.message]).toEqual([409, 'This move was undone already'])
}, 300_000)
