import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(
  startApp({
    settings: {
      AGENCY_TIMEZONE: 'America/Denver',
      TRUSTED_PROXIES: '127.0.0.1',
      ...callrail.settings,
    },
  }),
)

const key = 'a-key-from-a-mail'
async function mailed(values: Parameters<App['make']['lead']>[0] = {}, secondsAgo = 3600) {
  const lead = await app.make.lead(values)
  const [created_at, expires_at] = [-secondsAgo, 3600].map((seconds) => new Date(Date.now() + seconds * 1000))
  const { id: lead_id, campaign_id } = lead
  const key_hash = hashSha256(`${key}${lead_id}`)
  await app.context.db
    .insert(ratingKeysTable)
    .values({ lead_id, campaign_id, key_hash, created_at, expires_at: expires_at! })
  const link = (path = '/rate', more = '') => `${path}?lead=${lead.id}&auth_key=${key}${lead.id}${more}`
  const stored = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]!
  return { lead, link, stored }
}
const open = (path: string, options = {}) => visit(app, app.guest, path, options)
const stars = (page: Page) => page.getByRole('group', { name: 'Hit Target' })
const steps = (page: Page) => page.getByRole('group', { name: 'Progress' })
const saved = (page: Page) => page.getByText('Thank you, your feedback was saved.')

test('the link of a lead that went to another client says so, with the answer to their dispute [ACCT-09]', async () => {
  const { lead, link, stored } = await mailed({ confirmed: true, client_progress: 5 })
  const [old] = await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.id, lead.campaign_id))
  const answer =
    'Thank you for telling us.\nThey asked for a roof in another town, so we gave the lead to a company there.'
  await app.context.db.insert(disputesTable).values({
    lead_id: lead.id,
    campaign_id: lead.campaign_id,
    client_id: old!.client_id,
    via: 'mail',
    state: 'accepted',
    answer,
    decided_at: new Date(),
  })
  const root = await app.as(await app.make.superAdmin())
  const { id: campaign_id } = await app.make.campaign()
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { campaign_id } })
  const page = await open(link('/rate', '&rate=4'))
  await page.getByRole('heading', { name: 'This lead was reassigned' }).waitFor()
  await page.getByText("You told us this wasn't a lead, and we agree.").waitFor()
  await page.getByText('They asked for a roof in another town').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(callsTo(page, 'POST')).toEqual([])
  expect(await axeViolations(page)).toEqual([])
  expect(await stored()).toMatchObject({ rating: null, client_progress: null })

  await app.context.db.update(disputesTable).set({ state: 'refused' }).where(eq(disputesTable.lead_id, lead.id))
  await page.reload()
  await page.getByText("You told us then that this wasn't a lead. We answered:").waitFor()
  expect(await page.getByText('still counts').count(), 'it is not theirs').toBe(0)
})

describe('a link of the mail', () => {
  test('a star is saved as the page opens, without signing in [RATE-01, RATE-05, RATE-07]', async () => {
    const { link, stored } = await mailed({ client_progress: 2 })
    const page = await open(link('/rate', '&rate=4'))
    await saved(page).waitFor()
    expect(await stored()).toMatchObject({ rating: 4, rating_via: 'link', client_progress: 2 })
    await see(() => stars(page).getByLabel('4 stars').isChecked()).toBe(true)
    expect((await steps(page).locator('label').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Won',
      'In Progress',
      'Lost',
      'Passed',
      'Not Lead',
    ])
    await see(() => steps(page).getByLabel('In Progress').isChecked()).toBe(true)
    expect(callsTo(page, 'POST')).toHaveLength(1)
    expect(page.calls.some((call) => call.includes('/user/me'))).toBe(false)
    expect(await page.getByRole('navigation').count()).toBe(0)
  })

  test('a link opens as other programs have passed it on: escaped once more, or with the end of a sentence [RATE-01, RATE-05]', async () => {
    const page = await open((await mailed()).link())
    const go = (path: string) => page.goto(app.url + path)
    for (const pass of [
      (link: string) => link.replaceAll('&', '&amp;'),
      (link: string) => link.replaceAll('&', '&amp;amp;'),
      (link: string) => `${link}.`,
      (link: string) => `${link}%3E)`,
    ]) {
      const { link, stored } = await mailed()
      await go(pass(link('/rate', '&rate=4')))
      await saved(page).waitFor()
      expect(await stored(), link()).toMatchObject({ rating: 4, rating_via: 'link' })
      await go(pass(link()))
      await stars(page).waitFor()
    }
    const { link } = await mailed()
    for (const encoded of [link().replaceAll('&', '%26'), link().replace(/(?<=\?).*/, encodeURIComponent)]) {
      await go(encoded)
      await stars(page).waitFor()
    }
  })

  test('a star opened as the mail arrives counts once a pointer moves over its page [RATE-15, RATE-16]', async () => {
    const { link, stored } = await mailed({}, 0)
    const page = await open(link('/rate', '&rate=4'))
    await saved(page).waitFor()
    expect(await stored()).toMatchObject({ rating: null, unconfirmed_rating: 4 })
    await page.mouse.move(200, 300)
    await see(async () => (await stored()).rating).toBe(4)
  })

  test('another star of the same mail is asked about, and a person says which one it is [EDGE-14]', async () => {
    for (const [answer, rating] of [
      ['Yes, 5', 5],
      ['No, 2', 2],
    ] as const) {
      const { link, stored } = await mailed()
      await saved(await open(link('/rate', '&rate=2'))).waitFor()
      const page = await open(link('/rate', '&rate=5'))
      await page.getByText('You chose 2 stars a moment ago. Is it 5?').waitFor()
      expect(await stored()).toMatchObject({ rating: null, unconfirmed_rating: 5 })
      if (rating === 5) expect(await axeViolations(page)).toEqual([])
      await page.getByLabel('Notes').fill('A good call')
      await page.getByRole('button', { name: answer }).click()
      await saved(page).waitFor()
      await see(() => stars(page).getByLabel(`${rating} stars`).isChecked()).toBe(true)
      expect(await page.getByLabel('Notes').inputValue()).toBe('A good call')
      expect(await stored()).toMatchObject({ rating, unconfirmed_rating: null })
    }
  })

  test('a page that no one uses, as a scanner leaves it, confirms its star only until another one is opened [EDGE-14]', async () => {
    const { link, stored } = await mailed({}, 0)
    const page = await open(link('/rate', '&rate=1'), { alone: true, before: (page: Page) => page.clock.install() })
    await saved(page).waitFor()
    await page.clock.runFor(11_000)
    await see(async () => (await stored()).rating).toBe(1)
    await (await open(link('/rate', '&rate=4'))).getByText('You chose 1 star a moment ago. Is it 4?').waitFor()
    await see(async () => (await stored()).unconfirmed_rating).toBe(4)
    expect(await stored()).toMatchObject({ rating: null })
  })

  test("'not a lead' sets the progress, and there is nothing to rate [RATE-02, RATE-04]", async () => {
    const { link, stored } = await mailed()
    const page = await open(link('/rate/not-lead'))
    await saved(page).waitFor()
    expect((await stored()).client_progress).toBe(5)
    expect(await stars(page).count()).toBe(0)
    await steps(page).getByText('Won').click()
    await stars(page).waitFor()
    await steps(page).getByText('Not Lead').click()
    await see(() => stars(page).count()).toBe(0)
  })

  test('the page alone, or an invalid star, saves nothing', async () => {
    const { link, stored } = await mailed()
    const page = await open(link('/rate'))
    await stars(page).waitFor()
    for (const more of ['&rate=9', '&rate=']) {
      await page.goto(app.url + link('/rate', more))
      await stars(page).waitFor()
    }
    expect(callsTo(page, 'POST')).toEqual([])
    expect((await stored()).rating).toBe(null)
  })

  test('an invisible link exposes a scanner that opens it', async () => {
    const { link, stored } = await mailed()
    const scanner = await open(link('/rate', '&rate=1'))
    await saved(scanner).waitFor()
    const trapped = await open(link('/rate', '&trap=1'))
    await see(() => callsTo(trapped, 'POST').length).toBe(1)
    await see(async () => (await stored()).rating).toBe(null)
  })
})

test('the lead is shown as the client needs it [RATE-03]', async () => {
  const client = await app.make.client({ timezone: 'America/Denver' })
  const campaign = await app.make.campaign({ name: 'North Roofing', client_id: client.id })
  const { link } = await mailed({
    campaign_id: campaign.id,
    lead_name: 'Ann Lee',
    lead_type: 'Call',
    occurred_at: new Date('2026-03-02T01:05:00Z'),
    lead_email: 'ann@example.com',
    lead_phone: '+13035550101',
    lead_location: 'Denver, CO',
    message: 'The roof leaks',
    recording_url: 'https://calls.example/1',
    notes: 'Asked twice',
    tags: ['After Hours'],
  })
  const page = await open(link())
  await page.getByRole('heading', { name: 'Ann Lee' }).waitFor()
  const [text] = await page.getByRole('main').allInnerTexts()
  for (const part of [
    'North Roofing',
    'Call · Sun, Mar 1, 2026, 6:05 PM MST',
    'Email\nann@example.com',
    'Phone\n+1 (303) 555-0101',
    'Location\nDenver, CO',
    'Message\nThe roof leaks',
    'Recording\nPlay',
    'Notes\nAsked twice',
    'Tags\nAfter Hours',
  ])
    expect(text).toContain(part)
})

test('the call is played on the page, at the chosen speed, from an address fetched at that moment [RATE-03]', async () => {
  const { lead, link } = await mailed({ lead_type: 'Call', recording_url: 'https://app.callrail.com/calls/1' })
  const page = await open(link())
  await page.getByRole('button', { name: 'Play the recording' }).click()
  await see(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(6)
  expect(callsTo(page, `GET /api/rate/${lead.id}`)).toHaveLength(2)
  expect(callsTo(page, `GET /api/recording/${lead.id}/stream`).length).toBeGreaterThan(0)
  await page.getByRole('button', { name: '2x', exact: true }).click()
  await see(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(2)
  expect(await axeViolations(page)).toEqual([])

  const silent = await mailed({ lead_type: 'Call' })
  const other = await open(silent.link())
  await other.getByText('No recording').waitFor()
  expect(await other.getByRole('button', { name: 'Play the recording' }).count()).toBe(0)
})

test('a person fills in the rest and saves it [RATE-04, RATE-06, RATE-07]', async () => {
  const { link, stored } = await mailed({ client_notes: 'from before', company_name: 'kept' })
  const page = await open(link())
  await stars(page).getByLabel('5 stars').check({ force: true })
  await steps(page).getByText('Won').click()
  await see(() => page.getByLabel('Notes').inputValue()).toBe('from before')
  await page.getByLabel('Notes').fill('Signed')
  await page.getByLabel('Value').fill('$12,500.50')
  await page.getByLabel('Profit').fill('3000')
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await saved(page).waitFor()
  expect(await stored()).toMatchObject({
    rating: 5,
    rating_via: 'page',
    client_progress: 1,
    client_notes: 'Signed',
    company_name: 'kept',
    client_value: 12500.5,
    client_profit: 3000,
  })
  await page.getByLabel('Company Name').fill('Lee Homes')
  await page.getByLabel('Value').fill('')
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await see(stored).toMatchObject({ company_name: 'Lee Homes', client_value: null, client_notes: 'Signed' })
})

test('an amount with two meanings or none is refused, and others are saved as they are meant [RATE-06]', async () => {
  const { link, stored } = await mailed()
  const page = await open(link())
  const refused = page.getByText('Not an amount, such as $1,500 or $62.50')
  for (const text of ['2000-2500', '1.500', 'about 300']) {
    await page.getByLabel('Value').fill(text)
    await page.getByRole('button', { name: 'Save Lead' }).click()
    await refused.waitFor()
    expect(await page.getByLabel('Value').inputValue()).toBe(text)
  }
  expect(await axeViolations(page)).toEqual([])
  expect(callsTo(page, 'POST')).toEqual([])
  await page.getByLabel('Value').fill('1500,50')
  await page.getByLabel('Profit').fill('1,200')
  expect(await refused.count()).toBe(0)
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await page.getByText('Saved: Value $1,500.50 · Profit $1,200').waitFor()
  expect(await stored()).toMatchObject({ client_value: 1500.5, client_profit: 1200 })
})

test('a save leaves a progress, a rating and words that the agency has set since the page was opened [RATE-06]', async () => {
  const { lead, link, stored } = await mailed()
  const page = await open(link())
  await page.getByRole('button', { name: 'Save Lead' }).waitFor()
  const since = { client_progress: 1, rating: 3, rating_via: 'staff', company_name: 'Lee Homes' } as const
  await app.context.db.update(leadsTable).set(since).where(eq(leadsTable.id, lead.id))
  await page.getByLabel('Notes').fill('Signed')
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await saved(page).waitFor()
  expect(await stored()).toMatchObject({ ...since, client_notes: 'Signed' })
})

test('the page says what was saved, asks why it is not a lead, and when the agency answers [ACCT-07]', async () => {
  const { lead, link } = await mailed({ confirmed: true, occurred_at: new Date() })
  const page = await open(link('/rate/not-lead'))
  const [notice, reasons] = [
    page.getByRole('region', { name: 'Not a lead' }),
    page.getByRole('group', { name: 'Why is it not a lead for you?' }),
  ]
  await page.getByText('Saved: Not Lead').waitFor()
  await see(() => notice.textContent()).toMatch(
    /^You told us this isn't a lead\. Leadline will look at it and answer here within three working days, by \w{3}, \w{3} \d+(, \d{4})?\.$/,
  )
  await reasons.getByText('Outside our area').click()
  await page.getByText('Saved: Not Lead · Outside our area').waitFor()
  await see(() => notice.textContent()).toContain('Your reason: Outside our area')
  expect(await axeViolations(page)).toEqual([])

  await app.context.db
    .update(disputesTable)
    .set({ state: 'refused', answer: 'They live in your town.', decided_at: new Date() })
    .where(eq(disputesTable.lead_id, lead.id))
  await page.goto(app.url + link())
  await notice.getByText("You told us this wasn't a lead. We reviewed it and it still counts; here's why:").waitFor()
  await notice.getByText('They live in your town.').waitFor()
  expect(await reasons.count()).toBe(0)
})

test('where no dispute opens the reason is asked, and nothing is promised [ACCT-07]', async () => {
  const { link } = await mailed()
  const page = await open(link())
  await stars(page).getByLabel('4 stars').check({ force: true })
  await page.getByLabel('Value').fill('1200')
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await page.getByText('Saved: 4 stars · Value $1,200').waitFor()
  await steps(page).getByText('Not Lead').click()
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await page.getByText('Saved: Not Lead', { exact: true }).waitFor()
  await page.getByRole('group', { name: 'Why is it not a lead for you?' }).getByText('Spam').click()
  await page.getByText('Saved: Not Lead · Spam').waitFor()
  expect(await page.getByRole('region', { name: 'Not a lead' }).count()).toBe(0)
  expect(await page.getByRole('main').textContent()).not.toMatch(/answer|look at/i)
})

test('the question why stays, with the focus, while a reason is saved and when that fails [ACCT-07]', async () => {
  const { link } = await mailed()
  // An address of its own: one may change leads only so often a minute.
  const page = await open(link('/rate/not-lead'), { extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.8' } })
  const reasons = page.getByRole('group', { name: 'Why is it not a lead for you?' })
  const spam = reasons.getByLabel('Spam')
  await spam.waitFor({ state: 'attached' })
  const fails = Promise.withResolvers<void>()
  await page.route('**/api/rate/*?*', async (route) => {
    await fails.promise
    await route.abort()
  })
  await spam.focus()
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Space')
  await asked
  expect(await spam.evaluate((one) => one === document.activeElement)).toBe(true)
  fails.resolve()
  await page.getByText("Can't save lead").waitFor()
  expect(await spam.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.unroute('**/api/rate/*?*')
  await page.keyboard.press('Space')
  await page.getByText('Saved: Not Lead · Spam').waitFor()
  await steps(page).getByText('Won').click()
  await page.getByRole('button', { name: 'Save Lead' }).click()
  await page.getByText('Saved: Won').waitFor()
  expect(await reasons.count()).toBe(0)
})

describe('refusals', () => {
  const says = (page: Page) => page.getByRole('heading', { level: 1 })

  test('without a lead, without a key, with a wrong one [RATE-08, RATE-09, RATE-10]', async () => {
    const { lead, link } = await mailed()
    const page = await open('/rate')
    for (const [path, words] of [
      ['/rate?auth_key=x', 'Lead Not Found'],
      ['/rate/not-lead', 'Lead Not Found'],
      [`/rate?lead=${lead.id}`, 'Access Denied'],
      [`/rate/not-lead?lead=${lead.id}&auth_key=`, 'Access Denied'],
      [`/rate?lead=${lead.id}&auth_key=wrong&rate=5`, 'Lead Not Found'], // the server's message
    ] as const) {
      await page.goto(app.url + path)
      await see(() => says(page).textContent(), path).toBe(words)
      expect(new URL(page.url()).pathname, 'no one is sent to log in').toBe(path.split('?')[0])
    }
    await page.getByText('The link may have expired. Please ask the sender for a new one.').waitFor()
    // A server that is being restarted says why; one that is gone says nothing.
    await page.route('**/api/rate/**', (route) => route.fulfill({ status: 503, json: { message: 'Back in a minute' } }))
    await page.goto(app.url + link())
    await see(() => says(page).textContent()).toBe('Back in a minute')
    await page.unroute('**/api/rate/**')
    await page.route('**/api/rate/**', (route) => route.abort())
    await page.goto(app.url + link())
    await see(() => says(page).textContent()).toBe('Lead Not Found')
    await page.getByText('There is no connection to the server.').waitFor()
    await page.unroute('**/api/rate/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('group', { name: 'Progress' }).waitFor()
  })

  test('a save that fails says so, and keeps what was typed [RATE-11]', async () => {
    const { lead, link, stored } = await mailed()
    const page = await open(link())
    await page.getByLabel('Notes').fill('Typed with care')
    await app.context.db.update(leadsTable).set({ hide: true }).where(eq(leadsTable.id, lead.id))
    await page.getByRole('button', { name: 'Save Lead' }).click()
    await page.getByText("Can't save lead").waitFor()
    await see(() => page.getByLabel('Notes').inputValue()).toBe('Typed with care')
    await app.context.db.update(leadsTable).set({ hide: false }).where(eq(leadsTable.id, lead.id))
    await page.getByRole('button', { name: 'Save Lead' }).click()
    await saved(page).waitFor()
    expect(await page.getByText("Can't save lead").count()).toBe(0)
    expect((await stored()).client_notes).toBe('Typed with care')
  })
})

test('the page fits a phone and is accessible', async () => {
  const { link } = await mailed({
    message: 'A very long word: '.padEnd(300, 'x'),
    lead_email: `${'long'.repeat(20)}@example.com`,
  })
  // An address may save thirty times a minute, as often as the tests before on a fast machine.
  const extraHTTPHeaders = { 'x-forwarded-for': '192.0.2.7' }
  const page = await open(link('/rate', '&rate=3'), { viewport: { width: 390, height: 844 }, extraHTTPHeaders })
  await saved(page).waitFor()
  await see(() => saved(page).evaluate((element) => element.getBoundingClientRect().bottom < innerHeight)).toBe(true)
  await see(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await axeViolations(page)).toEqual([])
})
