import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { generate } from 'otplib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { allEndpoints, allJobs, backupPlan } from '#app/server/parts.ts'
import { writeBackup } from '#core/backup/back-up.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { secondFactorContract, secondStepContract } from '#domains/access/second-factor/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { postCall, sendCallRail, sendForm } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'

/**
 * A canary for each kind of secret. They are used as people, services and the operator would; then every response, log line,
 * audit entry, mail and backup is searched for them, as they are and in the encodings of bytes.
 */
const canaries = new Map<string, string>()
function canary(kind: string, value = `canary-${randomBytes(12).toString('hex')}`): string {
  canaries.set(kind, value)
  return value
}

const lines: string[] = []
const answers: { from: string; text: string }[] = []

let root: Caller

const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({
    work: true,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    settings: {
      SECRET_KEY: canary('secret key', randomBytes(32).toString('hex')),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'leadline-canary-')),
      SMTP_URL: sink.url.replace('smtp://', `smtp://user:${canary('mail password')}@`),
      METRICS_TOKEN: canary('metrics token'),
      CALLRAIL_SIGNING_KEY: canary('signing key of the agency'),
      CALLRAIL_API_URL: 'http://127.0.0.1:1',
      CALLRAIL_ACCOUNT_ID: 'ACC1',
      CALLRAIL_API_KEY: canary('key of CallRail’s API'),
      CPANEL_URL: 'http://127.0.0.1:1',
      CPANEL_USER: 'agency',
      CPANEL_TOKEN: canary('token of cPanel'),
      CPANEL_ROOT_DOMAIN: 'agency.example',
      GOOGLE_CLIENT_ID: 'agency',
      GOOGLE_CLIENT_SECRET: canary('secret of the Google client'),
      GOOGLE_TOKEN_URL: 'http://127.0.0.1:1/token',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'agency',
      OIDC_CLIENT_SECRET: canary('secret of the OpenID client'),
      SEARCH_INDEX_URL: 'http://127.0.0.1:1/?q={query}&api_key={key}',
      SEARCH_INDEX_KEY: canary('key of the search index'),
    },
  }),
)
await enterSecrets()
await callEverything()
const backup = join(mkdtempSync(join(tmpdir(), 'leadline-canary-')), 'kept')
await writeBackup(app.context, backupPlan, backup)

/** Enters each secret, shows it where allowed, enters wrong ones, and sends it in every place where someone might put it. */
async function enterSecrets() {
  const { make } = app
  const client = await make.client({ emails: ['owner@client.example'] })
  const campaign = await make.campaign({ client_id: client.id })
  const customer = await make.customer({ client_id: client.id })
  const boss = await make.superAdmin()
  root = await app.as(boss)
  canary('session token', root.token!)
  const password = canary('password')
  const someone = { username: 'someone', email: 'someone@a.example', password, pages: { leads: 1 }, campaigns: {} }
  expect((await root.call(adminsContract.create, { body: someone })).status).toBe(200)
  const signIn = (typed: string) =>
    app.guest.call(sessionContract.login, { body: { username: 'someone', password: typed } })
  await signIn(canary('wrong password'))
  const { token } = (await signIn(password)).body
  canary('token of a signed-in person', token)
  await addSecondFactor(caller(app.url, token), password)
  const change = { old_password: password, new_password: canary('new password') }
  const again = { new_password_confirmation: change.new_password }
  expect(
    (await caller(app.url, token).call(sessionContract.updateProfile, { body: { ...change, ...again } })).status,
  ).toBe(200)
  const key = {
    name: 'Key',
    pages: { leads: 1 },
    access: 'write',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const apiKey = canary('API key', (await root.call(apiKeysContract.create, { body: key })).body.key)
  expect((await caller(app.url, apiKey).call(sessionContract.me)).status).toBe(200)
  const webhook = { url: 'https://receiver.example/hook', events: ['statement.sent'] }
  canary('secret of a webhook', (await root.call(webhooksContract.create, { body: webhook })).body.secret)
  canary('remote token', (await root.call(clientsContract.newRemoteToken, { params: { id: customer.id } })).body.token)
  const site = await make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })
  canary('key of the forms', (await root.call(clientSitesContract.newHookKey, { params: { id: site.id } })).body.key)
  const own = { url: 'https://own.example', campaign_id: campaign.id, callrail_campaign_identifier: 'COM2' }
  const signing = { callrail_signing_key: canary('signing key of a company') }
  expect((await root.call(clientSitesContract.create, { body: { ...own, ...signing } })).status).toBe(200)
  const listing = {
    title: 'Listing',
    link: 'https://maps.google.com/maps?cid=9876543210987654321',
    campaign_id: campaign.id,
    status: 1,
  }
  const secret = {
    password: canary('password of a listing'),
    recovery_email: `${canary('recovery address')}@a.example`,
  }
  const gmb = (await root.call(gmbsContract.create, { body: { ...listing, ...secret } })).body
  expect((await root.call(gmbsContract.secret, { params: { id: gmb.id } })).body).toEqual({ password: secret.password })
  const agencyKey = canaries.get('signing key of the agency')!
  const formKey = canaries.get('key of the forms')!
  const taken = [
    await sendCallRail(app, postCall({ company_resource_id: 'COM1' }), { key: agencyKey }),
    await sendCallRail(app, postCall({ company_resource_id: 'COM2' }), { key: signing.callrail_signing_key }),
    await sendForm(app, site.id, formKey, { name: 'Fay', email: 'fay@a.example', item_id: '7' }),
  ]
  expect(taken.map(({ status }) => status)).toEqual([200, 200, 200])
  await sendForm(app, site.id, canary('wrong key of forms'), { name: 'Fay' })
  const source = { name: 'Zapier', clientsite_id: site.id, preset: null }
  const sourceKey = canary(
    'key of a lead source',
    (await root.call(customSourcesContract.create, { body: source })).body.key,
  )
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Gus"}' }
  expect((await app.guest.fetch(`/api/hooks/in/${sourceKey}`, sent)).status).toBe(200)
  await until(() => sink.letters.length >= 3)
  // The key in a mail is only for its reader.
  for (const [index, { raw, email }] of sink.letters.entries()) {
    const key = /auth_key=([\w-]+)/.exec(email.html ?? '')?.[1]
    expect(key, raw).toBeDefined()
    canary(`rating key of mail ${index}`, key!)
    await noted('rating', await app.guest.fetch(`/api/rate/${index + 1}?auth_key=${key}`))
  }
}

/** Sets up, uses and removes an authenticator app, with right and wrong codes. */
async function addSecondFactor(me: Caller, password: string) {
  const { secret } = (await me.call(secondFactorContract.beginTotp)).body
  canary('secret of an authenticator app', secret)
  const on = await me.call(secondFactorContract.enableTotp, { body: { code: await generate({ secret }) } })
  for (const [index, code] of (on.body.recovery_codes as string[]).entries()) canary(`recovery code ${index}`, code)
  const asked = await app.guest.call(sessionContract.login, { body: { username: 'someone', password } })
  const { challenge } = asked.body.second_factor
  canary('challenge of a second factor', challenge)
  const finish = async (proof: object) =>
    (await app.guest.call(secondStepContract.finishLogin, { body: { challenge, ...proof } })).body
  expect(await finish({ recovery_code: canary('wrong recovery code') })).toHaveProperty('error')
  canary('token after a second factor', (await finish({ recovery_code: canaries.get('recovery code 0') })).token)
  await noted('second factors', await me.fetch('/api/user/second-factor'))
}

/** Makes every GET call, with secrets in addresses and headers where they do not belong; then calls that fail in every way. */
async function callEverything() {
  const shown = new Set([
    'GET /campaign-gmb/:id/secret',
    'GET /clientsite/:id/hook',
    'GET /client/:id',
    'GET /intakes',
    'GET /intakes/:id',
  ])
  for (const { endpoint } of allEndpoints) {
    if (endpoint.method !== 'GET' || endpoint.address === 'GET /leads/events') continue
    const path = `/api${endpoint.path.replace(/:\w+/g, '1')}`
    const query = `?api_token=${root.token}&token=${canaries.get('remote token')}&auth_key=${canaries.get('rating key of mail 0')}`
    if (!shown.has(endpoint.address)) await noted(endpoint.address, await root.fetch(path + query))
    await noted(endpoint.address, await app.guest.fetch(path + query))
  }
  await noted('export', await root.fetch('/api/lead/export', { method: 'POST' }))
  await noted('wrong call', await root.fetch(`/api/lead/1?token=${root.token}`, { method: 'PUT', body: '{' }))
  await noted('metrics', await app.guest.fetch('/metrics'))
  await noted('openapi', await root.fetch('/api/openapi.json'))
  await noted('page', await app.guest.fetch(`/rate?lead=1&auth_key=${canaries.get('rating key of mail 0')}`))
  // Failing jobs say why: none of the services is available.
  const due = allJobs.filter(({ cron }) => cron)
  for (const job of due) await app.context.db.transaction((tx) => app.context.jobs.send(tx, job, {} as never))
  await until(() => due.every(({ name }) => lines.some((line) => line.includes(`"job":"${name}"`))))
}

async function noted(from: string, answer: Response) {
  answers.push({ from, text: `${JSON.stringify([...answer.headers])} ${await answer.text()}` })
}

/** Returns the secret as it is, and in the encodings of bytes. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
]

function leaks(text: string): string[] {
  return [...canaries].flatMap(([kind, secret]) => (spellings(secret).some((one) => text.includes(one)) ? [kind] : []))
}

test('no response contains a secret (R20) [API-20]', () => {
  expect(answers.length).toBeGreaterThan(100)
  const found = answers.flatMap(({ from, text }) => leaks(text).map((kind) => `${from}: ${kind}`))
  // Admins of listings read the recovery address; it is encrypted where it is stored.
  expect(found).toEqual(['GET /campaign-gmb: recovery address', 'GET /campaign-gmb/:id: recovery address'])
})

test('no line of the log contains a secret (R20) [API-20]', () => {
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.flatMap((line) => leaks(line).map((kind) => `${kind}: ${line}`))).toEqual([])
})

test('no audit entry and no row of any table contains a secret, except encrypted (R20) [API-20]', async () => {
  const { rows } = await app.context.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') and tablename <> 'zip_codes'`,
  )
  for (const { name } of rows) {
    const found = await app.context.pool.query<{ text: string }>(`select row::text as text from ${name} row`)
    expect([name, leaks(found.rows.map(({ text }) => text).join('\n'))]).toEqual([name, []])
  }
})

test('a lead’s mail contains its rating key, and no mail contains any other secret (R20)', () => {
  for (const [index, { raw, email }] of sink.letters.entries()) {
    const text = `${raw} ${email.html} ${email.text}`
    expect(leaks(text)).toEqual(/^Message-ID: <lead-/im.test(raw) ? [`rating key of mail ${index}`] : [])
  }
})

test('a backup contains neither a secret nor the key that decrypts them (R20, R29)', () => {
  const files = readdirSync(backup, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(20)
  for (const { name, parentPath } of files) {
    const bytes = readFileSync(join(parentPath, name))
    const text = name.endsWith('.gz') ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1')
    expect([name, leaks(text)]).toEqual([name, []])
  }
})
