import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { noPasswordHash, noPasswordMessage, notArrivedHash } from '#core/secrets/passwords.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { remoteTokensTable, sessionsTable, usersTable } from '#domains/access/schema.ts'
import { secondFactorContract, secondStepContract } from '#domains/access/second-factor/contract.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { clientsContract } from '../contract.ts'
import { clientsTable } from '../schema.ts'
import { readClientRecipients } from './recipients.ts'

let count = 0
const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin())

const form = (values: object = {}) => {
  count += 1
  return {
    name: `Summit Roofing ${count}`,
    user: { username: `summit-${count}`, email: `owner-${count}@summit.example` },
    password: 'a good password',
    timezone: 'America/Chicago',
    emails: 'desk@summit.example\n\n Boss@Summit.example \nDESK@summit.example',
    disable_notifications: 1,
    ...values,
  }
}
const made = async (values?: object) => (await keeper.call(clientsContract.create, { body: form(values) })).body
/** The body of PATCH, as the dialog sends it. */
const changes = (client: Awaited<ReturnType<typeof made>>, values: object = {}) => ({
  name: client.name,
  user: { username: client.user.username, email: client.user.email },
  timezone: client.timezone,
  emails: client.emails,
  disable_notifications: client.disable_notifications,
  version: client.version,
  ...values,
})
const signIn = (username: string, word: string) =>
  app.guest.call(sessionContract.login, { body: { username, password: word } })
/** Only a right password tells a customer where to sign in. */
const isTheirs = async (username: string, word: string) =>
  (await signIn(username, word)).body.error === 'Please use the client login site'
const newToken = async (id: number) =>
  (await keeper.call(clientsContract.newRemoteToken, { params: { id } })).body.token
const trade = async (token: string) => (await app.guest.call(sessionContract.authByToken, { body: { token } })).body

test('creating returns the client, and its account is a customer who can sign in [CL-20] [CL-21]', async () => {
  const { body } = await keeper.call(clientsContract.create, { body: form() })
  expect(body).toEqual({
    id: expect.any(Number),
    name: `Summit Roofing ${count}`,
    user: { id: expect.any(Number), username: `summit-${count}`, email: `owner-${count}@summit.example`, is_active: 1 },
    timezone: 'America/Chicago',
    emails: 'desk@summit.example\nBoss@Summit.example',
    billing_emails: '',
    phone: null,
    notes: null,
    disable_notifications: 1,
    campaigns: [],
    may_change: true,
    version: 1,
  })
  const [user] = await app.context.db.select().from(usersTable).where(eq(usersTable.id, body.user.id))
  expect([user!.role, user!.client_id]).toEqual(['customer', body.id])
  expect(await isTheirs(`summit-${count}`, 'a good password')).toBe(true)
})

test('the defaults are New York, no additional emails, and notifications on [CL-21]', async () => {
  const { name, user, password: word } = form()
  const { body } = await keeper.call(clientsContract.create, { body: { name, user, password: word } })
  expect(body).toMatchObject({ timezone: 'America/New_York', emails: '', disable_notifications: 0 })
})

test('more emails are kept as addresses, without a name, a link, an unseen sign or a repeat [CL-21, ACCT-03]', async () => {
  const emails = [
    ' Mary <mary@sue.example> ',
    'mailto:books@sue.example',
    'desk@sue.example ;',
    'cfo@sue.example\u0000',
  ]
  const lines = [...emails, 'MARY@sue.example', '“Mary” <mary@sue.example>'].join('\n')
  const kept = 'mary@sue.example\nbooks@sue.example\ndesk@sue.example\ncfo@sue.example'
  const body = form({ emails: lines, billing_emails: lines })
  expect((await keeper.call(clientsContract.create, { body })).body).toMatchObject({
    emails: kept,
    billing_emails: kept,
  })
})

test('more emails may be pasted as a mail program lists them, and what is none is named [CL-21, EDGE-05]', async () => {
  const send = async (emails: string) => {
    const { status, body } = await keeper.call(clientsContract.create, { body: form({ emails }) })
    return status === 200 ? body.emails : body.errors.emails
  }
  const pasted = [
    'Joan Roof <joan@roof.example>; bob@roof.example;',
    '"Roof, Ann" <ann@roof.example>, Roof, Ben <ben@roof.example>,cy@roof.example',
    "'Dee' <dee@roof.example> , Eve Roof <eve@roof.example>",
  ]
  expect(await send(pasted.join('\n'))).toBe(
    ['joan', 'bob', 'ann', 'ben', 'cy', 'dee', 'eve'].map((name) => `${name}@roof.example`).join('\n'),
  )
  expect(await send('joan@roof.example; nobody, bob@roof.example')).toEqual(['Line 1: ‘nobody’ is not an email'])
  expect(await send('ann@roof.example\nnobody, Bob Roof <bob@roof.example>; and I')).toEqual([
    'Line 2: ‘and I’ is not an email',
  ])
})

test('emails at international domains are taken, and mail goes to them once, however they are written [EDGE-05]', async () => {
  const { username } = form().user
  const lines = 'books@Müller.example\nbooks@xn--mller-kva.example'
  const user = { username, email: 'info@müller.example' }
  const { body } = await keeper.call(clientsContract.create, {
    body: form({ user, emails: lines, disable_notifications: 0 }),
  })
  expect(await readClientRecipients(app.context.db, body.id)).toEqual([
    'info@xn--mller-kva.example',
    'books@xn--mller-kva.example',
  ])
  await app.context.db.update(usersTable).set({ deleted_at: new Date() }).where(eq(usersTable.id, body.user.id))
  expect(await readClientRecipients(app.context.db, body.id), 'without its account').toEqual([
    'books@xn--mller-kva.example',
  ])
  await app.context.db.update(usersTable).set({ deleted_at: null }).where(eq(usersTable.id, body.user.id))
  const again = form({ user: { username: 'other', email: 'INFO@MÜLLER.example' }, emails: 'josé@sue.example' })
  expect(await keeper.call(clientsContract.create, { body: again })).toMatchObject({
    status: 422,
    body: {
      errors: { emails: ['Line 1: ‘josé@sue.example’: Only plain letters without accents can stand before the @'] },
    },
  })
  expect(await keeper.call(clientsContract.create, { body: { ...again, emails: '' } })).toMatchObject({
    body: { errors: { 'user.email': ['This email is taken'] } },
  })
})

test('the list is searched by name, email and campaign, sorted, and paged; nopag is a plain list [CL-19]', async () => {
  const [zebra, ant] = [await made({ name: 'Zebra Movers' }), await made({ name: 'ant pest control' })]
  await app.make.campaign({ client_id: ant.id, name: 'Termites of Zebraville' })
  const ids = async (query: object) =>
    (await keeper.call(clientsContract.list, { query: { ...query } })).body.data.map(
      (client: { id: number }) => client.id,
    )
  expect(await ids({ search: 'ZEBRA' })).toEqual([ant.id, zebra.id])
  expect(await ids({ search: 'zebra', sort: 'name', order: 'desc' })).toEqual([zebra.id, ant.id])
  expect(await ids({ search: zebra.user.email })).toEqual([zebra.id])
  expect(await ids({ search: zebra.user.username })).toEqual([zebra.id])
  expect(await ids({ search: '%' })).toEqual([])
  const page = await keeper.call(clientsContract.list, { query: { search: 'zebra', per_page: 1, page: 2 } })
  expect(page.body).toMatchObject({ data: [{ id: zebra.id }], meta: { total: 2 } })
  for (const sort of ['id', 'user.email', 'disable_notifications', 'timezone', 'user.is_active'])
    expect(await ids({ search: 'zebra', sort })).toHaveLength(2)
  const all = await keeper.call(clientsContract.list, { query: { nopag: 1 } })
  expect(all.body.map((client: { name: string }) => client.name)).toContain('Zebra Movers')
  expect((await keeper.call(clientsContract.list, { query: { sort: 'password_hash' } })).status).toBe(422)
})

test('one client is read by its id; an unknown one is 404 [CL-22]', async () => {
  const client = await made()
  const { body } = await keeper.call(clientsContract.get, { params: { id: client.id } })
  expect(body).toEqual({ ...client, user: { ...client.user, remote_token: null } })
  expect((await keeper.call(clientsContract.get, { params: { id: 999_999 } })).status).toBe(404)
})

test('editing changes only the fields sent [CL-24]', async () => {
  const client = await made()
  const whole = await keeper.call(clientsContract.update, {
    params: { id: client.id },
    body: changes(client, {
      name: 'Granite Roofing',
      emails: '',
      user: { username: 'granite', email: 'g@granite.example' },
    }),
  })
  expect(whole.body).toMatchObject({ name: 'Granite Roofing', emails: '', timezone: 'America/Chicago' })
  expect(whole.body.user).toMatchObject({ id: client.user.id, username: 'granite', email: 'g@granite.example' })
  const part = await keeper.call(clientsContract.update, {
    params: { id: client.id },
    body: { disable_notifications: 0 },
  })
  expect(part.body).toEqual({ ...whole.body, disable_notifications: 0, version: whole.body.version + 1 })
})

test('an empty password keeps the old one; a new one ends sessions and the remote token [CL-12]', async () => {
  const client = await made()
  const { id, username } = client.user
  const token = await newToken(id)
  const customer = await app.as({ id })
  const edit = (word: string) =>
    keeper.call(clientsContract.update, {
      params: { id: client.id },
      body: { ...changes(client), version: undefined, password: word },
    })
  expect((await edit('')).status).toBe(200)
  expect(await isTheirs(username, 'a good password')).toBe(true)
  expect((await customer.call(sessionContract.me)).status).toBe(200)
  expect((await edit('another password')).status).toBe(200)
  expect(await isTheirs(username, 'another password')).toBe(true)
  expect(await isTheirs(username, 'a good password')).toBe(false)
  expect((await customer.call(sessionContract.me)).status).toBe(401)
  expect(await trade(token)).toHaveProperty('error')
})

test('changing what a client signs in with asks again who one is, and the rest of the form does not [SIGN-01]', async () => {
  const client = await made()
  const editor = await app.make.superAdmin()
  const late = await app.as(editor)
  await app.context.db
    .update(sessionsTable)
    .set({ proven_at: sql`now() - interval '16 minutes'` })
    .where(eq(sessionsTable.user_id, editor.id))
  const save = (values: object) =>
    late.call(clientsContract.update, { params: { id: client.id }, body: changes(client, values) })
  const before = await app.dump()
  for (const { status, body } of [
    await save({ password: 'another password' }),
    await save({ user: { ...changes(client).user, email: 'another@client.example' } }),
    await save({ user: { ...changes(client).user, username: 'another nickname' } }),
    await late.call(clientsContract.create, { body: form() }),
    await late.call(clientsContract.create, { body: form({ password: undefined, invite: 1 }) }),
  ])
    expect([status, body.reauthenticate]).toEqual([403, true])
  expect(await app.dump()).toBe(before)
  expect((await save({ name: 'Renamed', password: '' })).status).toBe(200)
})

test('an API key makes no account to sign in with, invited or not [OPEN-01]', async () => {
  const maker = await app.as(await app.make.admin({ permissions: ['clients', 'campaigns'] }))
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const key = { name: 'CRM', pages: { clients: 1, campaigns: 1 }, access: 'write', expires_at }
  const by = caller(app.url, (await maker.call(apiKeysContract.create, { body: key })).body.key)
  const countAccounts = () => app.context.db.$count(usersTable)
  const before = await countAccounts()
  for (const values of [{}, { password: undefined, invite: 1 }]) {
    const { status, body } = await by.call(clientsContract.create, { body: form(values) })
    expect([status, body.message]).toEqual([403, 'An API key may not make or change what a client signs in with'])
  }
  expect(await countAccounts()).toBe(before)
})

test('deactivating ends sessions immediately; activating allows sign-in again [CL-25]', async () => {
  const client = await made()
  const [customer, token] = [await app.as(client.user), await newToken(client.user.id)]
  const set = (is_active: unknown) => keeper.call(clientsContract.status, { body: { id: client.id, is_active } })
  expect((await set(0)).body.user.is_active).toBe(0)
  expect((await customer.call(sessionContract.me)).status).toBe(401)
  expect(await isTheirs(client.user.username, 'a good password')).toBe(false)
  expect((await set(0)).status).toBe(200)
  expect((await set(1)).body.user.is_active).toBe(1)
  // Old sessions stay ended: a new sign-in is needed.
  expect((await customer.call(sessionContract.me)).status).toBe(401)
  expect(await trade(token)).toHaveProperty('error')
  expect(await isTheirs(client.user.username, 'a good password')).toBe(true)
  expect((await keeper.call(clientsContract.status, { body: { id: 999_999, is_active: 1 } })).status).toBe(404)
  expect((await set('yes')).body.errors).toEqual({ is_active: ['Must be 0 or 1'] })
})

test('a form that was open while the client changed their own email does not take that back', async () => {
  const client = await made()
  const email = `own-${client.id}@summit.example`
  await app.context.db.transaction((tx) => updateAccount(tx, { me: null }, client.user.id, { email })) // as their link does
  const save = (body: object) => keeper.call(clientsContract.update, { params: { id: client.id }, body })
  const late = await save(changes(client, { name: 'Renamed' }))
  expect([late.status, late.body.newer?.user.email]).toEqual([409, email])
  const saved = await save(changes(late.body.newer, { name: 'Renamed' }))
  expect([saved.status, saved.body.user.email]).toEqual([200, email])
  expect((await save(changes(saved.body, { name: 'Again' }))).status).toBe(200)
})

test('of two saves of the same version at once one is kept, and the other is refused with it', async () => {
  const client = await made()
  const names = ['First', 'Second']
  const pending = await app.context.db.transaction(async (tx) => {
    await tx.select().from(clientsTable).where(eq(clientsTable.id, client.id)).for('update')
    const saves = names.map((name) =>
      keeper.call(clientsContract.update, { params: { id: client.id }, body: changes(client, { name }) }),
    )
    await until(async () => (await countLockWaits()) === names.length)
    return { saves }
  })
  const answers = await Promise.all(pending.saves)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const kept = answers.find(({ status }) => status === 200)!.body
  expect(answers.find(({ status }) => status === 409)!.body.newer).toMatchObject({ name: kept.name, version: 2 })
})

async function countLockWaits(): Promise<number> {
  const { rows } = await app.context.pool.query<{ waits: number }>(
    `select count(*)::int as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.waits
}

describe('deleting', () => {
  test('removes the client, its account and all access [CL-23]', async () => {
    const client = await made()
    const token = await newToken(client.user.id)
    const customer = await app.as(client.user)
    expect((await keeper.call(clientsContract.remove, { params: { id: client.id } })).status).toBe(204)
    expect((await keeper.call(clientsContract.get, { params: { id: client.id } })).status).toBe(404)
    expect((await keeper.call(clientsContract.remove, { params: { id: client.id } })).status).toBe(404)
    expect((await customer.call(sessionContract.me)).status).toBe(401)
    expect(await trade(token)).toHaveProperty('error')
    // The names are free again.
    const again = form({ user: { username: client.user.username, email: client.user.email } })
    expect((await keeper.call(clientsContract.create, { body: again })).status).toBe(200)
  })

  test('is refused with active campaigns, and says how many', async () => {
    const client = await made()
    await app.make.campaign({ client_id: client.id, archived: true })
    await app.make.campaign({ client_id: client.id })
    const refused = async () => {
      const before = await app.dump()
      const { status, body } = await keeper.call(clientsContract.remove, { params: { id: client.id } })
      expect(await app.dump()).toBe(before)
      return [status, body.message]
    }
    expect(await refused()).toEqual([409, 'This client has an active campaign: archive it first'])
    await app.make.campaign({ client_id: client.id })
    expect(await refused()).toEqual([409, 'This client has 2 active campaigns: archive them first'])
  })
})

describe('a remote token', () => {
  test('is returned in full on creation and in the client, in no list, and is stored encrypted (R20) [CL-26]', async () => {
    const client = await made()
    const token = await newToken(client.user.id)
    expect(token).toMatch(/^[\w-]{43}$/)
    const { body } = await keeper.call(clientsContract.get, { params: { id: client.id } })
    expect(body.user.remote_token).toBe(token)
    for (const query of [{}, { nopag: 1 }]) {
      const list = await keeper.call(clientsContract.list, { query: { search: client.name, ...query } })
      expect(JSON.stringify(list.body)).not.toMatch(/remote_token|password/)
    }
    const [stored] = await app.context.db
      .select()
      .from(remoteTokensTable)
      .where(eq(remoteTokensTable.user_id, client.user.id))
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(stored!.token_encrypted.toString('latin1')).not.toContain(token)
    const days = (stored!.expires_at.getTime() - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
    const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, client.user.id))
    expect(trail.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['remote token', 'look at a remote token']))
    expect(JSON.stringify(trail)).not.toContain(token)
  })

  test('replaces the previous one, which is then refused [CL-27]', async () => {
    const client = await made()
    const [first, second] = [await newToken(client.user.id), await newToken(client.user.id)]
    expect(await trade(first)).toHaveProperty('error')
    const { token } = await trade(second)
    const [born] = await app.context.db.select().from(sessionsTable).where(eq(sessionsTable.user_id, client.user.id))
    expect([typeof token, born!.via]).toEqual(['string', 'remote_token'])
  })

  test('a new one ends the sessions that were begun with the previous one, and no others [CL-27]', async () => {
    const client = await made()
    const { token } = await trade(await newToken(client.user.id))
    const [byLink, byPassword] = [caller(app.url, token!), await app.as(client.user)]
    expect((await byLink.call(sessionContract.me)).status).toBe(200)
    await newToken(client.user.id)
    expect((await byLink.call(sessionContract.me)).status).toBe(401)
    expect((await byPassword.call(sessionContract.me)).status).toBe(200)
  })

  test('proves nothing: what it opens asks for the password before a way to sign in is added [SIGN-01]', async () => {
    const client = await made()
    const { token } = await trade(await newToken(client.user.id))
    const byLink = caller(app.url, token!)
    const refused = await byLink.call(secondFactorContract.beginTotp)
    expect([refused.status, refused.body]).toMatchObject([403, { reauthenticate: true }])
    const prove = () => byLink.call(secondStepContract.reauthenticate, { body: { password: 'a good password' } })
    const { id } = client.user
    const ofUser = eq(usersTable.id, id)
    const [held] = await app.context.db.select().from(usersTable).where(ofUser)
    for (const password_hash of [notArrivedHash, noPasswordHash]) {
      await app.context.db.update(usersTable).set({ password_hash }).where(ofUser)
      expect((await prove()).body.errors).toEqual({ password: [noPasswordMessage] })
    }
    await app.context.db.update(usersTable).set({ password_hash: held!.password_hash }).where(ofUser)
    expect((await prove()).status).toBe(204)
    expect((await byLink.call(secondFactorContract.beginTotp)).status).toBe(200)
  })

  test('is refused while the account is inactive, and never created for an inactive one [CL-28]', async () => {
    const client = await made()
    const token = await newToken(client.user.id)
    await keeper.call(clientsContract.status, { body: { id: client.id, is_active: 0 } })
    expect(await trade(token)).toHaveProperty('error')
    const before = await app.dump()
    const off = await keeper.call(clientsContract.newRemoteToken, { params: { id: client.user.id } })
    expect([off.status, off.body.message]).toEqual([409, 'This client is not active: switch it on first'])
    expect(await app.dump()).toBe(before)
  })

  test('is never created for staff [CL-28]', async () => {
    const staff = [await app.make.admin(), await app.make.handler(), await app.make.superAdmin()]
    const before = await app.dump()
    for (const { id } of staff)
      expect((await keeper.call(clientsContract.newRemoteToken, { params: { id } })).status).toBe(404)
    expect(await app.dump()).toBe(before)
  })
})

describe('rights', () => {
  test('a user who sees some of its campaigns reads the client with those, and cannot change it', async () => {
    const client = await made()
    const mine = await app.make.campaign({ client_id: client.id, name: 'Mine' })
    await app.make.campaign({ client_id: client.id, name: 'Hidden away' })
    await newToken(client.user.id)
    const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
    const { body } = await admin.call(clientsContract.get, { params: { id: client.id } })
    expect(body.campaigns).toEqual([{ id: mine.id, name: 'Mine', archived: 0 }])
    expect(body.may_change).toBe(false)
    expect(body.user).not.toHaveProperty('remote_token')
    expect((await admin.call(clientsContract.list, { query: { search: 'hidden away' } })).body.data).toEqual([])
    const before = await app.dump()
    const tries = [
      admin.call(clientsContract.update, { params: { id: client.id }, body: { name: 'Taken over' } }),
      admin.call(clientsContract.remove, { params: { id: client.id } }),
      admin.call(clientsContract.status, { body: { id: client.id, is_active: 0 } }),
      admin.call(clientsContract.newRemoteToken, { params: { id: client.user.id } }),
    ]
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403)
    expect(await app.dump()).toBe(before)
  })

  test('a user who sees none of its campaigns does not see the client; everyone sees a client without campaigns', async () => {
    const [theirs, fresh] = [await made({ name: 'Quarry Theirs' }), await made({ name: 'Quarry Fresh' })]
    await app.make.campaign({ client_id: theirs.id })
    const admin = await app.as(await app.make.admin())
    const { body } = await admin.call(clientsContract.list, { query: { search: 'quarry' } })
    expect([body.data.map((client: { id: number }) => client.id), body.meta.total]).toEqual([[fresh.id], 1])
    const before = await app.dump()
    const tries = [
      admin.call(clientsContract.get, { params: { id: theirs.id } }),
      admin.call(clientsContract.update, { params: { id: theirs.id }, body: { name: 'Taken over' } }),
      admin.call(clientsContract.remove, { params: { id: theirs.id } }),
      admin.call(clientsContract.status, { body: { id: theirs.id, is_active: 0 } }),
      admin.call(clientsContract.newRemoteToken, { params: { id: theirs.user.id } }),
    ]
    for (const { status } of await Promise.all(tries)) expect(status).toBe(404)
    expect(await app.dump()).toBe(before)
    expect(
      (await admin.call(clientsContract.update, { params: { id: fresh.id }, body: { name: 'Quarry' } })).status,
    ).toBe(200)
  })

  test('users with only Campaigns pick clients by name, and cannot sort or search by other fields', async () => {
    const client = await made({ name: 'Pickable' })
    const picker = await app.as(await app.make.admin({ permissions: ['campaigns'] }))
    for (const query of [{ search: 'pickable' }, { search: 'pickable', nopag: 1 }]) {
      const { body } = await picker.call(clientsContract.list, { query })
      expect(body.data ?? body).toEqual([{ id: client.id, name: 'Pickable' }])
    }
    expect((await picker.call(clientsContract.list, { query: { search: client.user.email } })).body.data).toEqual([])
    expect((await picker.call(clientsContract.list, { query: { sort: 'user.email' } })).status).toBe(422)
    expect((await picker.call(clientsContract.get, { params: { id: client.id } })).status).toBe(403)
  })

  test('time zones are a map from code to label, for users with any page', async () => {
    const admin = await app.as(await app.make.admin({ permissions: ['ipAddresses'] }))
    const { body } = await admin.call(clientsContract.timezones)
    expect(body).toMatchObject({ 'America/New_York': expect.stringContaining('Eastern') })
  })
})

describe('refused at its field without a change', () => {
  const long = 'x'.repeat(129)
  test.each([
    ['no name', { name: ' ' }, { name: ['Please input name'] }],
    ['no nickname', { user: { username: '', email: 'a@b.example' } }, { 'user.username': ['Please input nickname'] }],
    ['no email', { user: { username: 'ann', email: '' } }, { 'user.email': ['Please enter email'] }],
    ['a wrong email', { user: { username: 'ann', email: 'ann' } }, { 'user.email': ['Email is not valid'] }],
    ['no password', { password: '' }, { password: ['Please enter password'] }],
    ['a short password', { password: 'seven77' }, { password: ['The password must be at least 8 character'] }],
    ['a long password', { password: long }, { password: ['The password must be at most 128 characters'] }],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, { timezone: ['Please select a time zone'] }],
    [
      'wrong lines',
      { emails: 'a@b.example\n\u200b\nnobody\nc@d.example\n@' },
      { emails: ['Line 3: ‘nobody’ is not an email', 'Line 5: ‘@’ is not an email'] },
    ],
    [
      'too many emails',
      { emails: Array.from({ length: 21 }, (_, n) => `a${n}@b.example`).join('\n') },
      { emails: ['At most 20 emails'] },
    ],
    ['a role', { role: 'super_admin' }, { role: ['This field is not accepted'] }],
    [
      'an account’s id',
      { user: { id: 1, username: 'ann', email: 'a@b.example' } },
      { 'user.id': ['This field is not accepted'] },
    ],
  ])('%s', async (_, wrong, errors) => {
    const client = await made()
    const before = await app.dump()
    const created = await keeper.call(clientsContract.create, { body: form(wrong) })
    expect([created.status, created.body.errors]).toEqual([422, errors])
    if (
      !('role' in wrong) &&
      !JSON.stringify(wrong).includes('"id"') &&
      !('password' in wrong && wrong.password === '')
    ) {
      const updated = await keeper.call(clientsContract.update, {
        params: { id: client.id },
        body: changes(client, wrong),
      })
      expect([updated.status, updated.body.errors]).toEqual([422, errors])
    }
    expect(await app.dump()).toBe(before)
  })

  test('an empty form, with the sentence of each required field [API-18]', async () => {
    const { status, body } = await keeper.call(clientsContract.create, { body: {} })
    expect([status, body.errors]).toEqual([
      422,
      {
        name: ['Please input name'],
        'user.username': ['Please input nickname'],
        'user.email': ['Please enter email'],
        password: ['Please enter password'],
      },
    ])
  })

  test('a nickname or an email that is taken as either', async () => {
    const other = await app.make.superAdmin({ username: 'Olga', email: 'olga@leadline.example' })
    const client = await made()
    const before = await app.dump()
    const tries: [object, string, string][] = [
      [{ username: 'OLGA', email: 'new@b.example' }, 'user.username', 'This name is taken'],
      [{ username: other.email, email: 'new@b.example' }, 'user.username', 'This name is taken'],
      [{ username: 'new', email: 'OLGA@leadline.example' }, 'user.email', 'This email is taken'],
    ]
    for (const [user, field, line] of tries)
      for (const answer of [
        await keeper.call(clientsContract.create, { body: form({ user }) }),
        await keeper.call(clientsContract.update, { params: { id: client.id }, body: { user } }),
      ])
        expect([answer.status, answer.body.errors]).toEqual([409, { [field]: [line] }])
    expect(await app.dump()).toBe(before)
  })

  test('when two requests take the same nickname, one gets it', async () => {
    const user = { username: 'at-once', email: 'at-once@b.example' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => keeper.call(clientsContract.create, { body: form({ user }) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('another account’s id, so that no staff password is changed through a client', async () => {
    const boss = await app.make.superAdmin()
    const client = await made()
    const before = await app.dump()
    const answer = await keeper.call(clientsContract.update, {
      params: { id: client.id },
      body: { user: { id: boss.id }, password: 'taken over' },
    })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { 'user.id': ['This is not the account of this client'] },
    ])
    expect(await app.dump()).toBe(before)
    expect((await signIn(boss.username, password)).body).toHaveProperty('token')
    const own = await keeper.call(clientsContract.update, {
      params: { id: client.id },
      body: { user: { id: client.user.id } },
    })
    expect(own.status).toBe(200)
  })
})

test('a client without an account gets one with the first complete edit', async () => {
  const { id } = await app.make.client()
  const first = await keeper.call(clientsContract.update, { params: { id }, body: { user: { username: 'late' } } })
  expect(first.body.errors).toEqual({ 'user.email': ['Please enter email'], password: ['Please enter password'] })
  const user = { username: 'late', email: 'late@b.example' }
  const { body } = await keeper.call(clientsContract.update, {
    params: { id },
    body: { user, password: 'a good password' },
  })
  expect(body.user).toMatchObject({ ...user, is_active: 1 })
})
