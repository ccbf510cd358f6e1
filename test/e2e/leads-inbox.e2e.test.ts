import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { paneOf, row } from '#test/lead-desk.ts'
import { callsTo, pathOf, see, type Visit, visit } from '#test/visit.ts'

/** Leads as an inbox: its tabs, its rows, the list beside an open lead, and how few keys a morning takes. */
const app = await setUp(startApp())
const place = { timezone: 'America/New_York' }
const client = await app.make.client(place)
const long = 'Hello, the roof over the garage leaks since the storm of last night, please call me today.'
const campaign = await app.make.campaign({
  client_id: client.id,
  name: 'Summit Peak Roofing and Gutters Colorado Springs',
})
const minute = (number: number) => new Date(Date.now() - number * 60_000)
const form = { lead_type: 'Form' as const, message: long }
const call = {
  lead_type: 'Call' as const,
  duration: 83,
  recording_url: 'https://calls.example/1',
  tags: ['Voicemail' as const, 'After Hours' as const],
}
await app.make.eachLead(
  Array.from({ length: 40 }, (_, index) => ({
    campaign_id: campaign.id,
    occurred_at: minute(index),
    lead_name: `Waiting ${String(index).padStart(2, '0')}.`,
    lead_phone: '+15125550123',
    first_call: index % 3 === 0,
    ...(index % 2 === 0 ? form : call),
  })),
)
await app.make.lead({ campaign_id: campaign.id, lead_name: 'Hung up', lead_type: 'Call', tags: ['Missed Call'] })
await app.make.lead({ campaign_id: campaign.id, lead_name: 'Sure', lead_type: 'Form', confirmed: true })
await app.make.lead({ campaign_id: campaign.id, lead_name: 'Hidden', lead_type: 'Form', hide: true })

const superAdmin = async () => app.as(await app.make.superAdmin())
const tabs = (page: Visit) => page.getByRole('tablist', { name: 'Views' }).getByRole('tab')
const tab = (page: Visit, name: string) => tabs(page).filter({ hasText: new RegExp(`^${name}`) })
const chosen = (page: Visit) =>
  page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { selected: true }).textContent()
const heads = async (page: Visit) =>
  (await page.getByRole('table').locator('thead th').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
const nine = ['Campaign', 'Date', 'Type', 'Name', 'Phone', 'Message', 'Tags', 'Verified', 'Progress']

describe('tabs', () => {
  test('staff have To review, Missed calls and All, with counts that follow the filters [DESK-02]', async () => {
    const page = await visit(app, await superAdmin(), '/leads')
    await see(() => tabs(page).allTextContents()).toEqual(['To review40', 'Missed calls1', 'All43'])
    expect(await chosen(page)).toBe('All43')
    await tab(page, 'To review').click()
    await see(() => pathOf(page)).toBe('/leads?queue=review')
    await see(() => page.getByText('Total Items').textContent()).toContain('40')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('group', { name: 'Type', exact: true }).getByText('Call').click()
    await see(() => tabs(page).allTextContents()).toEqual(['To review20', 'Missed calls1', 'All21'])
    await tab(page, 'Missed calls').click()
    await row(page, 'Hung up').waitFor()
    expect(new URL(page.url()).searchParams.get('lead_type')).toBe('Call')
    await page.getByRole('button', { name: 'Less' }).click()
    await page.getByRole('button', { name: 'Clear Type: Call' }).click()
    await see(() => tabs(page).allTextContents()).toEqual(['To review40', 'Missed calls1', 'All43'])
    expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  })

  test('the first visit opens All, later ones the tab that one left [DESK-02]', async () => {
    const page = await visit(app, await superAdmin(), '/leads', { signsIn: true })
    await see(() => chosen(page)).toBe('All43')
    await tab(page, 'To review').click()
    await see(() => chosen(page)).toBe('To review40')
    await page.goto(`${app.url}/campaigns`)
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await see(() => chosen(page)).toBe('To review40')
    await see(() => pathOf(page)).toBe('/leads?queue=review')
    await tab(page, 'All').click()
    await see(() => pathOf(page)).toBe('/leads')
    await page.reload()
    await see(() => chosen(page)).toBe('All43')
  })

  test('each tab has its own columns [DESK-02]', async () => {
    const page = await visit(app, await superAdmin(), '/leads?queue=review')
    await see(() => heads(page)).toEqual(nine)
    await page.getByRole('button', { name: 'Select Table Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Select Table Columns' })
    await dialog
      .getByRole('group', { name: 'Tracking' })
      .getByRole('checkbox', { name: 'Source', exact: true })
      .waitFor()
    await dialog.getByRole('checkbox', { name: 'Notes', exact: true }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(() => heads(page)).toContain('Notes')
    await tab(page, 'Missed calls').click()
    await see(() => heads(page)).toEqual(nine)
    await tab(page, 'All').click()
    await see(() => heads(page)).toContain('Company Name')
    expect(await heads(page)).not.toContain('Notes')
  })

  test('handlers have the tabs, clients and other lists with one view have none [DESK-02]', async () => {
    const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
    const page = await visit(app, handler, '/leads')
    await see(() => tabs(page).allTextContents()).toEqual(['To review40', 'Missed calls1', 'All42'])
    const customer = await app.as(await app.make.customer({ client_id: client.id }))
    const theirs = await visit(app, customer, '/leads')
    await row(theirs, 'Sure').waitFor()
    expect(await tabs(theirs).count()).toBe(0)
    expect(callsTo(theirs, 'GET /api/leads/list/queues')).toEqual([])
    const campaigns = await visit(app, await superAdmin(), '/campaigns')
    await campaigns.locator('tr[data-index]').first().waitFor()
    expect(await tabs(campaigns).count()).toBe(0)
  })
})

test('at 1440 x 900 To review shows fifteen rows of two lines and all its columns [DESK-02]', async () => {
  const page = await visit(app, await superAdmin(), '/leads?queue=review', { viewport: { width: 1440, height: 900 } })
  await row(page, 'Waiting 15.').waitFor()
  const list = page.getByRole('region', { name: 'Leads', exact: true })
  const { cut, whole, heights } = await list.evaluate((section) => {
    const { bottom } = section.getBoundingClientRect()
    const rows = [...section.querySelectorAll('tr[data-index]')].map((tr) => tr.getBoundingClientRect())
    const wide = (one: Element) => one.scrollWidth > one.clientWidth
    return {
      cut: [section, ...section.querySelectorAll('[href^="tel:"], [role=group]')].filter(wide).length,
      whole: rows.filter((one) => one.bottom <= bottom).length,
      heights: new Set(rows.map(({ height }) => height)).size,
    }
  })
  expect(cut).toBe(0)
  expect(whole).toBeGreaterThanOrEqual(15)
  expect(heights).toBe(1)
  // The button that copies a number is beside its digits.
  const phone = (await row(page, 'Waiting 00.').locator('a[href^="tel:"] > span').boundingBox())!
  await row(page, 'Waiting 00.').hover()
  const icon = (await row(page, 'Waiting 00.')
    .getByRole('button', { name: 'Copy phone' })
    .locator('svg')
    .boundingBox())!
  expect(icon.x).toBeGreaterThanOrEqual(phone.x + phone.width)
  const last = (await row(page, 'Waiting 00.').getByRole('button', { name: 'Not Lead' }).boundingBox())!
  const edge = (await list.boundingBox())!
  expect(last.x + last.width).toBeLessThanOrEqual(edge.x + edge.width)
  // A message of more than two lines can be read on.
  const message = row(page, 'Waiting 00.').getByText('the roof over the garage')
  expect((await message.boundingBox())!.height).toBeLessThanOrEqual(36)
  await row(page, 'Waiting 00.').getByRole('button', { name: 'Read More' }).click()
  expect((await message.boundingBox())!.height).toBeGreaterThan(36)
})

test('beside an open lead the list has lines of two rows, and tells how much is reviewed [DESK-03]', async () => {
  const page = await visit(app, await superAdmin(), '/leads?queue=review', { viewport: { width: 1200, height: 900 } })
  await row(page, 'Waiting 01.').locator('td').nth(3).click()
  const pane = paneOf(page, 'Waiting 01.')
  await pane.getByRole('button', { name: 'Play', exact: false }).first().waitFor()
  expect(await heads(page)).toEqual(['Lead'])
  const line = row(page, 'Waiting 00.')
  await line.getByText(/^Summit Peak Roofing and Gutters Colorado Springs · Hello, the roof/).waitFor()
  await see(() => line.locator('time').textContent()).toMatch(/^(\w{3} )?\d?\d:\d\d$/)
  await see(() => line.locator('time').getAttribute('title')).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  await row(page, 'Waiting 01.').getByText('Summit Peak Roofing and Gutters Colorado Springs · 1:23').waitFor()
  const [list, open] = [(await line.boundingBox())!, (await pane.boundingBox())!]
  expect(open.x).toBeGreaterThan(list.x + list.width)
  expect(open.width).toBeGreaterThan(list.width)
  for (const name of ['Value', 'Profit', 'Company', 'Notes', 'Client notes'])
    expect(await pane.getByRole('button', { name: `+ ${name}` }).count()).toBe(1)
  expect(await pane.getByRole('textbox').count()).toBe(0)

  await page.keyboard.press('j')
  await paneOf(page, 'Waiting 02.').getByText('storm of last night').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Call on Monday')
  await page.keyboard.press('Control+Enter')
  await see(() => row(page, 'Waiting 02.').evaluate((tr) => tr === document.activeElement)).toBe(true)
  await paneOf(page, 'Waiting 02.').getByText('Call on Monday').first().waitFor()
  await page.keyboard.press('v')
  await paneOf(page, 'Waiting 03.').waitFor()
  await page.getByText('1 of 40 reviewed').waitFor()
  await page.keyboard.press('u')
  await page.getByText('1 of 40 reviewed').waitFor({ state: 'detached' })
  expect(await axeViolations(page)).toEqual([])
})

test('from a fresh sign-in twenty leads are verified and ten are spam with at most 45 keys [DESK-04]', async () => {
  const who = await superAdmin()
  const page = await visit(app, who, '/', { signsIn: true })
  await page.getByRole('heading', { level: 1 }).waitFor()
  let keys = 0
  const press = async (key: string) => {
    keys++
    await page.keyboard.press(key)
  }
  await press('Control+k')
  await page.getByRole('combobox', { name: /^Find a screen/ }).waitFor()
  for (const letter of 'leads') await press(letter)
  await press('Enter')
  await row(page, 'Sure').waitFor()
  await press(']') // from All, the last tab, to the first
  await see(() => chosen(page)).toBe('To review40')
  await row(page, 'Sure').waitFor({ state: 'detached' })
  const waiting = await app.context.db.select().from(leadsTable).where(eq(leadsTable.confirmed, false))
  for (let index = 0; index < 30; index++) {
    const isSpam = index % 3 === 2
    await press(isSpam ? 's' : 'v')
    const name = `Waiting ${String(index).padStart(2, '0')}.`
    await page
      .getByText(`${isSpam ? 'Marked as spam' : 'Verified'}: ${name}`)
      .first()
      .waitFor() // as a person who reads it
  }
  expect(keys).toBeLessThanOrEqual(45)
  await page.getByText('30 of 40 reviewed').waitFor()
  const judged = async () => {
    const leads = await app.context.db.select().from(leadsTable).where(eq(leadsTable.campaign_id, campaign.id))
    const verified = leads.filter(({ confirmed, id }) => confirmed && waiting.some((lead) => lead.id === id))
    return [verified.length, leads.filter(({ tags }) => tags.includes('Spam')).length]
  }
  await see(judged).toEqual([20, 10])
})

test('a key that comes the moment other rows are drawn acts on what is in sight [DESK-04]', async () => {
  const page = await visit(app, await superAdmin(), '/leads')
  await row(page, 'Sure').waitFor()
  await page.evaluate(() => {
    const areDrawn = () => {
      const rows = [...document.querySelectorAll('tbody [data-index]')]
      return rows.length > 1 && !rows.some((tr) => tr.textContent?.includes('Sure'))
    }
    // Runs right after the rows were changed, before anything that waits for the next task.
    new MutationObserver((_changes, observer) => {
      if (!areDrawn()) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', bubbles: true, cancelable: true }))
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.keyboard.press(']')
  await page.getByText('Verified: Waiting 30.').first().waitFor()
})

test('keys that come faster than rows are drawn each go on from the row of the one before [DESK-04]', async () => {
  const page = await visit(app, await superAdmin(), '/leads')
  const focused = () => page.evaluate(() => Number((document.activeElement as HTMLElement).dataset.index))
  await row(page, 'Waiting 00.').focus()
  const start = await focused()
  await page.evaluate(() => {
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    for (let count = 0; count < 30; count++) press('j')
  })
  await see(focused).toBe(start + 30)
})

test('on a phone a card has the number, Call and Verify, and the filters are one button [DESK-14]', async () => {
  const page = await visit(app, await superAdmin(), '/leads?confirmed=1', { viewport: { width: 390, height: 844 } })
  const card = row(page, 'Sure')
  await page.goto(`${app.url}/leads?queue=missed`)
  const missed = row(page, 'Hung up')
  await missed.getByRole('button', { name: 'Verify' }).waitFor()
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor() // a tab is no filter
  await page.goto(`${app.url}/leads?lead_search=Waiting`)
  const waiting = page.locator('[data-index="0"]')
  expect(await waiting.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+15125550123')
  await waiting.getByRole('link', { name: '+1 (512) 555-0123' }).waitFor()
  const verify = (await waiting.getByRole('button', { name: /^Verif/ }).boundingBox())!
  expect(verify.height).toBeGreaterThanOrEqual(36)
  expect(verify.x + verify.width).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
  expect(await card.count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await axeViolations(page)).toEqual([])
})
