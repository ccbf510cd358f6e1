import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { leadsContract } from '../contract.ts'
import { recountDuplicates, refreshDuplicates } from './duplicates.ts'
import { leadsTable } from './schema.ts'

const app = await setUp(startApp({ work: true }))
const superAdmin = await app.as(await app.make.superAdmin())
const made = await Promise.all([app.make.clientSite(), app.make.clientSite()])
const sites = made.map(({ id }) => id)
const campaigns = made.map(({ campaign_id }) => campaign_id!)

/** An event in the leads of a few people. `who` picks one of the leads so far; there are two places. */
type Step = {
  does: 'comes' | 'is sent again' | 'edited' | 'hidden' | 'moved'
  who: number
  phone: number
  email: number
}
const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom('comes', 'comes', 'is sent again', 'edited', 'edited', 'hidden', 'moved'),
    who: fc.nat(5),
    phone: fc.nat(3),
    email: fc.nat(3),
  }),
  { minLength: 2, maxLength: 12 },
)

/** Phones and emails that only this run uses, each in more than one spelling; the last of each is none. */
function people(run: number) {
  const number = String(2_000_000 + run).slice(-7)
  return {
    phones: [`212${number}`, `(212) ${number}`, `+1 512 ${number}`, ''],
    emails: [`Ann${run}@example.com`, `ann${run}@EXAMPLE.com`, `Bob${run}@example.com`, ''],
  }
}

async function happen({ does, who, phone, email }: Step, run: number, theirs: number[]): Promise<number> {
  const { phones, emails } = people(run)
  const [lead_phone, lead_email] = [phones[phone] || null, emails[email] || null]
  const tell = async (entry: number) => {
    const body = JSON.stringify({
      item_id: `${run}x${entry}`,
      name: 'A',
      phone: lead_phone ?? '',
      email: lead_email ?? '',
    })
    const event = {
      provider: 'formidable' as const,
      clientsite_id: sites[entry % 2]!,
      headers: {},
      body: Buffer.from(body),
    }
    await app.context.inbox.store(event)
    await waitForIntake(app)
    return 200
  }
  const put = async (body: object) => {
    const id = theirs[who % Math.max(1, theirs.length)] ?? 0
    return (await superAdmin.call(leadsContract.update, { params: { id }, body })).status
  }
  if (does === 'comes') return tell(100 + theirs.length)
  if (does === 'is sent again') return tell(100 + (who % Math.max(1, theirs.length)))
  if (does === 'edited') return put(phone > email ? { lead_phone } : { lead_phone, lead_email })
  if (does === 'hidden') return put({ hide: phone % 2 })
  return put({ campaign_id: campaigns[phone % 2], clientsite_id: sites[phone % 2] })
}

async function leadsOf(run: number): Promise<number[]> {
  const found = await app.context.db.execute<{ id: number }>(
    sql`select id from leads where lead_id ~ ${`-${run}x`} order by id`,
  )
  return found.rows.map(({ id }) => id)
}

/** Returns the leads whose columns differ from a full count. */
async function wrong() {
  const found = await app.context.db.execute(sql`
    with phones as (select phone_key from leads where phone_key is not null group by 1 having count(*) > 1),
      emails as (select email_key from leads where email_key is not null group by 1 having count(*) > 1)
    select id, phone_key, phone_shared, email_key, email_shared from leads
    where phone_shared <> coalesce(phone_key in (select phone_key from phones), false)
      or email_shared <> coalesce(email_key in (select email_key from emails), false)`)
  return found.rows
}

let runs = 0

test('after any sequence of changes, the shared flags equal a full count [REL-06]', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (several) => {
      const run = ++runs
      for (const step of several) {
        expect([200, 404]).toContain(await happen(step, run, await leadsOf(run)))
        expect(await wrong()).toEqual([])
      }
    }),
    { numRuns: 8 },
  )
})

test('after any concurrent changes, the shared flags equal a full count [REL-06]', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, then) => {
      const run = ++runs
      for (const step of first) await happen(step, run, await leadsOf(run))
      const there = await leadsOf(run)
      const many = [...then, ...first].map((step, index) =>
        happen(step, run, [...there, ...Array(index).fill(there[0] ?? 0)]),
      )
      for (const status of await Promise.all(many)) expect([200, 404]).toContain(status)
      expect(await wrong()).toEqual([])
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

test('a lead waits for another with its phone and email that is being inserted [REL-06]', async () => {
  const arrive = (number: number, then = async () => {}) =>
    app.context.db.transaction(async (tx) => {
      const values = {
        lead_s: 'Formidable',
        lead_type: 'Form',
        lead_phone: '4155550100',
        phone_key: '+14155550100',
      } as const
      const lead = { ...values, lead_id: `at-once-${number}`, lead_email: 'Cleo@Example.com', occurred_at: new Date() }
      const [made] = await tx.insert(leadsTable).values(lead).returning()
      await refreshDuplicates(tx, [made!])
      await then()
    })
  const isThere = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const first = arrive(1, () => {
    isThere.resolve()
    return mayCommit.promise
  })
  await isThere.promise
  const second = arrive(2)
  const waits = async () => {
    const found = await app.context.db.execute(sql`
      select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where datname = current_database() and locktype = 'advisory' and not granted`)
    return found.rows.length > 0
  }
  await Promise.race([second, until(waits)])
  mayCommit.resolve()
  await Promise.all([first, second])
  expect(await wrong()).toEqual([])
})

test('leads written by raw SQL are recounted', async () => {
  await app.context.db.execute(sql`update leads set phone_shared = not phone_shared, email_shared = id % 2 = 0`)
  await recountDuplicates(app.context.db)
  expect(await wrong()).toEqual([])
})
