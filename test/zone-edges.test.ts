import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { addDays, addMonths, type CalendarDay, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { readReachedCaps } from '#domains/billing/public.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { campaignEventsContract } from '#domains/insights/events/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { notLeadProgress } from '#domains/leads/labels.ts'
import { ensureLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import { clientRecordContract } from '#domains/records/client-contract.ts'
import { clientReportsContract, reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
import { weeklyReportContract } from '#domains/reports/weekly-report/contract.ts'
import { signalsContract } from '#domains/signals/contract.ts'
import { maxMuteDays } from '#domains/signals/labels.ts'
import { signalsTable } from '#domains/signals/schema.ts'
import { taskDetector } from '#domains/signals/server/detectors/tasks.ts'
import { readSignalFacts } from '#domains/signals/server/read-facts.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { createWriteStage, writeExamples } from '#test/write-examples.ts'

/**
 * The edges of a day: half an hour before and after midnight, at both changes of the clock, in three zones. The machine, the campaign
 * and the client are in other zones than the agency, so that a day of the wrong one shows.
 */
const edges: { zone: string; day: CalendarDay; midnight: string }[] = [
  { zone: 'America/Los_Angeles', day: '2026-11-01', midnight: '2026-11-01T07:00:00.000Z' },
  { zone: 'America/Los_Angeles', day: '2027-03-14', midnight: '2027-03-14T08:00:00.000Z' },
  { zone: 'Pacific/Auckland', day: '2027-09-26', midnight: '2027-09-25T12:00:00.000Z' },
  { zone: 'Pacific/Auckland', day: '2027-04-04', midnight: '2027-04-03T11:00:00.000Z' },
  { zone: 'Asia/Kolkata', day: '2026-11-26', midnight: '2026-11-25T18:30:00.000Z' },
]
const agencies = new Map<string, App>()
for (const zone of new Set(edges.map((edge) => edge.zone)))
  agencies.set(zone, await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } })))
const elsewhere = (zone: string) => (zone === 'Pacific/Auckland' ? 'America/Los_Angeles' : 'Pacific/Auckland')
const halfHour = 30 * 60_000

afterEach(() => void vi.useRealTimers())
/**
 * Sets the clock of this process; that of the database goes on, so nothing here depends on `now()`. Nothing takes time by it, because what
 * took long to compute is kept for a while, on a busy machine beyond midnight.
 */
const setClock = (at: number) => vi.useFakeTimers({ toFake: ['Date', 'performance'], now: at })
/** Signs in by the database's clock, then sets that of this process: a session that began at a past edge would be over. */
async function signInAt(at: number, app: App, user: { id: number }): Promise<Caller> {
  vi.useRealTimers()
  const signedIn = await app.as(user)
  setClock(at)
  return signedIn
}

describe.each(edges)('$zone, midnight of $day', ({ zone, day, midnight }) => {
  const before = Date.parse(midnight) - halfHour
  const after = Date.parse(midnight) + halfHour
  const dueDay = Number(day.slice(8))
  const earlier = computeBillingCycle(dueDay, addDays(day, -1))

  async function inAgency(run: (app: App, root: Caller) => Promise<void>) {
    const app = agencies.get(zone)!
    await run(app, await signInAt(before, app, await app.make.superAdmin()))
  }
  const makeCampaign = async ({ make }: App) => {
    const client = await make.client({ timezone: elsewhere(zone) })
    const timezone = elsewhere(zone)
    return make.campaign({ client_id: client.id, due_date: dueDay, start_date: earlier.from, timezone })
  }

  test('a cycle ends with its last day: its statement, its leads, its cap, its count in Leads Table', () =>
    inAgency(async ({ make, ...app }, root) => {
      const campaign = await makeCampaign({ make, ...app })
      const verified = { campaign_id: campaign.id, confirmed: true }
      const last = await make.lead({ ...verified, occurred_at: new Date(before) })
      const first = await make.lead({ ...verified, occurred_at: new Date(after) })
      const terms = [{ from: earlier.from, kind: 'per_lead', prices: { Form: 10 }, cap: 10 }]
      await root.call(termsContract.save, { params: { id: campaign.id }, body: { terms } })
      const query = { campaign_ids: campaign.id }
      const listCycles = async () =>
        (await root.call(statementsContract.list, { query })).body.data.map(
          ({ from, lines }: { from: string; lines: { lead_id: number }[] }) => [
            from,
            lines.map(({ lead_id }) => lead_id),
          ],
        )
      const readProgress = async () => {
        const { body } = await root.call(weeklyReportContract.read, { query: {} })
        const { current_leads, days_left } = body.campaigns.find(({ id }: { id: number }) => id === campaign.id)
        return [current_leads, days_left]
      }
      const send = async () =>
        (await root.call(statementsContract.send, { params: { id: toStatementId(campaign.id, earlier.from) } })).status

      expect(await listCycles()).toEqual([[earlier.from, [last.id]]])
      expect(await readProgress()).toEqual([1, 1])
      expect(await send()).toBe(409)
      const reached = await readReachedCaps(app.context.db, zone, new Date(before))
      expect(reached.find((one) => one.campaign.id === campaign.id)?.reached_on).toBe(addDays(day, -1))

      setClock(after)
      expect(await listCycles()).toEqual([
        [day, [first.id]],
        [earlier.from, [last.id]],
      ])
      expect(await readProgress()).toEqual([1, computeBillingCycle(dueDay, day).days])
      expect(await send()).toBe(200)
      const payOn = async (on: CalendarDay) => {
        const params = { id: toStatementId(campaign.id, earlier.from) }
        return (await root.call(statementsContract.paid, { params, body: { on } })).status
      }
      expect([await payOn(addDays(day, 1)), await payOn(day)]).toEqual([422, 200])
      const { body } = await root.call(statementsContract.get, {
        params: { id: toStatementId(campaign.id, earlier.from) },
      })
      expect(body.leads.map(({ date }: { date: string }) => date)).toEqual([addDays(day, -1)])
    }))

  test('a client’s report ends with its last day: its leads, its notes, the decisions on its disputes', () =>
    inAgency(async (app, root) => {
      const campaign = await makeCampaign(app)
      for (const at of [before, after]) {
        const [occurred_at, name] = [new Date(at), at === before ? 'the last day' : 'the day after']
        const of = { campaign_id: campaign.id }
        const lead = await app.make.lead({ ...of, occurred_at, lead_name: name, confirmed: true })
        await app.make.activityItem({
          ...of,
          note: name,
          client_may_read: true,
          date: at === before ? addDays(day, -1) : day,
        })
        const decided = { via: 'page', state: 'refused', answer: name, decided_at: occurred_at } as const
        await app.context.db.insert(disputesTable).values({ ...of, lead_id: lead.id, ...decided })
      }
      const params = { id: campaign.client_id }
      const { body } = await root.call(clientReportsContract.create, {
        params,
        body: { period: 'cycle', from: earlier.from },
      })
      const { body: report } = await app.guest.call(clientReportsContract.read, { params: { key: body.key } })
      expect(report).toMatchObject({
        to: addDays(day, -1),
        verified: 1,
        leads: [{ name: 'the last day' }],
        done: [{ note: 'the last day', date: addDays(day, -1) }],
        disputes: [{ answer: 'the last day', decided_on: addDays(day, -1) }],
      })
    }))

  test('the target of the fourth month holds from its first day: in lists, the campaign, its saving and the client’s record', () =>
    inAgency(async (app, root) => {
      const stage = await createWriteStage(app, root)
      const { id } = stage.campaign
      const { body: form } = await writeExamples['PUT /campaign/:id']!(stage)
      const targets = { start_date: addMonths(day, -3), initial_target: 10, month_3_target: 20 }
      const body = { ...(form as object), ...targets }
      await app.context.db
        .update(campaignsTable)
        .set({ timezone: elsewhere(zone) })
        .where(eq(campaignsTable.id, id))
      const isOurs = (one: { id: number }) => one.id === id
      const readTargets = async () => {
        const { body: saved } = await root.call(campaignsContract.update, { params: { id }, body })
        const { body: list } = await root.call(campaignsContract.list, { query: { per_page: 200 } })
        const { body: choice } = await root.call(campaignsContract.all, { query: {} })
        const params = { id: stage.client.id }
        const { body: record } = await root.call(clientRecordContract.read, { params })
        return [
          saved.current_target,
          list.data.find(isOurs).current_target,
          choice.find(isOurs).leads_target,
          record.campaigns.find(isOurs).target,
        ]
      }
      expect(await readTargets()).toEqual([10, 10, 10, 10])
      setClock(after)
      expect(await readTargets()).toEqual([20, 20, 20, 20])
    }))

  test('a lead may be disputed until the last of its days ends', () =>
    inAgency(async (app, root) => {
      const campaign = await makeCampaign(app)
      const params = { id: campaign.id }
      const terms = [{ from: earlier.from, kind: 'flat', fee: 1, dispute_days: 0 }]
      expect((await root.call(termsContract.save, { params, body: { terms } })).status).toBe(200)
      const customer = await signInAt(before, app, await app.make.customer({ client_id: campaign.client_id }))
      const dispute = async (at: number) => {
        const values = { campaign_id: campaign.id, confirmed: true, occurred_at: new Date(at) }
        const { id } = await app.make.lead(values)
        const said = { params: { id }, body: { client_progress: notLeadProgress } }
        expect((await customer.call(leadsContract.update, said)).status).toBe(200)
        return app.context.db.$count(disputesTable, eq(disputesTable.lead_id, id))
      }
      expect(await dispute(before)).toBe(1)
      setClock(after)
      expect([await dispute(before), await dispute(after)]).toEqual([0, 1])
    }))

  test('a signal that is muted until a day, at most 90 days ahead, is loud from the start of that day', () =>
    inAgency(async (app, root) => {
      const campaign = await makeCampaign(app)
      const [signal] = await app.context.db
        .insert(signalsTable)
        .values({
          campaign_id: campaign.id,
          kind: 'site_offline',
          detected_kind: 'site_offline',
          severity: 'severe',
          title: 'Offline',
          subject_type: 'client_site',
          subject_id: String(campaign.id),
          subject_label: 'shop.example',
          evidence: {},
        })
        .returning()
      const mute = (until: string) => root.call(signalsContract.mute, { params: { id: signal!.id }, body: { until } })
      const longest = [maxMuteDays - 1, maxMuteDays].map((days) => mute(addDays(day, days)))
      expect((await Promise.all(longest)).map(({ status }) => status)).toEqual([200, 422])
      expect((await mute(day)).body.muted_until).toBe(midnight)
      setClock(after)
      expect((await mute(day)).status).toBe(422)
    }))

  test('an item may be planned from yesterday on', () =>
    inAgency(async ({ make }, root) => {
      const { id } = await make.campaign()
      const statusOf = async (date: CalendarDay) => {
        const body = { campaign_ids: [`campaign-${id}`], date, note: 'New ads' }
        return (await root.call(activityItemsContract.create, { body })).status
      }
      expect([await statusOf(addDays(day, -3)), await statusOf(addDays(day, -2))]).toEqual([422, 200])
      setClock(after)
      expect([await statusOf(addDays(day, -2)), await statusOf(addDays(day, -1))]).toEqual([422, 200])
    }))

  test('a campaign’s events are those of the days asked for', () =>
    inAgency(async ({ make, context }, root) => {
      const { id } = await make.campaign()
      const changes = [before, after].map((at) => ({
        ...{ kind: 'campaign', row_id: id, action: 'changed' as const, at: new Date(at) },
        ...{ before: { manager: 'Morgan' }, after: { manager: String(at) } },
      }))
      await context.db.insert(auditTable).values(changes)
      const list = async (query: { from?: CalendarDay; to?: CalendarDay }) => {
        const { body } = await root.call(campaignEventsContract.list, { params: { id }, query })
        return body.data.map(({ at }: { at: string }) => Date.parse(at))
      }
      setClock(after)
      expect(await list({ to: addDays(day, -1) })).toEqual([before])
      expect(await list({ from: day })).toEqual([after])
      expect(await list({})).toEqual([after, before])
      setClock(before)
      expect(await list({})).toEqual([before])
    }))

  test('a task is overdue from the end of its day', () =>
    inAgency(async ({ make, context }) => {
      const { id: assignee_id } = await make.admin()
      const { id } = await make.activityItem({ assignee_id, date: addDays(day, -1) })
      const isOverdue = async (at: number) => {
        const facts = await readSignalFacts(context.db, zone, [], new Date(at))
        const found = taskDetector.detect(
          { ...facts, sources: [], quiet: null, targets: [], caps: [], connections: [], google_connection_id: null },
          new Date(at),
        )
        return found.some(({ subject }) => subject.id === id)
      }
      expect([await isOverdue(before), await isOverdue(after)]).toEqual([false, true])
    }))

  test('a scheduled report is due at its hour in the client’s zone', () =>
    inAgency(async (app, root) => {
      const client = await app.make.client({ timezone: zone })
      await app.make.campaign({ client_id: client.id, due_date: 5 })
      const params = { id: client.id }
      const readNext = async () => (await root.call(reportScheduleContract.read, { params })).body.next_at
      const body = { every: 'month', day: dueDay, hour: 0 }
      expect((await root.call(reportScheduleContract.update, { params, body })).status).toBe(200)
      expect(await readNext()).toBe(midnight)
      setClock(after)
      expect(Date.parse(await readNext())).toBeGreaterThan(after + 26 * 86_400_000)
    }))
})

/**
 * The same agency in two zones: everything that happened in the first is moved so that it happened at the same local time in the second.
 * Whatever has a day must then say the same, just before midnight and just after. UTC lies between the two, and the campaigns' zone is
 * two hours ahead of the agency's: a day of a wrong zone differs.
 */
describe('an agency says the same in another zone at the same local time', async () => {
  const places = [
    { agency: 'America/Phoenix', theirs: 'America/Bogota', ahead: 0 },
    { agency: 'Asia/Dubai', theirs: 'Asia/Dhaka', ahead: 11 },
  ]
  const database = await createDatabase()
  const tomorrow = addDays(getToday(places[0]!.agency), 1)
  const midnight = startOfZonedDay(tomorrow, places[0]!.agency).getTime()
  const hour = 3_600_000
  /** What differs between two starts of the app, and what has no day. */
  const without = [
    'GET /client/:id/record', // counts by the database’s clock, which goes on
    'GET /admin/audit/kinds',
    'GET /leads/events',
    'GET /users/:id/sessions',
    'GET /user/sessions',
    'GET /client/timezones',
    'GET /gmb/connection',
  ]
  type History = Awaited<ReturnType<typeof makeHistory>>
  const bodies = {
    'POST /lead/chart': {},
    'POST /lead/chart/export': {},
    'POST /lead/export': {},
    'POST /lead/table/export': {},
  }
  const reads = allEndpoints
    .map(({ endpoint }) => endpoint)
    .filter(({ method, address }) => method === 'GET' || address in bodies)
    .filter(({ allow, address }) => !allow.guests && !without.includes(address))
  const [yesterday, days] = [addDays(tomorrow, -1), `from=${addDays(tomorrow, -10)}&to=${addDays(tomorrow, -2)}`]
  const queries: Record<string, string[]> = {
    'GET /campaign-gmb/map': ['upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180'],
    'GET /views': ['table=leads'],
    'GET /campaign/:id/effect': ['kind=campaign&row=1'],
    'GET /leads/list/data': [
      '',
      `date_from=${tomorrow}`,
      `date_to=${yesterday}`,
      `dateRange=${yesterday},${yesterday}`,
    ],
    'GET /leads/list/statistic': ['', `date_from=${tomorrow}`, `date_to=${yesterday}`],
    'GET /statements': ['', `cycle_ends_from=${yesterday}`, `cycle_ends_before=${tomorrow}`],
    'GET /statements/send-batch': ['', `cycle_ends_from=${yesterday}&cycle_ends_before=${tomorrow}`],
    'GET /activity-log': ['', days],
    'GET /campaign-changelog': ['', days],
    'GET /campaign/:id/events': ['', days],
    'GET /admin/audit': ['kind=campaign', `kind=campaign&${days}`],
    'GET /signals': ['', 'state=closed'],
  }
  const rowOf = (path: string, { rows }: History): number =>
    Object.entries(rows).find(([start]) => path.startsWith(start))?.[1] ?? 1

  /** Makes what happened, each at both sides of a midnight. */
  async function makeHistory(app: App) {
    const { db } = app.context
    const stage = await createWriteStage(app, await app.as(await app.make.superAdmin()))
    const of = { campaign_id: stage.campaign.id }
    const dueDay = Number(tomorrow.slice(8))
    await db.update(campaignsTable).set({ due_date: dueDay, start_date: addDays(tomorrow, -65) })
    for (let night = 0; night < 34; night++)
      for (const side of [-1, 1]) {
        const at = new Date(midnight - night * 24 * hour + (side * hour) / 2)
        const n = night * 2 + side
        await app.make.lead({
          ...of,
          clientsite_id: stage.site.id,
          occurred_at: at,
          confirmed: n % 5 !== 0,
          lead_type: n % 3 === 0 ? 'Call' : 'Form',
          tags: n % 6 === 0 ? ['Missed Call'] : [],
          rating: n % 4 === 0 ? 4 : null,
        })
        const change = { kind: 'campaign', row_id: of.campaign_id, action: 'changed' as const, at }
        await db.insert(auditTable).values({ ...change, before: { manager: 'M' }, after: { manager: `M${n}` } })
        if (night % 9 === 0) {
          const signal = await stage.signal({
            opened_at: at,
            closed_at: new Date(at.getTime() + 24 * hour),
            subject_id: `${n}`,
          })
          await app.make.activityItem({
            ...of,
            date: addDays(tomorrow, -night - (side < 0 ? 1 : 0)),
            note: `${signal.id}`,
          })
          const lead = await app.make.lead({ ...of, occurred_at: at, confirmed: true })
          const decided = { via: 'page', state: 'refused', answer: 'No', opened_at: at, decided_at: at } as const
          await db.insert(disputesTable).values({ ...of, lead_id: lead.id, ...decided })
        }
      }
    await stage.dispute()
    const signal = await stage.signal({ opened_at: new Date(midnight - hour / 2) })
    const { id } = stage.campaign
    const { body } = await writeExamples['PUT /campaign/:id']!(stage)
    const form = { ...(body as object), due_date: dueDay, start_date: addDays(tomorrow, -65) }
    const unchanged = { [`/campaign/${id}`]: form, [`/lead/${stage.lead.id}`]: { notes: 'Called' } }
    for (const [path, saved] of Object.entries(unchanged)) await stage.created(path, saved, 'PUT')
    const places = { '/lead/chart': id, '/campaign/': id, '/campaigns/': id, '/client/': stage.client.id }
    const rest = { '/lead/': stage.lead.id, '/clientsite/': stage.site.id, '/campaign-gmb/': stage.gmb.id }
    const people = { root: (await app.make.superAdmin()).id, customer: stage.customer.id }
    return {
      rows: { ...places, ...rest, '/campaign-changelog/': stage.item.id, '/signals/': signal.id },
      people,
      unchanged,
    }
  }

  async function moveInstants(app: App, hours: number) {
    const { rows } = await app.context.pool.query<{ name: string; sets: string }>(
      `select format('%I', table_name) as name, string_agg(format('%1$I = %1$I - interval ''${hours} hours''', column_name), ', ') as sets
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone' and is_generated = 'NEVER'
          and table_name not in ('sessions', 'heartbeat')
        group by 1`,
    )
    const client = await app.context.pool.connect()
    await client.query('set session_replication_role = replica') // the audit trail is append-only
    for (const { name, sets } of rows) await client.query(`update ${name} set ${sets}`)
    client.release(true)
  }

  const answers: Record<string, string>[] = []
  let history: History | undefined
  for (const { agency, theirs, ahead } of places) {
    const settings = { AGENCY_TIMEZONE: agency, PUBLIC_URL: 'https://leadline.example' }
    const app = await startApp({ url: database.url, settings })
    history ??= await makeHistory(app)
    if (ahead > 0) await moveInstants(app, ahead)
    for (const table of ['campaigns', 'clients'])
      await app.context.pool.query(`update ${table} set timezone = $1`, [theirs])
    await ensureLeadSums(app.context.db, agency)
    const toFirst = (text: string) =>
      text
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => new Date(Date.parse(at) + ahead * hour).toISOString())
        .replaceAll(agency, 'their zone')
        .replaceAll(theirs, 'our zone')
        .replace(/\bMST\b|GMT[+-]\d+/g, 'zone')
    const found: Record<string, string> = {}
    for (const [who, id] of Object.entries(history.people)) {
      const reader = await app.as({ id })
      for (const side of ['before', 'after']) {
        setClock(midnight - ahead * hour + (side === 'before' ? -hour / 2 : hour / 2))
        const send = async (method: string, url: string, sent: object | null) => {
          const body = sent && { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
          const answer = await reader.fetch(`/api${url}`, { method, ...body })
          if (answer.ok) found[`${who}, ${side} midnight: ${method} ${url}`] = toFirst(await answer.text())
        }
        for (const { method, path, address } of reads)
          for (const query of queries[address] ?? ['']) {
            const url = `${path.replace(/:\w+/, String(rowOf(path, history)))}?${query}`
            await send(method, url, method === 'POST' ? {} : null)
          }
        for (const [path, saved] of Object.entries(history.unchanged)) await send('PUT', path, saved)
      }
    }
    vi.useRealTimers()
    answers.push(found)
    await app.close()
  }
  await database.drop()

  test.each(Object.keys(answers[0]!))('%s', (read) => {
    expect(answers[1]![read]).toBe(answers[0]![read])
  })
})
