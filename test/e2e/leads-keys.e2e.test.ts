import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: callrail.settings }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))

type NewLead = Parameters<App['make']['lead']>[0]

/** Ann above Bob above Cat, in a new campaign; Ann has the focus. */
async function desk(
  ann: NewLead = {},
  who?: (campaign: number) => Promise<Caller>,
  options?: Parameters<typeof visit>[3],
) {
  const campaign = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const made = await app.make.eachLead(
    [{ lead_name: 'Ann', ...ann }, { lead_name: 'Bob' }, { lead_name: 'Cat' }].map((values, index) => ({
      occurred_at: new Date(Date.now() - index * 60_000),
      clientsite_id: site.id,
      ...values,
      campaign_id: campaign.id,
    })),
  )
  const page = await visit(app, who ? await who(campaign.id) : root, `/leads?campaign_ids=${campaign.id}`, options)
  await row(page, 'Ann').waitFor()
  await row(page, 'Ann').focus()
  return { page, ann: made[0]!, made, campaign }
}
const row = (page: Page, name: string) => page.locator('tr[data-index]', { hasText: name })
const stored = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.matches('tr') && document.activeElement.textContent?.match(/Ann|Bob|Cat/)?.[0],
  )
const writes = (page: Parameters<typeof callsTo>[0]) => [...callsTo(page, 'PUT'), ...callsTo(page, 'POST')]

describe('one key each', () => {
  test('v verifies and goes on to the next lead; a verified one stays so, is told, and is passed [LEAD-36, DESK-04]', async () => {
    const { page, made } = await desk()
    await page.keyboard.press('v')
    await see(() => focused(page)).toBe('Bob')
    await page.keyboard.press('v')
    await see(() => focused(page)).toBe('Cat')
    await see(async () => (await Promise.all(made.map(({ id }) => stored(id)))).map((lead) => lead.confirmed)).toEqual([
      true,
      true,
      false,
    ])
    await page.getByText('Verified: Bob', { exact: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('v')
    await see(() => focused(page)).toBe('Cat')
    await page.getByText('Already verified: Bob').waitFor()
    expect(writes(page)).toHaveLength(2)
    expect((await stored(made[1]!.id)).confirmed).toBe(true)
  })

  test('1 to 5 set the progress, and clear it again [LEAD-38, LEAD-39]', async () => {
    const { page, ann } = await desk()
    for (const step of [1, 2, 3, 4, 5]) {
      await page.keyboard.press(String(step))
      await see(async () => (await stored(ann.id)).client_progress).toBe(step)
    }
    await page.keyboard.press('5')
    await see(async () => (await stored(ann.id)).client_progress).toBe(null)
    await see(() => focused(page)).toBe('Ann')
  })

  test('p plays the recording and stops it [LEAD-46]', async () => {
    const { page } = await desk({ lead_type: 'Call', recording_url: 'https://app.callrail.com/calls/1' })
    const paused = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)
    await page.keyboard.press('p')
    await see(paused).toBe(false)
    await page.keyboard.press('p')
    await see(paused).toBe(true)
    await page.keyboard.press('p')
    await see(paused).toBe(false)
  })

  test('h, r and e open the row’s dialogs, and the row gets the focus back afterwards', async () => {
    const phone = { lead_phone: '+13035550101', phone_key: toPhoneKey('+13035550101') }
    const { page, campaign } = await desk(phone)
    await app.make.lead({ ...phone, campaign_id: campaign.id, lead_name: 'Old', archived: true })
    await page.reload()
    await row(page, 'Ann').focus()
    for (const [key, name] of [
      ['h', 'History of Ann'],
      ['r', 'Related Leads'],
      ['e', 'Edit Lead'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ state: 'hidden' })
      await see(() => focused(page), key).toBe('Ann')
    }
    await row(page, 'Bob').focus()
    await page.keyboard.press('r') // shares its phone with no one
    await page.keyboard.press('h')
    await page.getByRole('dialog', { name: 'History of Bob' }).waitFor()
    await see(() => page.getByRole('dialog').count()).toBe(1)
  })

  test('a lead without related leads, or without a recording, says so when its key is pressed', async () => {
    const { page } = await desk()
    await page.keyboard.press('r')
    await page.getByText('No related leads: Ann', { exact: true }).waitFor()
    await page.keyboard.press('p')
    await page.getByText('No recording: Ann', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('keys do nothing while someone types, with Ctrl, or under a dialog', async () => {
    const { page, ann } = await desk()
    await row(page, 'Ann').getByLabel('Company Name').focus()
    await page.keyboard.type('v1hrep?')
    await see(() => row(page, 'Ann').getByLabel('Company Name').inputValue()).toBe('v1hrep?')
    await page.keyboard.press('Escape')
    await row(page, 'Ann').focus()
    await page.keyboard.press('Control+1')
    await page.keyboard.press('h')
    await page.getByRole('dialog', { name: 'History of Ann' }).waitFor()
    for (const key of ['v', '1', 'e', '?']) await page.keyboard.press(key)
    await see(() => page.getByRole('dialog').count()).toBe(1)
    expect(writes(page)).toEqual([])
    expect(await stored(ann.id)).toMatchObject({ confirmed: false, client_progress: null, company_name: null })
  })

  test('actions that a person may not take have no key', async () => {
    const { page, ann } = await desk({}, async (campaign) => app.as(await app.make.handler({ campaigns: [campaign] })))
    for (const key of ['v', 'h', 'e']) await page.keyboard.press(key)
    await page.keyboard.press('1')
    await see(async () => (await stored(ann.id)).client_progress).toBe(1)
    expect(writes(page)).toHaveLength(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('region', { name: 'Keys: Leads' })
    await keys.waitFor()
    await see(() => keys.locator('kbd').allInnerTexts()).toEqual(['j', 'k', '1', '2', '3', '4', '5', 'p', 'r'])
  })
})

test('? lists the keys of the screen and the general ones, on any screen; axe finds nothing', async () => {
  const { page } = await desk()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const keys = dialog.getByRole('region', { name: 'Keys: Leads' })
  await keys.waitFor()
  const all = ['j', 'k', 'v', 's', 't', 'n', '1', '2', '3', '4', '5', 'p', 'h', 'r', 'u', 'e', 'x']
  await see(() => keys.locator('kbd').allInnerTexts()).toEqual(all)
  await see(() => dialog.getByRole('region', { name: 'Keys: Everywhere' }).textContent()).toContain(
    'Move from row to row',
  )
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await see(() => focused(page)).toBe('Ann')

  await page.getByRole('link', { name: 'Home' }).click()
  await page
    .getByRole('heading', { name: 'Home' })
    .or(page.getByRole('button', { name: 'Add link' }))
    .first()
    .waitFor()
  await page.keyboard.press('?')
  await dialog.getByRole('region', { name: 'Keys: Everywhere' }).waitFor()
  expect(await keys.count()).toBe(0)
})

describe('what is typed while something opens', () => {
  /** Ann's desk, whose dialogs load only when `arrive` is called. */
  async function slowDesk() {
    const held: (() => unknown)[] = []
    let isHeld = true
    const late = /\/assets\/(FindDialog|ShortcutsDialog|HistoryDrawer|OpenForm)-.*\.js$/
    const before = (page: Page) =>
      page.route(late, (route) => (isHeld ? void held.push(() => route.continue()) : route.continue()))
    const opened = await desk({}, undefined, { before })
    const arrive = async () => {
      await see(() => held.length).toBeGreaterThan(0)
      isHeld = false // the app also fetches dialogs that no one has asked for: the asked one may come later than those
      await Promise.all(held.map((go) => go()))
    }
    return { ...opened, arrive }
  }

  test('after Ctrl K goes into its field, and changes no lead', async () => {
    const { page, arrive } = await slowDesk()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('2145551v')
    await arrive()
    await see(() => page.getByRole('combobox', { name: /^Find a screen/ }).inputValue()).toBe('2145551v')
    await page.keyboard.type('2')
    await see(() => page.getByRole('combobox', { name: /^Find a screen/ }).inputValue()).toBe('2145551v2')
    expect(writes(page)).toEqual([])
  })

  test('after Ctrl K in a field of the list leaves that field as it is', async () => {
    const { page, arrive } = await slowDesk()
    const field = row(page, 'Ann').getByLabel('Company Name')
    await field.fill('Acme')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('north')
    await arrive()
    await see(() => page.getByRole('combobox', { name: /^Find a screen/ }).inputValue()).toBe('north')
    expect(await field.inputValue()).toBe('Acme')
  })

  test('after / goes into the search, and changes no lead', async () => {
    const { page, ann } = await desk()
    await page.keyboard.press('/')
    await page.keyboard.type('v1t')
    expect(await page.getByLabel('Search').inputValue()).toBe('v1t')
    expect(writes(page)).toEqual([])
    expect(await stored(ann.id)).toMatchObject({ confirmed: false, client_progress: null })
  })

  test.each([
    ['?', 'Keyboard shortcuts'],
    ['h', 'History of Ann'],
    ['e', 'Edit Lead'],
  ])('after %s acts on no row', async (key, name) => {
    const { page, ann, arrive } = await slowDesk()
    await page.keyboard.press(key)
    await page.keyboard.type('v1h3e?')
    await arrive()
    await page.getByRole('dialog', { name }).waitFor()
    await see(() => page.evaluate(() => document.activeElement?.closest('[aria-modal]') !== null)).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(writes(page)).toEqual([])
    expect(await stored(ann.id)).toMatchObject({ confirmed: false, client_progress: null })
  })

  test('Escape cancels the opening, and the keys act on the row again', async () => {
    const { page, ann, arrive } = await slowDesk()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await page.keyboard.press('3')
    await see(async () => (await stored(ann.id)).client_progress).toBe(3)
    const [dialog] = await Promise.all([page.waitForResponse(/\/assets\/FindDialog-.*\.js$/), arrive()])
    await dialog.finished()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('Edit Lead, when someone else saved first', () => {
  test('keeps what was typed beside the newer value, to choose field by field [LEAD-79, LADD-09]', async () => {
    const { page, ann } = await desk({ lead_email: 'ann@example.com', message: 'old' })
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Edit Lead' })
    await dialog.getByLabel('Name', { exact: true }).fill('Mine')
    await dialog.getByLabel('Email').fill('mine@example.com')
    const theirs = { lead_name: 'Theirs', lead_email: 'theirs@example.com', message: 'newer' }
    const other = await app.as(await app.make.superAdmin())
    await other.call(leadsContract.update, { params: { id: ann.id }, body: theirs })

    const save = dialog.getByRole('button', { name: 'Save' })
    await save.click()
    await dialog.getByText('Someone else has changed this.').waitFor()
    await dialog.getByText('Someone changed this to Theirs', { exact: true }).waitFor()
    await dialog.getByText('Someone changed this to theirs@example.com').waitFor()
    await see(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
    // No one had typed into the message: it updates.
    await see(() => dialog.getByLabel('Message').inputValue()).toBe('newer')
    expect(await axeViolations(page)).toEqual([])

    await save.click() // not before a choice
    expect(callsTo(page, `PUT /api/lead/${ann.id}`)).toHaveLength(1)
    await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Use theirs')
    await dialog.getByRole('button', { name: 'Keep mine' }).first().click()
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await see(() => dialog.getByLabel('Email').inputValue()).toBe('theirs@example.com')
    await save.click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await stored(ann.id)).toMatchObject({
      lead_name: 'Mine',
      lead_email: 'theirs@example.com',
      message: 'newer',
    })
  })

  test('a save that is refused for another reason says so at its field, as usual', async () => {
    const { page, made } = await desk()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Edit Lead' })
    await dialog.getByLabel('Callrail Lead ID').fill(made[1]!.lead_id)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('There already is a lead with this source and ID').waitFor()
    expect(await dialog.getByRole('button', { name: 'Use theirs' }).count()).toBe(0)
  })
})
