import { and, asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { choiceFilterList } from '#domains/leads/filters.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spammersTable } from '#domains/leads/spam/schema.ts'
import { foldLeadChanges } from '#domains/leads/sums/server/build-sums.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { leadBatchContract } from '../contract.ts'
import { type BatchAction, batchActions } from '../labels.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin({ username: 'sam' }))

const send = (caller: Caller, body: object) => caller.call(leadBatchContract.create, { body })
const undo = (caller: Caller, id: number) => caller.call(leadBatchContract.undo, { params: { id } })
const read = (caller: Caller, id: number) => caller.call(leadBatchContract.get, { params: { id } })
const find = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const trail = (id: number, kind = 'lead') =>
  app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, kind), eq(auditTable.row_id, id)))
    .orderBy(asc(auditTable.id))
const put = (caller: Caller, id: number, body: object) => caller.call(leadsContract.update, { params: { id }, body })

/** Returns all leads without their versions, and everything that is counted of them. */
async function readEverything() {
  await foldLeadChanges(app.context.db)
  const { rows: leads } = await app.context.db.execute(
    sql`select to_jsonb(lead) - 'version' as lead from leads lead order by id`,
  )
  const { rows: counts } = await app.context.db.execute(
    sql`select * from lead_sums where total <> 0 order by 1, 2, 3, 4`,
  )
  const { body: statistic } = await superAdmin.call(leadsContract.statistic)
  return { leads, counts, statistic }
}

/** Creates leads of all kinds in a campaign with a site, and a second campaign. */
async function makeLeads() {
  const { make } = app
  const [campaign, other] = [await make.campaign(), await make.campaign()]
  const site = await make.clientSite({ campaign_id: campaign.id })
  const otherSite = await make.clientSite({ campaign_id: other.id })
  const own = { campaign_id: campaign.id, clientsite_id: site.id }
  const leads = [
    await make.lead({
      ...own,
      lead_type: 'Call',
      first_call: true,
      lead_phone: '5125550101',
      phone_key: '+15125550101',
    }),
    await make.lead({
      ...own,
      lead_type: 'Call',
      lead_phone: '5125550101',
      phone_key: '+15125550101',
      confirmed: true,
    }),
    await make.lead({
      ...own,
      tags: ['Other', 'Autospam', 'Spam'],
      hide: true,
      tag_causes: [{ tag: 'Autospam', because: 'spammer' }],
    }),
    await make.lead({ ...own, lead_type: 'Call', tags: ['Missed Call'], archived: true }),
  ]
  return { campaign, other, otherSite, ids: leads.map(({ id }) => id) }
}

const getValue = (action: BatchAction, to: { campaign_id: number; clientsite_id: number | null }) =>
  ({ tag: 'Autospam', untag: 'Autospam', spam: { spammer: false }, move: to })[action as string] ?? null

// ——— actions ———

test('each action changes what it can, says why it skips the rest, and its undo restores everything [WORK-07, WORK-08]', async () => {
  const { other, otherSite, ids } = await makeLeads()
  const value = { campaign_id: other.id, clientsite_id: otherSite.id }
  const expected: Record<BatchAction, [skipped: number[], reason: string | null]> = {
    verify: [[1], 'Already verified'],
    unverify: [[0, 2, 3], 'Not verified'],
    tag: [[2], 'Already has this tag'],
    untag: [[0, 1, 3], 'Does not have this tag'],
    hide: [[2], 'Already hidden'],
    unhide: [[0, 1, 3], 'Not hidden'],
    spam: [[2], 'Already spam'],
    archive: [[3], 'Already archived'],
    unarchive: [[0, 1, 2], 'Not archived'],
    move: [[], null],
  }
  for (const action of batchActions) {
    const before = await readEverything()
    const { status, body } = await send(superAdmin, { ids, action, value: getValue(action, value) })
    const [skipped, reason] = expected[action]
    expect([action, status, body.state, body.changed]).toEqual([action, 200, 'done', 4 - skipped.length])
    expect(body.skipped).toEqual(skipped.map((place) => ({ id: ids[place], reason })))
    expect(await readEverything()).not.toEqual(before)
    const { body: again } = await send(superAdmin, { ids, action, value: getValue(action, value) })
    expect([again.state, again.changed, again.skipped.length]).toEqual(['done', 0, 4])
    const back = await undo(superAdmin, body.id)
    expect([back.status, back.body]).toMatchObject([
      200,
      { id: body.id, state: 'undone', changed: body.changed, skipped: [] },
    ])
    expect(await readEverything()).toEqual(before)
  }
})

test('each lead gets its next version and an audit entry, and so does the batch [WORK-07]', async () => {
  const { ids } = await makeLeads()
  const { body } = await send(superAdmin, { ids, action: 'verify' })
  expect((await find(ids[0]!)).version).toBe(2)
  expect((await find(ids[1]!)).version).toBe(1)
  expect(await trail(ids[0]!)).toMatchObject([
    { username: 'sam', action: 'changed', before: { confirmed: 0 }, after: { confirmed: 1 }, version: 2 },
  ])
  await undo(superAdmin, body.id)
  expect((await trail(ids[0]!)).map(({ after, version }) => [after, version])).toEqual([
    [{ confirmed: 1 }, 2],
    [{ confirmed: 0 }, 3],
  ])
  expect(await trail(ids[1]!)).toEqual([])
  expect(await trail(body.id, 'lead batch')).toMatchObject([
    { action: 'created', after: { action: 'verify', value: null, total: 4 } },
    { action: 'changed', after: { undone: true } },
  ])
})

test('a lead moves to another campaign with its first calls, and its site may be empty [WORK-07]', async () => {
  const { other, ids } = await makeLeads()
  const { id: newer } = await app.make.lead({
    campaign_id: other.id,
    lead_type: 'Call',
    lead_phone: '5125550101',
    phone_key: '+15125550101',
  })
  await send(superAdmin, { ids, action: 'move', value: { campaign_id: other.id, clientsite_id: null } })
  for (const id of ids) expect(await find(id)).toMatchObject({ campaign_id: other.id, clientsite_id: null })
  expect([(await find(ids[0]!)).first_call, (await find(newer)).first_call]).toEqual([true, false])
})

// ——— which leads ———

test('a filter must match as many leads as the caller says, else 409 with their number [WORK-07]', async () => {
  const { campaign, ids } = await makeLeads()
  const filter = { campaign_ids: [campaign.id], archived: 0 }
  for (const total of [0, 2, 4]) {
    const { status, body } = await send(superAdmin, { filter, total, action: 'tag', value: 'Other' })
    expect([status, body.total]).toEqual([409, 3])
  }
  const { status, body } = await send(superAdmin, {
    filter: { ...filter, confirmed: 1 },
    total: 1,
    action: 'tag',
    value: 'Other',
  })
  expect([status, body.changed, (await find(ids[1]!)).tags]).toEqual([200, 1, ['Other']])
  const archived = await send(superAdmin, { filter: { ...filter, archived: 1 }, total: 1, action: 'unarchive' })
  expect([archived.body.changed, (await find(ids[3]!)).archived]).toEqual([1, false])
})

test('a number in a filter is what its text is, for every filter that takes one of some values', async () => {
  const { id: campaign_id } = await app.make.campaign()
  await app.make.lead({ campaign_id, client_progress: 3, rating: 4 })
  const ids = { campaign_ids: [campaign_id] }
  for (const [name, { values }] of choiceFilterList)
    for (const value of values.filter((one) => /^\d+$/.test(one))) {
      const [text, number] = await Promise.all(
        [value, Number(value)].map((given) =>
          send(superAdmin, { filter: { ...ids, [name]: given }, total: 99, action: 'verify' }),
        ),
      )
      expect([name, value, number!.status, number!.body]).toEqual([name, value, 409, text!.body])
    }
  const filter = { ...ids, client_progress: 3 }
  expect((await send(superAdmin, { filter, total: 1, action: 'verify' })).body).toMatchObject({ changed: 1 })
})

test('both or neither of ids and filter, a value that does not fit the action, and more than 10,000 leads are refused [WORK-07]', async () => {
  const { campaign, ids } = await makeLeads()
  const filter = { campaign_ids: String(campaign.id) }
  const before = await app.dump()
  const refused = [
    { action: 'verify' },
    { ids, filter, total: 3, action: 'verify' },
    { filter, action: 'verify' },
    { filter: { ...filter, nonsense: 1 }, total: 3, action: 'verify' },
    { ids: [], action: 'verify' },
    { ids: Array.from({ length: 10_001 }, (_, index) => index + 1), action: 'verify' },
    { ids, action: 'verify', value: 'Spam' },
    { ids, action: 'tag' },
    { ids, action: 'tag', value: 'Nonsense' },
    { ids, action: 'move', value: { campaign_id: campaign.id } },
    { ids, action: 'delete' },
  ]
  for (const body of refused) expect([body, (await send(superAdmin, body)).status]).toEqual([body, 422])
  expect(await app.dump()).toBe(before)
})

// ——— permissions ———

test('each action needs the same permission as on a single lead [WORK-07]', async () => {
  const { campaign, ids } = await makeLeads()
  const inScope = { campaigns: [campaign.id] }
  const may = async (caller: Caller) => {
    const found = []
    for (const action of batchActions) {
      const { status } = await send(caller, {
        ids: [1_000_000],
        action,
        value: getValue(action, { campaign_id: campaign.id, clientsite_id: null }),
      })
      expect(status).toBeOneOf([200, 403])
      if (status === 200) found.push(action)
    }
    return found
  }
  const { make } = app
  expect(await may(superAdmin)).toEqual([...batchActions])
  expect(await may(await app.as(await make.admin(inScope)))).toEqual([...batchActions])
  const untagged = await app.as(await make.admin({ ...inScope, permissions: ['leads'] }))
  expect(await may(untagged)).toEqual(['verify', 'unverify', 'hide', 'unhide', 'spam', 'archive', 'move'])
  const handler = await app.as(await make.handler({ ...inScope, permissions: ['archivedleads'] }))
  expect(await may(handler)).toEqual(['unarchive'])
  expect(await may(await app.as(await make.customer()))).toEqual(['archive', 'unarchive'])
  expect((await send(untagged, { filter: { archived: 1 }, total: 1, action: 'verify' })).status).toBe(403)
  expect((await send(untagged, { filter: { tags: 'Spam' }, total: 1, action: 'verify' })).status).toBe(422)
  const { body } = await send(handler, { ids, action: 'unarchive' })
  expect([body.changed, body.skipped.map(({ id }: { id: number }) => id)]).toEqual([1, ids.slice(0, 3)])
})

test('a lead that the caller may not see is reported like an unknown one, and is neither changed nor counted [WORK-07]', async () => {
  const [own, foreign] = [await makeLeads(), await makeLeads()]
  const nobodys = await app.make.lead({ campaign_id: null })
  const admin = await app.as(await app.make.admin({ campaigns: [own.campaign.id] }))
  const before = await Promise.all([...foreign.ids, nobodys.id].map(find))
  const unseen = [foreign.ids[0]!, nobodys.id, 1_000_001]
  const { body } = await send(admin, { ids: [...unseen, own.ids[0]], action: 'verify' })
  expect(body).toMatchObject({ state: 'done', changed: 1, skipped: unseen.map((id) => ({ id, reason: 'Not found' })) })
  const filtered = await send(admin, {
    filter: { campaign_ids: [own.campaign.id, foreign.campaign.id] },
    total: 6,
    action: 'verify',
  })
  expect([filtered.status, filtered.body.total]).toEqual([409, 3])
  const elsewhere = { campaign_id: foreign.campaign.id, clientsite_id: null }
  expect((await send(admin, { ids: own.ids, action: 'move', value: elsewhere })).status).toBe(404)
  const foreignSite = { campaign_id: own.campaign.id, clientsite_id: foreign.otherSite.id }
  expect((await send(admin, { ids: own.ids, action: 'move', value: foreignSite })).status).toBe(422)
  expect(await Promise.all([...foreign.ids, nobodys.id].map(find))).toEqual(before)
  const handler = await app.as(await app.make.handler({ campaigns: [own.campaign.id] }))
  const hidden = await send(handler, { ids: [own.ids[2]], action: 'archive' })
  expect(hidden.body).toMatchObject({ changed: 0, skipped: [{ id: own.ids[2], reason: 'Not found' }] })
})

test('a batch is read and undone by its creator and super admins; it does not exist for others [WORK-07, WORK-08]', async () => {
  const { campaign, ids } = await makeLeads()
  const maker = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const colleague = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const { body } = await send(maker, { ids, action: 'verify' })
  for (const call of [read, undo]) {
    const [theirs, unknown] = [await call(colleague, body.id), await call(colleague, 999_999)]
    expect([theirs.status, theirs.body]).toEqual([
      404,
      { message: 'This no longer exists, or you don’t have access to it' },
    ])
    expect([unknown.status, unknown.body]).toEqual([theirs.status, theirs.body])
  }
  expect((await read(maker, body.id)).body).toEqual(body)
  expect((await read(superAdmin, body.id)).body).toEqual(body)
  expect((await undo(superAdmin, body.id)).body.state).toBe('undone')
})

// ——— undo ———

test('undo skips and lists leads that a person has changed since, whatever the field; a second undo is 409 [WORK-08]', async () => {
  const { ids } = await makeLeads()
  const [edited, , , untouched] = ids as [number, number, number, number]
  const { body } = await send(superAdmin, { ids, action: 'tag', value: 'Low Value' })
  await put(superAdmin, edited, { notes: 'mine' })
  const back = await undo(superAdmin, body.id)
  expect(back.body).toMatchObject({
    changed: 3,
    skipped: [{ id: edited, reason: 'A person has changed this lead since' }],
  })
  expect((await find(edited)).tags).toEqual(['Low Value'])
  expect((await find(untouched)).tags).toEqual(['Missed Call'])
  const before = await readEverything()
  expect((await undo(superAdmin, body.id)).status).toBe(409)
  expect(await readEverything()).toEqual(before)
})

test('several batches can be undone, the last one first [WORK-08]', async () => {
  const { ids } = await makeLeads()
  const before = await readEverything()
  const first = (await send(superAdmin, { ids, action: 'verify' })).body
  const second = (await send(superAdmin, { ids, action: 'spam', value: { spammer: false } })).body
  expect((await undo(superAdmin, second.id)).body.skipped).toEqual([])
  expect((await undo(superAdmin, first.id)).body.skipped).toEqual([])
  expect(await readEverything()).toEqual(before)
})

test('a spam batch blocks the senders like the single action, and its undo unblocks them [WORK-06, WORK-07, WORK-08]', async () => {
  const { ids } = await makeLeads()
  const before = await readEverything()
  const spammers = async () =>
    (await app.context.db.select({ phone: spammersTable.phone_key }).from(spammersTable)).length
  const known = await spammers()
  const { body } = await send(superAdmin, { ids, action: 'spam', value: { spammer: true } })
  expect(body.changed).toBeGreaterThanOrEqual(3)
  // Two of the leads have the same phone: it is blocked once.
  expect(await spammers()).toBe(known + 1)
  expect((await undo(superAdmin, body.id)).body.skipped).toEqual([])
  expect(await spammers()).toBe(known)
  expect(await readEverything()).toEqual(before)
})

test('undoing a batch that took the last spam tag off blocks the sender again, unless someone had unblocked it before', async () => {
  const { campaign } = await makeLeads()
  const lead = await app.make.lead({ campaign_id: campaign.id, lead_phone: '5125550177', phone_key: '+15125550177' })
  const blocked = () => app.context.db.$count(spammersTable, eq(spammersTable.phone_key, '+15125550177'))
  const isMarked = async () => (await find(lead.id)).spam_mark !== null
  const untag = async () => (await send(superAdmin, { ids: [lead.id], action: 'untag', value: 'Spam' })).body
  await send(superAdmin, { ids: [lead.id], action: 'spam', value: { spammer: true } })
  expect([await blocked(), await isMarked()]).toEqual([1, true])
  // The second time it is the spammer of the undo that is removed.
  for (const _ of ['once', 'again']) {
    const { id } = await untag()
    expect([await blocked(), await isMarked()]).toEqual([0, false])
    expect((await undo(superAdmin, id)).body).toMatchObject({ changed: 1, skipped: [] })
    expect([await blocked(), await isMarked()]).toEqual([1, true])
  }
  await app.context.db.delete(spammersTable).where(eq(spammersTable.phone_key, '+15125550177'))
  expect((await undo(superAdmin, (await untag()).id)).body).toMatchObject({ changed: 1, skipped: [] })
  expect([await blocked(), await isMarked()]).toEqual([0, true])
})

test('a spam batch and its undo restore a mail that waits for a lead which is spam already [WORK-06, WORK-08]', async () => {
  const { campaign } = await makeLeads()
  const lead = await app.make.lead({ campaign_id: campaign.id, tags: ['Spam'], hide: true })
  const mail = { lead_id: lead.id, campaign_id: campaign.id, recipients: ['a@a.example'] }
  await app.context.db.insert(mailsTable).values({ ...mail, kind: 'notification' })
  const stateOf = async () =>
    (await app.context.db.select().from(mailsTable).where(eq(mailsTable.lead_id, lead.id)))[0]!.state
  const { body } = await send(superAdmin, { ids: [lead.id], action: 'spam', value: { spammer: true } })
  expect([body.changed, await stateOf()]).toEqual([1, 'cancelled'])
  expect((await undo(superAdmin, body.id)).body).toMatchObject({ changed: 1, skipped: [] })
  expect(await stateOf()).toBe('queued')
  expect(await find(lead.id)).toMatchObject({ tags: ['Spam'], hide: true, spam_mark: null })
})

test('what the program changed since stays, and the rest is restored [WORK-08]', async () => {
  const { ids } = await makeLeads()
  const { body } = await send(superAdmin, { ids: [ids[2]], action: 'untag', value: 'Autospam' })
  const set = { tags: ['Spam' as const, 'Duplicate' as const], version: 3 }
  await app.context.db.update(leadsTable).set(set).where(eq(leadsTable.id, ids[2]!))
  await undo(superAdmin, body.id)
  expect(await find(ids[2]!)).toMatchObject({
    tags: ['Spam', 'Duplicate', 'Autospam'],
    tag_causes: [{ tag: 'Autospam', because: 'spammer' }],
  })
})
