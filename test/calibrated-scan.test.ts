import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#app/server/parts.ts'
import { allowEveryone, mayUsePages, superAdminOnly } from '#contract/allow.ts'
import { type Endpoint, endpoint } from '#contract/endpoint.ts'
import { querySearch } from '#contract/fields.ts'
import { HttpError } from '#core/http/errors.ts'
import { mountEndpoints } from '#core/http/handle.ts'
import { authenticateCall } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import {
  findInjectableSorts,
  findOpenCalls,
  findRefusedQueries,
  findStoredScripts,
  findUnscopedReads,
  foreignMarker,
  scriptMarker,
} from '#test/scan-walks.ts'

/** Holes that could be made by mistake. A walk that misses its planted hole would prove nothing by finding none. */
const plantedContract = {
  unscoped: endpoint('GET /planted/leads', { allow: mayUsePages('leads'), response: z.unknown() }),
  unscopedById: endpoint('GET /planted/leads/:id', { allow: mayUsePages('leads'), response: z.unknown() }),
  unscopedSearch: endpoint('GET /planted/found', {
    allow: mayUsePages('leads'),
    query: z.object({ search: querySearch() }),
    response: z.unknown(),
  }),
  sort: endpoint('GET /planted/sorted', {
    allow: superAdminOnly,
    query: z.object({ sort: z.string().default('id') }),
    response: z.unknown(),
  }),
  open: endpoint('GET /planted/open', { allow: allowEveryone, response: z.unknown() }),
  script: endpoint('GET /planted/page', { allow: superAdminOnly, streams: true }),
}
const planted = implementContract(plantedContract, {
  unscoped: ({ db }) => db.select().from(leadsTable),
  unscopedById: ({ db, params }) => db.select().from(leadsTable).where(sql`id = ${params.id}`),
  unscopedSearch: ({ db, query }) =>
    db
      .select()
      .from(leadsTable)
      .where(sql`lead_name = ${query.search ?? ''}`),
  sort: async ({ db, query }) => (await db.execute(sql.raw(`select id from leads order by ${query.sort}`))).rows,
  open: async () => ({ open: true }),
  script: async ({ db, reply }) => {
    const leads = await db.select({ name: leadsTable.lead_name }).from(leadsTable)
    await reply.type('text/html').send(`<ul>${leads.map(({ name }) => `<li>${name}</li>`).join('')}</ul>`)
  },
})

/** Written out, because a list of the open endpoints would let in one that was opened by mistake. */
const meantForGuests = new Set<string>([
  ...['POST /user/login', 'POST /user/authByToken', 'POST /user/logout', 'POST /user/forgot', 'POST /user/reset'],
  ...['POST /user/reset/check', 'POST /user/login/second', 'POST /user/client-login'],
  ...['POST /user/login/passkey/options', 'POST /user/login/passkey'],
  ...['GET /user/oidc', 'POST /user/oidc'],
  ...['POST /hooks/callrail', 'POST /hooks/formidable/:id', 'POST /hooks/in/:key'],
  ...['GET /rate/:leadId', 'POST /rate/:leadId', 'GET /recording/:id/stream'],
  ...['GET /report/:key', 'GET /report/:key.pdf', 'GET /report-unsubscribe/:key', 'POST /report-unsubscribe/:key'],
  ...['GET /statement/:key', 'GET /statement/:key.pdf', 'POST /statement/:key/opened', 'POST /report/:key/opened'],
  ...['POST /user/email/confirm', 'GET /agency/logo'],
])

const app = await setUp(startApp())
const { make, context } = app
const own = await make.campaign()
const theirs = await make.campaign({ name: foreignMarker })
await make.lead({ campaign_id: own.id, lead_name: scriptMarker, message: scriptMarker })
const lead = await make.lead({ campaign_id: theirs.id, lead_name: foreignMarker, message: foreignMarker })
const site = await make.clientSite({ campaign_id: theirs.id, url: `https://${foreignMarker}.example` })
const gmb = await make.gmb({ campaign_id: theirs.id, title: foreignMarker })
const foreign = [...new Set([lead.id, theirs.id, site.id, gmb.id])]
const root = await app.as(await make.superAdmin())
const scoped = await app.as(await make.admin({ campaigns: [own.id] }))
const server = fastify()
afterAll(() => server.close())
server.decorateRequest('me', null)
server.setErrorHandler((error: Error, _request, reply) =>
  reply.status(error instanceof HttpError ? error.status : 500).send({ message: 'refused' }),
)
mountEndpoints(
  server,
  context,
  planted,
  (token, request) => authenticateCall(context, token, request),
  async () => true,
)
await server.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

const endpointsOf = (all: readonly { endpoint: Endpoint }[]) => all.map((one) => one.endpoint)
const there = ({ token }: Caller) => caller(url, token)

describe('planted holes are found', () => {
  const holes = endpointsOf(planted)

  test('a call whose rule lets guests in', async () => {
    expect(await findOpenCalls(there(app.guest), holes, meantForGuests)).toEqual(['GET /planted/open'])
  })

  test('a query without a scope, as a list, by id and in a search', async () => {
    expect(await findUnscopedReads(there(scoped), holes, foreign)).toEqual([
      'GET /planted/leads',
      'GET /planted/leads/:id',
      'GET /planted/found',
    ])
  })

  test('an order that is written into the query', async () => {
    expect(await findInjectableSorts(there(root), holes)).toEqual(['GET /planted/sorted'])
  })

  test('a stored script on a page', async () => {
    expect(await findStoredScripts(there(root), holes, [1])).toEqual(['GET /planted/page'])
  })
})

describe('Leadline has none of these holes', () => {
  const own = endpointsOf(allEndpoints)

  test('no other call answers a guest', async () => {
    expect(await findOpenCalls(app.guest, own, meantForGuests)).toEqual([])
    const addresses = new Set<string>(own.map(({ address }) => address))
    expect([...meantForGuests].filter((address) => !addresses.has(address))).toEqual([])
  })

  test('each read takes the queries of the walks', async () => {
    // The address of the last is signed, and the others need two days: the tests beside them go through their scope.
    expect(await findRefusedQueries(root, own)).toEqual([
      'GET /campaign/area/places', // needs a name
      'GET /statements/sums',
      'GET /statements/send-batch',
      'GET /recording/:id/stream',
    ])
  })

  test('no read shows a foreign row', async () => {
    expect(await findUnscopedReads(scoped, own, foreign)).toEqual([])
  })

  test('no list accepts an order that it does not name', async () => {
    expect(await findInjectableSorts(root, own)).toEqual([])
  })

  test('no response contains a stored script that a browser would run', async () => {
    expect(await findStoredScripts(root, own, [1])).toEqual([])
  })
})
