import { createServer, type RequestListener } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { SecretBox } from '#core/secrets/secrets.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { googleLocationsContract } from '#domains/listings/google/contract.ts'
import { listCompanies } from '#integrations/callrail/api.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { startListening, stopListening } from '#integrations/fakes/local-server.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { describeMailFailure } from '#integrations/smtp/smtp.ts'
import { type App, type Caller, caller, setUp, startApp } from '#test/app.ts'
import { type Connection, connectionsContract } from '../contract.ts'
import { connectionSecretAad, connectionsTable } from '../schema.ts'
import { listConnections, readConnectionSecret } from './queries.ts'
import { type ConnectionOutcome, recordConnectionUse } from './record-use.ts'

const callRail = await setUp(startCallRailStandIn())
const sink = await setUp(startSmtpSink())
const google = await setUp(startGoogleStandIn())
const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, ...googleUrls } = google.settings
const settings = {
  ...googleUrls,
  CALLRAIL_API_URL: callRail.settings.CALLRAIL_API_URL,
  ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
}
const app = await setUp(startApp({ settings, work: true }))
const { context } = app
const boss = await app.make.superAdmin({ username: 'olivia' })
const root = await app.as(boss)

const create = (body: object, who: Caller = root) => who.call(connectionsContract.create, { body })
const make = async (body: object, who: Caller = root): Promise<Connection> => {
  const made = await create(body, who)
  expect([made.status, made.body]).toEqual([200, expect.objectContaining({ state: 'untested' })])
  return made.body
}
const list = async (who: Caller = root): Promise<Connection[]> => (await who.call(connectionsContract.list)).body
const get = async ({ id }: { id: number }) => root.call(connectionsContract.get, { params: { id } })
const update = ({ id }: { id: number }, body: object, who: Caller = root) =>
  who.call(connectionsContract.update, { params: { id }, body })
const runTest = async ({ id }: { id: number }, who: Caller = root) => {
  const { status, body } = await who.call(connectionsContract.test, { params: { id } })
  expect(status).toBe(200)
  return body
}
const remove = ({ id }: { id: number }, who: Caller = root) => who.call(connectionsContract.remove, { params: { id } })

test('a connection is kept with its secret encrypted, and no answer and no audit entry has it [MOVE-02]', async () => {
  const made = await make({ kind: 'callrail', account_id: 'ACC7', api_key: 'very-secret-key' })
  expect(made).toEqual({
    id: expect.any(Number),
    kind: 'callrail',
    name: 'ACC7',
    source: 'screen',
    account: { id: 'ACC7', name: 'ACC7' },
    address: null,
    state: 'untested',
    says: null,
    tested_at: null,
    used_at: null,
    created_by: 'olivia',
    created_at: expect.any(String),
    version: 1,
  })
  const [row] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, made.id))
  expect(context.secrets.open(row!.secret!, connectionSecretAad(row!.id))).toBe('{"api_key":"very-secret-key"}')
  expect(await readConnectionSecret(context, 'callrail', row!.id)).toEqual({ api_key: 'very-secret-key' })
  expect(await list()).toEqual([made])
  expect((await get(made)).body).toEqual(made)
  const audit = await context.db.select().from(auditTable).where(eq(auditTable.kind, 'connection'))
  expect(audit.map(({ action, username }) => [action, username])).toEqual([['created', 'olivia']])
  expect(JSON.stringify(audit)).not.toContain('very-secret')

  expect((await remove(made)).status).toBe(204)
  expect([await list(), await listConnections(context, 'callrail')]).toEqual([[], []])
  expect(await readConnectionSecret(context, 'callrail', row!.id)).toBeNull()
  expect([(await get(made)).status, (await remove(made)).status, (await update(made, { name: 'x' })).status]).toEqual([
    404, 404, 404,
  ])
  const [kept] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, row!.id))
  expect(kept!.secret).toBeNull()
})

test('an old system may be typed without https://, and a mail server’s address is refused for what is wrong with it [MOVE-02]', async () => {
  const made = await make({ kind: 'legacy', address: ' old.example/crm/api ', token: 't' })
  expect(made.address).toBe('https://old.example/crm')
  expect((await remove(made)).status).toBe(204)
  const refuse = async (url: string) =>
    (await create({ kind: 'smtp', url, from: 'a@b.example' })).body.errors?.url as string[] | undefined
  for (const bare of ['mail.example', 'mail.example:587', 'https://mail.example'])
    expect([bare, await refuse(bare)]).toEqual([bare, ['The address must begin with smtp:// or smtps://']])
  for (const broken of ['smtp://me:p#ss@mail.example', 'smtp://me:p/ss@mail.example', 'smtp://mail.example:99999'])
    expect([broken, await refuse(broken)]).toEqual([broken, [expect.stringContaining('write # as %23')]])
})

test.each([
  'Acme, Inc. <leads@acme.example>',
  '"Acme, Inc." <leads@acme.example>',
  '"Acme: Leads" <leads@acme.example>',
  'Acme (Leads) <leads@acme.example>',
  'Acme leads@acme.example',
  '<leads@acme.example>',
])('the sender may be %s [MOVE-02]', async (from) => {
  const made = await make({ kind: 'smtp', url: 'smtp://mail.example', from })
  expect(made.account?.name).toBe(from)
  expect((await remove(made)).status).toBe(204)
})

test('a name that was derived follows the address, also when a form sends it back as it was read [MOVE-02]', async () => {
  const made = await make({ kind: 'legacy', address: 'https://old.example', token: 't' })
  const moved = await update(made, { name: 'old.example', address: 'https://new.example' })
  expect([made.name, moved.body.name]).toEqual(['old.example', 'new.example'])
  const called = await update(made, { name: 'Ours' })
  expect((await update(made, { name: 'Ours', address: 'https://old.example' })).body.name).toBe(called.body.name)
  expect((await remove(made)).status).toBe(204)
})

test('a change leaves out fields as they are, secrets too, and refuses a stale version and fields of other kinds [MOVE-02]', async () => {
  const made = await make({ kind: 'smtp', url: 'smtps://sue:pass%20word@mail.example:465', from: 'Acme <a@b.example>' })
  expect(made).toMatchObject({
    name: 'mail.example:465',
    account: { id: 'a@b.example', name: 'Acme <a@b.example>' },
    address: 'smtps://mail.example:465',
  })
  const changed = await update(made, { name: 'Relay', version: 1 })
  expect([changed.status, changed.body]).toEqual([200, { ...made, name: 'Relay', version: 2 }])
  const stale = await update(made, { from: 'other@b.example', version: 1 })
  expect([stale.status, stale.body]).toEqual([
    409,
    { message: 'Someone else has changed this connection', newer: changed.body },
  ])
  const { body: renamed } = await update(made, { from: 'other@b.example', version: 2 })
  expect(renamed).toMatchObject({ account: { id: 'other@b.example', name: 'other@b.example' }, version: 3 })
  expect(await readConnectionSecret(context, 'smtp', made.id)).toEqual({
    url: 'smtps://sue:pass%20word@mail.example:465',
    from: 'other@b.example',
  })
  for (const body of [{ api_key: 'x' }, { kind: 'smtp' }, { account_id: 'ACC1' }, { nonsense: 1 }]) {
    const refused = await update(made, body)
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { [Object.keys(body)[0]!]: ['This field is not accepted'] },
    ])
  }
  expect((await update(made, { name: null })).body.name).toBe('mail.example:465')
  expect((await create({ kind: 'smtp', url: 'smtp://other.example', from: 'a@b.example' })).body.message).toBe(
    'A mail server is connected already: change that connection',
  )
  expect((await remove(made)).status).toBe(204)
})

test('a new secret takes the place of one that the key does not open [MOVE-02]', async () => {
  const [old, mail] = [
    await make({ kind: 'legacy', address: 'https://old.example', token: 't' }),
    await make({ kind: 'smtp', url: 'smtp://mail.example', from: 'a@b.example' }),
  ]
  const other = new SecretBox('00'.repeat(32))
  for (const { id } of [old, mail])
    await context.db
      .update(connectionsTable)
      .set({ secret: other.seal('{}', connectionSecretAad(id)) })
      .where(eq(connectionsTable.id, id))
  expect((await update(old, { token: 'new' })).status).toBe(200)
  expect(await readConnectionSecret(context, 'legacy', old.id)).toEqual({ token: 'new' })
  const whole = { url: 'smtp://mail.example', from: 'c@d.example' }
  expect((await update(mail, whole)).body).toMatchObject({ account: { id: 'c@d.example' }, state: 'untested' })
  expect(await readConnectionSecret(context, 'smtp', mail.id)).toEqual(whole)
  for (const made of [old, mail]) expect((await remove(made)).status).toBe(204)
})

test.each([
  [{ kind: 'callrail', api_key: '' }, 'api_key'],
  [{ kind: 'callrail', api_key: 'two words' }, 'api_key'],
  [{ kind: 'callrail', api_key: 'key', account_id: '../x' }, 'account_id'],
  [{ kind: 'callrail', api_key: 'key', account_id: 'ACC1', CALLRAIL_API_URL: 'https://x.example' }, 'CALLRAIL_API_URL'],
  [{ kind: 'smtp', url: 'https://mail.example', from: 'a@b.example' }, 'url'],
  [{ kind: 'smtp', url: 'smtp:///', from: 'a@b.example' }, 'url'],
  [{ kind: 'smtp', url: 'smtp://mail.example', from: 'Acme' }, 'from'],
  [{ kind: 'smtp', url: 'smtp://mail.example', from: 'a@b.example, c@d.example' }, 'from'],
  [{ kind: 'smtp', url: 'smtp://mail.example', from: 'Acme: <a@b.example>' }, 'from'],
  [{ kind: 'smtp', url: 'smtp://mail.example', from: '"Acme <a@b.example>' }, 'from'],
  [{ kind: 'smtp', url: 'smtp://mail.example' }, 'from'],
  [{ kind: 'google', client_id: 'id' }, 'client_secret'],
  [{ kind: 'legacy', address: 'http://old.example', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'http://10.0.0.1', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://10.0.0.1', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://169.254.169.254', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://[fe80::1]', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://192.168.1.9/api', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://me:secret@old.example', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'ftp://old.example', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'old example', token: 't' }, 'address'],
  [{ kind: 'legacy', address: 'https://old.example', token: '' }, 'token'],
  [{ kind: 'whatconverts', token: 'x' }, 'kind'],
])('%j is refused, and nothing is stored or called [MOVE-02]', async (body, field) => {
  const before = await app.dump()
  const { status, body: refusal } = await create(body)
  expect([status, Object.keys(refusal.errors)]).toEqual([422, [field]])
  expect(await app.dump()).toBe(before)
})

test('of CallRail the only account of a key is taken; several, none and a wrong key are said, and no account is connected twice [MOVE-02]', async () => {
  const key = callRail.settings.CALLRAIL_API_KEY
  const made = await make({ kind: 'callrail', api_key: key })
  expect(made).toMatchObject({ name: 'Account ACC1', account: { id: 'ACC1', name: 'Account ACC1' } })
  const twice = await create({ kind: 'callrail', api_key: key })
  expect([twice.status, twice.body.message]).toEqual([409, 'This account is connected already'])
  for (const id of ['ACC2', 'ACC3']) callRail.addAccount(id, 'shared-key')
  const several = await create({ kind: 'callrail', api_key: 'shared-key' })
  expect([several.status, several.body.errors]).toEqual([
    422,
    { account_id: ['This key sees 2 accounts: Account ACC2 (ACC2), Account ACC3 (ACC3). Choose one'] },
  ])
  const wrong = await create({ kind: 'callrail', api_key: 'wrong-key' })
  expect([wrong.status, wrong.body.errors]).toEqual([422, { api_key: ['CallRail says: HTTP Token: Access denied.'] }])
  callRail.behaviour.next = [{ body: { accounts: [], total_pages: 1 } }]
  const none = await create({ kind: 'callrail', api_key: 'empty-key' })
  expect([none.status, none.body.errors]).toEqual([422, { account_id: ['This key sees no account'] }])

  const body = { accounts: [{ id: 'ACC2', name: 'Acme' }, { name: 'Other' }], total_pages: 1 }
  callRail.behaviour.next = [{ body }]
  const unsure = await create({ kind: 'callrail', api_key: 'shared-key' })
  expect([unsure.status, unsure.body.errors]).toEqual([
    422,
    { account_id: ['This key sees 2 accounts: Acme (ACC2), 1 without an ID. Choose one'] },
  ])

  callRail.companies.push(
    { id: 'COM1', name: 'Acme', status: 'active' },
    { id: 'COM2', name: 'Gone', status: 'disabled' },
  )
  callRail.trackers.push(
    { id: 'TRK1', status: 'active', tracking_numbers: ['+15125550142', '+15125550143'] },
    { id: 'TRK2', status: 'active', tracking_number: '+15125550144' },
    { id: 'TRK3', status: 'disabled', tracking_numbers: ['+15125550145'] },
  )
  const account = { id: 'ACC1', name: 'Account ACC1' }
  const says = 'Account ACC1: 1 company, 3 numbers'
  expect(await runTest(made)).toEqual({ ok: true, says, as: account, found: { companies: 1, numbers: 3 } })
  expect((await get(made)).body).toMatchObject({
    ...{ state: 'works', says, account },
    ...{ tested_at: expect.any(String), used_at: expect.any(String) },
  })
  const other = await make({ kind: 'callrail', account_id: 'ACC2', api_key: 'shared-key' })
  expect(await runTest(other)).toMatchObject({ ok: true, as: { id: 'ACC2', name: 'Account ACC2' } })
  expect((await listConnections(context, 'callrail')).map(({ account_id }) => account_id)).toEqual(['ACC1', 'ACC2'])
  await update(other, { api_key: key })
  expect(await runTest(other)).toEqual({
    ok: false,
    says: 'This key does not see the account ACC2. It sees Account ACC1 (ACC1)',
    as: null,
    found: {},
  })
  await expect(
    listCompanies({ apiUrl: settings.CALLRAIL_API_URL, apiKey: key, accountId: 'ACC2' }, { page: 1 }),
  ).rejects.toMatchObject({
    kind: 'refused',
    message: 'This key does not see the account ACC2. CallRail says: The requested resource could not be found.',
  })
  await update(other, { api_key: 'expired-key' })
  expect((await get(other)).body).toMatchObject({ state: 'untested', says: null, tested_at: null, version: 3 })
  expect(await runTest(other)).toMatchObject({ ok: false, says: 'CallRail says: HTTP Token: Access denied.' })
  expect((await get(other)).body.state).toBe('refused')
  callRail.behaviour.next = [{ status: 200, body: '<title>Maintenance</title>' }]
  expect(await runTest(other)).toMatchObject({ ok: false, says: 'CallRail answered a page instead of its list' })
  expect((await get(other)).body.state).toBe('unreachable')
  for (const one of [made, other]) await remove(one)
})

test('emails go through the mail server that is connected, changed or removed while other processes run [MOVE-02]', async () => {
  const other = await startApp({ settings, url: context.settings.DATABASE_URL! })
  try {
    const query = async (who: App) => who.context.mailer.isConnected()
    expect([await query(app), await query(other)]).toEqual([false, false])
    const made = await make({ kind: 'smtp', url: sink.url.replace('://', '://sue:wrong@'), from: 'Acme <a@b.example>' })
    expect([await query(app), await query(other)]).toEqual([true, true])
    const letter = { subject: 'Hi', html: '<p>Hi</p>', text: 'Hi', messageId: '<1@b.example>', to: ['c@d.example'] }
    const send = async () => (await other.context.mailer.send(letter, async () => true)).outcome
    sink.wrongPasswords.add('wrong')
    expect(await send()).toBe('unreachable')
    const says = 'The mail server says: 535 5.7.8 Authentication failed'
    expect((await get(made)).body).toMatchObject({ state: 'refused', says })
    expect(await runTest(made)).toEqual({ ok: false, says, as: null, found: {} })
    const busy = new Error('busy')
    expect(describeMailFailure(Object.assign(busy, { response: '421 4.3.2 Try later', responseCode: 421 }))).toEqual({
      state: 'unreachable',
      says: 'The mail server says: 421 4.3.2 Try later',
    })
    await update(made, { url: sink.url.replace('://', '://sue:right@') })
    expect(await runTest(made)).toMatchObject({ ok: true, as: { id: 'sue', name: 'sue' } })
    expect(await send()).toBe('sent')
    expect(sink.letters.at(-1)!.email.from).toEqual({ address: 'a@b.example', name: 'Acme' })
    expect((await get(made)).body).toMatchObject({ state: 'works', used_at: expect.any(String) })
    await update(made, { url: 'smtp://127.0.0.1:1' })
    expect(await runTest(made)).toMatchObject({
      ok: false,
      says: expect.stringMatching(/^The mail server cannot be reached: .*ECONNREFUSED/),
    })
    expect((await get(made)).body.state).toBe('unreachable')
    await remove(made)
    expect([await query(app), await send()]).toEqual([false, 'unreachable'])
  } finally {
    await other.close()
  }
})

test('Google knows the client of a connection or says why not, and accounts are linked with it at once [MOVE-02]', async () => {
  const connection = async () => (await root.call(googleLocationsContract.connection)).body.missing
  expect(await connection()).toEqual(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const form = { kind: 'google', client_id: GOOGLE_CLIENT_ID, client_secret: 'wrong' }
  const made = await make(form)
  expect(made).toMatchObject({
    name: 'Google',
    account: { id: GOOGLE_CLIENT_ID, name: GOOGLE_CLIENT_ID },
    address: null,
  })
  expect(await runTest(made)).toEqual({
    ok: false,
    says: 'Google says: The provided client secret is invalid.',
    as: null,
    found: {},
  })
  await update(made, { client_secret: GOOGLE_CLIENT_SECRET })
  expect(await runTest(made)).toMatchObject({ ok: true, as: { id: GOOGLE_CLIENT_ID, name: GOOGLE_CLIENT_ID } })
  expect(await connection()).toEqual([])
  const { body } = await root.call(googleLocationsContract.authUrl)
  expect(new URL(body.auth_url).searchParams.get('client_id')).toBe(GOOGLE_CLIENT_ID)
  expect((await create(form)).body.message).toBe('This account is connected already')
  expect((await create({ ...form, client_id: 'other' })).body.message).toBe(
    'Google is connected already: change that connection',
  )
  await remove(made)
  expect((await root.call(googleLocationsContract.authUrl)).status).toBe(409)
})

test('an old system says who is signed in, and a page, a redirect and a refusal are said in words [MOVE-02]', async () => {
  const made = await make({ kind: 'legacy', address: `${app.url}/api/`, token: root.token! })
  expect(made).toMatchObject({ address: app.url, account: null, name: new URL(app.url).host })
  const as = { id: String(boss.id), name: 'olivia' }
  expect(await runTest(made)).toEqual({ ok: true, says: 'Signed in as olivia', as, found: {} })
  expect((await get(made)).body).toMatchObject({ account: as, state: 'works' })
  const twice = await create({ kind: 'legacy', address: app.url, token: 'x' })
  expect([twice.status, twice.body.message]).toEqual([409, 'This account is connected already'])
  await update(made, { token: 'expired' })
  expect(await runTest(made)).toMatchObject({ ok: false, says: 'The old system says: Please sign in' })

  let answer: RequestListener = (_, response) => response.end('<html><title>Administrator Login</title></html>')
  const server = createServer((request, response) => answer(request, response))
  const address = `http://127.0.0.1:${await startListening(server)}`
  try {
    await update(made, { address })
    const saysOf = async (listener: RequestListener) => {
      answer = listener
      return (await runTest(made)).says
    }
    expect(await saysOf(answer)).toBe('The old system answered a page (Administrator Login) instead of data')
    const redirect: RequestListener = (_, response) =>
      response.writeHead(302, { location: 'https://other.example/login?next=1' }).end()
    expect(await saysOf(redirect)).toBe('The old system sends to https://other.example/login instead of answering')
    expect(await saysOf((_, response) => response.writeHead(500).end('oops'))).toBe('The old system answered 500')
    expect(await saysOf((_, response) => response.end('{"error":"Token expired"}'))).toBe(
      'The old system says: Token expired',
    )
    expect(await saysOf((_, response) => response.end('{"id":1}'))).toBe(
      'The old system did not say whose token this is',
    )
    expect(await saysOf((request) => request.destroy())).toMatch(/^The old system cannot be reached: /)
  } finally {
    await stopListening(server)
  }
  await remove(made)
})

test('what the environment sets is listed first, wins, and is changed there [MOVE-02]', async () => {
  const first = await make({ kind: 'google', client_id: 'screen-client', client_secret: 'x' })
  const account = await make({ kind: 'callrail', account_id: 'ACC1', api_key: 'x' })
  const another = await make({ kind: 'callrail', account_id: 'ACC9', api_key: 'x' })
  const set = {
    ...settings,
    ...google.settings,
    ...callRail.settings,
    SMTP_URL: sink.url.replace('://', '://sue:secret@'),
    MAIL_FROM: 'env@b.example',
  }
  const other = await startApp({ settings: set, url: context.settings.DATABASE_URL! })
  try {
    const keeper = await other.as(boss)
    const all = await list(keeper)
    expect(all.map(({ source, kind, says }) => [source, kind, says])).toEqual([
      ['environment', expect.any(String), expect.any(String)],
      ['environment', expect.any(String), expect.any(String)],
      ['environment', expect.any(String), expect.any(String)],
      ['screen', 'callrail', null],
      ['screen', 'callrail', 'Not used: set by CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY'],
      ['screen', 'google', 'Not used: set by GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
    ])
    const words = {
      smtp: 'Set by SMTP_URL and MAIL_FROM',
      google: 'Set by GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
      callrail: 'Set by CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY',
    }
    expect(JSON.stringify(all)).not.toContain('secret@')
    for (const [kind, says] of Object.entries(words)) {
      const row = all.find((one) => one.kind === kind && one.source === 'environment')!
      expect(row).toMatchObject({ says, created_by: null, version: 1 })
      for (const answer of [await update(row, { name: 'Mine' }, keeper), await remove(row, keeper)])
        expect([answer.status, answer.body.message]).toEqual([409, `${says}: change it there`])
    }
    const smtp = { kind: 'smtp', url: sink.url, from: 'a@b.example' }
    const client = { kind: 'google', client_id: 'x', client_secret: 'x' }
    for (const form of [smtp, client]) {
      const refused = await create(form, keeper)
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `${form === smtp ? words.smtp : words.google}: change it there`,
      ])
    }
    const mail = all.find(({ kind }) => kind === 'smtp')!
    expect(mail).toMatchObject({ address: new URL(sink.url).href.replace(/\/$/, ''), account: { id: 'env@b.example' } })
    expect(await runTest(mail, keeper)).toMatchObject({ ok: true, as: { id: 'sue', name: 'sue' } })
    const tested = (await list(keeper)).find(({ id }) => id === mail.id)!
    expect(tested).toMatchObject({ state: 'works', says: expect.stringMatching(/^Set by SMTP_URL and MAIL_FROM\. /) })
    const used = await listConnections(other.context, 'callrail')
    expect(used.map(({ source, account_id }) => [source, account_id])).toEqual([
      ['screen', 'ACC9'],
      ['environment', 'ACC1'],
    ])
    expect(await readConnectionSecret(other.context, 'callrail', used[1]!.id)).toEqual({
      api_key: callRail.settings.CALLRAIL_API_KEY,
    })
    expect((await listConnections(other.context, 'google')).map(({ account_id }) => account_id)).toEqual([
      GOOGLE_CLIENT_ID,
    ])
    // A process without these settings knows nothing of them.
    expect((await list()).map(({ source }) => source)).toEqual(['screen', 'screen', 'screen'])
    expect((await get(mail)).status).toBe(404)
  } finally {
    await other.close()
  }
  for (const one of [first, account, another]) await remove(one)
})

test('only super admins connect; an API key never does [MOVE-02]', async () => {
  const admin = await app.as(await app.make.admin())
  expect((await admin.call(connectionsContract.list)).status).toBe(403)
  const form = { kind: 'callrail', account_id: 'ACC1', api_key: 'x' }
  expect((await create(form, admin)).status).toBe(403)
  const { body: key } = await root.call(apiKeysContract.create, {
    body: {
      name: 'Key',
      access: 'write',
      pages: { leads: 1 },
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  })
  const holder = caller(app.url, key.key)
  expect([(await holder.call(connectionsContract.list)).status, (await create(form, holder)).status]).toEqual([
    403, 403,
  ])
})

test('a connection is lost when it is refused twice, five minutes apart, until its first success [MOVE-15]', async () => {
  const made = await make({ kind: 'callrail', account_id: 'ACC8', api_key: 'key' })
  const record = (outcome: ConnectionOutcome) => recordConnectionUse(context.db, made.id, outcome)
  const refused: ConnectionOutcome = { state: 'refused', says: 'CallRail says: HTTP Token: Access denied.' }
  const isLost = async () => {
    const [row] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, made.id))
    return row!.lost_since !== null
  }
  await record(refused)
  await record(refused)
  expect(await isLost()).toBe(false)
  await context.db.update(connectionsTable).set({ refused_since: sql`now() - interval '5 minutes'` })
  await record({ state: 'unreachable', says: 'CallRail cannot be reached' })
  expect(await isLost()).toBe(false)
  await record(refused)
  expect(await isLost()).toBe(true)
  await record({ state: 'works' })
  expect(await isLost()).toBe(false)
  expect((await get(made)).body).toMatchObject({ state: 'works', says: null, used_at: expect.any(String) })
  await remove(made)
})
