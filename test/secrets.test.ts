import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints, backupPlan } from '#app/server/parts.ts'
import { permissionFlags } from '#contract/allow.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { findResponseSecrets } from '#contract/secret-fields.ts'
import { writeBackup } from '#core/backup/back-up.ts'
import { auditTable } from '#core/db/schema.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { userCampaignsTable } from '#domains/access/schema.ts'
import { secondFactorContract } from '#domains/access/second-factor/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { getRefreshTokenContext, googleAccountsTable } from '#domains/listings/google/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { createWriteStage, endedStatement, writeExamples } from '#test/write-examples.ts'

/**
 * An API key reads no secret: not what its answers hold, and not what lies in the database. Every encrypted value that is a secret is
 * planted, then every call is made by keys with all pages, and their answers are searched.
 */
const app = await setUp(startApp({ settings: { GOOGLE_CLIENT_ID: 'agency', GOOGLE_CLIENT_SECRET: 'x' } }))
const { make } = app
const { db, secrets, pool } = app.context
const boss = await make.superAdmin({ username: 'olivia' })
const root = await app.as(boss)
const endpoints = allEndpoints.map(({ endpoint }) => endpoint)

/** What is encrypted because it is about people; those who may see its row read it. */
const personalColumns = [
  ...['erasures.person', 'import_files.content', 'import_refused.content', 'campaign_gmbs.recovery_email'],
  'messages.content', // the links in it are among the secrets
  'idempotency_keys.answer', // a whole answer: the secrets in it are named on their own
]
const secretColumns = backupPlan.encryptedColumns.filter(
  ({ table, column }) => !personalColumns.includes(`${table}.${column}`),
)

/** Every secret that the database holds now, by its column, and what only its holder has. */
async function readSecrets(): Promise<Map<string, string>> {
  const found = new Map(told)
  const open = async ({ table, column, id }: (typeof backupPlan.encryptedColumns)[number]) => {
    const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
      `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null`,
    )
    return rows.map((row) => secrets.open(row.sealed, `${table}.${column}:${row.id}`))
  }
  for (const place of secretColumns)
    for (const secret of await open(place)) found.set(secret, `${place.table}.${place.column}`)
  for (const content of await open({ table: 'messages', column: 'content', id: 'dedupe_key' }))
    for (const [, key] of content.matchAll(/[?&]\w*key=([\w-]{20,})/g)) found.set(key!, 'a link in an email')
  return found
}
/** Secrets of which the database has only the hash. */
const told = new Map([[root.token!, 'a session token']])
const findLeaks = (text: string, held: Map<string, string>) =>
  [...held].flatMap(([secret, kind]) => (text.includes(JSON.stringify(secret).slice(1, -1)) ? [kind] : []))

const stage = await createWriteStage(app, root)
const { site, client, lead, customer, campaign } = stage
const gmbForm = {
  ...{ title: 'Listing', campaign_id: campaign.id, status: 1, password: 'the password of a listing' },
  link: 'https://maps.google.com/maps?cid=9876543210987654321',
}
const gmb = await stage.created('/campaign-gmb', gmbForm)
const source = await stage.created('/intakes', { name: 'Zapier', clientsite_id: site.id })
await plantSecrets()
const keeper = await make.admin({ campaigns: [campaign.id], permissions: [...permissionFlags] })
const admin = await app.as(keeper)

async function plantSecrets() {
  await stage.created(`/user/${customer.id}/remoteToken`)
  const signed = { url: site.url, forms_only: true, campaign_id: campaign.id }
  await stage.created(`/clientsite/${site.id}`, { ...signed, callrail_signing_key: 'the key of CallRail' }, 'PUT')
  const webhook = { url: 'https://receiver.example/hook', events: ['lead.created'] }
  await stage.created('/webhooks', webhook)
  await stage.created('/user/watches', { webhook_url: 'https://chat.example/services/T0/B0/abc', watches: [] }, 'PUT')
  told.set((await stage.created(`/client/${client.id}/reports`, { period: 'month', from: '2026-10-01' })).key, 'report')
  told.set((await stage.created(`/statements/${endedStatement(stage)}/send`, {})).key, 'statement')
  const { secret } = (await root.call(secondFactorContract.beginTotp)).body
  expect(secret).toEqual(expect.any(String))
  const mailServer = { kind: 'smtp', url: 'smtp://agency:opensesame@mail.example', from: 'leads@agency.example' }
  await root.call(connectionsContract.create, { body: mailServer })
  const [account] = await db
    .insert(googleAccountsTable)
    .values({ subject: '1', email: 'a@b.example', account_name: 'A', refresh_token: Buffer.alloc(0) })
    .returning()
  await db
    .update(googleAccountsTable)
    .set({ refresh_token: secrets.seal('a token of Google', getRefreshTokenContext(account!.id)) })
}

/** Returns callers with the pages of a person in turn, so that none comes to its limit of calls a minute. */
function createKeys(maker: Caller, access: 'read' | 'write') {
  const pages = Object.fromEntries(permissionFlags.map((flag) => [flag, 1]))
  let by: Caller | null = null
  let calls = 0
  return async () => {
    if (by === null || calls++ % 100 === 0) {
      const form = { name: 'Key', access, pages, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
      const { key } = (await maker.call(apiKeysContract.create, { body: form })).body
      by = caller(app.url, key)
    }
    return by
  }
}

const ids: [start: string, id: number][] = [
  ['/campaign-gmb/', gmb.id],
  ['/campaign/', campaign.id],
  ['/lead/chart/', campaign.id],
  ['/client/', client.id],
  ['/clientsite/', site.id],
  ['/intakes/', source.id],
  ['/lead/', lead.id],
  ['/recording/', lead.id],
]
const toAddress = ({ path }: Endpoint) =>
  `/api${path.replace(/:\w+/g, String(ids.find(([start]) => path.startsWith(start))?.[1] ?? 1))}`
const reads = endpoints.filter(({ method, path }) => method === 'GET' && path !== '/leads/events')

test('every secret of the database is planted, and its person reads those that a response has', async () => {
  const held = await readSecrets()
  const kinds = new Set(held.values())
  for (const { table, column } of secretColumns) expect(kinds).toContain(`${table}.${column}`)
  const holders: string[] = []
  for (const endpoint of reads) {
    const answer = await root.fetch(toAddress(endpoint))
    if (findLeaks(await answer.text(), held).length > 0) holders.push(endpoint.address)
  }
  expect(holders.toSorted()).toEqual([
    'GET /campaign-gmb/:id/secret',
    'GET /client/:id',
    'GET /clientsite/:id/hook',
    'GET /intakes',
    'GET /intakes/:id',
    'GET /user/watches',
  ])
})

const makers = { 'a super admin': root, 'an admin': admin }
test.each([
  ['a super admin', 'read'],
  ['an admin', 'read'],
  ['an admin', 'write'],
] as const)('no GET by an API key of %s that may %s holds a secret [OPEN-01]', async (maker, access) => {
  const held = await readSecrets()
  const next = createKeys(makers[maker], access)
  const refused: string[] = []
  for (const endpoint of reads) {
    const answer = await (await next()).fetch(toAddress(endpoint))
    const text = await answer.text()
    expect(findLeaks(`${JSON.stringify([...answer.headers])} ${text}`, held), endpoint.address).toEqual([])
    if (endpoint.secret) refused.push(`${answer.status} ${text}`)
    if (answer.status === 200 && endpoint.response) endpoint.response.parse(JSON.parse(text))
  }
  expect(refused).toEqual([
    '403 {"message":"Secrets are not shown to API keys"}',
    '403 {"message":"Secrets are not shown to API keys"}',
  ])
})

test('the live stream of an API key holds no secret [OPEN-01]', async () => {
  const held = await readSecrets()
  const by = await createKeys(root, 'read')()
  const stop = new AbortController()
  const answer = await by.fetch('/api/leads/events', { signal: stop.signal })
  expect(answer.status).toBe(200)
  const form = { campaign_id: campaign.id, clientsite_id: site.id, lead_date: '2026-11-20', lead_time: '10:30' }
  const made = await stage.created('/lead/create', { ...form, lead_type: 'Form', lead_id: 'live', lead_name: 'Ada' })
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(`"id":${made.id}`)) break
  }
  stop.abort()
  expect(findLeaks(text, held)).toEqual([])
})

test('no write by an API key returns a secret that was there before [OPEN-01]', { timeout: 120_000 }, async () => {
  const next = createKeys(admin, 'write')
  const done: string[] = []
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const example = writeExamples[endpoint.address]
    const prepared = await createWriteStage(app, root)
    await db.insert(userCampaignsTable).values({ user_id: keeper.id, campaign_id: prepared.campaign.id })
    const sent = await example?.(prepared)
    const held = await readSecrets()
    const by = await next()
    const answer = sent
      ? await by.call({ ...endpoint, response: undefined }, sent)
      : await by.call({ ...endpoint, response: undefined }, { params: idOf(endpoint), body: {} })
    if (answer.status < 300) done.push(endpoint.address)
    const text = JSON.stringify([[...answer.headers], answer.body])
    expect(findLeaks(text, held), endpoint.address).toEqual([])
  }
  expect(done).toEqual(
    expect.arrayContaining([
      ...['PUT /intakes/:id', 'PUT /clientsite/:id', 'PATCH /client-resource/:id', 'POST /client/status'],
      ...['PUT /campaign-gmb/:id', 'POST /client/:id/reports', 'POST /webhooks', 'POST /intakes'],
    ]),
  )
})
const idOf = ({ path }: Endpoint) =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ids.find(([s]) => path.startsWith(s))?.[1] ?? 1]),
  )

test('the row in a 409 holds no secret for an API key [OPEN-01]', async () => {
  const by = await createKeys(admin, 'write')()
  const send = (who: Caller, body: object) =>
    who.call(customSourcesContract.update, { params: { id: source.id }, body })
  const { version } = (await send(root, { name: 'Renamed' })).body
  const { status, body } = await send(by, { name: 'Again', version: version - 1 })
  expect([status, body.newer]).toMatchObject([409, { name: 'Renamed', key: null, url: null }])
  expect((await send(root, { name: 'Again', version: version - 1 })).body.newer.key).toBe(source.key)
})

test('what an API key makes is told to it once, in the answer of making [OPEN-01]', async () => {
  const by = await createKeys(admin, 'write')()
  const made = (await by.call(customSourcesContract.create, { body: { name: 'New', clientsite_id: site.id } })).body
  expect(made).toMatchObject({ key: expect.any(String), url: expect.stringContaining(made.key) })
  const again = (await by.call(customSourcesContract.get, { params: { id: made.id } })).body
  expect(again).toMatchObject({ name: 'New', key: null, url: null })
  const hook = (await by.call(clientSitesContract.newHookKey, { params: { id: site.id } })).body
  expect(hook.key).toEqual(expect.any(String))
  expect((await by.call(clientSitesContract.hook, { params: { id: site.id } })).body.key).toBeNull()
  const webhook = { url: 'https://receiver.example/hook', events: ['statement.sent'] }
  expect((await by.call(webhooksContract.create, { body: webhook })).body.secret).toEqual(expect.any(String))
  expect((await by.call(webhooksContract.list)).body[0]).not.toHaveProperty('secret')
  // Accounts are never made by keys, and so no sign-in link.
  expect((await by.call(clientsContract.newRemoteToken, { params: { id: customer.id } })).status).toBe(403)
})

test('a client’s sign-in link that a key asked for is not in the audit log as looked at', async () => {
  const by = await createKeys(admin, 'read')()
  const looks = () => db.$count(auditTable, eq(auditTable.kind, 'look at a remote token'))
  const before = await looks()
  const { body } = await by.call(clientsContract.get, { params: { id: client.id } })
  expect(body.user).toMatchObject({ id: customer.id, remote_token: null })
  expect(await looks()).toBe(before)
  await root.call(clientsContract.get, { params: { id: client.id } })
  expect(await looks()).toBe(before + 1)
})

/** A new field of such a name is declared as a secret, made by its write, or named here. */
const secretName = /(^|_)(token|secret|password|key|recovery_codes|challenge|uri|auth_url|webhook_url)$/
const notSecret: Record<string, string[]> = {
  'names an option of a list, or a row of events': [
    ...['GET /campaigns/all: *.key', 'GET /campaign-changelog: sticky_campaigns.*.key'],
    ...['GET /campaign-changelog: campaigns.*.key', 'GET /campaign-changelog: teams.*.key'],
    ...['GET /campaign/:id/events: data.*.key', 'GET /moves/:id/items: data.*.key'],
  ],
  'the key of a client’s own statement, null for who sees as them': ['GET /user/start: statements.*.key'],
  'an address of the provider, with a state that works once and only for who asked': ['GET /user/oidc: auth_url'],
}
test('a field of a response with the name of a secret is declared as one [OPEN-01]', () => {
  const open = endpoints.flatMap((endpoint) => {
    const declared = findResponseSecrets(endpoint).map((path) => path.join('.'))
    const names = endpoint.response ? findNames(endpoint.response) : []
    return names
      .filter((path) => secretName.test(path.split('.').at(-1)!) && !declared.includes(path))
      .filter(() => !endpoint.secret && !endpoint.newSecret)
      .map((path) => `${endpoint.address}: ${path}`)
  })
  expect(open.toSorted()).toEqual(Object.values(notSecret).flat().toSorted())
})

/** Returns the paths of the fields that are texts. */
function findNames(schema: z.core.$ZodType, path = ''): string[] {
  const below = (name: string, inner: z.core.$ZodType) => findNames(inner, path === '' ? name : `${path}.${name}`)
  if (schema instanceof z.ZodString) return [path]
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, inner]) => below(name, inner))
  if (schema instanceof z.ZodArray) return below('*', schema.element)
  if (schema instanceof z.ZodRecord) return below('*', schema.valueType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => findNames(one, path))
  if (schema instanceof z.ZodPipe) return findNames(schema.out, path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findNames(schema.unwrap(), path)
  return []
}

test('a backup holds no secret in plain text, and not the key that opens them', async () => {
  const held = await readSecrets()
  const kinds = new Set(held.values())
  for (const { table, column } of secretColumns) expect(kinds).toContain(`${table}.${column}`)
  held.set(app.context.settings.SECRET_KEY!, 'SECRET_KEY') // without one nothing could be sealed
  held.set('a name in a backup', 'a planted name')
  await make.client({ name: 'a name in a backup' })
  const folder = join(mkdtempSync(join(tmpdir(), 'leadline-backup-')), 'kept')
  await writeBackup(app.context, backupPlan, folder)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const leaks = files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    return [...held].flatMap(([secret, kind]) =>
      listSpellings(secret).some((spelling) => text.includes(spelling)) ? [`${name}: ${kind}`] : [],
    )
  })
  expect(leaks).toEqual(['clients.copy.gz: a planted name'])
})

/** The ways in which a file of a table could have the text. */
function listSpellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const raw = /^([0-9a-f]{2})+$/.test(secret) ? [Buffer.from(secret, 'hex')] : []
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...[bytes, ...raw].flatMap((one) => [one.toString('hex'), one.toString('base64').replaceAll('=', '')]),
  ]
}
