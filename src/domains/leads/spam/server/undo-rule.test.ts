import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { runBatch } from '#domains/leads/batch/server/run-batch.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { foldLeadChanges } from '#domains/leads/sums/server/build-sums.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeReceivedLeads, type ReceivedLead } from '#test/received-leads.ts'
import { leadSpamContract, spamContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin({ username: 'root' }))
const client = await app.make.client({ emails: ['client@a.example'] })
const campaign = await app.make.campaign({ client_id: client.id })

const receiveLeads = (all: ReceivedLead[]) => makeReceivedLeads(app, campaign.id, all)
const receiveLead = async (values: ReceivedLead) => (await receiveLeads([values]))[0]!
const saveKeywords = (...keywords: string[]) =>
  root.call(spamContract.saveKeywords, { body: { keywords: keywords.join('\n'), confirmed: true } })
const ruleOf = async (name: string): Promise<number> =>
  (await root.call(spamContract.rules)).body.find(
    (rule: { keyword?: string; spammer?: string }) => (rule.keyword ?? rule.spammer) === name,
  ).id
const undoRule = (id: number, body: object = {}, caller = root) =>
  caller.call(spamContract.undoRule, { params: { id }, body })
const undoBatch = (id: number, caller = root) => caller.call(leadBatchContract.undo, { params: { id } })
const find = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
async function put(id: number, body: object) {
  const answer = await root.call(leadsContract.update, { params: { id }, body })
  expect([answer.status, answer.body]).toMatchObject([200, {}])
}
const mailsOf = (id: number) =>
  app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, id)).orderBy(asc(mailsTable.id))

/** Returns leads without their versions, what is counted of them, and their emails. */
async function readEverything() {
  await foldLeadChanges(app.context.db)
  const read = async (query: string) => (await app.context.pool.query(query)).rows
  return {
    leads: await read(`select to_jsonb(lead) - 'version' as lead from leads lead order by id`),
    counts: await read('select * from lead_sums where total <> 0 order by 1, 2, 3, 4'),
    mails: await read('select * from mails order by id'),
    hits: await read('select * from rule_hits order by id'),
    statistic: (await root.call(leadsContract.statistic)).body,
  }
}

test('undoing a rule unhides and untags what only it tagged, and sends no mail [RULE-04]', async () => {
  await saveKeywords('casino', 'loans')
  const own = await receiveLead({ message: 'A casino' })
  const shared = await receiveLead({ message: 'Casino loans' })
  const other = await receiveLead({ message: 'Loans' })
  const archived = await receiveLead({ message: 'casino', archived: true })
  const casino = await ruleOf('casino')
  const { status, body } = await undoRule(casino, { from: null, to: null, mail: false })
  expect([status, body]).toEqual([
    200,
    {
      id: body.id,
      action: 'undo_rule',
      state: 'done',
      total: 3,
      processed: 3,
      changed: 2,
      skipped: [{ id: shared, reason: 'Another rule hits this lead too' }],
      problem: null,
    },
  ])
  expect(await find(own)).toMatchObject({ hide: false, tags: [], tag_causes: [] })
  expect(await find(archived)).toMatchObject({ hide: false, archived: true, tags: [] })
  expect(await find(shared)).toMatchObject({ hide: true, tags: ['BLSpam'] })
  expect(await find(other)).toMatchObject({ hide: true, tags: ['BLSpam'] })
  expect(await mailsOf(own)).toEqual([])
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, own))
  expect(trail.find(({ kind }) => kind === 'lead')).toMatchObject({
    username: 'root',
    before: { hide: 1, tags: ['BLSpam'] },
    after: { hide: 0, tags: [] },
  })
  expect((await undoRule(casino)).body).toMatchObject({ changed: 0, total: 3 })
})

test('tags that people have set since stay, and so do leads that a person hid or marked as spam [RULE-04]', async () => {
  await saveKeywords('poker')
  const tagged = await receiveLead({ message: 'poker' })
  await put(tagged, { tags: [{ name: 'BLSpam' }, { name: 'Low Value' }] })
  const spam = await receiveLead({ message: 'poker' })
  await root.call(leadSpamContract.mark, { params: { id: spam }, body: { spammer: false } })
  const untagged = await receiveLead({ message: 'poker' })
  await put(untagged, { tags: [] })
  const retagged = await receiveLead({ message: 'poker' })
  await put(retagged, { tags: [] })
  await put(retagged, { tags: [{ name: 'BLSpam' }] })
  const hidden = await receiveLead({ message: 'poker' })
  await put(hidden, { hide: 0 })
  await put(hidden, { hide: 1 })
  const { body } = await undoRule(await ruleOf('poker'))
  expect(body).toMatchObject({
    changed: 4,
    skipped: [{ id: retagged, reason: 'A person has changed this lead since' }],
  })
  expect(await find(tagged)).toMatchObject({ hide: false, tags: ['Low Value'] })
  expect(await find(spam)).toMatchObject({ hide: true, tags: ['Spam'] })
  expect(await find(untagged)).toMatchObject({ hide: false, tags: [] })
  expect(await find(retagged)).toMatchObject({ hide: true, tags: ['BLSpam'] })
  expect(await find(hidden)).toMatchObject({ hide: true, tags: [] })
})

test('the days are the agency’s, the last one included; a spammer is undone the same way [RULE-04]', async () => {
  await saveKeywords()
  const form = { name: 'Robo', email: 'robo@a.example' }
  const { id: rule } = (await root.call(spamContract.addSpammer, { body: form })).body
  const at = (time: string) => receiveLead({ lead_email: 'Robo@a.example', occurred_at: new Date(time) })
  // 23:30 and 00:30 in New York.
  const [early, late] = [await at('2026-03-16T03:30Z'), await at('2026-03-16T04:30Z')]
  expect(app.context.settings.AGENCY_TIMEZONE).toBe('America/New_York')
  const wrong = await undoRule(rule, { from: '2026-03-17', to: '2026-03-16' })
  expect([wrong.status, wrong.body.errors]).toEqual([422, { to: ['The end is before the start'] }])
  const { body } = await undoRule(rule, { from: '2026-03-14', to: '2026-03-15' })
  expect(body).toMatchObject({ total: 1, changed: 1 })
  expect([(await find(early)).hide, (await find(late)).hide]).toEqual([false, true])
  expect((await undoRule(rule, { from: '2026-03-16', to: '2026-03-16' })).body).toMatchObject({ changed: 1 })
})

test('the undo and its undo leave leads, tags, counts and emails as they were, even twice [RULE-04, WORK-08]', async () => {
  await saveKeywords('vegas')
  for (const more of [{}, { archived: true }, { confirmed: true }, { lead_phone: '5125550177' }])
    await receiveLead({ message: 'Las Vegas', ...more })
  const before = await readEverything()
  const rule = await ruleOf('vegas')
  for (let round = 0; round < 2; round++) {
    const { body } = await undoRule(rule, { mail: true })
    expect(body).toMatchObject({ state: 'done', changed: 4 })
    const between = await readEverything()
    expect(between.leads).not.toEqual(before.leads)
    expect(between.mails.length - before.mails.length).toBe(4)
    expect((await undoBatch(body.id)).body).toMatchObject({ state: 'undone', changed: 4, skipped: [] })
    expect(await readEverything()).toEqual(before)
  }
})

test('on request the clients of unhidden leads are mailed if Notify is on; a sent email stays [RULE-04]', async () => {
  await saveKeywords('slots')
  const mailed = await receiveLead({ message: 'slots' })
  const sent = await receiveLead({ message: 'slots' })
  const silent = await receiveLead({ message: 'slots', notify: false })
  const { body } = await undoRule(await ruleOf('slots'), { mail: true })
  expect(body).toMatchObject({ changed: 3 })
  expect(await mailsOf(mailed)).toMatchObject([
    { kind: 'notification', state: 'queued', recipients: expect.arrayContaining(['client@a.example']) },
  ])
  expect(await mailsOf(silent)).toEqual([])
  const [mail] = await mailsOf(sent)
  await app.context.db.update(mailsTable).set({ state: 'sent' }).where(eq(mailsTable.id, mail!.id))
  const { rows } = await app.context.pool.query(`select data from pgboss.job where name = 'send-mail'`)
  expect(rows).toContainEqual({ data: { mailId: mail!.id } })
  await undoBatch(body.id)
  expect(await mailsOf(mailed)).toEqual([])
  expect(await mailsOf(sent)).toMatchObject([{ state: 'sent' }])
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'mail'))
  expect(trail.filter(({ after }) => after?.lead_id === mailed)).toHaveLength(1)
  expect(trail.filter(({ before, action }) => before?.lead_id === mailed && action === 'removed')).toHaveLength(1)
})

test('a lead that the caller may not see is neither changed nor counted; an unknown rule is 404 [RULE-04]', async () => {
  await saveKeywords('bingo')
  const elsewhere = await app.make.campaign()
  const mine = await receiveLead({ message: 'bingo' })
  const theirs = await receiveLead({ message: 'bingo', campaign_id: elsewhere.id })
  const admin = await app.as(await app.make.admin({ permissions: ['leads'], campaigns: [campaign.id] }))
  const handler = await app.as(await app.make.handler({ permissions: ['leads'], campaigns: [campaign.id] }))
  const rule = await ruleOf('bingo')
  const before = await app.dump()
  for (const [id, body, status] of [
    [999_999, {}, 404],
    [rule, { from: 'yesterday' }, 422],
    [rule, { mail: 'yes' }, 422],
  ] as const)
    expect((await undoRule(id, body, admin)).status).toBe(status)
  expect((await undoRule(rule, {}, handler)).status).toBe(403)
  expect(await app.dump()).toBe(before)
  expect((await undoRule(rule, {}, admin)).body).toMatchObject({ total: 1, changed: 1, skipped: [] })
  expect([(await find(mine)).hide, (await find(theirs)).hide]).toEqual([false, true])
})

test('a lead that a person changed after the undo keeps the change when the undo is undone [RULE-04, WORK-08]', async () => {
  await saveKeywords('lottery')
  const [judged, other] = [await receiveLead({ message: 'lottery' }), await receiveLead({ message: 'lottery' })]
  const { body } = await undoRule(await ruleOf('lottery'))
  await put(judged, { confirmed: 1 })
  expect((await undoBatch(body.id)).body).toMatchObject({
    changed: 1,
    skipped: [{ id: judged, reason: 'A person has changed this lead since' }],
  })
  expect(await find(judged)).toMatchObject({ hide: false, tags: [], confirmed: true })
  expect(await find(other)).toMatchObject({
    hide: true,
    tags: ['BLSpam'],
    tag_causes: [{ because: "keyword 'lottery'" }],
  })
  expect(await app.context.db.$count(leadsTable, sql`hide and 'BLSpam' = any(tags) and id = ${other}`)).toBe(1)
})

test('ten kills in the middle of a commit, of the undo and of its own undo, do not change the outcome [RULE-04, WORK-08]', {
  timeout: 120_000,
}, async () => {
  const { pool } = app.context
  await pool.query(`
    create table killers (lead_id int);
    create function kill_writer() returns trigger language plpgsql as $$ begin
      if exists (select from killers where lead_id = new.row_id and new.kind = 'lead') then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger kill_writer before insert on audit for each row execute function kill_writer()`)
  await saveKeywords('jackpot')
  const ids = await receiveLeads(Array.from({ length: 1_050 }, (_, nth) => ({ message: `jackpot ${nth}` })))
  const before = await readEverything()
  const by = (await app.context.pool.query(`select id from users where username = 'root'`)).rows[0].id
  const read = async (id: number) => (await root.call(leadBatchContract.get, { params: { id } })).body
  /** Runs the job, which is killed at a lead of each step. */
  async function runKilled(id: number, undo: boolean) {
    for (let step = 0; step < 5; step++) {
      await pool.query('insert into killers values ($1)', [ids[step * 200 + 37 * step + 5]])
      await expect(runBatch(app.context, { id, undo, by })).rejects.toThrow()
      expect((await read(id)).processed).toBe(step * 200)
      await pool.query('delete from killers')
    }
    await runBatch(app.context, { id, undo, by })
  }
  const { body } = await undoRule(await ruleOf('jackpot'), { mail: true })
  expect(body).toMatchObject({ state: 'queued', total: 1_050 })
  await runKilled(body.id, false)
  expect(await read(body.id)).toMatchObject({ state: 'done', changed: 1_050, skipped: [] })
  const between = await readEverything()
  expect(between.mails.length - before.mails.length).toBe(1_050)
  expect((await undoBatch(body.id)).body).toMatchObject({ state: 'queued' })
  await runKilled(body.id, true)
  expect(await read(body.id)).toMatchObject({ state: 'undone', changed: 1_050, skipped: [] })
  expect(await readEverything()).toEqual(before)
})
