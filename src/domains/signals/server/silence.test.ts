import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { evaluateSilence } from '#domains/insights/public.ts'
import { storeListedCalls } from '#domains/leads/callrail/server/store-listed.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { movedIdsTable, movesTable } from '#domains/moves/schema.ts'
import { type CallRailStandIn, startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { SeededRandom } from '#test/insights/random.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { describeChecks } from '../describe-checks.ts'
import { signalNoticesTable, signalsTable } from '../schema.ts'
import { sendMessages } from '../watches/server/send-messages.ts'
import { signalsJobs } from './jobs.ts'
import { probeSignal } from './probe.ts'
import { runSignals } from './runner.ts'

const hourMs = 3_600_000
let app: App
let root: Caller
let callrail: CallRailStandIn
let sites: { id: number; campaign_id: number | null }[]
let random: SeededRandom

/** Adds ten calls in two days for each of several sites, until some hours ago. */
beforeEach(async () => {
  random = new SeededRandom(22)
  callrail = await startCallRailStandIn()
  app = await startApp({
    settings: {
      CALLRAIL_SIGNING_KEY: callRailKey,
      ...callrail.settings,
      ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    },
  })
  root = await app.as(await app.make.superAdmin())
  sites = []
  for (let index = 0; index < 12; index++)
    sites.push(
      await app.make.clientSite({
        url: 'http://127.0.0.1:9/',
        callrail_campaign_identifier: `COM${'a'.repeat(index + 1)}`,
      }),
    )
  for (const site of sites) await addCalls(site, 120 * 24, 0.5)
})
afterEach(async () => {
  await app.close()
  await callrail.close()
})

/** Adds random calls, five a day, between two ages in hours. */
async function addCalls({ id, campaign_id }: (typeof sites)[number], from: number, to: number) {
  const hours: number[] = []
  for (let at = from; at > to; at -= -Math.log(1 - random.next()) * 4.8) hours.push(at)
  await app.context.db.execute(sql`
    insert into leads (lead_s, lead_id, lead_type, lead_name, occurred_at, campaign_id, clientsite_id)
    select 'Callrail', ${`${id}-${from}-`} || n, 'Call', 'Ann', now() - make_interval(secs => hours * 3600), ${campaign_id}, ${id}
    from unnest(${sql.param(hours)}::float8[]) with ordinality as one (hours, n)`)
}
const silence = async (site: { id: number }, hours: number) => {
  await app.context.db.execute(
    sql`delete from leads where clientsite_id = ${site.id} and occurred_at > now() - make_interval(hours => ${hours})`,
  )
}
const list = async (query: object = {}): Promise<Signal[]> =>
  (await root.call(signalsContract.list, { query: { per_page: 200, ...query } })).body.data
const ofSource = async ({ id }: { id: number }, query: object = {}) =>
  (await list(query)).find(({ subject }) => subject.id === `${id}/callrail`)
/** Runs like another process, with nothing in memory. */
const runFresh = () => runSignals({ ...app.context })

test('usual leads open no signal', async () => {
  await runFresh()
  expect(await list({ kind: 'source_silent' })).toEqual([])
})

test('a source that should have sent much more is silent; the evidence has the numbers, and a lead ends it [TODAY-03] [TODAY-06]', async () => {
  const site = sites[0]!
  await silence(site, 96)
  await runFresh()
  const open = await ofSource(site)
  expect(open).toMatchObject({
    kind: 'source_silent',
    severity: 'severe',
    campaign: { id: site.campaign_id },
    subject: { type: 'source', id: `${site.id}/callrail` },
    evidence: {
      says: expect.stringMatching(/^No calls for 4 days\. This site normally brings about \d+ in that time\.$/),
    },
  })
  const { expected, chance } = open!.evidence as { expected: number; chance: number }
  expect(expected).toBeGreaterThan(8)
  expect(chance).toBeLessThan(0.001)
  expect(open!.expected_lost!.low).toBeLessThan(open!.expected_lost!.mid)
  expect(open!.expected_lost!.high).toBeGreaterThan(open!.expected_lost!.mid)
  await runFresh()
  expect(await ofSource(site)).toMatchObject({ id: open!.id })
  const lead = await app.make.lead({ lead_type: 'Call', campaign_id: site.campaign_id!, clientsite_id: site.id })
  await runSignals(app.context)
  expect(await ofSource(site, { state: 'closed' })).toMatchObject({ id: open!.id, evidence: { lead_id: lead.id } })
})

test('a site whose leads a move still writes or takes back is not silent [TODAY-03] [MOVE-06]', async () => {
  const { db } = app.context
  const site = sites[0]!
  await silence(site, 96) // the rest has not been written yet
  const { id: user_id } = await app.make.superAdmin()
  const [move] = await db.insert(movesTable).values({ user_id, sources: [] }).returning()
  const moved = { source: 'https://old.example', kind: 'client_site', old_id: '1', row_id: site.id } as const
  await db.insert(movedIdsTable).values({ ...moved, move_id: move!.id })
  for (const state of ['writing', 'undoing', 'done'] as const) {
    await db.update(movesTable).set({ state })
    await runFresh()
    expect((await ofSource(site)) !== undefined, state).toBe(state === 'done')
  }
})

test('CallRail’s own list brings lost calls in, and the hooks are the cause until one arrives again [TODAY-05]', async () => {
  const site = sites[1]!
  await silence(site, 96)
  const company = 'COMaa'
  const start_time = new Date(Date.now() - 5 * hourMs).toISOString()
  const { resource_id, company_resource_id: _id, company_id: _number, ...rest } = postCall({ start_time })
  callrail.calls = [{ ...rest, duration: 60, id: String(resource_id), company_id: company, start_time }]
  await runFresh()
  const { id } = (await ofSource(site))!
  await probeSignal(app.context, id)
  expect(await ofSource(site)).toMatchObject({
    id,
    kind: 'hooks_lost',
    evidence: { brought_in: 1, probe: { calls: { listed: 1, brought_in: 1 } } },
  })
  await processInbox(app.context)
  await runFresh()
  expect(await ofSource(site), 'a call brought in is not a hook').toMatchObject({ kind: 'hooks_lost' })
  const lost = (await root.call(signalsContract.probe, { params: { id } })).body
  expect(lost, 'no hook since').toMatchObject({ closed_at: null, probed_at: expect.any(String) })
  await sendCallRail(app, postCall({ company_resource_id: company, start_time: new Date().toISOString() }))
  await processInbox(app.context)
  const { body } = await root.call(signalsContract.probe, { params: { id } })
  expect(body, 'a call that came before Check now').toMatchObject({ kind: 'hooks_lost', closed_at: expect.any(String) })
})

test('a silence of which nothing could be looked at is not said to be checked [TODAY-05] [TODAY-08]', async () => {
  const site = sites[3]!
  await silence(site, 96)
  await app.context.db.execute(sql`update client_sites set callrail_campaign_identifier = null where id = ${site.id}`)
  await runFresh()
  const { id } = (await ofSource(site))!
  await app.context.db.execute(sql`update client_sites set deleted_at = now() where id = ${site.id}`)
  await probeSignal(app.context, id)
  expect(await ofSource(site)).toMatchObject({ id, probed_at: null })
  await app.context.db.execute(sql`update client_sites set deleted_at = null where id = ${site.id}`)
  await probeSignal(app.context, id)
  expect(await ofSource(site)).toMatchObject({ id, probed_at: expect.any(String) })
})

test('calls that reconciliation brings in before the probe do not end a silence: the hooks are the cause [TODAY-05]', async () => {
  const site = sites[4]!
  const company = 'COMaaaaa'
  await silence(site, 96)
  await runFresh()
  const { id } = (await ofSource(site))!
  const start_time = new Date(Date.now() - 5 * hourMs).toISOString()
  const { resource_id, company_resource_id: _id, company_id: _number, ...rest } = postCall({ start_time })
  const call = { ...rest, duration: 60, id: `${resource_id}x`, company_id: company, start_time }
  const reading = { now: new Date(), liveFrom: new Date(0), waitsForHooks: true }
  await storeListedCalls(app.context.db, [call], reading)
  await processInbox(app.context)
  await runFresh()
  expect(await ofSource(site)).toMatchObject({
    id,
    kind: 'hooks_lost',
    expected_lost: null,
    evidence: { brought_in: 1, says: 'We fetched 1 lead CallRail didn’t send. It was not lost; fix the webhook.' },
  })
  const day = await app.context.db.execute<{ day: string }>(
    sql`select evidence ->> 'last_lead_at' as day from signals where id = ${id}`,
  )
  expect(Date.parse(day.rows[0]!.day), 'the last call of a hook').toBeLessThan(Date.now() - 90 * hourMs)
  const another = { ...call, id: `${resource_id}y`, start_time: new Date(Date.now() - 4 * hourMs).toISOString() }
  await storeListedCalls(app.context.db, [another], reading)
  await processInbox(app.context)
  await runFresh()
  expect(await ofSource(site)).toMatchObject({ evidence: { brought_in: 2, says: expect.stringContaining('2 ') } })
  const polled = { ...call, id: `${resource_id}z`, start_time: new Date().toISOString() }
  await storeListedCalls(app.context.db, [polled], { ...reading, waitsForHooks: false })
  await processInbox(app.context)
  await runFresh()
  expect(await ofSource(site, { state: 'closed' }), 'read from the list by now').toMatchObject({
    id,
    kind: 'hooks_lost',
  })
})

test('a source whose site is offline says so, and the site’s signal stands for it [TODAY-04] [TODAY-05]', async () => {
  const site = sites[2]!
  await silence(site, 96)
  await runFresh()
  const { id } = (await ofSource(site))!
  const probed = await root.call(signalsContract.probe, { params: { id } })
  expect(probed).toMatchObject({
    status: 200,
    body: { id, kind: 'site_offline', evidence: { probe: { site: 'offline' } } },
  })
  const parent = (await list({ kind: 'site_offline' })).find(
    ({ subject }) => subject.type === 'client_site' && subject.id === site.id,
  )
  expect(probed.body.parent_id).toBe(parent!.id)
  const { body } = await root.call(signalsContract.probe, { params: { id } })
  expect(body.evidence.says, 'what is known without a probe').toMatch(/in that time\.$/)
  expect(describeChecks(body.evidence)).toContainEqual({ text: 'The website is down.', isFine: false })
  // Calls need no site: those of the first 16 of 20 offline days are not lost.
  await app.context.db.execute(
    sql`update client_site_logs set created_at = now() - interval '20 days' where site_id = ${site.id}`,
  )
  await runFresh()
  const lost = (await list({ kind: 'site_offline' })).find(({ id }) => id === parent!.id)!.expected_lost!
  expect(lost.mid).toBeGreaterThan(5)
  expect(lost.mid).toBeLessThan(45)
})

test('a silence whose site is up again no longer says that the website is down [TODAY-04] [TODAY-05]', async () => {
  const site = sites[2]!
  await silence(site, 96)
  await runFresh()
  const { id, title } = (await ofSource(site))!
  await root.call(signalsContract.probe, { params: { id } })
  expect((await ofSource(site))!.title).toMatch(/the website is down$/)
  await app.context.db.execute(
    sql`update client_sites set status = 1, misses = 0, problem = null where id = ${site.id}`,
  )
  await runFresh()
  const after = (await ofSource(site))!
  expect(after).toMatchObject({ id, kind: 'source_silent', title, parent_id: null })
  expect(title).toMatch(/^No calls from/)
  expect(describeChecks(after.evidence).map(({ text }) => text)).not.toContain('The website is down.')
})

test('what a probe finds while signals are evaluated is kept [TODAY-05]', async () => {
  const { db } = app.context
  const site = sites[5]!
  await silence(site, 96)
  await runFresh()
  const { id } = (await ofSource(site))!
  await db.update(signalsTable).set({ severity: 'note' }).where(eq(signalsTable.id, id)) // the next run has to write it
  let isProbed = false
  const { running, probing } = await db.transaction(async (tx) => {
    // A run that has read the signals, and not yet all facts.
    await tx.execute(sql`lock table signal_findings in access exclusive mode`)
    const running = runFresh()
    const countWaiting = async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await db.execute(waiting)).rows.length
    }
    await until(async () => (await countWaiting()) === 1)
    const probing = probeSignal(app.context, id).finally(() => {
      isProbed = true
    })
    await until(async () => isProbed || (await countWaiting()) === 2)
    return { running, probing }
  })
  await Promise.all([running, probing])
  expect(await ofSource(site)).toMatchObject({
    severity: 'severe',
    kind: 'site_offline',
    evidence: { probe: { site: 'offline' } },
  })
})

test('the command runs, and probes sources without a probe [TODAY-05]', async () => {
  const site = sites[3]!
  await silence(site, 96)
  await signalsJobs[0]!.run({ ...app.context }, {} as never)
  const [row] = await app.context.db
    .select()
    .from(signalsTable)
    .where(eq(signalsTable.subject_id, `${site.id}/callrail`))
  expect(row!.probed_at).not.toBeNull()
})

test('a quiet agency is one signal, and the parent of sources that fall silent with it [TODAY-04]', async () => {
  for (const site of sites) await silence(site, 30)
  await runFresh()
  const [quiet, ...more] = await list({ kind: 'all_quiet' })
  expect(more).toEqual([])
  expect(quiet).toMatchObject({ severity: 'severe', campaign: null, subject: { type: 'agency' } })
  const { says, expected, came } = quiet!.evidence as { says: string; expected: number; came: number }
  expect(says).toMatch(
    /^(No leads|Only \d+ leads?) by (noon|\d\d:\d\d)[^.]*, across all campaigns\. Usually about \d+\.$/,
  )
  expect(expected, 'of that day, until it was noticed').toBeGreaterThanOrEqual(10)
  expect(quiet!.expected_lost!.mid, 'that day’s and what was missed since').toBeGreaterThanOrEqual(
    expected - came - 0.1,
  )
  const silent = (await list({ kind: 'source_silent' })).filter(({ parent_id }) => parent_id === null)
  expect(silent).toEqual([])
})

test('an admin of every quiet campaign sees that everything is quiet, and gets an email of it; who lacks one does not [TODAY-04]', async () => {
  const [lively, ...rest] = sites
  for (const site of rest) await silence(site, 30)
  const quiet = [...new Set(rest.map(({ campaign_id }) => campaign_id!))]
  await app.make.lead({ lead_type: 'Call', campaign_id: lively!.campaign_id!, clientsite_id: lively!.id })
  await runFresh()
  const makeAdmin = async (campaigns: number[]) => {
    const person = await app.make.admin({ campaigns })
    return { person, caller: await app.as(person) }
  }
  const [all, some] = [await makeAdmin(quiet), await makeAdmin(quiet.slice(1))]
  const readQuiet = async ({ caller }: typeof all): Promise<Signal[]> =>
    (await caller.call(signalsContract.list, { query: { kind: 'all_quiet' } })).body.data
  expect(await readQuiet(all)).toMatchObject([
    { title: 'Almost no leads agency-wide', evidence: { campaign_ids: quiet } },
  ])
  expect(await readQuiet(some)).toEqual([])
  await sendMessages(app.context)
  const notices = await app.context.db.select().from(signalNoticesTable)
  const [signal] = await readQuiet(all)
  expect(notices.filter(({ signal_id }) => signal_id === signal!.id).map(({ user_id }) => user_id)).toContain(
    all.person.id,
  )
  expect(notices.some(({ signal_id, user_id }) => signal_id === signal!.id && user_id === some.person.id)).toBe(false)
})

test('an hour of detection covers each of 1,000 sources [TODAY-03]', async () => {
  const now = Math.floor(Date.now() / hourMs) * hourMs
  const sources = Array.from({ length: 1000 }, (_, index) => {
    const gap = (8 + 150 * random.next()) * hourMs
    const leads: number[] = []
    for (let at = now - 240 * 24 * hourMs; at < now; at += -Math.log(1 - random.next()) * gap) leads.push(at)
    return { id: `${index}/callrail`, category: `Trade ${index % 8}`, leads }
  })
  const { gaps } = await evaluateSilence(sources, now, 'America/New_York')
  expect(gaps).toHaveLength(1000)
})
