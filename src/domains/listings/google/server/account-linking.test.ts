import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { revokeAccess } from '#integrations/fakes/google/state.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until, waitForJobs } from '#test/until.ts'
import { googleLocationsContract } from '../contract.ts'
import { googleAccountsTable, googleLinkStatesTable, googleLocationsTable } from '../schema.ts'

const google = await setUp(startGoogleStandIn())
const app = await setUp(startApp({ settings: google.settings, work: true }))
const olivia = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const morgan = await app.as(await app.make.admin({ username: 'morgan', permissions: ['googleLocations'] }))

const person = (number: number, locations: string[] = []) => ({
  subject: `10${number}`,
  email: `agency${number}@gmail.example`,
  accounts: [{ name: `accounts/${number}`, accountName: `Agency ${number}`, type: 'PERSONAL', locations }],
})
beforeEach(async () => {
  await waitForJobs(app.context) // linking queues a sync
  google.people = [person(1), person(2)]
  google.locations.clear()
  google.refreshTokens.clear()
  google.failing.length = 0
  google.requests.length = 0
  await app.context.db.delete(googleAccountsTable)
  await app.context.db.delete(googleLinkStatesTable)
})

const authUrl = async (who: Caller) => new URL((await who.call(googleLocationsContract.authUrl)).body.auth_url)
/** Consents on Google's page and returns the parameters of the redirect. */
async function consent(url: URL, subject = '101') {
  const page = await (await fetch(url)).text()
  expect(page).toContain('Choose an account')
  const way = new URL('/o/consent', url)
  for (const [name, value] of url.searchParams) way.searchParams.set(name, value)
  way.searchParams.set('answer', subject)
  const { headers } = await fetch(way, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').searchParams
}
const store = (who: Caller, back: URLSearchParams) =>
  who.call(googleLocationsContract.link, { body: { code: back.get('code'), state: back.get('state') } })
const linked = async (who: Caller, subject = '101') => store(who, await consent(await authUrl(who), subject))

test('the URL of Google’s page has our client, the scopes, the redirect address, a state and a PKCE challenge [GMAN-15, GMAN-18]', async () => {
  const url = await authUrl(morgan)
  expect(url.href.startsWith(google.settings.GOOGLE_AUTH_URL)).toBe(true)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: google.clientId,
    redirect_uri: `${app.url}/gmb-manager`,
    response_type: 'code',
    scope: 'https://www.googleapis.com/auth/business.manage openid email',
    access_type: 'offline',
    prompt: 'consent select_account',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const again = await authUrl(morgan)
  expect(again.searchParams.get('state')).not.toBe(url.searchParams.get('state'))
  const [kept] = await app.context.db.select().from(googleLinkStatesTable)
  expect(JSON.stringify(kept)).not.toContain(url.searchParams.get('state'))
})

test('a code links the account that consented; its refresh token is stored encrypted and never returned [GMAN-14, GMAN-17, GMAN-19]', async () => {
  const { status, body } = await linked(morgan)
  expect([status, body]).toMatchObject([
    200,
    { email: 'agency1@gmail.example', may_unlink: true, needs_relink_since: null },
  ])
  const [token] = [...google.refreshTokens.keys()]
  const [row] = await app.context.db.select().from(googleAccountsTable)
  expect(row!.refresh_token.toString('latin1')).not.toContain(token)
  expect(app.context.secrets.open(row!.refresh_token, `google_accounts.refresh_token:${row!.id}`)).toBe(token)
  await until(async () => (await olivia.call(googleLocationsContract.accounts)).body[0].synced_at)
  const accounts = await olivia.call(googleLocationsContract.accounts)
  expect(accounts.body).toEqual([
    {
      id: row!.id,
      account_name: 'Agency 1',
      email: 'agency1@gmail.example',
      needs_relink_since: null,
      synced_at: expect.any(String),
      syncing: false,
      problem: null,
      locations: 0,
      may_unlink: true,
    },
  ])
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'Google account'))
  expect(trail.at(-1)).toMatchObject({
    action: 'created',
    username: 'morgan',
    after: { email: 'agency1@gmail.example' },
  })
  expect(JSON.stringify([trail, accounts.body])).not.toContain(token)
})

test('several accounts can be linked, and one linked again stays one account [GMAN-04]', async () => {
  await linked(morgan, '101')
  await linked(olivia, '102')
  await app.context.db.update(googleAccountsTable).set({ needs_relink_since: new Date(), problem: 'Over' })
  expect((await linked(olivia, '101')).status).toBe(200)
  const { body } = await morgan.call(googleLocationsContract.accounts)
  expect(
    body.map((one: { email: string; needs_relink_since: string }) => [one.email, one.needs_relink_since !== null]),
  ).toEqual([
    ['agency1@gmail.example', false],
    ['agency2@gmail.example', true],
  ])
})

test('a state that was never issued, was used, has expired or is of another session links nothing [GMAN-18]', async () => {
  const sentence = 'This link was not started here, or more than ten minutes ago. Please start it again'
  const refusal = { status: 422, body: { message: sentence, errors: { state: [sentence] } } }
  const mine = await consent(await authUrl(morgan))
  expect(await store(olivia, mine)).toMatchObject(refusal)
  const invented = new URLSearchParams({ code: mine.get('code')!, state: 'invented' })
  expect(await store(morgan, invented)).toMatchObject(refusal)
  await app.context.db.update(googleLinkStatesTable).set({ expires_at: new Date(Date.now() - 1) })
  expect(await store(morgan, mine)).toMatchObject(refusal)
  expect([
    await app.context.db.$count(googleAccountsTable),
    google.requests.filter((one) => one.includes('/token')),
  ]).toEqual([0, []])

  const good = await consent(await authUrl(morgan))
  expect((await store(morgan, good)).status).toBe(200)
  expect(await store(morgan, good)).toMatchObject(refusal)
})

test('a code of someone else’s flow is refused by Google, because its challenge differs [GMAN-18]', async () => {
  const mine = await authUrl(morgan)
  const theirs = await consent(await authUrl(olivia), '102')
  const answer = await store(
    morgan,
    new URLSearchParams({ code: theirs.get('code')!, state: mine.searchParams.get('state')! }),
  )
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'Google no longer accepts this code. Please start the link again',
  ])
  expect(await app.context.db.$count(googleAccountsTable)).toBe(0)
})

test('a code without a state belongs to the only link that the session has started, never to one of several [GMAN-17, GMAN-18]', async () => {
  await authUrl(morgan)
  const code = (await consent(await authUrl(morgan))).get('code')
  expect((await morgan.call(googleLocationsContract.link, { body: { code } })).status).toBe(422)
  await app.context.db.delete(googleLinkStatesTable)
  const only = (await consent(await authUrl(morgan))).get('code')
  expect((await morgan.call(googleLocationsContract.link, { body: { code: only } })).status).toBe(200)
  for (const body of [{}, { code: '' }, { code: 5 }, { code: null, state: {} }])
    expect((await morgan.call(googleLocationsContract.link, { body })).status).toBe(422)
})

test('linking without the Business Profiles permission says so [GMAN-17]', async () => {
  const url = await authUrl(morgan)
  const back = await consent(url)
  google.codes.get(back.get('code')!)!.scope = 'openid email'
  const answer = await store(morgan, back)
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'Google says: Access to the Business Profiles was not granted: check its box when Google asks',
  ])
})

test('unlinking revokes the access at Google, then deletes the account and its locations [GMAN-05, GMAN-16]', async () => {
  google.people = [person(1, ['locations/1'])]
  google.locations.set('locations/1', { name: 'locations/1', title: 'Granite Roofing' })
  const { body } = await linked(morgan)
  await until(() => app.context.db.$count(googleLocationsTable))
  expect((await morgan.call(googleLocationsContract.unlink, { params: { id: body.id } })).status).toBe(204)
  expect([google.refreshTokens.size, await app.context.db.$count(googleAccountsTable)]).toEqual([0, 0])
  expect((await morgan.call(googleLocationsContract.list)).body.total).toBe(0)
  expect((await morgan.call(googleLocationsContract.unlink, { params: { id: body.id } })).status).toBe(404)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'Google account'))
  expect(trail.at(-1)).toMatchObject({
    action: 'removed',
    username: 'morgan',
    before: { email: 'agency1@gmail.example' },
  })
})

test('only the person who linked it or a super admin unlinks it [GMAN-16]', async () => {
  const { body } = await linked(morgan)
  const dana = await app.as(await app.make.admin({ permissions: ['googleLocations'] }))
  expect((await dana.call(googleLocationsContract.accounts)).body[0].may_unlink).toBe(false)
  expect((await dana.call(googleLocationsContract.unlink, { params: { id: body.id } })).status).toBe(403)
  expect([google.refreshTokens.size, await app.context.db.$count(googleAccountsTable)]).toEqual([1, 1])
  expect((await olivia.call(googleLocationsContract.unlink, { params: { id: body.id } })).status).toBe(204)
})

test('while Google is down nothing is unlinked; an account that Google no longer knows is [GMAN-16]', async () => {
  const { body } = await linked(morgan)
  google.failing.push({ path: '/revoke', status: 503, times: 3 })
  const answer = await morgan.call(googleLocationsContract.unlink, { params: { id: body.id } })
  expect([answer.status, answer.body.message]).toEqual([
    503,
    'Google could not be reached: Google answered 503. Please try again in a moment',
  ])
  expect(await app.context.db.$count(googleAccountsTable)).toBe(1)
  revokeAccess(google, google.people[0]!)
  expect((await morgan.call(googleLocationsContract.unlink, { params: { id: body.id } })).status).toBe(204)
})

test('without the settings nothing can be linked, and the missing ones and the redirect address are shown [GMAN-15, GMAN-19]', async () => {
  const { settings } = app.context
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings
  Object.assign(settings, { GOOGLE_CLIENT_ID: undefined, GOOGLE_CLIENT_SECRET: undefined })
  try {
    const before = await app.dump()
    expect((await morgan.call(googleLocationsContract.connection)).body).toEqual({
      missing: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
      redirect_address: `${app.url}/gmb-manager`,
      scopes: ['https://www.googleapis.com/auth/business.manage', 'openid', 'email'],
    })
    const words = 'Google is not connected: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'
    for (const call of [googleLocationsContract.authUrl, googleLocationsContract.sync])
      expect(await morgan.call(call)).toMatchObject({ status: 409, body: { message: words } })
    expect(await morgan.call(googleLocationsContract.link, { body: { code: 'x', state: 'x' } })).toMatchObject({
      status: 409,
    })
    expect((await morgan.call(googleLocationsContract.list)).status).toBe(200)
    expect((await morgan.call(googleLocationsContract.accounts)).body).toEqual([])
    expect(await app.dump()).toBe(before)
  } finally {
    Object.assign(settings, { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })
  }
  expect((await morgan.call(googleLocationsContract.connection)).body.missing).toEqual([])
})

test('a link in progress ends with its session', async () => {
  const dana = await app.as(await app.make.admin({ username: 'dana', permissions: ['googleLocations'] }))
  await authUrl(dana)
  await app.context.db.execute(sql`delete from sessions using users where users.id = user_id and username = 'dana'`)
  expect(await app.context.db.$count(googleLinkStatesTable)).toBe(0)
})
