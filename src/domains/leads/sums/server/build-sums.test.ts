import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, getToday, startOfMonth, startOfWeek } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { type LeadTag, noCampaignId } from '#domains/leads/labels.ts'
import { eraseLeads } from '#domains/leads/model/erase-leads.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads, insertLeads, lockLead, updateLead } from '#domains/leads/model/store.ts'
import { type App, startApp } from '#test/app.ts'
import { leadCounters } from '../counters.ts'
import { leadChangesTable, leadSumsTable, leadSumsZoneTable } from '../schema.ts'
import { ensureLeadSums, foldLeadChanges, rebuildLeadSums } from './build-sums.ts'

const zone = 'America/New_York'
let app: App
let campaigns: number[]
beforeEach(async () => {
  app = await startApp({ settings: { AGENCY_TIMEZONE: zone } })
  campaigns = [(await app.make.campaign()).id, (await app.make.campaign()).id, noCampaignId]
  await ensureLeadSums(db(), zone)
})
afterEach(() => app.close())
const db = () => app.context.db
const inTransaction = <T>(run: (tx: Tx) => Promise<T>) => db().transaction(run)

test('sums equal the leads after any writes by the store and others, folds and rebuilds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(anyWrite, anyForeignWrite), { minLength: 5, maxLength: 20 }), async (steps) => {
      for (const step of steps) await step()
      expect(await kept(zone)).toEqual(await addedUp(zone))
    }),
    { numRuns: 8, seed: 26_11, endOnFailure: true },
  )
  expect((await kept(zone)).size).toBeGreaterThan(100)
})

test('a new time zone of the agency rebuilds all sums, once', async () => {
  // 03:30 UTC on a Monday is Sunday evening in New York, and Monday noon in Tokyo.
  await insertElsewhere([{ ...plain, occurred_at: new Date('2026-03-16T03:30:00Z') }])
  await ensureLeadSums(db(), 'Asia/Tokyo')
  expect(await db().select().from(leadSumsZoneTable)).toEqual([{ zone: 'Asia/Tokyo' }])
  expect(await kept('Asia/Tokyo')).toEqual(await addedUp('Asia/Tokyo'))
  await ensureLeadSums(db(), zone)
  expect(await kept(zone)).toEqual(await addedUp(zone))
  expect(await db().select().from(leadSumsZoneTable)).toEqual([{ zone }])
})

test.each([
  ['the store', []],
  ['the store and others', ['foreign']],
] as const)(
  'concurrent and rolled back writes by %s, folds and rebuilds leave correct sums',
  async (_who, [foreign]) => {
    const one = async (index: number) => {
      const id = await insert({ ...plain, confirmed: index % 2 === 0, lead_phone: `+1512555010${index % 4}` })
      await change(id, { confirmed: index % 3 === 0, hide: index % 5 === 0, campaign_id: campaigns[index % 3]! })
      if (foreign && index % 4 === 0) await db().update(leadsTable).set({ rating: 4 }).where(eq(leadsTable.id, id))
      if (foreign && index % 7 === 0) await db().delete(leadsTable).where(eq(leadsTable.id, id))
      if (index % 11 === 0) await undone(id)
      if (index % 13 === 0) await foldLeadChanges(db())
      if (index === 20) await rebuildLeadSums(db(), 'Asia/Tokyo')
      if (index === 35) await ensureLeadSums(db(), zone)
    }
    await Promise.all(Array.from({ length: 50 }, (_, index) => one(index)))
    await ensureLeadSums(db(), zone)
    expect(await kept(zone)).toEqual(await addedUp(zone))
    await foldLeadChanges(db())
    const folded = await kept(zone)
    expect(await db().$count(leadChangesTable)).toBe(0)
    await rebuildLeadSums(db(), zone)
    expect(await kept(zone)).toEqual(folded)
  },
)

test('the store needs no triggers: without them, as with sharded leads, sums equal the leads', async () => {
  const { rows } = await db().execute<{ name: string }>(
    sql`select tgname as name from pg_trigger where tgrelid = 'leads'::regclass and tgname like '%_elsewhere'`,
  )
  for (const { name } of rows) await db().execute(sql`drop trigger ${sql.identifier(name)} on leads`)
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { minLength: 5, maxLength: 20 }), async (steps) => {
      for (const step of steps) await step()
      expect(await kept(zone)).toEqual(await addedUp(zone))
    }),
    { numRuns: 8, seed: 27_1, endOnFailure: true },
  )
})

// ——— both sides, by cell: campaign, period, archived, hidden ———

type Row = typeof leadsTable.$inferSelect
type Counters = Record<string, number>
type Cells = Map<string, Counters>
type Change = typeof leadChangesTable.$inferSelect

/** Returns the stored sums plus the changes that are not folded in yet. */
async function kept(inZone: string): Promise<Cells> {
  const cells: Cells = new Map()
  const sums = await db().select().from(leadSumsTable)
  for (const { campaign_id, period, archived, hide, ...counters } of sums)
    cells.set([campaign_id, period, archived, hide].join(), toNumbers(counters))
  for (const change of await db().select().from(leadChangesTable)) addTo(cells, change, inZone)
  return withoutEmpty(cells)
}

async function addedUp(inZone: string): Promise<Cells> {
  const cells: Cells = new Map()
  for (const row of await db().select().from(leadsTable)) addTo(cells, toChange(row), inZone)
  return withoutEmpty(cells)
}

const toChange = (row: Row): Change => ({
  ...row,
  facets: row.facets!,
  missed: !row.confirmed && row.tags.some((tag) => tag === 'Missed Call' || tag === 'Auto Missed Call'),
  number: 1,
})

const hiddenBit = 1 << 21
const ratingOf = (facets: number) => (facets >> 17) & 7

function addTo(cells: Cells, change: Change, inZone: string) {
  const { campaign_id, occurred_at, archived, facets, number, client_value, client_profit } = change
  const amounts = {
    client_value: client_value ?? 0,
    client_profit: client_profit ?? 0,
    rating: number * ratingOf(facets),
  }
  const day = getToday(inZone, occurred_at)
  const all = campaign_id === noCampaignId ? campaign_id : -1
  const places = new Set([
    ...wholePeriods(day).flatMap((period) => [`${campaign_id},${period}`, `${all},${period}`]),
    ...(day >= '2000' && day < '2100' ? [`${all},${Number(day.replaceAll('-', ''))}`] : []),
  ])
  for (const place of places) {
    const key = [place, archived, (facets & hiddenBit) !== 0].join()
    const counters = cells.get(key) ?? {}
    cells.set(key, counters)
    for (const [name, { test: asked, sumOf }] of Object.entries(leadCounters)) {
      const passes =
        asked === null ||
        (asked === 'missed' ? change.missed : ((facets & asked.mask) === asked.is) !== Boolean(asked.not))
      const added = sumOf ? amounts[sumOf] : number
      if (passes) counters[name] = round((counters[name] ?? 0) + added)
    }
  }
}

function wholePeriods(day: string): number[] {
  if (day < '2000') return [0, 1]
  if (day >= '2100') return [0, 9999]
  const week = [startOfWeek(day), startOfMonth(day)].toSorted()[1]!
  return [0, ...[day.slice(0, 4), day.slice(0, 7), `1${week}`].map((text) => Number(text.replaceAll('-', '')))]
}

const toNumbers = (counters: Record<string, unknown>): Counters =>
  Object.fromEntries(Object.entries(counters).map(([name, value]) => [name, Number(value)]))
const round = (amount: number) => Math.round(amount * 100) / 100
const withoutEmpty = (cells: Cells): Cells =>
  new Map(
    [...cells]
      .map(([key, counters]): [string, Counters] => [
        key,
        Object.fromEntries(Object.entries(counters).filter(([, value]) => value !== 0)),
      ])
      .filter(([, counters]) => Object.keys(counters).length > 0)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  )

// ——— what happens to leads ———

type Lead = Partial<typeof leadsTable.$inferInsert>
let made = 0
const plain: Lead = { occurred_at: new Date('2026-03-04T12:00:00Z'), confirmed: true }

const complete = (lead: Lead) => ({
  lead_s: 'Callrail' as const,
  lead_type: 'Call' as const,
  occurred_at: new Date('2026-03-04T12:00:00Z'),
  campaign_id: campaigns[0]!,
  tags: [] as LeadTag[],
  ...lead,
  lead_id: `summed-${made++}`,
})
const insertElsewhere = (leads: Lead[]) => db().insert(leadsTable).values(leads.map(complete))

async function insert(...leads: Lead[]): Promise<number> {
  const created = await inTransaction((tx) =>
    insertLeads(
      tx,
      zone,
      leads.map((lead) => ({ ...complete(lead), hours: null })),
    ),
  )
  return [...created.values()][0]!.id
}

const change = (id: number, set: Partial<Row>) =>
  inTransaction(async (tx) => {
    const lead = await lockLead(tx, id, { ...set, reorders: true })
    if (lead) await updateLead(tx, lead, { actor: { me: null }, zone, set, before: {}, after: {} })
  })

const undone = (id: number) =>
  inTransaction(async (tx) => {
    const lead = await lockLead(tx, id)
    if (lead)
      await updateLead(tx, lead, {
        actor: { me: null },
        zone,
        set: { archived: !lead.row.archived },
        before: {},
        after: {},
      })
    throw new Error('undone')
  }).catch(() => {})

async function pickIds(some: number): Promise<number[]> {
  const rows = await db().select({ id: leadsTable.id }).from(leadsTable).orderBy(leadsTable.id)
  return rows.map(({ id }) => id).filter((_, index) => index % some === some - 1)
}

const toPerson = (ids: number[]) => ({
  ...{ pattern: 'oakwood', loosePattern: 'oakwood', hints: ['%oakwood%'], mentions: new Map() },
  records: [{ kind: 'lead', ids, fields: [] }],
})

const moment = fc
  .constantFrom(
    ...['1999-12-31', '2000-01-01', '2024-02-29', '2024-03-10', '2025-11-02', '2025-12-29', '2026-01-01', '2100-01-01'],
    ...[addDays('2026-03-02', -1), addMonths('2026-03-31', 1)],
  )
  .chain((day) => fc.constantFrom('03:59:59.999', '04:00:00', '05:00:00').map((time) => new Date(`${day}T${time}Z`)))
const money = fc.option(fc.constantFrom(0, 0.1, 99.99, 1234.5))
const facts = {
  campaign: fc.nat(2),
  occurred_at: moment,
  confirmed: fc.boolean(),
  hide: fc.boolean(),
  archived: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom<LeadTag[]>('Missed Call', 'Auto Missed Call', 'Spam', 'Voicemail')),
  lead_type: fc.constantFrom('Call' as const, 'Form' as const),
  lead_phone: fc.constantFrom(null, '+15125550101', '+15125550102'),
  client_value: money,
  client_profit: money,
  client_progress: fc.option(fc.integer({ min: 1, max: 5 })),
  rating: fc.option(fc.integer({ min: 1, max: 5 })),
  source: fc.constantFrom(null, 'Google Organic', 'Elsewhere'),
  company_name: fc.constantFrom(null, 'Oakwood'),
}
const toLead = ({ campaign, ...lead }: { campaign?: number }) => ({
  ...lead,
  ...(campaign !== undefined && { campaign_id: campaigns[campaign]! }),
})
const someLeads = fc.array(fc.record(facts), { minLength: 1, maxLength: 6 }).map((leads) => leads.map(toLead))
const someFacts = fc.record(facts, { requiredKeys: [] }).map(toLead)
const rate = fc.integer({ min: 2, max: 6 })

const anyWrite: fc.Arbitrary<() => Promise<unknown>> = fc.oneof(
  { arbitrary: someLeads.map((leads) => () => insert(...leads)), weight: 4 },
  {
    arbitrary: fc.tuple(rate, someFacts).map(([some, set]) => async () => {
      for (const id of (await pickIds(some)).slice(0, 3)) await change(id, set)
    }),
    weight: 5,
  },
  rate.map((some) => async () => {
    const ids = (await pickIds(some)).slice(0, 3)
    await inTransaction((tx) => deleteUntouchedLeads(tx, ids))
  }),
  rate.map((some) => async () => {
    const ids = (await pickIds(some)).slice(0, 1)
    await inTransaction((tx) => eraseLeads(tx, toPerson(ids)))
  }),
  fc.constant(() => foldLeadChanges(db())),
  fc.constant(() => rebuildLeadSums(db(), zone)),
)

/** Writes like those of a person in psql. */
const anyForeignWrite: fc.Arbitrary<() => Promise<unknown>> = fc.oneof(
  { arbitrary: someLeads.map((leads) => () => insertElsewhere(leads)), weight: 2 },
  {
    arbitrary: fc.tuple(rate, someFacts).map(([some, { campaign_id: _, ...set }]) => async () => {
      if (Object.keys(set).length > 0) await db().update(leadsTable).set(set).where(sql`id % ${some} = 0`)
    }),
    weight: 2,
  },
  rate.map((some) => () => db().execute(sql`delete from leads where id % ${some * 3} = 0`)),
)
