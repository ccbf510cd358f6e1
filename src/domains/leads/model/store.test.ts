import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import type { StoredLead } from './dto.ts'
import type { NewLead } from './new-lead-row.ts'
import { leadsTable } from './schema.ts'
import { deleteUntouchedLeads, insertLeads, lockLead, updateLead } from './store.ts'

const app = await setUp(startApp())

const inTransaction = <T>(run: (tx: Tx) => Promise<T>) => app.context.db.transaction(run)
const find = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const actor = { me: null }
const zone = 'America/New_York'
const toChange = (set: Partial<StoredLead>) => ({ actor, zone, set, before: { notes: null }, after: { notes: 'new' } })
const newCall = (lead_id: string, campaign_id: number, lead_phone: string): NewLead => ({
  lead_s: 'Callrail',
  lead_type: 'Call',
  occurred_at: new Date('2026-03-16T12:00Z'),
  hours: null,
  ...{ lead_id, campaign_id, lead_phone },
})

test('a new lead gets its keys, first call and duplicates; a taken id and a repeated line are left out [LEAD-75]', async () => {
  const { id: campaign_id } = await app.make.campaign()
  const first = await inTransaction((tx) => insertLeads(tx, zone, [newCall('a', campaign_id, '(512) 555-0101')]))
  const again = ['a', 'b', 'b'].map((lead_id) => newCall(lead_id, campaign_id, '+1 512 555 0101'))
  const second = await inTransaction((tx) => insertLeads(tx, zone, again))
  expect([[...first.keys()], [...second.keys()]]).toEqual([['Callrail a'], ['Callrail b']])
  const [a, b] = await Promise.all([...first.values(), ...second.values()].map(({ id }) => find(id)))
  const shared = { phone_key: '+15125550101', phone_shared: true, version: 1 }
  expect(a).toMatchObject({ ...shared, first_call: true })
  expect(b).toMatchObject({ ...shared, first_call: false })
})

test('a new lead is written once: the first call and shared phones of a batch are known before it is inserted [LEAD-75]', async () => {
  const { id: campaign_id } = await app.make.campaign()
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 16, hour))
  const calls: NewLead[] = [
    { ...newCall('late', campaign_id, '(512) 555-0190'), occurred_at: at(15), lead_email: 'Jo@Example.com' },
    { ...newCall('early', campaign_id, '(512) 555-0190'), occurred_at: at(9) },
    { ...newCall('same time', campaign_id, '(512) 555-0190'), occurred_at: at(9), lead_email: 'jo@example.com' },
    newCall('alone', campaign_id, '(512) 555-0191'),
  ]
  const [updates, ids] = await inTransaction(async (tx) => {
    const before = await countUpdates(tx)
    const made = await insertLeads(tx, zone, calls)
    return [(await countUpdates(tx)) - before, [...made.values()].map(({ id }) => id)]
  })
  expect(updates).toBe(0)
  expect(await Promise.all(ids.map(find))).toMatchObject([
    { lead_id: 'late', first_call: false, phone_shared: true, email_shared: true },
    { lead_id: 'early', first_call: true, phone_shared: true, email_shared: false },
    { lead_id: 'same time', first_call: false, phone_shared: true, email_shared: true },
    { lead_id: 'alone', first_call: true, phone_shared: false, email_shared: false },
  ])
})

/** Counts those of earlier transactions too: a connection hands its counts on at most once a second. */
async function countUpdates(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select n_tup_upd::int as n from pg_stat_xact_user_tables where relname = 'leads'`,
  )
  return rows[0]!.n
}

test('a change raises the version by one and writes one audit entry of that version [API-19]', async () => {
  const { id } = await app.make.lead()
  for (const version of [2, 3]) {
    await inTransaction(async (tx) => updateLead(tx, (await lockLead(tx, id))!, toChange({ notes: `note ${version}` })))
    const entries = await app.context.db
      .select({ version: auditTable.version })
      .from(auditTable)
      .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, id)))
      .orderBy(auditTable.id)
    expect([(await find(id)).version, entries.at(-1)?.version, entries.length]).toEqual([version, version, version - 1])
  }
})

test('a change beyond what the lead was locked for is refused, and nothing is written', async () => {
  const { id } = await app.make.lead({ lead_type: 'Form' })
  const before = await app.dump()
  for (const set of [{ lead_phone: '5125550102' }, { lead_email: 'a@b.example' }, { lead_id: 'x' }] as const)
    await expect(inTransaction(async (tx) => updateLead(tx, (await lockLead(tx, id))!, toChange(set)))).rejects.toThrow(
      `Lead ${id} was not locked for a change of ${Object.keys(set)[0]}`,
    )
  const later = toChange({ occurred_at: new Date() })
  await expect(inTransaction(async (tx) => updateLead(tx, (await lockLead(tx, id))!, later))).rejects.toThrow(
    'its type or time',
  )
  expect(await app.dump()).toBe(before)
})

/** Returns how many named locks the transaction that waits for a row holds; null if none waits. */
async function countNamesOfWaiting(): Promise<number | null> {
  const { rows } = await app.context.db.execute<{ names: number }>(sql`
    select (select count(*)::int from pg_locks name where name.pid = waiting.pid and locktype = 'advisory' and granted) as names
    from pg_locks waiting join pg_stat_activity using (pid)
    where datname = current_database() and not granted and waiting.locktype in ('transactionid', 'tuple')`)
  return rows[0]?.names ?? null
}

test.each([
  ['a change', (tx: Tx, id: number): Promise<unknown> => lockLead(tx, id, { lead_phone: '5125550103' }), 5],
  ['the undo of an import', (tx: Tx, id: number): Promise<unknown> => deleteUntouchedLeads(tx, [id]), 2],
] as const)('%s locks the groups of a lead before it waits for its row', async (_title, run, names) => {
  const { id: campaign_id } = await app.make.campaign()
  const key = `+1512555${String(campaign_id).padStart(4, '0')}`
  const { id } = await app.make.lead({ campaign_id, lead_phone: key, phone_key: key })
  const mayCommit = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const first = inTransaction(async (tx) => {
    await lockLead(tx, id)
    isLocked.resolve()
    await mayCommit.promise
  })
  await isLocked.promise
  const second = inTransaction((tx) => run(tx, id))
  let held: number | null = null
  await until(async () => {
    held = await countNamesOfWaiting()
    return held !== null
  })
  mayCommit.resolve()
  await Promise.all([first, second])
  expect(held).toBe(names)
})
