import { asc, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadDetailContract } from '#domains/leads/detail/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spammersTable } from '#domains/leads/spam/schema.ts'
import { foldLeadChanges } from '#domains/leads/sums/server/build-sums.ts'
import { setUp, startApp } from '#test/app.ts'
import { leadCleaningTable } from '../schema.ts'
import { cleanNextLeads } from './clean-leads.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())
const { db } = app.context

async function cleanAll() {
  await db.update(leadCleaningTable).set({ last_id: 0, is_done: false })
  while (await cleanNextLeads(db, 'America/New_York')) {}
}
const searchTextOfThen = `coalesce(lead_name, '') || chr(10) || coalesce(lead_email, '') || chr(10)
  || regexp_replace(coalesce(lead_phone, ''), '[^0-9]', '', 'g') || chr(10) || coalesce(message, '') || chr(10)
  || coalesce(lead_location, '') || chr(10) || coalesce(company_name, '') || chr(10)
  || coalesce(notes, '') || chr(10) || coalesce(client_notes, '')`
/** Stores leads as earlier versions did: the trigger that folds the search text is newer. */
async function makeOldLeads(rows: Parameters<typeof app.make.lead>[0][]) {
  const made = []
  for (const row of rows) made.push(await app.make.lead(row))
  const ids = made.map(({ id }) => id)
  await app.context.pool.query('alter table leads disable trigger user')
  await app.context.pool.query(`update leads set search_text = lower(${searchTextOfThen}) where id = any($1)`, [ids])
  await app.context.pool.query('alter table leads enable trigger user')
  return ids
}
const read = async (id: number) => (await superAdmin.call(leadDetailContract.read, { params: { id } })).body
const search = async (lead_search: string) =>
  (await superAdmin.call(leadsContract.list, { query: { lead_search } })).body.data.map(({ id }: { id: number }) => id)
const rowsOf = (ids: number[]) =>
  db.select().from(leadsTable).where(inArray(leadsTable.id, ids)).orderBy(asc(leadsTable.id))

test('old leads of withheld and shortened numbers are no one’s repeat call, with counts and relations right [EDGE-03]', async () => {
  const { id: campaign_id } = await app.make.campaign()
  const call = { campaign_id, lead_type: 'Call', phone_shared: true } as const
  const day = (number: number) => new Date(Date.UTC(2026, 0, number, 12))
  const ids = await makeOldLeads([
    { ...call, lead_phone: '+7378742883', phone_key: '+7378742883', first_call: true, occurred_at: day(1) },
    { ...call, lead_phone: '+7378742883', phone_key: '+7378742883', occurred_at: day(2) },
    { ...call, lead_phone: '1.51256E+10', phone_key: '15125610', first_call: true, occurred_at: day(3) },
    { ...call, lead_phone: '512-555-0144 ext 7', phone_key: '51255501447', first_call: true, occurred_at: day(4) },
    {
      ...call,
      lead_phone: '+15125550144',
      phone_key: '+15125550144',
      first_call: true,
      occurred_at: day(5),
      phone_shared: false,
    },
  ])
  await cleanAll()
  expect(
    (await rowsOf(ids)).map(({ lead_phone, phone_key, first_call, phone_shared }) => [
      lead_phone,
      phone_key,
      first_call,
      phone_shared,
    ]),
  ).toEqual([
    ['Withheld', null, false, false],
    ['Withheld', null, false, false],
    ['1.51256E+10', null, false, false],
    ['512-555-0144 ext 7', '+15125550144', true, true],
    ['+15125550144', '+15125550144', false, true],
  ])
  const shown = await Promise.all(ids.map(read))
  expect(shown.map(({ first_call, has_related }) => [first_call, has_related])).toEqual([
    [null, false],
    [null, false],
    [null, false],
    [true, true],
    [false, true],
  ])
  await foldLeadChanges(db)
  const { body } = await superAdmin.call(leadsContract.statistic, { query: { campaign_ids: campaign_id } })
  const { rows } = await db.execute(
    sql`select count(*) filter (where first_call)::int as first from leads where campaign_id = ${campaign_id}`,
  )
  expect(body.firstCallCount).toBe(rows[0]!.first)
})

test('old names, emails and messages take the form of today, and the audit log has each as the program’s [EDGE-04, EDGE-05]', async () => {
  const [id, plain, ownWords] = await makeOldLeads([
    {
      lead_name: 'Jose\u0301 \u200bO&#039;Neil',
      lead_email: 'Jo <jo@old.example>',
      message: 'A &amp; B',
      origin: 'site 1',
    },
    { lead_name: 'Ann', message: 'Roof' },
    { lead_name: '\u200b\u2060', message: 'A &amp; B' },
  ])
  const before = await rowsOf([plain!])
  await cleanAll()
  const [lead, , own] = await rowsOf([id!, plain!, ownWords!])
  expect(lead).toMatchObject({
    lead_name: "José O'Neil",
    lead_email: 'jo@old.example',
    email_key: 'jo@old.example',
    message: 'A & B\nEmail as sent: Jo <jo@old.example>',
  })
  expect(own).toMatchObject({ lead_name: null, message: 'A &amp; B' })
  expect(await rowsOf([plain!])).toEqual(before)
  const entries = await db.select().from(auditTable).where(sql`kind = 'lead' and row_id = ${id!}`)
  expect(entries).toMatchObject([
    { user_id: null, action: 'changed', after: { lead_name: "José O'Neil", lead_email: 'jo@old.example' }, version: 2 },
  ])
})

test('old leads are found as new ones are, without a new version [EDGE-04]', async () => {
  const [id] = await makeOldLeads([{ lead_name: 'Strauß Müller', message: 'Zoë’s roof' }])
  expect(await search('strauss')).toEqual([])
  await cleanAll()
  for (const words of ['muller', 'strauss', "zoe's", 'MÜLLER'])
    expect([words, await search(words)]).toEqual([words, [id]])
  expect(await rowsOf([id!])).toMatchObject([{ version: 1 }])
})

test('old spammers are compared in the form of today [EDGE-03]', async () => {
  const [made] = await db
    .insert(spammersTable)
    .values({ name: 'Old', phone: '86282452253', phone_key: '86282452253', email: 'Old <old@spam.example>' })
    .returning()
  await cleanAll()
  const [now] = await db.select().from(spammersTable).where(eq(spammersTable.id, made!.id))
  expect(now).toMatchObject({ phone_key: null, email: 'old@spam.example' })
})

test('the cleaning goes on where it stopped, and ends [EDGE-04]', async () => {
  await cleanAll()
  expect(await cleanNextLeads(db, 'America/New_York')).toBe(false)
  expect(await db.select().from(leadCleaningTable)).toMatchObject([{ is_done: true }])
})
