import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { notLeadProgress } from '#domains/leads/labels.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { getCustomerLink } from './customer-link.ts'
import { createPerson, demoPlaces } from './people.ts'
import { SeededRandom } from './random.ts'
import { demoPassword, seedAgency } from './seed.ts'
import { readLiveSites, sendCall, sendForm } from './stand-ins/hook-senders.ts'

const today = new Date('2026-11-20T18:00:00Z')

const ask = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>, of = app) =>
  (await of.context.db.execute<Row>(query)).rows

const readSums = (of: App) =>
  ask(
    sql`
      select (select md5(string_agg(l::text, '' order by id)) from leads l) as leads,
        (select md5(string_agg(c::text, '' order by id)) from campaigns c) as campaigns,
        (select md5(string_agg(i::text, '' order by id)) from activity_items i) as items,
        (select md5(string_agg(before::text || after::text, '' order by id)) from audit where kind = 'lead') as trail`,
    of,
  )

const sink = await setUp(startSmtpSink())
const folder = mkdtempSync(join(tmpdir(), 'leadline-demo-'))
afterAll(() => rmSync(folder, { recursive: true }))
const app = await setUp(
  startApp({
    settings: { DATA_DIR: folder, SMTP_URL: sink.url, CALLRAIL_SIGNING_KEY: 'the-demo-signs-with-this' },
    work: true,
  }),
)
await seedAgency(app.context, 2500, today)
/** Before any test adds leads. */
const seeded = await readSums(app)
const lastSeeded = (await ask<{ id: number }>(sql`select max(id) as id from leads`))[0]!.id

test('the same day produces the same agency', async () => {
  const other = await startApp({ settings: { DATA_DIR: folder } })
  await seedAgency(other.context, 2500, today)
  expect(await readSums(other)).toEqual(seeded)
  await other.close()
})

test('the demo’s leads follow the rules of the product', async () => {
  const [found] = await ask(sql`
    with one as materialized (
      select *, row_number() over (partition by campaign_id, phone_key, lead_type order by occurred_at, id) as nth,
        count(*) over (partition by phone_key) as of_phone from leads where id <= ${lastSeeded})
    select count(*)::int > 2000 as enough,
      count(distinct answering_status)::int as statuses,
      count(distinct client_progress)::int as progress,
      count(*) filter (where first_call <> (lead_type = 'Call' and (phone_key is null or nth = 1)))::int as wrong_first_calls,
      count(*) filter (where hide and not tags && '{Autospam,BLSpam,Spam}')::int as hidden_for_nothing,
      count(*) filter (where version <> 1 + (select count(*) from audit where kind = 'lead' and row_id = one.id))::int as wrong_versions,
      count(*) filter (where phone_shared <> (phone_key is not null and of_phone > 1))::int as wrongly_shared,
      count(*) filter (where occurred_at > ${today.toISOString()})::int as of_tomorrow
    from one`)
  expect(found).toEqual({
    enough: true,
    statuses: 4,
    progress: 5,
    wrong_first_calls: 0,
    hidden_for_nothing: 0,
    wrong_versions: 0,
    wrongly_shared: 0,
    of_tomorrow: 0,
  })
})

test('the demo’s clients dispute verified leads: some disputes are open, and each decided one has its verdict [RPT-06]', async () => {
  const disputes = await ask<{ state: string; lead_id: number }>(sql`select state, lead_id from disputes`)
  expect(new Set(disputes.map(({ state }) => state))).toEqual(new Set(['open', 'accepted', 'refused']))
  const ids = sql.param(disputes.map(({ lead_id }) => lead_id))
  const leads = await ask<{ id: number; progress: number; confirmed: boolean }>(
    sql`select id, client_progress as progress, confirmed from leads where id = any(${ids}::int[])`,
  )
  expect(new Set(leads.map(({ progress }) => progress))).toEqual(new Set([notLeadProgress]))
  const verified = new Map(leads.map(({ id, confirmed }) => [id, confirmed]))
  expect(disputes.filter(({ state, lead_id }) => verified.get(lead_id) !== (state !== 'accepted'))).toEqual([])
  const [terms] = await ask(sql`select count(distinct terms -> 0 ->> 'kind')::int as kinds from campaign_terms`)
  expect(terms).toEqual({ kinds: 2 })
})

test('the demo’s texts read as people write them, and no one disputes a lead that they praised [DESK-10]', async () => {
  const texts = await ask<{ text: string }>(sql`
    select unnest(array[message, notes, client_notes]) as text from leads
    union all select note from activity_items union all select answer from disputes`)
  const written = texts.flatMap(({ text }) => text ?? [])
  expect(written.length).toBeGreaterThan(500)
  expect(written.filter((text) => /[?!.,]\.(?!\.)|\s[?!.,]|\s{2}|^[a-z]/.test(text))).toEqual([])
  const salutation = /^(?:Hi|Hello|Hey|Hi there|Good morning),\s/
  const greeted = written.flatMap((text) => (salutation.test(text) ? text.replace(salutation, '') : []))
  expect(greeted.length).toBeGreaterThan(100)
  expect(greeted.filter((rest) => /^(?!I\b)[A-Z][a-z’]*\s/.test(rest))).toEqual([])
  const praised = await ask(sql`
    select leads.id from disputes join leads on leads.id = disputes.lead_id
    where client_value is not null or client_profit is not null or rating > 2 or client_notes is not null`)
  expect(praised).toEqual([])
})

test('the demo’s statements are sent a few days after their cycle, and each billed lead is verified [RPT-07]', async () => {
  const [found] = await ask(sql`
    select count(*)::int > 500 as many, max(to_day) < current_date as ended, bool_and(sent_at::date > to_day) as later,
      bool_and(ordinal is not null) as numbered, bool_or(paid_on is not null) and bool_or(paid_on is null) as some_paid,
      (select count(*)::int > 20 from statement_keys) as linked from statements`)
  expect(found).toEqual({ many: true, ended: true, later: true, numbered: true, some_paid: true, linked: true })
  const lines = await ask<{ lead_id: number }>(sql`select lead_id from statement_lines where kind = 'lead'`)
  const ids = sql.param(lines.map(({ lead_id }) => lead_id))
  const leads = await ask(sql`select confirmed from leads where id = any(${ids}::int[])`)
  expect(leads.length).toBe(lines.length)
  expect(leads.filter(({ confirmed }) => !confirmed)).toEqual([])
})

test('some of the demo’s listings are changed and some suspended, each with a date, and every one was read', async () => {
  const [found] = await ask(sql`
    select count(*) filter (where changed)::int > 2 as changed, count(*) filter (where status = 4)::int > 0 as suspended,
      count(*) filter (where changed <> (changed_at is not null) or (status = 4) <> (suspended_at is not null))::int as without_since,
      count(*) filter (where seen is null or checked_at is null)::int as unread,
      count(*) filter (where changed and not exists (
        select from campaign_gmb_logs l where l.gmb_id = g.id and l.username is null and l.old is distinct from l.new))::int as unexplained
    from campaign_gmbs g`)
  expect(found).toEqual({ changed: true, suspended: true, without_since: 0, unread: 0, unexplained: 0 })
})

test('the demo’s activity has notes of campaigns and teams, tasks of which some are overdue, and images that exist', async () => {
  const [found] = await ask(sql`
    select count(*) filter (where campaign_id is not null)::int > 500 as of_campaigns, count(team_id)::int > 20 as of_teams,
      count(*) filter (where is_task and not is_done and date < '2026-11-20')::int > 0 as overdue,
      count(*) filter (where is_task and date > '2026-11-20')::int > 5 as ahead,
      (select count(distinct item_id)::int > 5 from activity_item_files) as with_pictures
    from activity_items`)
  expect(Object.values(found!)).toEqual([true, true, true, true, true])
  const [picture] = await ask<{ key: string; size: number }>(sql`select key, size from files limit 1`)
  expect((await buffer((await app.context.store.get(picture!.key))!)).length).toBe(picture!.size)
})

test('a person of each role can sign in: staff by password, a customer by link', async () => {
  const enter = async (path: string, body: object) =>
    (
      await app.guest.fetch(`/api/user/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()
  for (const username of ['olivia', 'morgan', 'harper'])
    expect(await enter('login', { username, password: demoPassword })).toEqual({ token: expect.any(String) })
  const [customer] = await ask<{ id: number }>(sql`select id from users where role = 'customer' limit 1`)
  const link = await getCustomerLink(app.context, customer!.id)
  expect(await getCustomerLink(app.context, customer!.id)).toBe(link)
  expect(await enter('authByToken', { token: link.split('token=')[1] })).toEqual({ token: expect.any(String) })
})

test('the demo’s webhooks become leads, and their mails are caught [RUN-03]', async () => {
  const dice = new SeededRandom(7)
  const hooked = { context: app.context, hooks: app.url }
  const sites = await readLiveSites(app.context)
  const person = createPerson(dice, demoPlaces[0]!)
  const [before] = await ask<{ count: number }>(sql`select count(*)::int from leads`)
  expect(await sendCall(hooked, dice, sites[0]!, person)).toBe(200)
  expect(await sendForm(hooked, dice, sites[1]!, person)).toBe(200)
  await until(
    async () => (await ask<{ count: number }>(sql`select count(*)::int from leads`))[0]!.count === before!.count + 2,
  )
  await until(() => sink.letters.length > 0)
  expect(sink.letters[0]?.email.subject).toMatch(/^New (call|form) from /)
})
