import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { seedAgency } from '#app/demo/seed.ts'
import { addDays } from '#contract/days.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { campaignHealths } from '#domains/insights/labels.ts'
import { checkFilterList, choiceFilterList } from '#domains/leads/filters.ts'
import { leadTags } from '#domains/leads/labels.ts'
import { leadQueues } from '#domains/leads/queues.ts'
import type { Move } from '#domains/moves/contract.ts'
import { movesContract } from '#domains/moves/contract.ts'
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
  'campaign-changelog?from=2000-01-01&to=2099-01-01',
  `campaign-changelog?from=${addDays(today, -30)}&to=${today}`,
  'campaign-gmb/map?upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180',
  'campaign-gmb/map?upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180&clients_only=1',
  'campaign-gmb/unplaced',
  'campaign-gmb/statuses-list',
  'client/timezones',
]

/** Written files, and what is asked for by POST; `:campaign` is the busiest one. */
const posts: [path: string, body: Record<string, unknown>][] = [
  ['lead/chart', { group: 'month' }],
  ['lead/chart', { group: 'week', date_from: addDays(today, -60), date_to: today }],
  ['lead/chart', { campaign_id: ':campaign' }],
  ['lead/chart/export', { group: 'month' }],
  ['lead/table/export', { year: today.slice(0, 4) }],
  ['lead/export', { ...allDays, sort: 'lead_date', order: 'desc' }],
  ['lead/export', { ...allDays, global: 1 }],
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

/** Each filter of the lists, with each of its values. */
const filters = {
  'leads/list/data': [
    ...choiceFilterList.flatMap(([name, { values }]) => values.map((value) => `${name}=${value}`)),
    ...checkFilterList.map(([name]) => `${name}=1`),
    ...leadTags.map((tag) => `tags=${tag}`),
    ...leadQueues.map((queue) => `queue=${queue}`),
    ...['missed=1', 'has_campaign=1', 'global=1', 'lead_search=roof', 'rating_via=link', 'rating_via=staff'],
    ...['campaign_ids=:campaign', 'sort=lead_name', 'sort=duration', 'sort=client_value&order=desc'],
  ],
  'leads/list/statistic': ['global=1', 'campaign_ids=:campaign', 'lead_type=Call', `date_from=${addDays(today, -7)}`],
  'lead/table': [
    `year=${today.slice(0, 4)}`,
    `year=${Number(today.slice(0, 4)) - 1}`,
    'archived=0',
    'trouble_state=1&trouble_state=3',
    'sort=verified&order=desc',
  ],
  campaigns: ['search=roof', 'sort=client', 'sort=start_date&order=desc'],
  'activity-log': [
    `from=${addDays(today, -90)}`,
    'campaign_ids=:campaign',
    'search=roof',
    'from=2000-01-01&is_task=1',
    'from=2000-01-01&sort=campaign',
    'from=2000-01-01&sort=user',
  ],
  'campaign-changelog': [`from=${addDays(today, -90)}&campaign_ids=:campaign`],
  'campaign-gmb': ['status=1', 'status=3', 'changed=1', 'campaign_ids=:campaign', 'sort=status', 'search=roof'],
  clientsite: ['status=0', 'status=1', 'search=roof', 'sort=ip'],
  networksite: ['status=0', 'status=1', 'sort=expiration_date', 'search=a'],
  'networksite/outgoing-links': ['search=a', 'sort=anchor'],
  redirect_domains: ['search=a', 'sort=domain'],
  ip: ['search=1', 'sort=ip'],
  client: ['search=roof', 'sort=name&order=desc'],
}

const folder = mkdtempSync(join(tmpdir(), 'leadline-move-'))
afterAll(() => rmSync(folder, { recursive: true }))
const sink = await setUp(startSmtpSink())
const old = await setUp(startApp({ settings: { DATA_DIR: join(folder, 'old') } }))
await seedAgency(old.context, 120, new Date())
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

/** Kills the worker so often while a job goes through the items of the move, each time after it got on. */
async function killWorker(job: string, times: number) {
  const { pool } = app.context
  const progress = async () => {
    const counted = await pool.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from move_items where move_id = $1 group by state',
      [move.id],
    )
    return JSON.stringify(counted.rows.toSorted((a, b) => a.state.localeCompare(b.state)))
  }
  for (let kill = 0; kill < times; kill++) {
    const before = await progress()
    await until(async () => (await progress()) !== before)
    await stopServer(worker, 'SIGKILL')
    // The lease of the dead worker's job passes.
    const left = await pool.query(
      `update pgboss.job set state = 'retry', start_after = now() where name = $1 and state = 'active'`,
      [job],
    )
    expect(left.rowCount, `kill ${kill + 1} of ${job}`).toBe(1)
    worker = await startWorker()
  }
}

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
    .then((response) => response.json())

type Line = { key: string; name: string }
type Changelog = Record<'campaigns' | 'sticky_campaigns' | 'teams', Line[]> & {
  changelogs_by_campaign: Record<string, unknown>
}

/** Without ids, versions, and what begins with a row rather than with what it is. */
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
      .filter(([name]) => !/^(id|key|version|.*_id|mail|has_password|before_the_move|forecast)$/.test(name))
      .map(([name, one]) => [
        name,
        name === 'url' && String(one).startsWith('/api/files/') ? 'a file' : withoutIds(one),
      ]),
  )
}

/** A forecast knows more of leads that were verified here. */
const withoutForecast = (csv: string) => csv.replace(forecastCells, '')
const forecastCells = new RegExp(`,[\\d.]+,(${campaignHealths.map(({ label }) => label).join('|')})(?=,)`, 'g')

/** The busiest campaign of either, which has the same name in both. */
const busiest = new Map<Caller, number>()
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

test('accepting writes all of it though the worker is killed 12 times, and mails no one [MOVE-04]', async () => {
  const { status } = await boss.call(movesContract.accept, { params: { id: move.id } })
  expect(status).toBe(200)
  await killWorker('move-write', 12)
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
  const { campaigns } = (await call(oldBoss, 'lead/table?sort=verified&order=desc')) as { campaigns: Named[] }
  const name = campaigns[0]!.name
  for (const who of [boss, oldBoss]) {
    const all = (await call(who, 'campaigns?per_page=200')).data as Named[]
    busiest.set(who, all.find((one) => one.name === name)!.id)
  }
  const differing: string[] = []
  for (const [path, queries] of Object.entries(filters))
    for (const query of queries) {
      const days = /^lead.*(data|statistic)/.test(path) && !query.includes('date_from') ? '&date_from=2000-01-01' : ''
      const read = async (who: Caller) =>
        withoutIds(await call(who, `${path}?${query.replace(':campaign', String(busiest.get(who)))}${days}`))
      const [there, here] = await Promise.all([read(oldBoss), read(boss)])
      if (!isDeepStrictEqual(there, here)) differing.push(`${path}?${query}`)
    }
  expect(differing).toEqual([])
})

test.each(posts)('POST %s %j is equal in both but for ids [MOVE-07]', async (path, body) => {
  const read = async (who: Caller) => {
    const sent = Object.fromEntries(
      Object.entries(body).map(([key, one]) => [key, one === ':campaign' ? busiest.get(who) : one]),
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

test('a campaign’s hours, a listing’s log and a site’s log have come along [MOVE-05]', async () => {
  const pick = async (who: Caller, list: string, path: (id: number) => string) => {
    const { data } = await call(who, list)
    return Promise.all(data.slice(0, 3).map(async ({ id }: { id: number }) => withoutIds(await call(who, path(id)))))
  }
  for (const [list, path] of [
    ['campaigns?per_page=200&sort=name', (id: number) => `campaign/${id}/working-hours`],
    ['campaign-gmb?per_page=200', (id: number) => `campaign-gmb/${id}/logs`],
    ['clientsite?per_page=200', (id: number) => `clientsite/${id}/logs`],
    ['networksite?per_page=200', (id: number) => `networksite/${id}/logs`],
  ] as const)
    expect(await pick(boss, list, path), list).toEqual(await pick(oldBoss, list, path))
})

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

test('an undo takes everything back that no one has changed though the worker is killed 8 times, and names the rest [MOVE-04]', async () => {
  const { data } = await call(boss, 'campaigns?per_page=200&sort=name')
  const [changed] = data
  await call(boss, `campaign/${changed.id}/update-note`, 'POST', { note: 'Mine now' })
  const readUnaudited = await watchAudit(app)
  const { status } = await boss.call(movesContract.undo, { params: { id: move.id } })
  expect(status).toBe(200)
  await killWorker('move-undo', 8)
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
