import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { type Campaign, campaignsContract } from '#domains/campaigns/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { defaultSchedule } from '#domains/campaigns/schedule.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { recordHappenings } from '#domains/happenings/public.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { gmbLogsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { readStoredFacts } from '../../server/stored-facts.ts'
import { type CampaignEvent, campaignEventsContract } from '../contract.ts'

const zone = 'America/New_York'
const today = getToday(zone)

let app: App
let root: Caller
let category: number
beforeEach(async () => {
  app = await startApp({ settings: { AGENCY_TIMEZONE: zone } })
  root = await app.as(await app.make.superAdmin({ username: 'root' }))
  category = (await app.make.category()).id
})
afterEach(() => app.close())

const read = async (
  id: number,
  query: object = {},
  who = root,
): Promise<{ status: number; body: { data: CampaignEvent[]; total: number } }> =>
  who.call(campaignEventsContract.list, { params: { id }, query: { ...query } })
const kindsOf = async (...asked: Parameters<typeof read>) => (await read(...asked)).body.data.map(({ kind }) => kind)
const noon = (daysAgo: number) => new Date(`${addDays(today, -daysAgo)}T16:30:00Z`)

/** Creates a campaign with one of every event, a day each. */
async function makeEventfulCampaign() {
  const { db } = app.context
  const campaign = await app.make.campaign({ categories: [category], created_at: noon(40) })
  const { id } = campaign
  const site = await app.make.clientSite({ campaign_id: id, url: 'https://austin-roofing.example' })
  const listing = await app.make.gmb({ campaign_id: id, title: 'Austin Roofing' })
  await app.make.activityItem({ campaign_id: id, date: addDays(today, -20), note: 'Called the client' })
  const assignee = await app.make.admin()
  await app.make.activityItem({
    campaign_id: id,
    date: addDays(today, -19),
    note: 'Write pages',
    assignee_id: assignee.id,
  })
  await app.make.activityItem({ campaign_id: id, date: addDays(today, 3), note: 'Not yet', assignee_id: assignee.id })
  await db.insert(clientSiteLogsTable).values([
    { site_id: site.id, status: 0, created_at: noon(18) },
    { site_id: site.id, status: 1, created_at: noon(17) },
    { site_id: site.id, status: null, created_at: noon(16) },
  ])
  await db.insert(gmbLogsTable).values([
    { gmb_id: listing.id, changed: 'Status', old: 'Live', new: 'Suspended', created_at: noon(15) },
    { gmb_id: listing.id, changed: 'Phone', old: '1', new: '2', username: 'ann', created_at: noon(14) },
  ])
  await app.make.outgoingLink({ url: 'https://austin-roofing.example/a', lost_at: noon(13) })
  const [redirect] = await db
    .insert(redirectDomainsTable)
    .values({ domain: `old-${id}.example`, redirect_url: 'https://www.austin-roofing.example/x', domainkey: 'k' })
    .returning()
  await db.transaction((tx) =>
    recordHappenings(tx, [
      {
        kind: 'redirect_state',
        subject: { type: 'redirect_domain', id: redirect!.id },
        campaign_id: null,
        before: { live_status: 1 },
        after: { live_status: 0 },
      },
      {
        kind: 'site_ip',
        subject: { type: 'client_site', id: site.id },
        campaign_id: id,
        before: { ip: '10.0.0.1' },
        after: { ip: '10.0.0.2' },
      },
      // The first reading is not a change.
      {
        kind: 'registration',
        subject: { type: 'domain', id: 1 },
        campaign_id: id,
        before: null,
        after: { registrar: 'A' },
      },
    ]),
  )
  return { ...campaign, site, listing }
}

test('notes, tasks, outages, listings, links, redirects and edits are one list, newest first [WHY-01]', async () => {
  const { id, site } = await makeEventfulCampaign()
  const campaign = (await root.call(campaignsContract.list, { query: {} })).body.data.find(
    (one: Campaign) => one.id === id,
  )!
  const { name, manager, due_date, start_date, client } = campaign
  const form = { name, manager, due_date, start_date: start_date!, client_id: client.id, categories: [category] }
  await root.call(campaignsContract.update, {
    params: { id },
    body: { ...form, client_sites: [site.id], initial_target: 33 },
  })
  await root.call(workingHoursContract.save, {
    params: { id },
    body: { timezone: 'America/Chicago', schedule: defaultSchedule },
  })
  await root.call(activityItemsContract.create, {
    body: { campaign_ids: [`campaign-${id}`], date: today, note: 'Added a note today' },
  })
  const { status, body } = await read(id)
  expect(status).toBe(200)
  expect(body.total).toBe(body.data.length)
  expect(new Set(body.data.map(({ key }) => key)).size).toBe(body.total)
  expect(body.data.map(({ at }) => at)).toEqual(
    body.data
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  )
  const told = Object.fromEntries(body.data.map(({ kind, title, by, username }) => [kind, [title, by, username]]))
  expect(told).toMatchObject({
    target_changed: ['Target changed: Initial Target 20 → 33', 'person', 'root'],
    hours_edited: ['Working hours edited', 'person', 'root'],
    task: ['Task: Write pages', 'person', expect.any(String)],
    site_offline: ['Site offline: https://austin-roofing.example', 'machine', null],
    site_online: ['Site online: https://austin-roofing.example', 'machine', null],
    site_ip: ['Site moved to another IP: https://austin-roofing.example: 10.0.0.1 → 10.0.0.2', 'machine', null],
    listing_suspended: ['Listing suspended: Austin Roofing', 'machine', null],
    listing_edited: ['Listing edited: Austin Roofing: Phone 1 → 2', 'person', 'ann'],
    link_lost: ['Link lost: https://austin-roofing.example/a', 'machine', null],
    redirect_broken: [`Redirect broken: old-${id}.example`, 'machine', null],
  })
  expect(Object.keys(told)).not.toContain('registration')
  const offline = body.data.find(({ kind }) => kind === 'site_offline')!
  expect(offline).toMatchObject({ at: noon(18).toISOString(), subject: { type: 'client_site', id: site.id } })
  expect(body.data.filter(({ kind }) => kind === 'note').map(({ title }) => title)).toEqual([
    'Added a note today',
    'Called the client',
  ])
  expect(JSON.stringify(body)).not.toContain('Not yet')
})

test('a note or task that was moved here names its author, not who moved it [MOVE-05]', async () => {
  const { id } = await app.make.campaign()
  const moved = { campaign_id: id, author_name: 'Paula (left)' }
  await app.make.activityItem(moved)
  await app.make.activityItem({ ...moved, is_task: true, assignee_name: 'Quinn (left)' })
  expect((await read(id, { kinds: 'note,task' })).body.data.map(({ username }) => username)).toEqual([
    'Paula (left)',
    'Paula (left)',
  ])
})

test('pages, days, kinds and people or machines narrow the list; the last day may not come first [WHY-01]', async () => {
  const { id } = await makeEventfulCampaign()
  const whole = (await read(id)).body
  const pages = await Promise.all([1, 2, 3, 4].map((page) => read(id, { page, per_page: 3 })))
  expect(pages.flatMap(({ body }) => body.data).map(({ key }) => key)).toEqual(
    whole.data.slice(0, 12).map(({ key }) => key),
  )
  expect(pages[0]!.body.total).toBe(whole.total)
  const upward = (await read(id, { order: 'asc' })).body.data
  expect(upward.map(({ at }) => at)).toEqual(whole.data.map(({ at }) => at).toReversed())
  expect(await kindsOf(id, { from: addDays(today, -18), to: addDays(today, -15) })).toEqual([
    'listing_suspended',
    'site_online',
    'site_offline',
  ])
  expect(await kindsOf(id, { kinds: 'site_offline,note' })).toEqual(['site_offline', 'note'])
  const people = (await read(id, { by: 'person' })).body
  expect(people.data.every(({ by }) => by === 'person')).toBe(true)
  expect(people.total + (await read(id, { by: 'machine' })).body.total).toBe(whole.total)
  expect(people.total).toBe(people.data.length)
  for (const wrong of [{ from: today, to: addDays(today, -1) }, { kinds: 'weather' }, { by: 'them' }, { from: 'soon' }])
    expect((await read(id, wrong)).status).toBe(422)
  expect((await read(id, { from: today, to: addDays(today, -1) })).body).toMatchObject({
    errors: { to: ['The last day is before the first'] },
  })
})

test('events that the user’s pages do not show are neither listed nor counted, and money never reaches the leads table [WHY-01]', async () => {
  const { id, site } = await makeEventfulCampaign()
  const [row] = await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.id, id))
  const form = { name: row!.name, manager: 'Morgan', due_date: 1, start_date: '2025-01-15', client_id: row!.client_id }
  const change = (fields: object) =>
    root.call(campaignsContract.update, {
      params: { id },
      body: { ...form, categories: [category], client_sites: [site.id], initial_target: 20, ...fields },
    })
  await change({ service_fee: 900 })
  await change({ service_fee: 1000, initial_target: 21 })
  const admin = async (...permissions: ('leadChart' | 'changelog' | 'campaigns' | 'clientSites')[]) =>
    app.as(await app.make.admin({ campaigns: [id], permissions }))
  const chart = (await read(id, {}, await admin('leadChart'))).body
  expect(chart).toMatchObject({ total: 1, data: [{ kind: 'target_changed' }] })
  expect(JSON.stringify(chart)).not.toContain('Fee')
  expect(await kindsOf(id, {}, await admin('changelog'))).toEqual(['task', 'note'])
  expect(await kindsOf(id, {}, await admin('leadChart', 'clientSites'))).toEqual([
    'target_changed',
    'site_ip',
    'site_online',
    'site_offline',
  ])
  const campaigns = (await read(id, {}, await admin('campaigns'))).body
  expect(campaigns.data.map(({ title }) => title)).toEqual([
    'Target changed: Initial Target 20 → 21; Service Fee 900 → 1000',
    'Campaign edited: Service Fee 0 → 900',
  ])
  const other = await app.as(await app.make.admin())
  expect((await read(id, {}, other)).status).toBe(404)
  expect((await read(9_999_999)).status).toBe(404)
  expect((await read(id, {}, await app.as(await app.make.handler({ campaigns: [id] })))).status).toBe(403)
})

test('an added keyword is in the list, and in the facts of backtests for the campaigns whose leads it hid [WHY-01]', async () => {
  const { id } = await app.make.campaign({ categories: [category] })
  await app.make.campaign({ categories: [category] })
  await app.make.lead({
    campaign_id: id,
    hide: true,
    tags: ['BLSpam'],
    tag_causes: [{ tag: 'BLSpam', because: "keyword 'casino'" }],
  })
  const save = (keywords: string) => root.call(spamContract.saveKeywords, { body: { keywords, confirmed: true } })
  const before = Date.now()
  await save('lottery')
  await save('lottery\ncasino')
  const { data } = (await read(id, { kinds: 'keyword_added' })).body
  expect(data).toMatchObject([
    { title: 'Keyword added: casino', by: 'person', username: 'root', subject: { type: 'keyword' } },
    { title: 'Keyword added: lottery' },
  ])
  const facts = await readStoredFacts(app.context.db, zone)
  const keywords = facts.events.filter(({ event }) => event === 'keyword_added')
  expect(keywords.map(({ campaign, title, at }) => [campaign, title, at])).toEqual([[id, 'casino', data[0]!.at]])
  expect(keywords.every(({ at, subject_id }) => Date.parse(at) >= before - 1 && subject_id !== null)).toBe(true)
  expect(facts.leads.find(({ campaign }) => campaign === id)).toMatchObject({ hidden_by: 'casino' })
})

test('leads before and after any day are compared like those of a note [WHY-02]', async () => {
  const { id } = await app.make.campaign({ categories: [category] })
  for (let day = 1; day <= 20; day++) await app.make.lead({ campaign_id: id, occurred_at: noon(day) })
  const day = addDays(today, -10)
  const around = (query: { day: string }, who = root) =>
    who.call(campaignEventsContract.effect, { params: { id }, query })
  expect((await around({ day })).body).toMatchObject({
    before: { from: addDays(day, -28), leads: 10 },
    after: { from: day, to: addDays(today, -1), leads: 10, days: 10 },
    effect: null,
    says: 'too few to say',
  })
  expect((await around({ day: 'soon' })).status).toBe(422)
  expect((await around({ day }, await app.as(await app.make.admin()))).status).toBe(404)
})
