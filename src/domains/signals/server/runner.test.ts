import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { recordConnectionUse } from '#domains/connections/public.ts'
import { connectionsTable } from '#domains/connections/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { saveCheckResult } from '#domains/listings/checks/server/record-check.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { googleAccountsTable } from '#domains/listings/google/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { webhookMessagesTable, webhooksTable } from '#domains/webhooks/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'
import { runSignals } from './runner.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const now = () => new Date()
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const run = (asOf = now()) => runSignals(app.context, asOf)
const list = async (query: object = {}, caller = root): Promise<Signal[]> =>
  (await caller.call(signalsContract.list, { query: { per_page: 200, ...query } })).body.data
const about = async (kind: string, type: string, id: unknown, query: object = {}) =>
  (await list({ kind, ...query })).find(({ subject }) => subject.type === type && subject.id === id)
const offlineSite = (values: Partial<typeof clientSitesTable.$inferInsert> = {}) =>
  app.make.clientSite({ status: 0, checked_at: now(), problem: 'Error 500', ...values })

beforeEach(async () => {
  await app.context.db.update(clientSitesTable).set({ status: 1 })
  await app.context.db.update(networkSitesTable).set({ status: 1 })
})

test('webhooks receive a signal that opens and closes, as their creator may read it [OPEN-02] [TODAY-06]', async () => {
  const events = ['signal.opened', 'signal.closed']
  const maker = await app.make.admin({ campaigns: [(await app.make.campaign()).id] })
  const [all, none] = [root, await app.as(maker)]
  for (const who of [all, none])
    expect((await who.call(webhooksContract.create, { body: { url: 'https://hooks.example/x', events } })).status).toBe(
      200,
    )
  const site = await offlineSite()
  await run()
  const open = (await about('site_offline', 'client_site', site.id))!
  await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
  await run()
  const bodies = (await app.context.db.select().from(webhookMessagesTable).orderBy(webhookMessagesTable.id))
    .filter(({ subject }) => subject === `signal:${open.id}`)
    .map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([
    { type: 'signal.opened', data: { ...open, closed_at: null } },
    { type: 'signal.closed', data: { id: open.id, closed_at: expect.any(String) } },
  ])
  await app.context.db.delete(webhooksTable)
})

describe('a problem opens a signal, and its end closes it', () => {
  test('an offline site, with evidence of opening and closing [TODAY-02] [TODAY-06]', async () => {
    const site = await offlineSite()
    await run()
    const open = await about('site_offline', 'client_site', site.id)
    expect(open).toMatchObject({
      severity: 'severe',
      campaign: { id: site.campaign_id },
      closed_at: null,
      evidence: { problem: 'Error 500', says: 'Down in two checks in a row (error 500).' },
      claimed_by: null,
      muted_until: null,
      parent_id: null,
      task_id: null,
    })
    expect(await run()).toMatchObject({ opened: 0, closed: 0 })
    await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toBeUndefined()
    const closed = await about('site_offline', 'client_site', site.id, { state: 'closed' })
    expect(closed).toMatchObject({
      id: open!.id,
      closed_at: expect.any(String),
      evidence: {
        status: 1,
        checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        says: expect.stringContaining('The site is back up. Lasted '),
        opened_with: open!.evidence,
      },
    })
    expect(await about('site_offline', 'client_site', site.id, { state: 'today' })).toMatchObject({ id: open!.id })
  })

  test('a site that no check has reached is not called offline', async () => {
    const site = await offlineSite({ problem: 'The name does not exist' })
    await app.context.db.insert(clientSiteLogsTable).values({ site_id: site.id, status: 0 })
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({
      title: `${site.host} has not been reached yet`,
      evidence: { says: 'No check has reached the site since it was added: The name does not exist.' },
    })
    await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
    await app.context.db.insert(clientSiteLogsTable).values({ site_id: site.id, status: 1 })
    await run()
    expect(await about('site_offline', 'client_site', site.id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringMatching(/^A check has reached the site\. Lasted /) },
    })
  })

  test('a live site that has kept checkers out for a day, until its first answer [EDGE-10]', async () => {
    const blocked = { blocked: true, problem: 'Keeps checkers out (403)' }
    const [site, never, short] = [
      await app.make.clientSite({ ...blocked, status: 1, blocked_since: later(-24 * 60 - 1) }),
      await app.make.clientSite({ ...blocked, status: null, blocked_since: later(-48 * 60) }),
      await app.make.networkSite({ ...blocked, status: 1, blocked_since: later(-23 * 60) }),
    ]
    await app.context.db.update(clientSitesTable).set({ status: null }).where(eq(clientSitesTable.id, never.id))
    await run()
    expect(await about('site_unchecked', 'client_site', site.id)).toMatchObject({
      severity: 'note',
      title: expect.stringContaining('keeps checkers out'),
      evidence: { says: expect.stringContaining('Keeps checkers out (403)') },
    })
    expect(await about('site_unchecked', 'client_site', never.id)).toBeUndefined()
    expect(await about('site_unchecked', 'network_site', short.id)).toBeUndefined()
    await app.context.db.update(clientSitesTable).set({ blocked: false, blocked_since: null })
    await run()
    expect(await about('site_unchecked', 'client_site', site.id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringContaining('The site lets our checks in again.') },
    })
    const again = { blocked: true, blocked_since: later(-24 * 60 - 1) }
    await app.context.db.update(clientSitesTable).set(again).where(eq(clientSitesTable.id, site.id))
    await run()
    await app.context.db.update(clientSitesTable).set({ status: 0 }).where(eq(clientSitesTable.id, site.id))
    await run()
    expect(await about('site_unchecked', 'client_site', site.id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringMatching(/^The site is offline now\. /) },
    })
  })

  test('a site that got out of reach since it kept a check out is not said to keep checkers out, unless it was said before [EDGE-10]', async () => {
    const since = { status: 1 as const, blocked_since: later(-24 * 60 - 1) }
    const [silent, offline, known] = [
      await app.make.clientSite({ ...since, blocked: false, problem: 'No answer', unreached: true }),
      await app.make.clientSite({ ...since, blocked: true, unreached: true }),
      await app.make.clientSite({ ...since, blocked: true, problem: 'Keeps checkers out (403)' }),
    ]
    await run()
    for (const { id } of [silent, offline]) expect(await about('site_unchecked', 'client_site', id)).toBeUndefined()
    const noAnswer = { blocked: false, problem: 'No answer', unreached: true }
    await app.context.db.update(clientSitesTable).set(noAnswer).where(eq(clientSitesTable.id, known.id))
    await run()
    expect(await about('site_unchecked', 'client_site', known.id)).toMatchObject({
      closed_at: null,
      evidence: { says: expect.not.stringContaining('No answer') },
    })
  })

  test('a problem that returns within an hour is the same signal; later, a new one [TODAY-02]', async () => {
    const site = await offlineSite()
    const set = (status: number) =>
      app.context.db.update(clientSitesTable).set({ status }).where(eq(clientSitesTable.id, site.id))
    await run()
    const first = (await about('site_offline', 'client_site', site.id))!
    await set(1)
    await run(later(10))
    await set(0)
    await run(later(65))
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({
      id: first.id,
      opened_at: first.opened_at,
      closed_at: null,
      evidence: first.evidence, // and none of the end that was not one
    })
    await set(1)
    await run(later(70))
    await set(0)
    await run(later(140))
    const second = (await about('site_offline', 'client_site', site.id))!
    expect(second.id).not.toBe(first.id)
  })

  test('two workers at once, and a run after a restart, make one signal [TODAY-02]', async () => {
    const site = await offlineSite()
    await Promise.all([run(), run(), run(new Date(Date.now() - 3_600_000))])
    await run()
    const rows = await app.context.db
      .select()
      .from(signalsTable)
      .where(sql`subject_type = 'client_site' and subject_id = ${String(site.id)}`)
    expect(rows).toHaveLength(1)
  })

  test('sites down together on one IP address or host have one parent, and keep their own signals [TODAY-04]', async () => {
    const campaign = await app.make.campaign()
    const sites = []
    for (let count = 0; count < 3; count++) sites.push(await offlineSite({ ip: '192.0.2.7', campaign_id: campaign.id }))
    const shared = []
    for (let count = 0; count < 3; count++)
      shared.push(await offlineSite({ url: `https://shop.example/${count}`, ip: `192.0.2.${20 + count}` }))
    const [alone] = [await offlineSite({ ip: '192.0.2.8' })]
    await run()
    const parent = await about('site_offline', 'ip', '192.0.2.7')
    expect(parent).toMatchObject({
      title: '3 sites on 192.0.2.7 are offline',
      campaign: { id: campaign.id },
      evidence: { sites: 3 },
    })
    for (const { id } of sites)
      expect(await about('site_offline', 'client_site', id)).toMatchObject({ parent_id: parent!.id })
    const host = await about('site_offline', 'host', 'shop.example')
    expect(host).toMatchObject({ campaign: null, parent_id: null })
    for (const { id } of shared)
      expect(await about('site_offline', 'client_site', id)).toMatchObject({ parent_id: host!.id })
    expect(await about('site_offline', 'client_site', alone!.id)).toMatchObject({ parent_id: null })
    const both = []
    for (let count = 0; count < 3; count++)
      both.push(await offlineSite({ url: `https://both.example/${count}`, ip: '192.0.2.9' }))
    await run()
    const address = await about('site_offline', 'ip', '192.0.2.9')
    for (const { id } of both)
      expect(await about('site_offline', 'client_site', id)).toMatchObject({ parent_id: address!.id })
    expect(await about('site_offline', 'host', 'both.example'), 'the address says it all').toBeUndefined()
    await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, sites[0]!.id))
    await run()
    expect(await about('site_offline', 'ip', '192.0.2.7')).toBeUndefined()
    expect(await about('site_offline', 'client_site', sites[0]!.id), 'a child closes on its own').toBeUndefined()
    expect(await about('site_offline', 'client_site', sites[1]!.id)).toMatchObject({ parent_id: null })
  })

  test('a dead address is one signal for who sees some of its sites, and names those and no others [TODAY-04]', async () => {
    const campaigns = []
    for (let count = 0; count < 3; count++) campaigns.push(await app.make.campaign({ initial_target: 0 }))
    const [first, second, foreign] = campaigns.map(({ id }) => id) as [number, number, number]
    const down = []
    for (const campaign_id of [first, first, second, foreign, foreign])
      down.push(await offlineSite({ ip: '192.0.2.77', campaign_id }))
    const admin = await app.as(await app.make.admin({ campaigns: [first, second] }))
    const events = ['signal.opened', 'signal.closed']
    await admin.call(webhooksContract.create, { body: { url: 'https://hooks.example/shared', events } })
    await run()
    const isTheirs = ({ kind }: Signal) => kind === 'site_offline'
    const theirs = (await list({}, admin)).filter(isTheirs)
    const parent = theirs.find(({ parent_id }) => parent_id === null)!
    expect(theirs).toHaveLength(4)
    expect(theirs.filter(({ parent_id }) => parent_id === parent.id)).toHaveLength(3)
    expect(parent).toMatchObject({
      title: '3 sites on 192.0.2.77 are offline',
      campaign: null,
      evidence: { sites: 3, says: '3 sites on 192.0.2.77 do not answer.' },
    })
    const hosts = theirs.flatMap(({ subject }) => (subject.type === 'client_site' ? [subject.label] : []))
    expect(new Set(parent.evidence.hosts as string[])).toEqual(new Set(hosts))
    expect((await about('site_offline', 'ip', '192.0.2.77'))!.title).toBe('5 sites on 192.0.2.77 are offline')
    expect((await admin.call(signalsContract.count)).body).toMatchObject({ needs_you: 1, severe: 1, open: 4 })
    const stranger = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))
    expect(await list({}, stranger)).toEqual([])
    expect((await stranger.call(signalsContract.claim, { params: { id: parent.id } })).status).toBe(404)
    expect((await admin.call(signalsContract.claim, { params: { id: parent.id } })).status).toBe(200)
    // It ends while one of theirs is still down.
    await app.context.db
      .update(clientSitesTable)
      .set({ status: 1 })
      .where(
        inArray(
          clientSitesTable.id,
          down.slice(0, 3).map(({ id }) => id),
        ),
      )
    await run()
    const bodies = (await app.context.db.select().from(webhookMessagesTable).orderBy(webhookMessagesTable.id))
      .filter(({ subject }) => subject === `signal:${parent.id}`)
      .map(({ body }) => JSON.parse(body))
    expect(bodies).toMatchObject([
      { type: 'signal.opened', data: { title: parent.title } },
      { type: 'signal.closed', data: { title: parent.title } },
    ])
    await app.context.db.delete(webhooksTable)
  })

  test('certificates and domains, 30, 14, 7 and 1 days before [TODAY-02]', async () => {
    const zone = app.context.settings.AGENCY_TIMEZONE
    const day = getToday(zone)
    const tls_expires_at = startOfZonedDay(addDays(day, 20), zone)
    const site = await app.make.clientSite({ tls_expires_at, domain: 'ends.example' })
    await app.context.db.insert(registrationsTable).values({ domain: 'ends.example', expires_on: addDays(day, 31) })
    await run()
    expect(await about('certificate_expiring', 'client_site', site.id)).toMatchObject({
      severity: 'note',
      evidence: { step: 30, days_left: 20 },
    })
    expect(await list({ kind: 'domain_expiring' })).toEqual([])
    const expires = (days: number) =>
      app.context.db
        .update(registrationsTable)
        .set({ expires_on: addDays(day, days) })
        .where(eq(registrationsTable.domain, 'ends.example'))
    for (const [days, severity, step] of [
      [30, 'note', 30],
      [14, 'warning', 14],
      [7, 'severe', 7],
      [1, 'severe', 1],
    ] as const) {
      await expires(days)
      await run()
      expect(await list({ kind: 'domain_expiring' })).toMatchObject([
        {
          severity,
          subject: { type: 'domain', label: 'ends.example' },
          campaign: { id: site.campaign_id },
          evidence: { step },
        },
      ])
    }
    await expires(400)
    await run()
    expect(await list({ kind: 'domain_expiring' })).toEqual([])
  })

  test('a domain of our network, of a redirect alone, and network sites on one host say so [TODAY-08]', async () => {
    const { db } = app.context
    const expires_on = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 3)
    const domains = ['ours.example', 'redirected.example']
    const registered = await db
      .insert(registrationsTable)
      .values(domains.map((domain) => ({ domain, expires_on })))
      .returning()
    await app.make.networkSite({ url: 'https://ours.example', domain: 'ours.example' })
    const redirect = { domain: 'www.redirected.example', registered_domain: 'redirected.example' }
    await db
      .insert(redirectDomainsTable)
      .values({ ...redirect, redirect_url: 'https://shop.example', domainkey: 'r', live_status: 1 })
    for (const path of [1, 2, 3]) {
      await app.make.networkSite({ url: `https://net-host.example/${path}`, status: 0 })
      await offlineSite({ url: `https://client-host.example/${path}` })
    }
    await run()
    const inNetwork = async (kind: string, type: string, id: unknown) =>
      (await about(kind, type, id))?.evidence.in_network
    expect(await inNetwork('domain_expiring', 'domain', registered[0]!.id)).toBe(true)
    expect(await inNetwork('domain_expiring', 'domain', registered[1]!.id)).toBe(false)
    expect(await inNetwork('site_offline', 'host', 'net-host.example')).toBe(true)
    expect(await inNetwork('site_offline', 'host', 'client-host.example')).toBe(false)
    await db.delete(registrationsTable)
    await db.delete(redirectDomainsTable)
    await db.delete(networkSitesTable)
    await run()
  })

  test('a domain is not said to be checked while its registry does not answer [TODAY-08]', async () => {
    const expires_on = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 3)
    await app.make.clientSite({ domain: 'unanswered.example' })
    const [row] = await app.context.db
      .insert(registrationsTable)
      .values({ domain: 'unanswered.example', expires_on })
      .returning()
    await run()
    const open = await about('domain_expiring', 'domain', row!.id)
    const probed = await root.call(signalsContract.probe, { params: { id: open!.id } })
    expect([probed.status, probed.body.closed_at, probed.body.probed_at]).toEqual([200, null, null])
    await app.context.db.delete(registrationsTable)
    await run()
  })

  test('a domain of several campaigns is a signal for all who see one of them, as one of theirs [TODAY-02]', async () => {
    const [first, second, third] = [await app.make.campaign(), await app.make.campaign(), await app.make.campaign()]
    for (const { id } of [third, second, first])
      await app.make.clientSite({ campaign_id: id, domain: 'cities.example' })
    const expires_on = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 6)
    await app.context.db.insert(registrationsTable).values({ domain: 'cities.example', expires_on })
    await run()
    const ids = [first.id, second.id, third.id]
    const seenBy = async (caller = root, query: object = {}) => {
      const found = await list({ kind: 'domain_expiring', ...query }, caller)
      return found.map(({ campaign, evidence }) => [campaign?.id, evidence.campaign_ids])
    }
    expect(await seenBy()).toEqual([[first.id, ids]])
    const person = await app.as(await app.make.admin({ campaigns: [second.id, third.id] }))
    expect(await seenBy(person)).toEqual([[second.id, [second.id, third.id]]])
    expect(await seenBy(person, { campaign_id: third.id })).toHaveLength(1)
    expect(await seenBy(root, { campaign_id: third.id })).toHaveLength(1)
    const stranger = await app.make.campaign()
    expect(await seenBy(await app.as(await app.make.admin({ campaigns: [stranger.id] })))).toEqual([])
    expect(await seenBy(root, { campaign_id: stranger.id })).toEqual([])
    const [{ id } = { id: 0 }] = await list({ kind: 'domain_expiring' }, person)
    expect((await person.call(signalsContract.task, { params: { id }, body: {} })).status).toBe(200)
    const [task] = await app.context.db
      .select()
      .from(activityItemsTable)
      .where(inArray(activityItemsTable.campaign_id, ids))
    expect(task).toMatchObject({ campaign_id: second.id, is_task: true })
    await app.context.db.delete(registrationsTable).where(eq(registrationsTable.domain, 'cities.example'))
    await run()
  })

  test('a suspended listing, even if set by staff, and a changed one until it is accepted [TODAY-02]', async () => {
    const gmb = await app.make.gmb({ status: 4, changed: true, changed_at: now(), changed_fields: ['Phone'] })
    await run()
    expect(await about('listing_suspended', 'listing', gmb.id)).toMatchObject({ severity: 'severe' })
    expect(await about('listing_changed', 'listing', gmb.id)).toMatchObject({ evidence: { fields: ['Phone'] } })
    await app.context.db.update(gmbsTable).set({ status: 1, changed: false }).where(eq(gmbsTable.id, gmb.id))
    await run()
    expect(await about('listing_suspended', 'listing', gmb.id)).toBeUndefined()
    expect(await about('listing_changed', 'listing', gmb.id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringContaining('accepted') },
    })
  })

  test('a listing that vanishes from Google Maps is not called edited, nor one that comes back [TODAY-02]', async () => {
    const gmb = await app.make.gmb({ title: 'Bayou Roofing', status: 1 })
    const check = async (answer: Parameters<typeof saveCheckResult>[2]) => {
      await saveCheckResult(app.context, gmb, answer)
      await run()
      return about('listing_changed', 'listing', gmb.id)
    }
    expect(await check({ outcome: 'listing', snapshot: { phone: '1' } })).toBeUndefined()
    expect(await check({ outcome: 'none', certain: true })).toBeUndefined()
    expect(await check({ outcome: 'none', certain: true })).toMatchObject({
      title: 'Bayou Roofing is no longer on Google Maps',
      evidence: { says: expect.stringContaining('restore it at Google') },
    })
    expect(await check({ outcome: 'listing', snapshot: { phone: '1' } })).toMatchObject({
      title: 'Bayou Roofing is on Google Maps again',
      evidence: { says: expect.stringContaining('accept') },
    })
    expect(await check({ outcome: 'listing', snapshot: { phone: '2' } })).toMatchObject({
      title: 'Bayou Roofing was edited on Google: phone',
      evidence: { says: 'Accept or revert the change. Once it is reverted at Google, accept the listing as it is.' },
    })
  })

  test('a Google account, a broken redirect, a lost link [TODAY-02]', async () => {
    const { db } = app.context
    const [account] = await db
      .insert(googleAccountsTable)
      .values({
        subject: 's1',
        email: 'owner@gmail.example',
        account_name: 'Owner',
        refresh_token: Buffer.from('x'),
        needs_relink_since: now(),
      })
      .returning()
    const [redirect] = await db
      .insert(redirectDomainsTable)
      .values({ domain: 'old.example', redirect_url: 'https://new.example', domainkey: 'k', live_status: 0 })
      .returning()
    const site = await app.make.clientSite({ url: 'https://linked-to.example' })
    const lost = await app.make.outgoingLink({ url: 'https://linked-to.example/a', lost_at: now() })
    const kept = await app.make.outgoingLink({ url: 'https://linked-to.example/b', lost_at: now() })
    await app.make.outgoingLink({ url: 'https://linked-to.example/', network_site_id: kept.network_site_id })
    await app.make.outgoingLink({ url: 'https://elsewhere.example/', lost_at: now() })
    const ended = await app.make.campaign({ archived: true })
    await app.make.clientSite({ url: 'https://of-before.example', campaign_id: ended.id })
    await app.make.outgoingLink({ url: 'https://of-before.example/', lost_at: now() })
    await run()
    expect(await about('google_relink', 'google_account', account!.id)).toMatchObject({ campaign: null })
    const broken = await about('redirect_broken', 'redirect_domain', redirect!.id)
    const probed = await root.call(signalsContract.probe, { params: { id: broken!.id } })
    expect([probed.status, probed.body.probed_at], 'nothing was looked at').toEqual([200, null])
    expect(await list({ kind: 'link_lost' })).toMatchObject([
      { subject: { type: 'link', id: lost.id }, campaign: { id: site.campaign_id } },
    ])
  })

  test('a connection that is refused again and again, with the provider’s words, until it works [MOVE-15]', async () => {
    const { db } = app.context
    const form = { kind: 'callrail', account_id: 'ACC5', name: 'North', api_key: 'expired' }
    const { id } = (await root.call(connectionsContract.create, { body: form })).body
    const refuse = () => recordConnectionUse(db, id, { state: 'refused', says: 'CallRail says: Access denied.' })
    await refuse()
    await refuse()
    await run()
    expect(await about('connection_lost', 'connection', id)).toBeUndefined()
    await db.update(connectionsTable).set({ refused_since: later(-6) })
    await refuse()
    await run()
    expect(await about('connection_lost', 'connection', id)).toMatchObject({
      ...{ severity: 'severe', campaign: null, title: 'CallRail refuses the key of North' },
      evidence: { says: 'CallRail says: Access denied.' },
    })
    const admin = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))
    expect(await list({ kind: 'connection_lost' }, admin)).toEqual([])
    await recordConnectionUse(db, id, { state: 'works' })
    await run()
    expect(await about('connection_lost', 'connection', id)).toBeUndefined()
    expect(await about('connection_lost', 'connection', id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringContaining('The connection works again.') },
    })
    await refuse()
    await refuse()
    await db.update(connectionsTable).set({ lost_since: later(-6) })
    await run()
    const lost = (await about('connection_lost', 'connection', id))!
    await db.delete(connectionsTable)
    await run()
    expect((await list({ kind: 'connection_lost', state: 'closed' })).find((one) => one.id === lost.id)).toMatchObject({
      evidence: { says: expect.stringMatching(/^The connection was removed\. /) },
    })
  })

  test('emails that have waited five minutes for a mail server that is missing or refuses [MOVE-15]', async () => {
    const { db } = app.context
    const expires_at = later(600)
    const [message] = await db
      .insert(messagesTable)
      .values({ channel: 'email', kind: 'digest', recipient: 'a@b.example', dedupe_key: 'waits', expires_at })
      .returning()
    await run(later(4))
    expect(await list({ kind: 'connection_lost' })).toEqual([])
    await run(later(6))
    expect(await about('connection_lost', 'connection', 0)).toMatchObject({
      title: 'Emails are not being sent',
      evidence: { says: 'No mail server is connected. 1 email waits.', waiting: 1 },
    })
    const setState = (state: 'queued' | 'refused') =>
      db.update(messagesTable).set({ state }).where(eq(messagesTable.id, message!.id))
    const end = async () => (await about('connection_lost', 'connection', 0, { state: 'closed' }))?.evidence.says
    await setState('refused')
    await run(later(6))
    expect(await end()).toMatch(/^No email waits for it anymore\. /)
    await setState('queued')
    await run(later(6))
    const form = { kind: 'smtp', url: 'smtp://mail.example', from: 'a@b.example' }
    const { id } = (await root.call(connectionsContract.create, { body: form })).body
    await recordConnectionUse(db, id, { state: 'unreachable', says: 'The mail server cannot be reached: away.' })
    await run(later(6))
    expect(await end()).toMatch(/^A mail server is connected now\. /)
    expect(await list({ kind: 'connection_lost' })).toMatchObject([
      { subject: { id }, evidence: { says: 'The mail server cannot be reached: away. 1 email waits.' } },
    ])
    await setState('refused')
    await run(later(6))
    expect(await about('connection_lost', 'connection', id, { state: 'closed' })).toMatchObject({
      evidence: { says: expect.stringMatching(/^The mail server has taken emails since, or none waits anymore\. /) },
    })
    await setState('queued')
    await run(later(6))
    await recordConnectionUse(db, id, { state: 'works' })
    await run(later(6))
    expect(await list({ kind: 'connection_lost' })).toEqual([])
    await recordConnectionUse(db, id, { state: 'unreachable', says: 'The mail server cannot be reached: away.' })
    await run(later(6))
    expect(await list({ kind: 'connection_lost' }), 'it has taken emails since that one').toEqual([])
    await db.delete(messagesTable).where(eq(messagesTable.id, message!.id))
    await db.delete(connectionsTable)
  })

  test('a Google account that must be linked again is explained by the connection of Google [MOVE-15]', async () => {
    const { db } = app.context
    await db.delete(googleAccountsTable)
    const account = { subject: 's3', email: 'relink@gmail.example', account_name: 'Relink' }
    const lost = { refresh_token: Buffer.from('x'), needs_relink_since: now() }
    await db.insert(googleAccountsTable).values({ ...account, ...lost })
    const form = { kind: 'google', client_id: 'id', client_secret: 'secret' }
    const { id } = (await root.call(connectionsContract.create, { body: form })).body
    await run()
    const signal = await about('connection_lost', 'connection', id)
    expect(signal).toMatchObject({
      severity: 'severe',
      evidence: { says: expect.stringContaining('relink@gmail.example') },
    })
    expect(await list({ kind: 'google_relink' })).toMatchObject([{ parent_id: signal!.id }])
    await db.update(googleAccountsTable).set({ needs_relink_since: null })
    await run()
    expect(await list({ kind: 'connection_lost' })).toEqual([])
    await db.delete(connectionsTable)
  })

  test('quarantine and leads without a campaign, one each for the agency [TODAY-02]', async () => {
    const event = { provider: 'callrail' as const, headers: {}, body: Buffer.from('?'), state: 'quarantined' as const }
    await app.context.db.insert(inboundEventsTable).values([event, { ...event, reason: 'no such company' }])
    await app.make.lead({ campaign_id: null })
    await app.make.lead({ campaign_id: null, archived: true })
    await app.make.lead({ campaign_id: null, hide: true })
    await run()
    expect(await list({ kind: 'events_quarantined' })).toMatchObject([
      { subject: { type: 'agency' }, campaign: null, evidence: { count: 2, reason: 'no such company' } },
    ])
    expect(await list({ kind: 'leads_unassigned' })).toMatchObject([{ evidence: { count: 1 } }])
    const occurred_at = new Date(Date.now() - 30 * 86_400_000)
    await app.make.lead({ campaign_id: null, occurred_at })
    await run()
    const [unassigned] = await list({ kind: 'leads_unassigned' })
    expect(Date.parse(String(unassigned!.evidence.since)), 'its link leads to the older one too').toBe(+occurred_at)
  })

  test('a refused mail, until a later one to the same people is sent [TODAY-02]', async () => {
    const lead = await app.make.lead()
    const mail = {
      lead_id: lead.id,
      campaign_id: lead.campaign_id,
      kind: 'notification' as const,
      recipients: ['gone@client.example'],
    }
    const [refused] = await app.context.db
      .insert(mailsTable)
      .values({ ...mail, state: 'refused', error: '550 No such user.' })
      .returning()
    await run()
    expect(await about('mail_refused', 'mail', refused!.id)).toMatchObject({
      campaign: { id: lead.campaign_id },
      evidence: { says: 'The mail server refused 1 email: 550 No such user.', error: '550 No such user.' },
    })
    await app.context.db.insert(mailsTable).values({ ...mail, state: 'sent' })
    await run()
    expect(await list({ kind: 'mail_refused' })).toEqual([])

    const partly = { state: 'sent', error: 'Not delivered to gone@client.example: 550 No such user' } as const
    const [taken] = await app.context.db
      .insert(mailsTable)
      .values({ ...mail, ...partly })
      .returning()
    await run()
    expect(await about('mail_refused', 'mail', taken!.id), 'the others have it').toMatchObject({
      ...{ severity: 'severe', evidence: { mail_id: null, mail_lead_id: lead.id, error: partly.error } },
    })
    await app.context.db.insert(mailsTable).values({ ...mail, state: 'sent' })
    await run()
    expect(await list({ kind: 'mail_refused' })).toEqual([])
  })

  test('a task still open on the day after its date [TODAY-02]', async () => {
    const day = getToday(app.context.settings.AGENCY_TIMEZONE)
    const assignee_id = (await app.make.admin()).id
    const item = await app.make.activityItem({ date: addDays(day, -1), is_task: true, assignee_id })
    await app.make.activityItem({ date: day, is_task: true, assignee_id })
    await run()
    const [overdue, ...others] = await list({ kind: 'task_overdue' })
    expect(others).toEqual([])
    expect(overdue).toMatchObject({ subject: { type: 'task', id: item.id }, evidence: { days: 1 } })
    // What an open signal says is true today, not on the day when it opened.
    await run(later(24 * 60))
    expect((await list({ kind: 'task_overdue' })).find(({ id }) => id === overdue!.id)).toMatchObject({
      opened_at: overdue!.opened_at,
      evidence: { days: 2, says: expect.stringContaining('2 days late') },
    })
    await app.context.db.update(activityItemsTable).set({ is_done: true })
    await run()
    expect(await list({ kind: 'task_overdue' })).toEqual([])
  })

  test('an overdue task that was moved here, with its assignee who has no account [TODAY-02] [MOVE-05]', async () => {
    const date = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), -1)
    const item = await app.make.activityItem({ date, is_task: true, assignee_name: 'Quinn (left)' })
    await run()
    expect(await about('task_overdue', 'task', item.id)).toMatchObject({
      evidence: { assignee: 'Quinn (left)', says: expect.stringMatching(/ · Quinn \(left\)$/) },
    })
  })

  test('sites of archived campaigns raise no signal', async () => {
    const archived = await app.make.campaign({ archived: true })
    const site = await offlineSite({ campaign_id: archived.id })
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toBeUndefined()
  })
})

describe('the API', () => {
  test('users see the signals of their campaigns; those without one are for super admins [TODAY-02]', async () => {
    const [ours, theirs] = [await offlineSite(), await offlineSite()]
    const agency = await app.make.networkSite({ status: 0 })
    await run()
    const admin = await app.as(await app.make.admin({ campaigns: [ours.campaign_id!] }))
    const seen = await list({}, admin)
    expect(seen.map(({ subject }) => subject)).toContainEqual(expect.objectContaining({ id: ours.id }))
    expect(seen.every(({ campaign }) => campaign?.id === ours.campaign_id)).toBe(true)
    const other = (await about('site_offline', 'client_site', theirs.id))!
    const hidden = (await about('site_offline', 'network_site', agency.id))!
    const before = await app.dump()
    for (const { id } of [other, hidden])
      for (const call of ['claim', 'unclaim', 'probe', 'task'] as const)
        expect((await admin.call(signalsContract[call], { params: { id } })).status).toBe(404)
    expect(await app.dump()).toBe(before)
  })

  test('one user claims a signal; another gets 409, and so does a closed signal [TODAY-07]', async () => {
    const site = await offlineSite()
    await run()
    const { id } = (await about('site_offline', 'client_site', site.id))!
    const person = await app.make.admin({ campaigns: [site.campaign_id!] })
    const admin = await app.as(person)
    const claimed = await admin.call(signalsContract.claim, { params: { id } })
    expect(claimed).toMatchObject({
      status: 200,
      body: { id, claimed_by: { id: person.id, username: person.username } },
    })
    expect((await root.call(signalsContract.claim, { params: { id } })).status).toBe(409)
    expect((await list({ mine: 1 }, admin)).map((signal) => signal.id)).toEqual([id])
    expect(await list({ mine: 1 })).toEqual([])
    expect((await root.call(signalsContract.unclaim, { params: { id } })).body.claimed_by).toBeNull()
    await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
    await run()
    const until = later(60).toISOString()
    for (const [call, body] of [
      ['claim', undefined],
      ['unclaim', undefined],
      ['mute', { until }],
      ['probe', undefined],
      ['task', {}],
    ] as const)
      expect((await root.call(signalsContract[call], { params: { id }, body })).status).toBe(409)
  })

  test('a mute lasts at most 90 days and keeps the signal open [TODAY-07]', async () => {
    const site = await offlineSite()
    await run()
    const { id } = (await about('site_offline', 'client_site', site.id))!
    const mute = (until: string | null) => root.call(signalsContract.mute, { params: { id }, body: { until } })
    expect((await mute(later(91 * 1440).toISOString())).status).toBe(422)
    expect((await mute(later(-5).toISOString())).status).toBe(422)
    const until = later(89 * 1440).toISOString()
    expect(await mute(until)).toMatchObject({ status: 200, body: { muted_until: until, closed_at: null } })
    expect((await mute(null)).body.muted_until).toBeNull()
    const today = getToday(app.context.settings.AGENCY_TIMEZONE)
    const by = async (days: number) => (await mute(addDays(today, days))).status
    expect([await by(0), await by(1), await by(90), await by(91)], 'a day begins').toEqual([422, 200, 200, 422])
  })

  test('a signal’s task is an item of its campaign, completed when it closes; completing the task leaves it open [TODAY-06] [TODAY-07]', async () => {
    const make = async () => {
      const site = await offlineSite()
      await run()
      const { id } = (await about('site_offline', 'client_site', site.id))!
      const { body } = await root.call(signalsContract.task, { params: { id }, body: {} })
      return { site, id, task_id: body.task_id as number }
    }
    const task = async (id: number) =>
      (await app.context.db.select().from(activityItemsTable).where(eq(activityItemsTable.id, id)))[0]!
    const first = await make()
    expect(await task(first.task_id)).toMatchObject({
      is_task: true,
      is_done: false,
      campaign_id: first.site.campaign_id,
    })
    expect((await root.call(signalsContract.task, { params: { id: first.id }, body: {} })).status).toBe(409)
    await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, first.site.id))
    await run()
    expect(await task(first.task_id)).toMatchObject({
      is_done: true,
      note: expect.stringContaining('The site is back up.'),
    })

    const second = await make()
    await app.context.db
      .update(activityItemsTable)
      .set({ is_done: true })
      .where(eq(activityItemsTable.id, second.task_id))
    await run()
    expect(await about('site_offline', 'client_site', second.site.id)).toMatchObject({ closed_at: null })
  })

  test('archiving a campaign leaves the task of its signal open: nothing was mended [TODAY-07]', async () => {
    const site = await offlineSite()
    await run()
    const { id } = (await about('site_offline', 'client_site', site.id))!
    const { body } = await root.call(signalsContract.task, { params: { id }, body: {} })
    const setArchived = (archived: boolean) =>
      app.context.db.update(campaignsTable).set({ archived }).where(eq(campaignsTable.id, site.campaign_id!))
    await setArchived(true)
    await run()
    expect(await about('site_offline', 'client_site', site.id, { state: 'closed' })).toMatchObject({ id })
    await setArchived(false)
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ id, task_id: body.task_id })
    const [task] = await app.context.db
      .select({ is_done: activityItemsTable.is_done })
      .from(activityItemsTable)
      .where(eq(activityItemsTable.id, body.task_id))
    expect(task).toEqual({ is_done: false })
  })

  test('a signal whose task is done or removed can get another one, also when it came back within the hour [TODAY-07]', async () => {
    const site = await offlineSite()
    const set = async (status: number) => {
      await app.context.db.update(clientSitesTable).set({ status }).where(eq(clientSitesTable.id, site.id))
      await run()
    }
    await set(0)
    const { id } = (await about('site_offline', 'client_site', site.id))!
    const makeTask = () => root.call(signalsContract.task, { params: { id }, body: {} })
    const first = (await makeTask()).body.task_id
    await set(1)
    expect(await about('site_offline', 'client_site', site.id, { state: 'closed' })).toMatchObject({ task_id: first })
    await set(0)
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ id, task_id: null, is_handled: false })
    const second = await makeTask()
    expect(second).toMatchObject({ status: 200, body: { is_handled: true } })
    expect(second.body.task_id).not.toBe(first)
    expect((await makeTask()).status).toBe(409)
    await root.call(activityItemsContract.remove, { params: { id: second.body.task_id } })
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ task_id: null, is_handled: false })
    expect((await makeTask()).status).toBe(200)
  })

  test('a signal of the agency cannot become a task: it has no campaign', async () => {
    const site = await app.make.networkSite({ status: 0 })
    await run()
    const { id } = (await about('site_offline', 'network_site', site.id))!
    expect((await root.call(signalsContract.task, { params: { id }, body: {} })).status).toBe(422)
  })

  test('the list of 200 open signals of 5,000 campaigns reads no closed ones [TODAY-02]', async () => {
    const { db } = app.context
    const { client_id } = await app.make.campaign()
    await db.execute(sql`insert into campaigns (name, manager, start_date, client_id)
      select 'Many ' || n, 'Morgan', '2025-01-01', ${client_id} from generate_series(1, 5000) n`)
    await db.execute(sql`insert into signals (kind, detected_kind, severity, title, campaign_id, subject_type, subject_id, subject_label, evidence, closed_at)
      select 'site_offline', 'site_offline', 'severe', 'Site ' || id, id, 'client_site', 'x' || id, 'x', '{"says":"x"}',
        case when id % 25 <> 0 then now() - interval '2 days' end from campaigns where name like 'Many %'`)
    await db.execute(sql`analyze signals`)
    const { rows } = await db.execute<{ 'QUERY PLAN': string }>(sql`
      explain (analyze, timing off) select s.*, c.name, u.username from signals s left join campaigns c on c.id = s.campaign_id
        left join users u on u.id = s.claimed_by where s.closed_at is null order by s.severity, s.opened_at desc, s.id desc limit 200`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    // `npm run bench` limits its duration to 20 ms.
    expect(plan).toMatch(/Scan using signals_open\w* on signals|Bitmap Index Scan on signals_open/)
    expect(plan).not.toContain('Rows Removed by Filter')
    await db.delete(signalsTable).where(sql`subject_id like 'x%'`)
    expect(await db.$count(signalsTable, isNull(signalsTable.closed_at))).toBeGreaterThan(0)
  })
})
