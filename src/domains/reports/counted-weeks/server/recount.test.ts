import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { transferLead } from '#domains/leads/model/store.ts'
import { type App, startApp } from '#test/app.ts'
import { weekZoneTable } from '../schema.ts'
import { ensureWeekCounts, foldCountChanges, recountWeeks } from './recount.ts'

const zone = 'America/New_York'
let app: App
let campaigns: number[]
beforeAll(async () => {
  app = await startApp({ settings: { AGENCY_TIMEZONE: zone } })
  campaigns = [(await app.make.campaign()).id, (await app.make.campaign()).id, noCampaignId]
})
afterAll(() => app.close())

const db = () => app.context.db

test('what is kept equals the recount after any edits, tags, moves, hides, deletes, folds and recounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const step of steps) await step()
      expect(await kept()).toEqual(await counted())
    }),
    { numRuns: 25, seed: 26_11, endOnFailure: true },
  )
  expect((await kept()).length).toBeGreaterThan(10)
})

test('what people do at the same time, and what is undone, is counted right; a recount among it changes nothing', async () => {
  const one = async (index: number) => {
    const [{ id } = { id: 0 }] = await insert([{ ...plain, lead_id: `together-${index}`, confirmed: index % 2 === 0 }])
    await db().execute(sql`update leads set confirmed = not confirmed, hide = ${index % 5 === 0} where id = ${id}`)
    if (index % 7 === 0) await db().execute(sql`delete from leads where id = ${id}`)
    if (index % 11 === 0) await undone(id)
    if (index % 13 === 0) await foldCountChanges(db())
    if (index === 40) await ensureWeekCounts(db(), 'Asia/Tokyo')
    if (index === 70) await ensureWeekCounts(db(), zone)
  }
  await Promise.all(Array.from({ length: 100 }, (_, index) => one(index)))
  expect(await kept()).toEqual(await counted())
  const before = await kept()
  await recountWeeks(db())
  expect(await kept()).toEqual(before)
})

test('a new time zone of the agency recounts every week, once', async () => {
  // 03:30 UTC on a Monday is Sunday evening in New York, and Monday noon in Tokyo.
  await insert([{ ...plain, lead_id: 'edge', occurred_at: new Date('2026-03-16T03:30:00Z') }])
  await ensureWeekCounts(db(), 'Asia/Tokyo')
  expect(await kept()).toEqual(await counted())
  expect(await weekOfEdge()).toBe('2026-03-15T15:00:00.000Z')
  await ensureWeekCounts(db(), zone)
  expect(await weekOfEdge()).toBe('2026-03-09T04:00:00.000Z')
  expect(await kept()).toEqual(await counted())
  const marked = await db().select().from(weekZoneTable)
  expect(marked).toEqual([{ zone }])
})

// ——— both sides ———

type Row = { campaign_id: number; week: string; hide: boolean; confirmed: number; missed: number }

const kept = () =>
  rows(sql`
    select campaign_id, week, hide, sum(confirmed)::int as confirmed, sum(missed)::int as missed
    from (select * from counted_weeks union all select * from counted_changes) both_
    group by 1, 2, 3 having sum(confirmed) <> 0 or sum(missed) <> 0 order by 1, 2, 3`)

const counted = () =>
  rows(sql`
    select campaign_id, week_of(occurred_at) as week, hide, (count(*) filter (where confirmed))::int as confirmed,
      (count(*) filter (where not confirmed))::int as missed
    from leads where campaign_id <> 0 and not archived
      and (confirmed or 'Missed Call' = any(tags) or 'Auto Missed Call' = any(tags))
    group by 1, 2, 3 order by 1, 2, 3`)

const rows = async (query: ReturnType<typeof sql>) => (await db().execute<Row>(query)).rows

async function weekOfEdge() {
  const found = await db().execute<{ week: string }>(
    sql`select week_of(occurred_at) as week from leads where lead_id = 'edge'`,
  )
  return new Date(found.rows[0]!.week).toISOString()
}

// ——— what happens to leads ———

const plain = {
  lead_s: 'Callrail' as const,
  lead_type: 'Call' as const,
  occurred_at: new Date('2026-03-04T12:00:00Z'),
  confirmed: true,
  get campaign_id() {
    return campaigns[0]!
  },
}

const insert = (values: (typeof leadsTable.$inferInsert)[]) =>
  db().insert(leadsTable).values(values).returning({ id: leadsTable.id })

const undone = (id: number) =>
  db()
    .transaction(async (tx) => {
      await tx.execute(sql`update leads set archived = not archived where id = ${id}`)
      throw new Error('undone')
    })
    .catch(() => {})

let made = 0

function anyStep(): fc.Arbitrary<() => Promise<unknown>> {
  const moment = fc
    .constantFrom('1999-12-31', '2024-02-29', '2024-03-10', '2025-11-02', '2025-12-29', '2026-01-01', '2100-01-05')
    .chain((day) => fc.constantFrom('03:59:59.999', '04:00:00', '05:00:00').map((time) => new Date(`${day}T${time}Z`)))
  const tags = fc.uniqueArray(fc.constantFrom('Missed Call' as const, 'Auto Missed Call' as const, 'Spam' as const))
  const lead = fc.record({
    campaign: fc.nat(2),
    occurred_at: moment,
    confirmed: fc.boolean(),
    hide: fc.boolean(),
    archived: fc.boolean(),
    tags,
  })
  const some = fc.integer({ min: 2, max: 4 })
  return fc.oneof(
    { arbitrary: fc.array(lead, { minLength: 1, maxLength: 8 }).map((added) => () => insertAll(added)), weight: 3 },
    {
      arbitrary: fc
        .tuple(some, fc.subarray(['confirmed', 'hide', 'archived', 'tags', 'campaign_id', 'occurred_at']))
        .chain(([each, columns]) => lead.map((to) => () => change(each, columns, to))),
      weight: 5,
    },
    some.map((each) => () => db().execute(sql`delete from leads where id % ${each * 3} = 0`)),
    fc.constant(() => foldCountChanges(db())),
    fc.constant(() => recountWeeks(db())),
  )
}

type Lead = { campaign: number } & Pick<
  typeof leadsTable.$inferInsert,
  'occurred_at' | 'confirmed' | 'hide' | 'archived' | 'tags'
>

const insertAll = (added: Lead[]) =>
  insert(
    added.map(({ campaign, ...lead }) => ({
      ...plain,
      ...lead,
      campaign_id: campaigns[campaign]!,
      lead_id: `kept-${made++}`,
    })),
  )

async function change(each: number, columns: string[], { campaign, ...to }: Lead) {
  if (columns.length === 0) return
  const chosen = Object.fromEntries(Object.entries(to).filter(([name]) => columns.includes(name)))
  if (Object.keys(chosen).length > 0) await db().update(leadsTable).set(chosen).where(sql`id % ${each} = 0`)
  if (columns.includes('campaign_id')) await give(each, campaigns[campaign]!)
}

const give = (each: number, campaign_id: number) =>
  db().transaction(async (tx) => {
    const others = sql`id % ${each} = 0 and campaign_id <> ${campaign_id}`
    for (const row of await tx.select().from(leadsTable).where(others))
      await transferLead(tx, row, { ...row, campaign_id })
  })
