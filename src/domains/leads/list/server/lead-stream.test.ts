import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import type { Tx } from '#core/db/db.ts'
import { leadsHandlersContract } from '#domains/access/contract.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { sessionsTable, userCampaignsTable } from '#domains/access/schema.ts'
import { requiredRolesContract } from '#domains/access/second-factor/contract.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { lockLeads, updateLeads } from '#domains/leads/model/store.ts'
import { canSeeLead, visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { type App, type Caller, caller, setUp, startApp } from '#test/app.ts'
import { allLeadColumns } from '#test/factories.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { until } from '#test/until.ts'

const app = await setUp(startApp())
const started = performance.now()
afterEach(() => void vi.useRealTimers())

/** Sends the notification of the intake when a lead has come in, and returns once the app has heard it: no later test may. */
async function announce(lead: object | string) {
  const payload = typeof lead === 'string' ? lead : JSON.stringify(lead)
  const heard = new Promise<void>((resolve) => {
    const stop = app.context.live.on(liveChannels.lead, (said) => {
      if (said !== payload) return
      stop()
      resolve()
    })
  })
  await app.context.db.execute(sql`select pg_notify(${liveChannels.lead}, ${payload})`)
  await heard
}

/** Opens a stream of what happens, and of what happened `age` milliseconds before; `next` waits for the next event, `ended` for the end. */
async function follow(person: Caller, age = 0) {
  const leaving = new AbortController()
  const response = await person.fetch(`/api${leadsContract.events.path}?age=${age}`, {
    signal: leaving.signal,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  const heard: EventSourceMessage[] = []
  const waiting: ((message: EventSourceMessage) => void)[] = []
  const parser = createParser({
    onEvent: (message) => {
      const first = waiting.shift()
      if (first) first(message)
      else heard.push(message)
    },
  })
  const decoder = new TextDecoder()
  const ended = (async () => {
    for await (const chunk of response.body!) parser.feed(decoder.decode(chunk, { stream: true }))
  })()
  ended.catch(() => {}) // the test may leave the stream open
  return {
    response,
    ended,
    leave: () => leaving.abort(),
    next: () =>
      heard.length > 0
        ? Promise.resolve(heard.shift()!)
        : new Promise<EventSourceMessage>((resolve) => waiting.push(resolve)),
    unheard: () => heard.length,
  }
}
type Stream = Awaited<ReturnType<typeof follow>>
const nextId = async (stream: Stream) => JSON.parse((await stream.next()).data).id

test('a new lead is announced to those who may see it, and to no one else [PERM-04, PERM-05, PERM-13]', async () => {
  const client = await app.make.client()
  const [mine, other] = [await app.make.campaign({ client_id: client.id }), await app.make.campaign()]
  const streams = {
    handler: await follow(await app.as(await app.make.handler({ campaigns: [mine.id] }))),
    customer: await follow(await app.as(await app.make.customer({ client_id: client.id }))),
    admin: await follow(await app.as(await app.make.admin({ campaigns: [mine.id] }))),
    superAdmin: await follow(await app.as(await app.make.superAdmin())),
  }
  await announce({ id: 1, campaign_id: other.id, hide: false })
  await announce({ id: 2, campaign_id: mine.id, hide: true })
  await announce({ id: 3, campaign_id: noCampaignId, hide: false })
  await announce({ id: 4, campaign_id: mine.id, hide: false })
  const told = async (stream: Stream) => {
    const ids: number[] = []
    while (ids.at(-1) !== 4) ids.push(await nextId(stream)) // events are in order, so missing ones were not sent
    return ids
  }
  expect(await told(streams.handler)).toEqual([4])
  expect(await told(streams.customer)).toEqual([4])
  expect(await told(streams.admin)).toEqual([2, 4])
  expect(await told(streams.superAdmin)).toEqual([1, 2, 3, 4])
  for (const stream of Object.values(streams)) stream.leave()
})

test('a stream begins with what has happened since its reader asked for the rest', async () => {
  const campaign = await app.make.campaign()
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const elsewhere = (await app.make.campaign()).id
  for (const campaign_id of [campaign.id, elsewhere]) await announce({ id: campaign_id, campaign_id, hide: false })
  const age = Math.floor(performance.now() - started)
  const [late, now] = [await follow(admin, age), await follow(admin)]
  await announce({ id: 99_999, campaign_id: campaign.id, hide: false })
  expect([await nextId(late), await nextId(late)]).toEqual([campaign.id, 99_999])
  expect(await nextId(now)).toBe(99_999)
  for (const stream of [late, now]) stream.leave()
})

test('a change of signals is announced once a commit to the users of Home, and to no one else', async () => {
  const campaign = await app.make.campaign()
  const admin = (...permissions: PermissionFlag[]) => app.make.admin({ campaigns: [campaign.id], permissions })
  const home = await follow(await app.as(await admin('dashboard')))
  const both = await follow(await app.as(await admin('dashboard', 'leads')))
  const leads = await follow(await app.as(await admin('leads')))
  const heard: string[] = []
  const stop = app.context.live.on(liveChannels.signal, (payload) => heard.push(payload))
  const sites = [await app.make.clientSite({ status: 0 }), await app.make.clientSite({ status: 0 })]
  await runSignals(app.context)
  expect((await home.next()).event).toBe('signal')
  expect((await both.next()).event).toBe('signal')
  await runSignals(app.context) // changes nothing
  await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, sites[0]!.id))
  await runSignals(app.context)
  expect((await home.next()).event).toBe('signal')
  await announce({ id: 4, campaign_id: campaign.id, hide: false })
  expect(await leads.next(), 'nothing before it').toMatchObject({ event: 'lead' })
  expect(heard).toHaveLength(2)
  expect(home.unheard(), 'who has no leads page is told of none').toBe(0)
  stop()
  for (const stream of [home, both, leads]) stream.leave()
})

describe('a change of a lead', () => {
  const nextChange = async (stream: Stream) => {
    const { event, data } = await stream.next()
    return [event, JSON.parse(data)]
  }

  test('is told with its new values to those who see the lead, and to each only what they may read [DESK-05]', async () => {
    const client = await app.make.client()
    const campaign = await app.make.campaign({ client_id: client.id })
    const lead = await app.make.lead({ campaign_id: campaign.id })
    const [dana, erin] = [await app.make.admin(allLeadColumns), await app.make.superAdmin(allLeadColumns)]
    await app.context.db.insert(userCampaignsTable).values({ user_id: dana.id, campaign_id: campaign.id })
    const streams = {
      dana: await follow(await app.as(dana)),
      erin: await follow(await app.as(erin)),
      customer: await follow(await app.as(await app.make.customer({ client_id: client.id }))),
      stranger: await follow(await app.as(await app.make.admin({ campaigns: [] }))),
    }
    const params = { id: lead.id }
    const writer = await app.as(dana)
    await writer.call(leadsContract.update, {
      params,
      body: { notes: 'Asked for a quote', tags: [{ name: 'Low Value' }] },
    })
    await writer.call(leadsContract.update, { params, body: { confirmed: 1 } })
    await announce({ id: 9, campaign_id: noCampaignId, hide: false })
    const fields = { notes: 'Asked for a quote', tags: ['Low Value'] }
    expect(await nextChange(streams.dana)).toEqual([
      'change',
      { mine: true, leads: [{ id: lead.id, version: 2, fields, whole: true }] },
    ])
    expect(await nextChange(streams.erin)).toMatchObject(['change', { mine: false, leads: [{ fields }] }])
    expect(await nextChange(streams.erin)).toMatchObject([
      'change',
      { leads: [{ version: 3, fields: { confirmed: 1 } }] },
    ])
    expect(await nextChange(streams.customer), 'not of tags').toEqual([
      'change',
      { mine: false, leads: [{ id: lead.id, version: 2, fields: { notes: 'Asked for a quote' }, whole: true }] },
    ])
    await announce({ id: 10, campaign_id: campaign.id, hide: false })
    expect(streams.stranger.unheard()).toBe(0)
    for (const stream of Object.values(streams)) stream.leave()
  })

  test('by a star in an email is told with where the rating is from, and whether it is confirmed [DESK-05]', async () => {
    const campaign = await app.make.campaign()
    const lead = await makeMailedLead(app, { campaign_id: campaign.id }, { sentSecondsAgo: 5 })
    const handler = await follow(await app.as(await app.make.handler({ campaigns: [campaign.id] })))
    await lead.star('5')
    const star = { rating: '5', rating_via: 'link', rating_unconfirmed: 1 }
    expect(await nextChange(handler)).toEqual([
      'change',
      { mine: false, leads: [{ id: lead.id, version: 2, fields: star, whole: true }] },
    ])
    await lead.see('5')
    expect(await nextChange(handler)).toMatchObject(['change', { leads: [{ fields: { rating_unconfirmed: 0 } }] }])
    handler.leave()
  })

  test('that takes a lead out of sight says so, once, and no more is told of it [DESK-05]', async () => {
    const [mine, other] = [await app.make.campaign(), await app.make.campaign()]
    const lead = await app.make.lead({ campaign_id: mine.id })
    const handler = await follow(await app.as(await app.make.handler({ campaigns: [mine.id] })))
    const root = await app.as(await app.make.superAdmin(allLeadColumns))
    const everything = await follow(root)
    const params = { id: lead.id }
    await root.call(leadsContract.update, { params, body: { campaign_id: other.id } })
    expect(await nextChange(everything), 'who still sees it reads where it is').toMatchObject([
      'change',
      { leads: [{ id: lead.id, whole: false, moved: other.id }] },
    ])
    everything.leave()
    await root.call(leadsContract.update, { params, body: { notes: 'Not for them' } })
    await announce({ id: 11, campaign_id: mine.id, hide: false })
    expect(await nextChange(handler)).toEqual([
      'change',
      { mine: false, leads: [{ id: lead.id, version: 2, fields: {}, whole: false, gone: true }] },
    ])
    expect(await nextChange(handler)).toEqual(['lead', { id: 11 }])
    handler.leave()
  })

  test('that brings a lead into sight is told as a new lead [DESK-05]', async () => {
    const [mine, other] = [await app.make.campaign(), await app.make.campaign()]
    const hidden = await app.make.lead({ campaign_id: mine.id, hide: true })
    const elsewhere = await app.make.lead({ campaign_id: other.id })
    const handler = await follow(await app.as(await app.make.handler({ campaigns: [mine.id] })))
    const root = await app.as(await app.make.superAdmin(allLeadColumns))
    const unhide = { notes: 'Not spam', hide: 0 } as const
    await root.call(leadsContract.update, { params: { id: hidden.id }, body: unhide })
    await root.call(leadsContract.update, { params: { id: elsewhere.id }, body: { campaign_id: mine.id } })
    await announce({ id: 15, campaign_id: mine.id, hide: false })
    const told = [await nextChange(handler), await nextChange(handler), await nextChange(handler)]
    expect(told).toEqual([hidden.id, elsewhere.id, 15].map((id) => ['lead', { id }]))
    handler.leave()
  })

  test('is not told to a viewer who has lost the right in between [DESK-05]', async () => {
    const campaign = await app.make.campaign()
    const lead = await app.make.lead({ campaign_id: campaign.id })
    const user = await app.make.handler({ campaigns: [campaign.id] })
    const handler = await follow(await app.as(user))
    const root = await app.as(await app.make.superAdmin(allLeadColumns))
    const params = { id: lead.id }
    await root.call(leadsContract.update, { params, body: { confirmed: 1 } })
    expect(await nextChange(handler)).toMatchObject(['change', { leads: [{ fields: { confirmed: 1 } }] }])
    await root.call(leadsHandlersContract.update, {
      params: { id: user.id },
      body: { campaigns: {} },
    })
    await root.call(leadsContract.update, { params, body: { confirmed: 0 } })
    await announce({ id: 12, campaign_id: campaign.id, hide: false })
    await root.call(leadsHandlersContract.update, {
      params: { id: user.id },
      body: { campaigns: { [campaign.id]: 1 } },
    })
    await announce({ id: 13, campaign_id: campaign.id, hide: false })
    expect(await nextChange(handler)).toEqual(['lead', { id: 13 }])
    handler.leave()
  })

  test('of many leads is one statement of their commit, and no query for a stream [DESK-05]', async () => {
    const campaign = await app.make.campaign()
    const ids: number[] = []
    for (let count = 0; count < 100; count += 1) ids.push((await app.make.lead({ campaign_id: campaign.id })).id)
    const root = await app.as(await app.make.superAdmin(allLeadColumns))
    const streams = [await follow(root), await follow(root), await follow(root)]
    await announce({ id: 14, campaign_id: campaign.id, hide: false })
    for (const stream of streams) expect(await nextId(stream)).toBe(14)
    const statements: string[] = []
    let connections = 0
    const count = () => {
      connections += 1
    }
    app.context.pool.on('acquire', count)
    const zone = app.context.settings.AGENCY_TIMEZONE
    const db = drizzle({ client: app.context.pool, logger: { logQuery: (query) => void statements.push(query) } })
    await db.transaction(async (tx) => {
      const locked = await lockLeads(
        tx,
        ids.map((id) => [id, {}]),
      )
      const edits = [...locked.values()].map((one) => ({
        lead: one,
        set: { confirmed: true },
        before: {},
        after: { confirmed: 1 },
      }))
      await updateLeads(tx, { actor: { me: null }, zone }, edits)
    })
    for (const stream of streams) {
      const told: number[] = []
      while (told.length < ids.length) {
        const [, { leads }] = await nextChange(stream)
        told.push(...leads.map(({ id }: { id: number }) => id))
      }
      expect(told.toSorted((a, b) => a - b)).toEqual(ids)
      stream.leave()
    }
    app.context.pool.off('acquire', count)
    expect(statements.filter((one) => one.includes('pg_notify'))).toHaveLength(1)
    expect(connections, 'only that of the transaction').toBe(1)
  })
})

test('the rule for a single lead is the rule of the list', async () => {
  const campaigns = [await app.make.campaign(), await app.make.campaign()]
  const made = []
  for (const campaign_id of [campaigns[0]!.id, campaigns[1]!.id, null])
    for (const hide of [false, true]) made.push(await app.make.lead({ campaign_id, hide }))
  for (const isAdmin of [false, true])
    for (const campaignIds of [null, [], [campaigns[0]!.id], campaigns.map(({ id }) => id)]) {
      const me = { isAdmin, campaignIds } as Parameters<typeof canSeeLead>[0]
      const rows = await app.context.db.select({ id: leadsTable.id }).from(leadsTable).where(visibleLeadsCondition(me))
      const listed = new Set(rows.map(({ id }) => id))
      expect(made.map((lead) => canSeeLead(me, lead))).toEqual(made.map(({ id }) => listed.has(id)))
    }
})

test('the stream is uncompressed and not buffered by a proxy', async () => {
  const stream = await follow(await app.as(await app.make.superAdmin()))
  const headers = ['content-type', 'content-encoding', 'cache-control', 'x-accel-buffering']
  expect(headers.map((name) => stream.response.headers.get(name))).toEqual([
    'text/event-stream; charset=utf-8',
    null,
    'no-store',
    'no',
  ])
  stream.leave()
})

test('after a gap or an unknown event every list reloads', async () => {
  const stream = await follow(await app.as(await app.make.handler()))
  for (const payload of ['', 'not json', '{"id":"x"}']) {
    await announce(payload)
    expect(await stream.next()).toMatchObject({ event: 'reload', data: '{}' })
  }
  stream.leave()
})

test('a closed stream is forgotten', async () => {
  const stops = vi.fn()
  const on = vi.spyOn(app.context.live, 'on').mockImplementationOnce((channel, hear) => {
    const stop = app.context.live.on(channel, hear)
    return () => {
      stops()
      stop()
    }
  })
  const stream = await follow(await app.as(await app.make.superAdmin()))
  stream.leave()
  await vi.waitFor(() => expect(stops).toHaveBeenCalledOnce(), { timeout: 40_000 })
  on.mockRestore()
})

test('a revoked campaign is silent at once; the stream ends with the session [PERM-04]', async () => {
  const campaign = await app.make.campaign()
  const other = await app.make.campaign()
  const user = await app.make.handler({ campaigns: [campaign.id, other.id] })
  const stream = await follow(await app.as(user))
  await announce({ id: 1, campaign_id: campaign.id, hide: false })
  expect(await nextId(stream)).toBe(1)
  await app.context.pool.query('delete from user_campaigns where user_id = $1 and campaign_id = $2', [
    user.id,
    campaign.id,
  ])
  await announce({ id: 2, campaign_id: campaign.id, hide: false })
  await announce({ id: 3, campaign_id: other.id, hide: false })
  expect(await nextId(stream)).toBe(3)
  await app.context.db.delete(sessionsTable).where(eq(sessionsTable.user_id, user.id))
  await stream.ended
  expect(stream.unheard()).toBe(0)
})

test('a stream ends at once for a person who loses the page, is deactivated or deleted, or must set up a second factor [PERM-01]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const people = {
    handler: await app.make.handler({ permissions: ['leads'] }),
    admin: await app.make.admin(),
    deleted: await app.make.admin(),
    customer: await app.make.customer(),
  }
  const streams = await Promise.all(Object.values(people).map(async (user) => follow(await app.as(user))))
  const set = (id: number, assignment: string) =>
    app.context.pool.query(`update users set ${assignment} where id = $1`, [id])
  await set(people.handler.id, `permissions = '{leadChart}'`) // Home follows signals on the same stream
  await set(people.admin.id, 'is_active = false')
  await set(people.deleted.id, 'deleted_at = now()')
  const roles = { super_admin: false, admin: false, leads_handler: false, customer: false }
  expect((await root.call(requiredRolesContract.save, { body: { ...roles, customer: true } })).status).toBe(200)
  await Promise.all(streams.map(({ ended }) => ended))
  await root.call(requiredRolesContract.save, { body: roles })
})

test('a client hears of other campaigns as soon as they change: theirs, or the client that they belong to [PERM-01]', async () => {
  const [client, another] = [await app.make.client(), await app.make.client()]
  const [old, moved] = [await app.make.campaign({ client_id: client.id }), await app.make.campaign()]
  const customer = await app.make.customer({ client_id: client.id })
  const stream = await follow(await app.as(customer))
  await app.context.pool.query('update campaigns set client_id = $1 where id = $2', [client.id, moved.id])
  await announce({ id: 1, campaign_id: moved.id, hide: false })
  expect(await nextId(stream)).toBe(1)
  await app.context.pool.query('update campaigns set client_id = $1 where id = $2', [another.id, moved.id])
  await announce({ id: 2, campaign_id: moved.id, hide: false })
  await announce({ id: 3, campaign_id: old.id, hide: false })
  expect(await nextId(stream)).toBe(3)
  await app.context.pool.query('update users set client_id = $1 where id = $2', [another.id, customer.id])
  await announce({ id: 4, campaign_id: old.id, hide: false })
  await announce({ id: 5, campaign_id: moved.id, hide: false })
  expect(await nextId(stream)).toBe(5)
  stream.leave()
})

test('a stream of an API key ends when the key is revoked, and one of a view when the viewer’s session ends', async () => {
  const user = await app.make.superAdmin()
  const me = await app.as(user)
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const made = await me.call(apiKeysContract.create, {
    body: { name: 'Zap', access: 'read', pages: { leads: 1 }, expires_at },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { token } = (await me.call(seeAsContract.begin, { params: { id: (await app.make.handler()).id } })).body
  const streams = [await follow(caller(app.url, made.body.key)), await follow(caller(app.url, token))]
  await me.call(apiKeysContract.remove, { params: { id: made.body.id } })
  await streams[0]!.ended
  await me.call(sessionContract.logout, { body: {} })
  await streams[1]!.ended
})

/** Opens a stream of a person whose session row is locked, does something while it waits for the row, and returns it. */
async function followLocked({ context, as }: App, user: { id: number }, act: (lock: Tx) => unknown) {
  const person = await as(user)
  const own = eq(sessionsTable.user_id, user.id)
  // A session that was not used for a minute is written to.
  await context.db.update(sessionsTable).set({ last_used_at: sql`now() - interval '2 minutes'` }).where(own)
  const { opening } = await context.db.transaction(async (tx) => {
    await tx.select().from(sessionsTable).where(own).for('update')
    const started = follow(person)
    await until(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await context.pool.query(waiting)).rowCount === 1
    })
    await act(tx)
    return { opening: started }
  })
  return opening
}

test('a stream whose session ends while it opens does not stay open', async () => {
  const campaign = await app.make.campaign()
  const user = await app.make.handler({ campaigns: [campaign.id] })
  const stream = await followLocked(app, user, (tx) =>
    tx.delete(sessionsTable).where(eq(sessionsTable.user_id, user.id)),
  )
  await announce({ id: 1, campaign_id: campaign.id, hide: false })
  await stream.ended
  expect(stream.unheard()).toBe(0)
})

test('a stream that opens while the server stops ends at once, and the server closes', async () => {
  const second = await startApp()
  let closing: Promise<void> | undefined
  const stream = await followLocked(second, await second.make.superAdmin(), async () => {
    closing = second.close()
    await until(() =>
      fetch(`${second.url}/`).then(
        ({ ok }) => !ok,
        () => true,
      ),
    )
  })
  expect(stream.response.status, 'a browser asks again only after a stream').toBe(200)
  await stream.ended
  await closing
})

test('a notification that cannot be read ends no stream', async () => {
  const stream = await follow(await app.as(await app.make.superAdmin()))
  await app.context.db.execute(sql`select pg_notify(${liveChannels.change}, 'not JSON')`)
  await announce('')
  expect(await Promise.race([stream.next().then(({ event }) => event), stream.ended])).toBe('reload')
  stream.leave()
})

test('a session keeps eight streams; a ninth ends the oldest', async () => {
  const person = await app.as(await app.make.superAdmin())
  const streams = []
  for (let count = 0; count < 9; count += 1) streams.push(await follow(person))
  await streams[0]!.ended
  await announce('')
  for (const stream of streams.slice(1)) expect((await stream.next()).event).toBe('reload')
  for (const stream of streams.slice(1)) stream.leave()
})

test('a stopping server ends its streams and closes', async () => {
  const second = await startApp()
  const person = await second.make.superAdmin()
  const streams = await Promise.all(Array.from({ length: 15 }, async () => follow(await second.as(person))))
  const warned = vi.fn()
  process.on('warning', warned)
  await second.close()
  await Promise.all(streams.map(({ ended }) => ended))
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})
