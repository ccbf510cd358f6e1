import type pg from 'pg'
import type { BenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, withClient } from './database.ts'
import { timedGet, timedPost } from './http-client.ts'
import { databaseTimeIn, explainIn } from './plans.ts'
import { eventfulCampaign } from './seed.ts'
import type { Statement } from './serve.ts'

/** A query that is only measured in the database. */
export type InDatabase = { name: string; databaseMs: number; goal: string; met: boolean }

const campaigns = 5000
/** A midweek day, so that neither the first nor the last week is complete. */
const eightYearsAgo = new Date(Date.now() - 8 * 365 * 86_400_000).toISOString().slice(0, 10)

/** Measures related leads, the year's chart and table, the campaigns page at 5,000 campaigns, and the places in an area as large as a state. */
export async function measureInDatabase(ours: BenchServer, database: Database): Promise<InDatabase[]> {
  const list = await ours.watch(() => timedGet(ours, '/api/campaigns?page=1&per_page=50&sort=due_date&order=asc'))
  const lead = await aRelatedLead(database)
  const related = await ours.watch(() => timedGet(ours, `/api/lead/${lead}/related?page=1&per_page=50`))
  const objects = await ours.watch(() => timedPost(ours, '/api/campaign/area/get-objects', { points: colorado }))
  const years = await ours.watch(() => timedPost(ours, '/api/lead/chart', { group: 'week', date_from: eightYearsAgo }))
  const chart = await ours.watch(() => timedGet(ours, '/api/lead/chart/total'))
  await timedGet(ours, '/api/lead/table') // the first call reads what chances are computed from, and later ones reuse it
  const table = await ours.watch(() => timedGet(ours, '/api/lead/table'))
  const changelog = await ours.watch(() => timedGet(ours, `/api/campaign-changelog?from=${day(364)}&to=${day(0)}`))
  const signals = await ours.watch(() => timedGet(ours, '/api/signals?state=today&per_page=200&page=1'))
  const timeline = await ours.watch(() => timedGet(ours, `/api/campaign/${eventfulCampaign}/events?page=1&per_page=50`))
  const bell = await ours.watch(() => timedGet(ours, '/api/signals/count'))
  const log = (sort: string) =>
    ours.watch(() => timedGet(ours, `/api/activity-log?from=${day(364)}&to=${day(0)}&sort=${sort}`))
  const logs = [await log('date'), await log('user')]
  return withClient(database.url, async (client) => {
    const leads = await measured(client, 'related leads of one', related, 5)
    const byWeek = [
      await measured(client, 'chart of all campaigns, a year by week', chart, 150),
      await measured(client, 'chart of all campaigns, eight years by week', years, 150),
      await measured(client, 'table of all campaigns, a year by week', table, 150),
    ]
    const events = await measured(client, 'timeline of a campaign, 50 of 100,000 entries', timeline, 20)
    // Rows made for the measurement are rolled back with its transaction.
    await client.query('begin')
    await manyItems(client)
    const items = [
      await measured(client, 'changelog of a year, 50,000 items', changelog, 50),
      await measured(client, 'activity log of that year', logs[0]!, 50),
      await measured(client, 'activity log of that year, by user', logs[1]!, 50),
    ]
    await manyCampaigns(client)
    await manySignals(client)
    const found = [
      leads,
      ...byWeek,
      ...items,
      events,
      await measured(client, `campaigns with summaries, ${campaigns.toLocaleString('en-US')} campaigns`, list, 30),
      await measured(client, 'signals of Home and the bell, 5,000 campaigns and 200 open', [...signals, ...bell], 20),
      await measured(client, 'places in an area as large as Colorado', objects, 20),
    ]
    await client.query('rollback')
    await client.query('analyze') // a rolled-back `analyze` leaves its row counts behind
    return found
  })
}

async function aRelatedLead({ url }: Database): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      'select id from leads where phone_shared and not archived order by occurred_at desc, id desc limit 1',
    )
    return rows[0]!.id
  })
}

async function measured(client: pg.Client, name: string, statements: Statement[], most: number): Promise<InDatabase> {
  const hot = statements.filter(({ text }) => !/ from sessions /.test(text))
  await explainIn(client, name, hot)
  const databaseMs = await databaseTimeIn(client, hot)
  return { name, databaseMs, goal: `under ${most} ms in the database`, met: databaseMs < most }
}

/** Adds a year of an agency's notes: 50,000 on three hundred campaigns. */
async function manyItems(client: pg.Client) {
  await client.query(`
    insert into users (username, email, password_hash, role)
    select 'writer ' || n, n || '@writer.example', 'none', 'admin' from generate_series(1, 12) n`)
  await client.query(`
    insert into activity_items (campaign_id, date, note, user_id, is_task, assignee_id)
    select 1 + n % 300, current_date - (n % 364), repeat('Changed the landing page. ', 1 + n % 5), writer, n % 10 = 0,
      case when n % 10 = 0 then writer end
    from generate_series(1, 50000) n join lateral (
      select id as writer from users where username = 'writer ' || (1 + n % 12)) w on true`)
  await client.query('analyze activity_items')
}

async function manyCampaigns(client: pg.Client) {
  await client.query(
    `insert into campaigns (name, client_id, manager, start_date, initial_target, month_3_target, service_fee, approved_ppc)
     select 'Measured ' || n, 1 + n % 250, 'Morgan', current_date - (n % 900), 20, 25, 1500, n % 700
     from generate_series(1, $1::int - (select count(*)::int from campaigns)) n`,
    [campaigns],
  )
  await client.query(`insert into campaign_category_links select id, 1 + id % 8 from campaigns on conflict do nothing`)
  await client.query(`
    insert into client_sites (url, campaign_id) select 'https://measured' || id || '.example', id from campaigns
    where name like 'Measured %'`)
  for (const table of ['campaigns', 'campaign_category_links', 'client_sites']) await client.query(`analyze ${table}`)
}

/** Adds open signals of many campaigns, and a year of closed ones. */
async function manySignals(client: pg.Client) {
  await client.query('delete from signals') // the app may have opened some of its own
  await client.query(`
    insert into signals (kind, detected_kind, severity, title, campaign_id, subject_type, subject_id, subject_label, opened_at, closed_at, evidence)
    select 'site_offline', 'site_offline', 'severe', 'Site ' || n || ' is offline', campaigns.id, 'client_site', n::text, 'site ' || n,
      now() - n * interval '20 minutes', case when n > 200 then now() - n * interval '19 minutes' end, '{"says": "Error 500."}'
    from generate_series(1, 20000) n join campaigns on campaigns.id = 1 + n * 7 % 4000`)
  await client.query('analyze signals')
}

/** The area's four corners. */
const colorado = [
  { lat: 41, lng: -109.05 },
  { lat: 41, lng: -102.05 },
  { lat: 37, lng: -102.05 },
  { lat: 37, lng: -109.05 },
]
