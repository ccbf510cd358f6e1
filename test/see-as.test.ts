import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { auditTable } from '#core/db/schema.ts'
import { leadsHandlersContract } from '#domains/access/contract.ts'
import { sessionsTable, userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { createRemoteToken } from '#domains/access/server/session-tokens.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { watchesContract } from '#domains/signals/watches/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const { make } = app
const rootUser = await make.superAdmin({ username: 'olivia' })
const root = await app.as(rootUser)
const client = await make.client()
const campaign = await make.campaign({ client_id: client.id })
const lead = await make.lead({ campaign_id: campaign.id, lead_phone: '555-0100', lead_type: 'Call' })
await make.lead()
const customer = await make.customer({ client_id: client.id })
const site = await make.clientSite({ campaign_id: campaign.id, key: 'the key of its forms' })
const source = await root.call(customSourcesContract.create, { body: { name: 'Any', clientsite_id: site.id } })
const chat = 'https://chat.example/services/T0/B0/abc'
/** What no view may contain. */
const secrets: string[] = [
  'the key of its forms',
  await createRemoteToken(app.context.db, app.context.secrets, customer.id),
  source.body.key,
  chat,
]
const things: Record<string, number> = {
  campaign: campaign.id,
  client: client.id,
  site: site.id,
  source: source.body.id,
  gmb: (await make.gmb({ campaign_id: campaign.id })).id,
  lead: lead.id,
  category: (await make.category()).id,
}
const campaigns = [campaign.id]
const people: Record<string, { id: number }> = {
  'a super admin': await make.superAdmin(),
  'an admin': await make.admin({ campaigns }),
  'an admin without pages': await make.admin({ campaigns, permissions: [] }),
  'a leads handler': await make.handler({ campaigns }),
  'a customer': customer,
}

await (await app.as(people['a super admin']!)).call(watchesContract.save, {
  body: { webhook_url: chat, watches: [] },
})

async function seeAs(viewer: Caller, { id }: { id: number }): Promise<Caller> {
  const { status, body } = await viewer.call(seeAsContract.begin, { params: { id } })
  expect([status, body]).toEqual([200, { token: expect.any(String) }])
  return caller(app.url, body.token)
}

const byPath: [start: string, thing: string][] = [
  ['/campaigncategory/', 'category'],
  ['/campaign-gmb/', 'gmb'],
  ['/campaign/', 'campaign'],
  ['/lead/chart/', 'campaign'],
  ['/client-resource/', 'client'],
  ['/clientsite/', 'site'],
  ['/client/', 'client'],
  ['/intakes/', 'source'],
  ['/lead/', 'lead'],
  ['/recording/', 'lead'],
]
const findId = (path: string) => things[byPath.find(([start]) => path.startsWith(start))?.[1] ?? ''] ?? 999_999

const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
const readCalls = endpoints.filter(({ method, path }) => method === 'GET' && path !== '/leads/events')
/** Returns a response without values that differ between sessions or seconds. */
async function read(who: Caller, endpoint: Endpoint) {
  const path = endpoint.path.replace(/:\w+/g, String(findId(endpoint.path)))
  const response = await who.fetch(`/api${path}${queries[endpoint.path] ?? ''}`)
  const sent = await response.text()
  const text = sent
    .replace(/"seen_by":\{[^}]*\}/, '"seen_by":null')
    .replace(/"current":(true|false)/g, '"current":null')
    .replace(/"last_used_at":"[^"]*"/g, '"last_used_at":null')
    .replace(/"remote_token":"[^"]*"/, '"remote_token":null')
    .replace(/"key":"[^"]*"/, '"key":null')
    .replace(/"webhook_url":"[^"]*"/, '"webhook_url":null')
    .replace(/"url":"[^"]*[/]hooks[/]in[/][^"]*"/, '"url":null')
  const answer = { status: response.status, type: response.headers.get('content-type'), text }
  return { answer, secrets: secrets.filter((secret) => sent.includes(secret)) }
}
const queries: Record<string, string> = {
  '/views': '?table=leads',
  '/access/why': '?user=1&call=GET%20user/me',
}

describe('a view as another person', () => {
  test.each(['a super admin', 'an admin', 'an admin without pages', 'a leads handler', 'a customer'])(
    'returns every GET as %s gets it, call by call, without secrets [SIGN-04]',
    async (name) => {
      const person = await app.as(people[name]!)
      const view = await seeAs(root, people[name]!)
      for (const endpoint of readCalls) {
        const seen = await read(view, endpoint)
        expect(seen.secrets, endpoint.address).toEqual([])
        if (endpoint.secret) expect(seen.answer.status, endpoint.address).toBe(403)
        else expect(seen.answer, endpoint.address).toEqual((await read(person, endpoint)).answer)
      }
    },
  )

  test('is refused every other call before its handler, whichever person is viewed, and changes nothing [SIGN-04]', async () => {
    for (const person of Object.values(people)) {
      const view = await seeAs(root, person)
      const before = await app.dump()
      for (const { method, path, address } of endpoints.filter((one) => one.method !== 'GET' && !one.endsView)) {
        const response = await view.fetch(`/api${path.replace(/:\w+/g, String(findId(path)))}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: '{"nonsense":"',
        })
        expect(response.status, address).toBe(403)
        await response.arrayBuffer()
      }
      expect(await app.dump()).toBe(before)
    }
  })

  test('has null for secrets, and 403 for calls that return only secrets [SIGN-04]', async () => {
    const view = await seeAs(root, people['a super admin']!)
    const site = await view.call(clientSitesContract.hook, { params: { id: things.site! } })
    expect(site.body).toMatchObject({ key: null, callrail_url: expect.any(String) })
    const client = await view.call(clientsContract.get, { params: { id: things.client! } })
    expect(client.body.user.remote_token ?? null).toBeNull()
    expect((await view.call(gmbsContract.secret, { params: { id: things.gmb! } })).status).toBe(403)
    // The viewer gets them in their own session.
    const own = await root.call(clientSitesContract.hook, { params: { id: things.site! } })
    expect(own.body.key).toBe('the key of its forms')
  })

  test('has the chart that the person has, with the filters of its page', async () => {
    const chart = { params: { id: 'total' as const }, query: { group: 'month', date_from: '2026-01-05' } }
    const of = (who: Caller) => who.call(leadChartContract.usual, chart)
    const { status, body } = await of(await seeAs(root, people['a leads handler']!))
    expect([status, body.statistic.dates[0]]).toEqual([200, '2026-01-01'])
    expect(body).toEqual((await of(await app.as(people['a leads handler']!))).body)
  })

  test('names the viewer, and is one entry in the audit log [SIGN-04]', async () => {
    const person = people['a leads handler']!
    const view = await seeAs(root, person)
    const { body } = await view.call(sessionContract.me)
    expect(body).toMatchObject({ id: person.id, seen_by: { id: rootUser.id, username: 'olivia' } })
    expect((await root.call(sessionContract.me)).body.seen_by).toBeNull()
    const entries = await app.context.db
      .select()
      .from(auditTable)
      .where(and(eq(auditTable.kind, 'see-as'), eq(auditTable.row_id, person.id)))
      .orderBy(auditTable.id)
    expect(entries.at(-1)).toMatchObject({ user_id: rootUser.id, username: 'olivia' })
  })

  test('entries during the view are recorded for the viewer [SIGN-04]', async () => {
    const lead = await app.make.lead({
      campaign_id: things.campaign!,
      lead_type: 'Call',
      recording_url: 'https://api.callrail.com/v3/a/1/calls/1/recording.json',
    })
    const view = await seeAs(root, people['an admin']!)
    expect((await view.fetch(`/api/recording/${lead.id}`)).status).toBe(200)
    const [entry] = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'recording'))
    expect(entry).toMatchObject({ row_id: lead.id, username: 'olivia' })
  })
})

describe('who may view', () => {
  const ask = async (viewer: Caller, id: number) => (await viewer.call(seeAsContract.begin, { params: { id } })).status

  test('never upward: only with the page that manages the account, and everything that the viewed person holds [SIGN-04]', async () => {
    const { make } = app
    const [first, second] = [await make.campaign(), await make.campaign()]
    const of = (permissions: Parameters<typeof make.admin>[0]) => make.admin({ campaigns: [first.id], ...permissions })
    const viewer = await app.as(await of({ permissions: ['admin_pages', 'leads'] }))
    const keeper = await app.as(await of({ permissions: ['leads_handlers', 'leads', 'clients'] }))
    const below = await of({ permissions: ['leads'] })
    const handler = await make.handler({ campaigns: [first.id], permissions: ['leads'] })
    const otherHandler = await make.handler({ campaigns: [second.id], permissions: ['leads'] })
    const customer = await make.customer({ client_id: first.client_id! })
    const otherCustomer = await make.customer({ client_id: second.client_id! })

    expect(await ask(viewer, below.id)).toBe(200)
    expect(await ask(viewer, (await of({ permissions: ['leads', 'clients'] })).id)).toBe(403)
    expect(await ask(viewer, (await of({ permissions: ['leads'], campaigns: [second.id] })).id)).toBe(403)
    expect(await ask(viewer, rootUser.id)).toBe(403)
    // Not in a list of theirs, they are found as little as no one.
    expect(await ask(viewer, handler.id)).toBe(404)
    expect(await ask(viewer, customer.id)).toBe(404)
    expect(await ask(keeper, below.id)).toBe(404)
    expect(await ask(keeper, handler.id)).toBe(200)
    expect(await ask(keeper, otherHandler.id)).toBe(404)
    expect(await ask(keeper, customer.id)).toBe(200)
    expect(await ask(keeper, otherCustomer.id)).toBe(404)
  })

  test('who stands in no list of the viewer is not found, as no one [SIGN-04]', async () => {
    const { make } = app
    const [own, foreign] = [await make.campaign(), await make.campaign()]
    const keeper = await app.as(await make.admin({ campaigns: [own.id], permissions: ['leads_handlers', 'clients'] }))
    const unlisted = [
      await make.handler({ campaigns: [foreign.id] }),
      await make.customer({ client_id: foreign.client_id! }),
      await make.admin({ campaigns: [own.id] }),
      rootUser,
    ]
    for (const { id } of unlisted) expect(await ask(keeper, id)).toBe(404)
    const shared = await make.handler({ campaigns: [own.id, foreign.id] })
    expect(await ask(keeper, shared.id)).toBe(403)
    const namer = await app.as(await make.admin({ campaigns: [own.id], permissions: ['clients', 'changelog'] }))
    for (const { id } of unlisted.slice(2)) expect(await ask(namer, id)).toBe(403)
  })

  test('people cannot view as themselves, and an unknown person is not found [SIGN-04]', async () => {
    expect(await ask(root, rootUser.id)).toBe(403)
    expect(await ask(root, 999_999)).toBe(404)
    expect(await ask(root, (await app.make.superAdmin({ is_active: false })).id)).toBe(404)
    expect(await ask(app.guest, rootUser.id)).toBe(401)
  })
})

describe('a view ends', () => {
  const isOver = async (view: Caller) => (await view.call(sessionContract.me)).status === 401

  test('when it is left, and nothing else does [SIGN-04]', async () => {
    const person = await app.make.handler()
    const theirs = await app.as(person)
    const view = await seeAs(root, person)
    expect((await view.call(sessionContract.logout, { body: { all: 1 } })).status).toBe(204)
    expect(await isOver(view)).toBe(true)
    expect(await isOver(theirs)).toBe(false)
    expect(await isOver(root)).toBe(false)
  })

  test('with the viewer’s session [SIGN-04]', async () => {
    const viewer = await app.as(await app.make.superAdmin())
    const view = await seeAs(viewer, people['an admin']!)
    await viewer.call(sessionContract.logout)
    expect(await isOver(view)).toBe(true)
  })

  test('when the viewer loses permissions, and when the viewed person gets more [SIGN-04]', async () => {
    const { db } = app.context
    const campaign = await app.make.campaign()
    const person = await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] })
    const user = await app.make.admin({ campaigns: [campaign.id], permissions: ['leads', 'leads_handlers'] })
    const viewer = await app.as(user)

    const first = await seeAs(viewer, person)
    await db.delete(userCampaignsTable).where(eq(userCampaignsTable.user_id, user.id))
    expect(await isOver(first)).toBe(true)
    await db.insert(userCampaignsTable).values({ user_id: user.id, campaign_id: campaign.id })

    const second = await seeAs(viewer, person)
    await root.call(leadsHandlersContract.update, {
      params: { id: person.id },
      body: { pages: { leads: 1, leadChart: 1 } },
    })
    expect(await isOver(second)).toBe(true)

    await db
      .update(usersTable)
      .set({ permissions: ['leads'] })
      .where(eq(usersTable.id, person.id))
    const third = await seeAs(viewer, person)
    await db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, user.id))
    expect(await isOver(third)).toBe(true)
  })

  test('after half an hour [SIGN-04]', async () => {
    const view = await seeAs(root, people['an admin']!)
    const [row] = await app.context.db.select().from(sessionsTable).where(eq(sessionsTable.viewer_id, rootUser.id))
    expect(row!.expires_at.getTime() - row!.created_at.getTime()).toBeLessThanOrEqual(31 * 60_000)
    await app.context.db
      .update(sessionsTable)
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where(eq(sessionsTable.viewer_id, rootUser.id))
    expect(await isOver(view)).toBe(true)
    expect(await isOver(root)).toBe(false)
  })
})
