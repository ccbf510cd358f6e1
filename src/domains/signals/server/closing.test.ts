import { eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fitsLength } from '#contract/cut-text.ts'
import { addDays, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { googleAccountsTable } from '#domains/listings/google/schema.ts'
import { uncheckedValues } from '#domains/sites/checks/server/check-columns.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { signalsTable } from '../schema.ts'
import { runSignals } from './runner.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const now = () => new Date()
const run = () => runSignals(app.context)
const about = async (kind: string, type: string, id: unknown, query: object = {}): Promise<Signal | undefined> => {
  const { body } = await root.call(signalsContract.list, { query: { per_page: 200, kind, ...query } })
  return body.data.find(({ subject }: Signal) => subject.type === type && subject.id === id)
}
const offlineSite = (values: Partial<typeof clientSitesTable.$inferInsert> = {}) =>
  app.make.clientSite({ status: 0, checked_at: now(), problem: 'Error 500', ...values })

test('a signal that closes without its problem being solved does not say that it was [TODAY-06]', async () => {
  const { db } = app.context
  const site = await offlineSite()
  const left = await offlineSite()
  const shared = []
  for (let count = 0; count < 3; count++) shared.push(await offlineSite({ ip: '192.0.2.30' }))
  const hosted = []
  for (let count = 0; count < 3; count++) hosted.push(await offlineSite({ url: `https://one-host.example/${count}` }))
  const gmb = await app.make.gmb({ status: 4 })
  const unlinked = { subject: 's2', email: 'gone@gmail.example', account_name: 'Gone' }
  const [account] = await db
    .insert(googleAccountsTable)
    .values({ ...unlinked, refresh_token: Buffer.from('x'), needs_relink_since: now() })
    .returning()
  const gone = { domain: 'gone.example', redirect_url: 'https://shop.example', domainkey: 'g', live_status: 0 }
  const [redirect] = await db.insert(redirectDomainsTable).values(gone).returning()
  const linked = await app.make.clientSite({ url: 'https://linked.example' })
  const link = await app.make.outgoingLink({ url: 'https://linked.example/', lost_at: now() })
  const named = await app.make.clientSite({ url: 'https://named.com', domain: 'named.com' })
  const taken = await app.make.clientSite({ url: 'https://taken.com', domain: 'taken.com' })
  const expires_on = addDays(getToday(app.context.settings.AGENCY_TIMEZONE), 3)
  const [registration, ofTaken] = await db
    .insert(registrationsTable)
    .values(['named.com', 'taken.com'].map((domain) => ({ domain, expires_on })))
    .returning()
  await run()
  const archived = [site.campaign_id!, gmb.campaign_id, linked.campaign_id!, named.campaign_id!]
  await db.update(campaignsTable).set({ archived: true }).where(inArray(campaignsTable.id, archived))
  await db
    .update(clientSitesTable)
    .set({ campaign_id: null })
    .where(inArray(clientSitesTable.id, [left.id, taken.id]))
  await db
    .update(clientSitesTable)
    .set({ status: 1 })
    .where(inArray(clientSitesTable.id, [shared[0]!.id, hosted[0]!.id]))
  await db.delete(googleAccountsTable).where(eq(googleAccountsTable.id, account!.id))
  await db.delete(redirectDomainsTable).where(eq(redirectDomainsTable.id, redirect!.id))
  await run()
  const said = async (kind: string, type: string, id: unknown) =>
    String((await about(kind, type, id, { state: 'closed' }))?.evidence.says).split('. ')[0]
  expect(await said('site_offline', 'client_site', site.id)).toBe('The campaign was archived')
  expect(await said('link_lost', 'link', link.id)).toBe('The campaign was archived')
  expect(await said('domain_expiring', 'domain', registration!.id)).toBe('The campaign was archived')
  expect(await said('domain_expiring', 'domain', ofTaken!.id)).toBe('Removed, or no longer in a campaign')
  expect(await said('listing_suspended', 'listing', gmb.id)).toBe('The campaign was archived')
  expect(await said('site_offline', 'client_site', left.id)).toBe('Removed, or no longer in a campaign')
  expect(await said('google_relink', 'google_account', account!.id)).toMatch(/^Removed/)
  expect(await said('redirect_broken', 'redirect_domain', redirect!.id)).toMatch(/^Removed/)
  expect(await said('site_offline', 'ip', '192.0.2.30')).toBe('Fewer than 3 of the sites are offline now')
  expect(await said('site_offline', 'host', 'one-host.example')).toBe('Fewer than 3 of the sites are offline now')
  expect(await said('site_offline', 'client_site', shared[0]!.id)).toBe('The site is back up')
})

test('a signal of a site that got another URL does not say that a check has seen it [TODAY-06]', async () => {
  const { db } = app.context
  const sites = {
    site_offline: await offlineSite(),
    certificate_expiring: await app.make.clientSite({
      status: 1,
      tls_expires_at: new Date(Date.now() + 3 * 86_400_000),
    }),
    site_unchecked: await app.make.clientSite({
      status: 1,
      blocked: true,
      blocked_since: new Date(0),
      problem: 'Forbidden',
    }),
  }
  await run()
  for (const [kind, { id }] of Object.entries(sites)) expect(await about(kind, 'client_site', id), kind).toBeDefined()
  await db
    .update(clientSitesTable)
    .set(uncheckedValues)
    .where(
      inArray(
        clientSitesTable.id,
        Object.values(sites).map(({ id }) => id),
      ),
    )
  await run()
  for (const [kind, { id }] of Object.entries(sites)) {
    const closed = await about(kind, 'client_site', id, { state: 'closed' })
    expect([kind, closed?.evidence.says]).toEqual([kind, expect.stringMatching(/^The site’s URL was changed\./)])
  }
})

test('a signal whose subject is gone, or shows nothing any more, does not say that it was mended [TODAY-06]', async () => {
  const { db } = app.context
  const soon = { status: 1, tls_expires_at: new Date(Date.now() + 3 * 86_400_000) } as const
  const plain = await app.make.clientSite(soon)
  const renewed = await app.make.clientSite(soon)
  const hooked = await app.make.clientSite({ status: 1 })
  await app.make.lead({ campaign_id: hooked.campaign_id, clientsite_id: hooked.id, lead_s: 'Callrail' })
  await db.insert(signalsTable).values({
    kind: 'hooks_lost',
    detected_kind: 'source_silent',
    severity: 'severe',
    title: 'Its hooks are lost',
    campaign_id: hooked.campaign_id,
    subject_type: 'source',
    subject_id: `${hooked.id}/callrail`,
    subject_label: 'CallRail',
    evidence: { says: 'One was brought in.', last_lead_at: '2026-01-01T00:00:00.000Z' },
  })
  const sites = [
    await app.make.clientSite({ url: 'https://stays.example' }),
    await app.make.clientSite({ url: 'https://leaves.example' }),
  ]
  const lose = (url: string) => app.make.outgoingLink({ url, lost_at: now() })
  const [dropped, left, restored] = [
    await lose('https://stays.example/'),
    await lose('https://leaves.example/'),
    await lose('https://stays.example/restored'),
  ]
  await run()
  await db.update(clientSitesTable).set({ tls_expires_at: null }).where(eq(clientSitesTable.id, plain.id))
  const later = new Date(Date.now() + 90 * 86_400_000)
  await db.update(clientSitesTable).set({ tls_expires_at: later }).where(eq(clientSitesTable.id, renewed.id))
  await db
    .update(clientSitesTable)
    .set({ deleted_at: now() })
    .where(inArray(clientSitesTable.id, [hooked.id, sites[1]!.id]))
  await db.delete(outgoingLinksTable).where(eq(outgoingLinksTable.id, dropped.id))
  await db.update(outgoingLinksTable).set({ lost_at: null }).where(eq(outgoingLinksTable.id, restored.id))
  await run()
  const said = async (kind: string, type: string, id: unknown) =>
    String((await about(kind, type, id, { state: 'closed' }))?.evidence.says).split('. ')[0]
  const gone = 'Removed, or no longer in a campaign'
  expect(await said('certificate_expiring', 'client_site', plain.id)).toBe('The site shows no certificate anymore')
  expect(await said('certificate_expiring', 'client_site', renewed.id)).toBe('The certificate was renewed')
  expect(await said('hooks_lost', 'source', `${hooked.id}/callrail`)).toBe(gone)
  expect(await said('link_lost', 'link', dropped.id)).toBe(gone)
  expect(await said('link_lost', 'link', left.id)).toBe(gone)
  expect(await said('link_lost', 'link', restored.id)).toBe('Link restored or aged out')
})

test('signals sorted by when they closed have the open ones last, in either direction', async () => {
  const [closed, open] = [await offlineSite(), await offlineSite()]
  await run()
  await app.context.db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, closed.id))
  await run()
  for (const order of ['asc', 'desc']) {
    const { body } = await root.call(signalsContract.list, {
      query: { per_page: 200, state: 'today', sort: 'closed_at', order },
    })
    const isOpen = body.data.map(({ closed_at }: Signal) => closed_at === null)
    expect(isOpen, order).toEqual(isOpen.toSorted())
    expect(isOpen.at(0), order).toBe(false)
    expect(isOpen.at(-1), order).toBe(true)
    expect(body.data.map(({ subject }: Signal) => subject.id)).toContain(open.id)
  }
})

test('a task that is linked while its signal closes is completed, with the evidence even where its note is full [TODAY-06]', async () => {
  const { db } = app.context
  const site = await offlineSite()
  await run()
  const { id } = (await about('site_offline', 'client_site', site.id))!
  const assignee_id = (await app.make.admin()).id
  const task = await app.make.activityItem({
    note: `${'x'.repeat(9_920)}${'🏠'.repeat(40)}`,
    is_task: true,
    assignee_id,
  })
  await db.update(clientSitesTable).set({ status: 1 }).where(eq(clientSitesTable.id, site.id))
  let closing: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.select().from(signalsTable).where(eq(signalsTable.id, id)).for('update')
    closing = run()
    await until(async () => (await db.execute(sql`select from pg_locks where not granted`)).rows.length > 0)
    await tx.update(signalsTable).set({ task_id: task.id }).where(eq(signalsTable.id, id))
  })
  await closing
  const [after] = await db.select().from(activityItemsTable).where(eq(activityItemsTable.id, task.id))
  expect(after).toMatchObject({ is_done: true, note: expect.stringContaining('The site is back up.') })
  expect(fitsLength(after!.note, 10_000)).toBe(true)
  expect(after!.note).not.toContain('\ufffd')
})

test('a claim ends with its account, so that the signal needs someone again [TODAY-07] [TODAY-08]', async () => {
  const site = await offlineSite()
  const user = await app.make.admin({ campaigns: [site.campaign_id!] })
  await run()
  const { id } = (await about('site_offline', 'client_site', site.id))!
  const claim = (who: Caller) => who.call(signalsContract.claim, { params: { id } })
  expect((await claim(await app.as(user))).status).toBe(200)
  await run()
  expect((await claim(root)).status).toBe(409)
  await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, user.id))
  await run()
  expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ claimed_by: null, is_handled: false })
  expect((await claim(root)).status).toBe(200)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'signal'))
  expect(trail.filter(({ row_id }) => row_id === id).map(({ user_id, after }) => [user_id, after])).toEqual([
    [user.id, { claimed_by: user.id }],
    [null, { claimed_by: null }],
    [expect.any(Number), { claimed_by: expect.any(Number) }],
  ])
})

test.each([
  ['its campaign', (id: number) => app.context.db.delete(userCampaignsTable).where(eq(userCampaignsTable.user_id, id))],
  [
    'the dashboard',
    (id: number) => app.context.db.update(usersTable).set({ permissions: [] }).where(eq(usersTable.id, id)),
  ],
])(
  'a claim ends with the right to see the signal: without %s it needs someone again [TODAY-07] [TODAY-08]',
  async (_, take) => {
    const site = await offlineSite()
    const user = await app.make.admin({ campaigns: [site.campaign_id!] })
    await run()
    const { id } = (await about('site_offline', 'client_site', site.id))!
    expect((await (await app.as(user)).call(signalsContract.claim, { params: { id } })).status).toBe(200)
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ is_handled: true })
    await take(user.id)
    await run()
    expect(await about('site_offline', 'client_site', site.id)).toMatchObject({ claimed_by: null, is_handled: false })
  },
)

test('a domain that its registry no longer knows is not called renewed [TODAY-06]', async () => {
  const { db } = app.context
  const day = getToday(app.context.settings.AGENCY_TIMEZONE)
  const site = await app.make.clientSite({ domain: 'dropped.example' })
  const [registration] = await db
    .insert(registrationsTable)
    .values({ domain: 'dropped.example', expires_on: addDays(day, 1) })
    .returning()
  await db.insert(registrationsTable).values({ domain: 'never.example', problem: 'Not registered' })
  await run()
  const { id } = registration!
  const before = await about('domain_expiring', 'domain', id)
  await db
    .update(registrationsTable)
    .set({ expires_on: null, problem: 'Not registered' })
    .where(eq(registrationsTable.id, id))
  await run()
  expect(await about('domain_expiring', 'domain', id)).toMatchObject({
    id: before!.id,
    severity: 'severe',
    title: 'dropped.example may be lost',
    campaign: { id: site.campaign_id },
    closed_at: null,
    evidence: { says: 'The registry no longer says when the registration of dropped.example ends: Not registered.' },
  })
  await db
    .update(registrationsTable)
    .set({ expires_on: addDays(day, 300), problem: null })
    .where(eq(registrationsTable.id, id))
  await run()
  expect(await about('domain_expiring', 'domain', id)).toBeUndefined()
  expect(await about('domain_expiring', 'domain', id, { state: 'closed' })).toMatchObject({
    evidence: { says: expect.stringMatching(/^The registration was renewed/) },
  })
})

test('a silence that a probe explained by the site ends with the lead that came [TODAY-05] [TODAY-06]', async () => {
  const site = await app.make.clientSite({ status: 1 })
  const lead = await app.make.lead({ campaign_id: site.campaign_id, clientsite_id: site.id, lead_s: 'Callrail' })
  await app.context.db.insert(signalsTable).values({
    kind: 'site_offline',
    detected_kind: 'source_silent',
    severity: 'severe',
    title: 'It is silent because its site is offline',
    campaign_id: site.campaign_id,
    subject_type: 'source',
    subject_id: `${site.id}/callrail`,
    subject_label: 'CallRail',
    evidence: { says: 'None came.', last_lead_at: new Date(lead.occurred_at.getTime() - 60_000).toISOString() },
  })
  await run()
  expect(await about('site_offline', 'source', `${site.id}/callrail`, { state: 'closed' })).toMatchObject({
    evidence: { says: expect.stringMatching(/^Leads are coming in again/), lead_id: lead.id },
  })
})
