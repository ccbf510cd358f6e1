import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { toInstant } from '#core/time/local-time.ts'
import { findCurrentUserById } from '#domains/access/public.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { openContent } from '#domains/messages/server/content.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { type Signal, signalsContract } from '../../contract.ts'
import { describeChecks } from '../../describe-checks.ts'
import { signalNoticesTable, signalsTable } from '../../schema.ts'
import { runSignals } from '../../server/runner.ts'
import { type SignalWatch, watchesContract } from '../contract.ts'
import { userWatchesTable } from '../schema.ts'
import { composeAlert, composeDigest, composeTask, type MessageSignal, renderDraft } from './compose.ts'
import { findWatch, getDigestDay, isQuietNow } from './find-watch.ts'
import { pickVisibleSignals, readOpenSignalsWithCampaign } from './message-signals.ts'
import { sendMessages } from './send-messages.ts'

const app = await setUp(startApp())
const campaign_id = (await app.make.campaign({ name: 'Roofing Reno', initial_target: 0 })).id
const person = await app.make.admin({ campaigns: [campaign_id] })
const me = await app.as(person)
beforeEach(async () => {
  const { db } = app.context
  await db.delete(messagesTable)
  await db.delete(signalNoticesTable)
  await db.delete(userWatchesTable)
  await db.delete(signalsTable)
  await db.delete(activityItemsTable)
  await db.update(clientSitesTable).set({ status: 1, tls_expires_at: null })
})

/** A day at some hour in the agency's time zone. */
const at = (hour: number, dayOffset = 0) => {
  const zone = app.context.settings.AGENCY_TIMEZONE
  return toInstant(addDays(getToday(zone), dayOffset), `${String(hour).padStart(2, '0')}:30`, zone)
}
const offline = (values: object = {}) => app.make.clientSite({ campaign_id, status: 0, ...values })
/** A signal for the digest: a certificate that ends in three weeks. */
const note = () => app.make.clientSite({ campaign_id, tls_expires_at: new Date(Date.now() + 21 * 86_400_000) })
const tell = async (now: Date) => {
  await runSignals(app.context)
  await sendMessages(app.context, now)
}
const messages = async (channel: 'email' | 'chat' = 'email') => {
  const rows = await app.context.db.select().from(messagesTable).where(eq(messagesTable.channel, channel))
  return rows.filter(({ user_id }) => user_id === person.id)
}
const watch = (values: Partial<SignalWatch> = {}): SignalWatch => ({
  kind: '*',
  campaign_ids: null,
  channel: 'mail',
  digest: 'at_once',
  quiet_from: null,
  quiet_until: null,
  timezone: app.context.settings.AGENCY_TIMEZONE,
  ...values,
})
const save = (watches: SignalWatch[], webhook_url: string | null = null) =>
  me.call(watchesContract.save, { body: { webhook_url, watches } })

test('a watch of a campaign that one may not see is refused; one that was lost is left out of what is saved next', async () => {
  const [lost, foreign] = [await app.make.campaign(), await app.make.campaign()]
  const reader = await app.make.admin({ campaigns: [campaign_id, lost.id] })
  const caller = await app.as(reader)
  const save = (...lists: number[][]) =>
    caller.call(watchesContract.save, { body: { watches: lists.map((campaign_ids) => watch({ campaign_ids })) } })
  for (const id of [foreign.id, 999_999]) {
    const { status, body } = await save([campaign_id], [campaign_id, id])
    expect([status, body.errors]).toEqual([422, { 'watches.1.campaign_ids': ['There is no such campaign'] }])
  }
  const root = await app.as(await app.make.superAdmin())
  const body = { watches: [watch({ campaign_ids: [999_999] })] }
  expect((await root.call(watchesContract.save, { body })).status).toBe(422)
  expect((await save([campaign_id, lost.id], [lost.id])).status).toBe(200)
  await app.context.db.execute(
    sql`delete from user_campaigns where user_id = ${reader.id} and campaign_id = ${lost.id}`,
  )
  const saved = (await save([campaign_id, lost.id], [lost.id])).body
  expect(saved.watches.map((one: SignalWatch) => one.campaign_ids)).toEqual([[campaign_id]])
  expect((await save([lost.id])).status).toBe(422)
})

test('without watches severe signals are sent at once, in one message, and the rest in a digest at eight [TODAY-09]', async () => {
  await offline()
  await offline()
  await note()
  await tell(at(6))
  expect(await messages()).toMatchObject([{ kind: 'signal', recipient: person.email }])
  await tell(at(7))
  expect(await messages(), 'nothing new').toHaveLength(1)
  await tell(at(9))
  expect(await messages(), 'the digest').toHaveLength(2)
  await tell(at(11))
  expect(await messages(), 'once a day').toHaveLength(2)
  await tell(at(9, 1))
  expect(await messages(), 'the next day').toHaveLength(3)
})

test('a person who was invited and has not arrived gets no email of a signal', async () => {
  await app.context.db.update(usersTable).set({ password_hash: notArrivedHash }).where(eq(usersTable.id, person.id))
  await offline()
  await note()
  await tell(at(9))
  expect(await messages()).toEqual([])
  await app.context.db.update(usersTable).set({ password_hash: 'chosen' }).where(eq(usersTable.id, person.id))
  await tell(at(9))
  expect(await messages()).not.toEqual([])
})

test('what opened or was assigned before an invitation is accepted is not announced after it [MOVE-12]', async () => {
  const set = (password_hash: string) =>
    app.context.db.update(usersTable).set({ password_hash }).where(eq(usersTable.id, person.id))
  await set(notArrivedHash)
  await offline()
  const other = await app.make.superAdmin()
  await app.make.activityItem({ is_task: true, user_id: other.id, assignee_id: person.id, campaign_id })
  await tell(at(3))
  await set('chosen')
  await tell(at(3))
  expect(await messages()).toEqual([])
  await offline()
  await tell(at(3))
  expect(await messages()).toHaveLength(1)
})

test('a signal from before the account is neither announced nor in the digest, until it becomes worse [MOVE-12]', async () => {
  const { db } = app.context
  const openedAt = new Date(person.created_at.getTime() - 60_000)
  await offline()
  await note()
  await runSignals(app.context)
  await db.update(signalsTable).set({ opened_at: openedAt })
  await sendMessages(app.context, at(9))
  await sendMessages(app.context, at(9))
  expect(await messages()).toEqual([])
  await db.update(signalsTable).set({ stage: sql`stage + 1` }).where(eq(signalsTable.kind, 'site_offline'))
  await sendMessages(app.context, at(9))
  expect(await messages()).toHaveLength(1)
})

test('a message has the signals that the list shows its reader, and no others [TODAY-09]', async () => {
  const elsewhere = (await app.make.campaign()).id
  const insert = async (
    values: Pick<typeof signalsTable.$inferInsert, 'kind'> & Partial<typeof signalsTable.$inferInsert>,
  ) => {
    const [row] = await app.context.db
      .insert(signalsTable)
      .values({
        detected_kind: values.kind,
        severity: 'severe',
        title: 'Wrong',
        subject_type: 'client_site',
        subject_id: String(values.campaign_id),
        subject_label: 'shop.example',
        evidence: {},
        ...values,
      })
      .returning()
    return row!.id
  }
  const second = (await app.make.campaign()).id
  for (const campaigns of [[campaign_id], [campaign_id, elsewhere], [elsewhere], []]) {
    const subject_id = `shared by ${campaigns.join()}`
    const parent_id = await insert({ kind: 'site_offline', subject_type: 'ip', subject_id, subject_label: '192.0.2.1' })
    for (const campaign of campaigns)
      await insert({ kind: 'site_offline', campaign_id: campaign, subject_id: `${subject_id} ${campaign}`, parent_id })
    const quiet = await insert({
      kind: 'all_quiet',
      subject_type: 'agency',
      subject_id,
      evidence: { campaign_ids: campaigns },
    })
    await insert({ kind: 'source_silent', campaign_id: second, subject_type: 'source', subject_id, parent_id: quiet })
    const shared = { campaign_id: campaigns[0] ?? null, evidence: { campaign_ids: campaigns } }
    await insert({ kind: 'domain_expiring', subject_type: 'domain', subject_id, ...shared })
  }
  for (const campaign of [campaign_id, elsewhere, null])
    for (const kind of ['site_offline', 'behind_target'] as const) await insert({ kind, campaign_id: campaign })
  const open = await readOpenSignalsWithCampaign(app.context.db)
  const readers = [
    person,
    await app.make.superAdmin(),
    await app.make.admin({ campaigns: [elsewhere], permissions: ['dashboard'] }),
    await app.make.admin({ campaigns: [campaign_id, elsewhere] }),
    await app.make.admin({ campaigns: [second] }),
    await app.make.admin({ campaigns: [] }),
    await app.make.handler({ campaigns: [campaign_id, elsewhere] }),
  ]
  for (const reader of readers) {
    const { status, body } = await (await app.as(reader)).call(signalsContract.list)
    const shown = status === 200 ? body.data.map(({ id, title }: Signal) => `${id} ${title}`) : []
    const told = pickVisibleSignals(open, (await findCurrentUserById(app.context.db, reader.id))!)
    expect(told.map(({ id, title }) => `${id} ${title}`).toSorted(), reader.username).toEqual(shown.toSorted())
    const named = told.map(({ id, campaign_id, evidence }) => [id, campaign_id, evidence.campaign_ids])
    const seen =
      status === 200
        ? body.data.map((one: Signal) => [one.id, one.campaign?.id ?? null, one.evidence.campaign_ids])
        : []
    expect(named, reader.username).toEqual(expect.arrayContaining(seen))
  }
})

test('concurrent workers send each message once [TODAY-10]', async () => {
  await offline()
  await note()
  await runSignals(app.context)
  await Promise.all(Array.from({ length: 5 }, () => sendMessages(app.context, at(9))))
  expect(await messages()).toHaveLength(2)
})

test('a parent stands for its children, and when it closes a remaining child is sent on its own [TODAY-04]', async () => {
  const sites = []
  for (let count = 0; count < 3; count++) sites.push(await offline({ ip: '192.0.2.9' }))
  await tell(at(6))
  expect(await messages()).toHaveLength(1)
  const told = await app.context.db.select().from(signalNoticesTable).where(eq(signalNoticesTable.user_id, person.id))
  expect(told).toHaveLength(1)
  await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, sites[0]!.id))
  await tell(at(6))
  expect(await messages()).toHaveLength(2)
})

test('quiet hours hold messages back until they end; muted signals are not sent [TODAY-07] [TODAY-09]', async () => {
  await save([watch({ quiet_from: '20:00', quiet_until: '07:00' })])
  await offline()
  await tell(at(22))
  await tell(at(3))
  expect(await messages()).toEqual([])
  await tell(at(7))
  expect(await messages()).toHaveLength(1)
  const muted = await offline()
  await runSignals(app.context)
  const [row] = await app.context.db
    .select()
    .from(signalsTable)
    .where(eq(signalsTable.subject_id, String(muted.id)))
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await me.call(signalsContract.mute, { params: { id: row!.id }, body: { until } })
  await tell(at(12))
  expect(await messages()).toHaveLength(1)
})

test('a digest that quiet hours held back until midnight is sent when they end, once [TODAY-09]', async () => {
  await save([watch({ digest: 'daily', quiet_from: '08:00', quiet_until: '06:00' })])
  await note()
  await tell(at(12))
  await tell(at(23))
  expect(await messages()).toEqual([])
  await tell(at(7, 1))
  await tell(at(7, 1))
  expect(await messages()).toHaveLength(1)
  expect(
    getDigestDay(watch({ quiet_from: '22:00', quiet_until: '07:00', timezone: 'UTC' }), new Date('2026-03-02T07:30Z')),
  ).toBeNull()
})

test('a digest is sent on the day after a move to a zone whose day starts later [TODAY-09]', async () => {
  const now = new Date('2026-03-02T01:00Z') // 10:00 in Tokyo, the day before in Los Angeles
  await save([watch({ digest: 'daily', timezone: 'Asia/Tokyo' })])
  await note()
  await tell(now)
  expect(await messages()).toHaveLength(1)
  await save([watch({ digest: 'daily', timezone: 'America/Los_Angeles' })])
  await tell(new Date('2026-03-02T04:00Z'))
  expect(await messages(), 'that evening').toHaveLength(1)
  await tell(new Date('2026-03-02T17:00Z'))
  expect(await messages(), 'the next morning').toHaveLength(2)
})

test('when clocks change, in either direction, the digest of each day is sent once [TODAY-09]', () => {
  const berlin = watch({ quiet_from: '21:00', quiet_until: '02:30', timezone: 'Europe/Berlin' })
  for (const from of ['2026-03-28T00:00Z', '2026-10-24T00:00Z']) {
    const days = Array.from({ length: 72 * 4 }, (_, quarter) =>
      getDigestDay(berlin, new Date(Date.parse(from) + quarter * 900_000)),
    )
    expect([...new Set(days)].filter(Boolean)).toHaveLength(3)
  }
})

test('a failure to read one user’s data does not affect the others [TODAY-10]', async () => {
  const other = await app.make.superAdmin()
  await app.context.db.insert(userWatchesTable).values({ user_id: other.id, webhook_url: Buffer.from('damaged') })
  await offline()
  await tell(at(9))
  expect(await messages()).toHaveLength(1)
})

test('a user who may not read targets is not notified of a missed one, and tasks do not need Home [TODAY-09] [TODAY-10]', async () => {
  const { db } = app.context
  const day = getToday(app.context.settings.AGENCY_TIMEZONE)
  const handler = await app.make.handler({ campaigns: [campaign_id], permissions: ['dashboard', 'leads'] })
  const homeless = await app.make.admin({ campaigns: [campaign_id], permissions: ['leads'] })
  await app.make.activityItem({ campaign_id, is_task: true, assignee_id: homeless.id, user_id: homeless.id, date: day })
  await db.insert(signalsTable).values({
    ...{
      kind: 'behind_target',
      detected_kind: 'behind_target',
      severity: 'severe',
      title: 'Roofing Reno is behind',
      campaign_id,
    },
    ...{
      subject_type: 'campaign',
      subject_id: String(campaign_id),
      subject_label: 'Roofing Reno',
      evidence: { says: '10%' },
    },
    ...{ stage: 0, opened_at: new Date() },
  })
  await sendMessages(app.context, at(9))
  const told = (await db.select().from(messagesTable)).map(({ user_id }) => user_id)
  expect(told).toContain(person.id)
  expect(told).toContain(homeless.id)
  expect(told).not.toContain(handler.id)
  const caller = await app.as(handler)
  expect((await caller.call(signalsContract.list)).body).toMatchObject({ data: [], total: 0 })
  expect((await caller.call(signalsContract.count)).body).toMatchObject({ open: 0 })
})

test('an email of a task names no settings to a reader who has none [TODAY-10]', async () => {
  const homeless = await app.make.admin({ campaigns: [campaign_id], permissions: ['leads'] })
  const assignees = [homeless.id, person.id]
  for (const assignee_id of assignees) await app.make.activityItem({ campaign_id, is_task: true, assignee_id })
  await sendMessages(app.context, at(6))
  const sent = await app.context.db.select().from(messagesTable)
  const readMail = (id: number) => {
    const { dedupe_key, content } = sent.find(({ user_id }) => user_id === id)!
    return JSON.stringify(openContent(app.context.secrets, dedupe_key, content!))
  }
  const mail = readMail(homeless.id)
  expect(mail).toContain('You get this because a task was assigned to you.')
  expect(mail).not.toContain('settings')
  expect(readMail(person.id)).toContain('/profile#notifications')
})

test('the most specific watch wins [TODAY-09]', () => {
  const all = watch({ channel: 'mail' })
  const kind = watch({ kind: 'site_offline', channel: 'webhook' })
  const campaign = watch({ campaign_ids: [1], channel: 'none' })
  const signal = { kind: 'site_offline', severity: 'severe', campaign_id: 1 } as const
  expect(findWatch([all, campaign, kind], signal, 'UTC')).toBe(kind)
  expect(findWatch([all, campaign], signal, 'UTC')).toBe(campaign)
  expect(findWatch([all, campaign], { ...signal, campaign_id: 2 }, 'UTC')).toBe(all)
  const shared = { ...signal, explained_campaigns: [1, 2] }
  expect(findWatch([all, campaign], shared, 'UTC'), 'one of two is not silenced').toBe(all)
  const toChat = watch({ campaign_ids: [2], channel: 'webhook' })
  expect(findWatch([all, toChat], shared, 'UTC'), 'one of two is told').toBe(toChat)
  const later = watch({ campaign_ids: [2], digest: 'daily' })
  expect(findWatch([all, later], shared, 'UTC'), 'one of two puts nothing off').toBe(all)
  const silent = watch({ campaign_ids: [1, 2], channel: 'none' })
  for (const watches of [
    [silent, toChat],
    [toChat, silent],
  ])
    expect(findWatch(watches, shared, 'UTC'), 'whatever the order').toBe(toChat)
  expect(findWatch([kind], { ...signal, kind: 'link_lost', severity: 'note' }, 'UTC').digest).toBe('daily')
  const night = watch({ quiet_from: '22:00', quiet_until: '06:00', timezone: 'Europe/Berlin' })
  expect(isQuietNow(night, new Date('2026-07-01T21:30:00Z')), '23:30 in summer').toBe(true)
  expect(isQuietNow(night, new Date('2026-12-01T20:30:00Z')), '21:30 in winter').toBe(false)
})

test('a webhook gets text; a gone one is replaced by mail, and one mail says so [TODAY-09]', async () => {
  const url = 'https://hooks.example/T1/secret'
  expect(await save([watch({ channel: 'webhook' })], url)).toMatchObject({
    status: 200,
    body: { webhook_url: url, is_default: false, webhook_problem: null },
  })
  await offline()
  await tell(at(9))
  expect(await messages('chat')).toMatchObject([{ recipient: 'https://hooks.example', state: 'queued' }])
  await app.context.db.update(messagesTable).set({ state: 'gone', error: 'The webhook answered 410' })
  await tell(at(10))
  await tell(at(10))
  const [mail, ...more] = await messages()
  expect(more).toEqual([])
  const content = openContent(app.context.secrets, mail!.dedupe_key, mail!.content!)
  expect('text' in content && content.text, 'what the webhook did not take').toContain('Roofing Reno')
  expect((await me.call(watchesContract.read)).body).toMatchObject({
    webhook_url: null,
    webhook_problem: 'The webhook answered 410',
    watches: [{ channel: 'mail' }],
  })
})

test('a webhook that is entered while a gone one is switched off stays [TODAY-09]', async () => {
  await save([watch({ channel: 'webhook' })], 'https://hooks.example/old')
  await offline()
  await tell(at(9))
  await app.context.db.update(messagesTable).set({ state: 'gone', error: 'The webhook answered 410' })
  const saved = await app.context.pool.connect()
  try {
    await saved.query('begin')
    await saved.query('update user_watches set updated_at = now() where user_id = $1', [person.id]) // as a save does
    const told = sendMessages(app.context, at(10))
    await until(async () => {
      const { rows } = await app.context.db.execute(sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%user_watches%'`)
      return rows.length > 0
    })
    await saved.query('commit')
    await told
  } finally {
    saved.release()
  }
  expect((await me.call(watchesContract.read)).body).toMatchObject({
    webhook_url: 'https://hooks.example/old',
    webhook_problem: null,
    watches: [{ channel: 'webhook' }],
  })
  expect(
    (await messages()).map(({ kind }) => kind),
    'what was not delivered',
  ).toHaveLength(1)
})

test('watches are validated when they are saved [TODAY-09]', async () => {
  const refused = async (...sent: Parameters<typeof save>) => (await save(...sent)).status
  expect(await refused([watch({ channel: 'webhook' })])).toBe(422)
  expect(await refused([watch()], 'http://127.0.0.1/hook')).toBe(422)
  expect(await refused([watch({ timezone: 'Mars/Base' })])).toBe(422)
  expect(await refused([watch({ quiet_from: '22:00' })])).toBe(422)
  expect((await me.call(watchesContract.read)).body).toMatchObject({ is_default: true, watches: [] })
  const { body } = await me.call(watchesContract.read)
  expect((await me.call(watchesContract.save, { body })).body, 'an answer can be sent back').toEqual(body)
  const { db } = app.context
  await save([watch({ channel: 'webhook' })], 'https://hooks.example/secret')
  const [row] = await db.select().from(userWatchesTable)
  expect(row!.webhook_url!.toString('latin1')).not.toContain('secret')
})

test('a test message has what would be sent now [TODAY-09]', async () => {
  await offline({ url: 'https://down.example' })
  await runSignals(app.context)
  const { body } = await me.call(watchesContract.test)
  expect(body.sent).toMatchObject([
    { channel: 'mail', to: person.email, text: expect.stringContaining('down.example') },
  ])
  expect(body.sent[0].text).toContain('Roofing Reno')
  expect(body.sent[0].text).toContain(app.url)
  expect(await messages()).toHaveLength(1)
})

test('who does not want to be notified gets nothing: no signal, no digest, no task [TODAY-09] [TODAY-10]', async () => {
  const day = getToday(app.context.settings.AGENCY_TIMEZONE)
  await offline()
  await note()
  await app.make.activityItem({ campaign_id, is_task: true, assignee_id: person.id, date: day })
  const wanted: SignalWatch[][] = [
    [watch({ channel: 'none' })],
    [watch({ channel: 'none', digest: 'daily' })],
    [watch({ channel: 'none' }), watch({ kind: 'domain_expiring', digest: 'daily' })],
    [watch({ campaign_ids: [campaign_id], channel: 'none' })],
  ]
  for (const [index, watches] of wanted.entries()) {
    await save(watches)
    await tell(at(9, index))
    expect(await messages()).toEqual([])
    expect(
      (await me.call(watchesContract.test)).body.sent.filter(({ text }: { text: string }) => text.includes('Task')),
    ).toEqual([])
    await app.context.db.delete(messagesTable)
  }
  await save([watch({ kind: 'site_offline', channel: 'none' }), watch({ digest: 'daily' })])
  await tell(at(9, 5))
  expect(await messages(), 'the digest has the task, which was not told before').toHaveLength(1)
})

test('a task is sent to its assignee once, unless they created it, and is in the digest on its day [TODAY-10]', async () => {
  const day = getToday(app.context.settings.AGENCY_TIMEZONE)
  const task = { campaign_id, is_task: true, assignee_id: person.id }
  await app.make.activityItem({ ...task, date: addDays(day, 3) })
  await app.make.activityItem({ ...task, date: addDays(day, 3), user_id: person.id })
  await tell(at(6))
  await tell(at(6))
  expect(await messages()).toHaveLength(1)
  await tell(at(9))
  expect(await messages(), 'nothing is due').toHaveLength(1)
  await app.make.activityItem({ ...task, date: day, user_id: person.id })
  await tell(at(9))
  expect(await messages()).toHaveLength(2)
})

test('quiet hours hold a task back until they end, and it is then sent once [TODAY-09] [TODAY-10]', async () => {
  const date = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 3)
  await save([watch({ quiet_from: '20:00', quiet_until: '07:00' })])
  await app.make.activityItem({ campaign_id, is_task: true, assignee_id: person.id, date })
  await tell(at(22))
  await tell(at(3))
  expect(await messages()).toEqual([])
  await tell(at(7))
  await tell(at(9))
  expect(await messages()).toHaveLength(1)
})

test('no one is told of a task whose campaign they may not see [TODAY-10]', async () => {
  const day = getToday(app.context.settings.AGENCY_TIMEZONE)
  const other = await app.make.campaign()
  const task = { is_task: true, assignee_id: person.id, date: day }
  await app.make.activityItem({ ...task, campaign_id: other.id })
  await tell(at(9))
  expect(await messages()).toEqual([])
  await app.context.db.insert(userCampaignsTable).values({ user_id: person.id, campaign_id: other.id })
  await tell(at(9))
  expect(await messages(), 'the task, and the digest').toHaveLength(2)
  await app.context.db.delete(userCampaignsTable).where(eq(userCampaignsTable.campaign_id, other.id))
})

test('a digest counts all tasks that are due [TODAY-10]', async () => {
  const date = getToday(app.context.settings.AGENCY_TIMEZONE)
  for (let count = 0; count < 51; count++)
    await app.make.activityItem({ campaign_id, is_task: true, assignee_id: person.id, user_id: person.id, date })
  const { body } = await me.call(watchesContract.test)
  const [subject, ...lines] = body.sent[0].text.split('\n')
  expect(subject).toBe('Test: Today: 51 tasks due')
  expect(lines).toContain('and 41 more')
})

test('a digest lists an overdue task once, and names a campaign once [TODAY-09] [TODAY-10]', async () => {
  const day = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), -2)
  const task = { campaign_id, is_task: true, assignee_id: person.id, date: day, note: 'Call the client' }
  await app.make.activityItem(task)
  const other = await app.make.admin({ campaigns: [campaign_id] })
  await app.make.activityItem({ ...task, assignee_id: other.id, note: 'Send the report.' })
  await offline({ url: 'https://down.example' })
  await runSignals(app.context)
  const { body } = await me.call(watchesContract.test)
  const [subject, ...lines] = body.sent[0].text.split('\n')
  expect(subject).toBe('Test: 1 urgent: Roofing Reno; 1 task due')
  expect(lines).toEqual([
    'Urgent',
    expect.stringMatching(
      /^down\.example is offline \(Roofing Reno\)\. Down in two checks in a row.* http:.*\/\?signal=\d+$/,
    ),
    'Tasks due',
    expect.stringMatching(/^Call the client \(Roofing Reno\)\. Overdue since \w{3}, .*\/#my-tasks$/),
    'For your information',
    expect.stringMatching(/^Task overdue: Send the report \(Roofing Reno\)\. Due .*\/\?signal=\d+$/),
    app.url,
  ])
})

test('a message of one person that cannot be read keeps no alert from the others [TODAY-09]', async () => {
  const other = await app.make.admin()
  const gone = { channel: 'chat', kind: 'signal', state: 'gone', recipient: 'https://chat.example' } as const
  const unreadable = { dedupe_key: 'other', content: Buffer.from('of another key'), expires_at: at(9, 1) }
  await app.context.db.insert(messagesTable).values({ ...gone, ...unreadable, user_id: other.id })
  await offline()
  await tell(at(9))
  expect((await messages()).length).toBeGreaterThan(0)
})

test('a digest leaves out what a colleague is handling, as Home does: claimed, or with an open task [DESK-13] [TODAY-08]', async () => {
  const hosts = ['claimed.example', 'planned.example', 'open.example']
  for (const host of hosts) await offline({ url: `https://${host}` })
  await runSignals(app.context)
  const colleague = await app.as(await app.make.superAdmin())
  const { data } = (await colleague.call(signalsContract.list)).body
  const idOf = (host: string) => data.find(({ title }: Signal) => title.includes(host)).id
  const digest = async () => (await me.call(watchesContract.test)).body.sent[0].text
  expect(await digest()).toMatch(/^Test: 3 urgent: /)
  await colleague.call(signalsContract.claim, { params: { id: idOf('claimed') } })
  const { task_id } = (await colleague.call(signalsContract.task, { params: { id: idOf('planned') } })).body
  const told = await digest()
  expect(hosts.filter((host) => told.includes(host))).toEqual(['open.example'])
  expect(told).toMatch(/^Test: 1 urgent: /)
  await save([watch({ digest: 'daily' })])
  await tell(at(9))
  const [daily] = (await messages()).filter(({ dedupe_key }) => dedupe_key.startsWith('digest:'))
  const content = openContent(app.context.secrets, daily!.dedupe_key, daily!.content!)
  expect(content).toMatchObject({ subject: '1 urgent: Roofing Reno' })
  // Handed back, or the task is done while the site is still down: it needs someone again.
  await colleague.call(signalsContract.unclaim, { params: { id: idOf('claimed') } })
  await colleague.call(activityLogContract.toggleStatus, { params: { id: task_id }, body: { is_done: 1 } })
  expect(await digest()).toMatch(/^Test: 3 urgent: /)
})

test('an email to staff begins with what matters, names ten things with their links, and leads to its settings [DESK-13]', async () => {
  const names = ['Copper Garage Doors', 'Cascade Roofing', 'Redwood Electric']
  const make = (index: number, values: Partial<MessageSignal>): MessageSignal => ({
    ...({ kind: 'site_offline', detected_kind: 'site_offline', stage: 0, subject_type: 'client_site' } as const),
    ...{ closed_at: null, closing_evidence: null, claimed_by: null, muted_until: null, parent_id: null, task_id: null },
    ...{
      is_muted: false,
      is_handled: false,
      probed_at: null,
      campaign_id: index,
      explained_campaigns: [],
      opened_at: new Date(),
      expected_lost: null,
    },
    ...{ id: index, subject_id: String(index), subject_label: 'host', severity: 'severe', campaign_name: null },
    title: `site-${index}.example is offline`,
    evidence: { says: 'Down in two checks in a row.' },
    ...values,
  })
  const urgent = names.map((campaign_name, index) =>
    make(index + 1, { campaign_name, expected_lost: { low: 0, mid: index, high: 9 } }),
  )
  const notes = Array.from({ length: 29 }, (_, index) => make(index + 100, { severity: 'note' }))
  const task = { id: 7, note: 'Prepare the budget', date: '2026-11-20', campaign_id: null, campaign_name: null }
  const draft = composeDigest(app.context, [...notes, ...urgent], [task], '2026-11-21')
  expect(draft.subject).toBe('3 urgent: Redwood Electric, Cascade Roofing +1; 1 task due')
  expect(draft.groups.map(({ title, items }) => [title, items.length])).toEqual([
    ['Urgent', 3],
    ['Tasks due', 1],
    ['For your information', 6],
    ['and 23 more', 0],
  ])
  expect(draft.groups[0]!.items[0]!.title, 'where most was lost').toBe('site-3.example is offline (Redwood Electric)')
  const listings = ['North Roofing', 'North Roofing'].map((title) => ({ title, suspended: false, changed: false }))
  const twice = make(1, { evidence: { says: 'No calls.', probe: { calls: null, site: 'live', listings } } })
  expect(composeDigest(app.context, [twice], [], '2026-11-21').groups[0]!.items[0]!.text, 'said once').toBe(
    'No calls. The website is up. North Roofing is live on Google.',
  )
  const unread = { title: 'North Roofing', suspended: false, changed: false, unclear: 'could not be checked on Google' }
  const [sure] = describeChecks({ probe: { calls: null, site: null, listings: [unread] } })
  expect(sure, 'what is not known is not said').toEqual({
    text: 'North Roofing could not be checked on Google.',
    isFine: null,
  })
  const { html, text } = await renderDraft(app.context, draft, (await findCurrentUserById(app.context.db, person.id))!)
  for (const id of [1, 2, 3]) expect(html).toContain(`href="${app.url}/?signal=${id}"`)
  expect(html).toContain(`href="${app.url}/profile#notifications"`)
  expect(text).toContain('and 23 more')
  expect(text).toContain(`Change what you get: ${app.url}/profile#notifications`)
  // Without anything urgent or soon.
  expect(composeDigest(app.context, notes.slice(0, 6), [task], '2026-11-21').subject).toBe(
    'Today: 6 open issues, 1 task due',
  )
  const soon = make(1, { severity: 'warning', campaign_name: 'Cascade Roofing' })
  expect(composeDigest(app.context, [soon], [], '2026-11-21').subject).toBe('1 soon: Cascade Roofing')
  expect(composeAlert(app.context, [urgent[1]!]), 'of one').toEqual({
    subject: 'site-2.example is offline',
    lines: ['Urgent · Cascade Roofing', 'Down in two checks in a row.', 'About 1 lead lost (range 0–9).'],
    groups: [],
    url: `${app.url}/?signal=2`,
  })
  expect(composeAlert(app.context, urgent).subject).toBe('3 urgent: Redwood Electric, Cascade Roofing +1')
  const quiet = make(1, { subject_type: 'agency', subject_label: 'Agency', title: 'Almost no leads agency-wide' })
  expect(composeDigest(app.context, [quiet], [], '2026-11-21').subject).toBe('1 urgent: Almost no leads agency-wide')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T12:00:00Z') }) // a day of another year is said with it
  onTestFinished(() => void vi.useRealTimers())
  const sent = composeTask(app.context, { ...task, note: 'Prepare the budget.', date: '2026-12-07' })
  expect(sent).toMatchObject({ subject: 'Task: Prepare the budget (due Mon, Dec 7)', lines: ['Due Mon, Dec 7'] })
  const long = composeTask(app.context, { ...task, note: 'Call Ann.\nShe waits.', date: '2026-12-07' })
  expect(long).toMatchObject({
    subject: 'Task: Call Ann (due Mon, Dec 7)',
    lines: ['Call Ann.\nShe waits.', 'Due Mon, Dec 7'],
  })
})
