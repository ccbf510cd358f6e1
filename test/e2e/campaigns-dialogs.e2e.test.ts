import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { defaultSchedule } from '#domains/campaigns/schedule.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, see, type Visit, visit } from '#test/visit.ts'

let campaign: { id: number; name: string; client_id: number }
let count = 0
const ids = { roofing: 0, plumbing: 0, acme: 0 }

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
ids.roofing = (await make.category({ name: 'Roofing', color: '#aa3311' })).id
ids.plumbing = (await make.category({ name: 'Plumbing' })).id
ids.acme = (await make.client({ name: 'Acme' })).id
const foreign = await make.campaign({ name: 'Of Zeta', client_id: (await make.client({ name: 'Zeta' })).id })
await make.clientSite({ url: 'https://zeta.example', campaign_id: foreign.id })
await make.clientSite({ url: 'https://free.example', campaign_id: null })
beforeEach(async () => {
  const name = `Campaign no. ${++count}`
  campaign = await app.make.campaign({
    name,
    client_id: ids.acme,
    categories: [ids.roofing],
    start_date: '2025-03-09',
    due_date: 31,
    month_3_target: 30,
    service_fee: 1500.5,
    fixed_to_top: true,
  })
})

const open = (options: Parameters<typeof visit>[3] = {}) =>
  visit(app, root, `/campaigns?q=${encodeURIComponent(campaign.name)}`, options)
const rowOf = (page: Page, name: string) => page.locator('tr[data-index]').filter({ hasText: name })
const field = (dialog: Locator, name: string) => dialog.getByRole('textbox', { name, exact: true })
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save', exact: true }).click()
const saved = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()
const stored = async (name = campaign.name) =>
  (await root.call(campaignsContract.list, { query: { q: name } })).body.data[0]

async function openNew(page: Page) {
  await page.getByRole('button', { name: 'Create New Campaign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Campaign' })
  await field(dialog, 'Name').waitFor()
  return dialog
}
async function openEdit(page: Page) {
  await rowOf(page, campaign.name).getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Campaign' })
  await field(dialog, 'Name').waitFor()
  return dialog
}
/** Finds an option by typing, and picks it. */
async function pick(page: Page, dialog: Locator, name: string, option: string) {
  const box = dialog.getByRole('combobox', { name, exact: true })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  if (name === 'Categories' || name === 'Client Sites') await page.keyboard.press('Escape')
}
const errorsOf = (dialog: Locator) => dialog.locator('.mantine-InputWrapper-error').allTextContents()

describe('the form', () => {
  test('a day is read as it is pasted, and what is none is named beside the day that comes back [EDGE-02]', async () => {
    const dialog = await openNew(await open())
    const day = dialog.getByLabel('Start Date')
    for (const pasted of ['25.11.2026', 'Nov 25, 2026']) {
      await day.fill(pasted)
      await field(dialog, 'Manager').click()
      await see(() => day.inputValue()).toBe('11/25/2026')
    }
    await day.fill('end of May')
    await field(dialog, 'Manager').click()
    await see(() => errorsOf(dialog)).toEqual(['‘end of May’ is not a date, such as 11/25/2026'])
    expect(await day.inputValue()).toBe('11/25/2026')
    await day.fill('5/31/2026')
    await see(() => errorsOf(dialog)).toEqual([])
  })

  test('a campaign is created from the form, and confirmed [CAMP-05] [CAMP-21] [CAMP-22] [CAMP-33]', async () => {
    const page = await open()
    const dialog = await openNew(page)
    await field(dialog, 'Name').fill('Fresh roofs')
    await pick(page, dialog, 'Categories', 'Roofing')
    await pick(page, dialog, 'Categories', 'Plumbing')
    await pick(page, dialog, 'Client', 'Acme')
    await pick(page, dialog, 'Client Sites', 'free.example')
    await field(dialog, 'Manager').fill('Morgan')
    await dialog.getByLabel('Start Date').fill('3/1/2026')
    const due = dialog.getByRole('combobox', { name: 'Due Date', exact: true })
    await due.click()
    await see(() => page.getByRole('option').filter({ visible: true }).allTextContents()).toEqual(
      Array.from({ length: 31 }, (_, index) => String(index + 1)),
    )
    await page.getByRole('option', { name: '31', exact: true }).click()
    for (const [name, value] of [
      ['Initial Target', '10'],
      ['3 Month Target', '13'],
      ['6 Month Target', '16'],
      ['9 Month Target', '19'],
      ['12 Month Target', '22'],
      ['Service Fee', '1234.5'],
      ['Approved PPC', '200'],
    ] as const)
      await field(dialog, name).fill(value)
    await dialog.getByRole('switch', { name: 'Sticky in changelog' }).check({ force: true })
    await save(dialog)
    await saved(page, 'Campaign was created successfully')
    await dialog.waitFor({ state: 'hidden' })
    expect(await stored('Fresh roofs')).toMatchObject({
      categories: [{ name: 'Plumbing' }, { name: 'Roofing' }],
      client: { name: 'Acme' },
      client_sites: [{ url: 'https://free.example' }],
      manager: 'Morgan',
      start_date: '2026-03-01',
      due_date: 31,
      initial_target: 10,
      month_3_target: 13,
      month_6_target: 16,
      month_9_target: 19,
      month_12_target: 22,
      service_fee: 1234.5,
      approved_ppc: 200,
      fixed_to_top: 1,
    })
  })

  test('editing starts from the current values, is confirmed and is shown [CAMP-21] [CAMP-34]', async () => {
    await app.make.clientSite({ url: `https://own-${campaign.id}.example`, campaign_id: campaign.id })
    const page = await open()
    const dialog = await openEdit(page)
    const values = [
      'Name',
      'Manager',
      'Initial Target',
      '3 Month Target',
      '6 Month Target',
      'Service Fee',
      'Approved PPC',
    ]
    expect(await Promise.all(values.map((name) => field(dialog, name).inputValue()))).toEqual([
      campaign.name,
      'Morgan',
      '20',
      '30',
      '',
      '$1,500.50',
      '$0',
    ])
    await see(() => dialog.getByLabel('Start Date').inputValue()).toBe('03/09/2025')
    await see(() => dialog.getByRole('combobox', { name: 'Due Date' }).inputValue()).toBe('31')
    await see(() => dialog.getByRole('combobox', { name: 'Client', exact: true }).inputValue()).toBe('Acme')
    await dialog.getByText(`https://own-${campaign.id}.example`).waitFor()
    await dialog.getByText('Roofing', { exact: true }).waitFor()
    await see(() => dialog.getByRole('switch', { name: 'Sticky in changelog' }).isChecked()).toBe(true)
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await field(dialog, 'Manager').fill('Dana Whitfield')
    await save(dialog)
    await saved(page, 'Campaign was changed successfully')
    await rowOf(page, campaign.name).filter({ hasText: 'Dana Whitfield' }).waitFor()
    expect(await stored()).toMatchObject({
      manager: 'Dana Whitfield',
      month_3_target: 30,
      due_date: 31,
      fixed_to_top: 1,
    })
  })

  test('an amount is read in every form that has one meaning, and another is refused where it stands [EDGE-01]', async () => {
    const page = await open()
    const dialog = await openEdit(page)
    const fee = field(dialog, 'Service Fee')
    for (const [typed, shown] of [
      ['1500,50', '$1,500.50'],
      ['1.234,5', '$1,234.50'],
      ['2,500', '$2,500'],
    ] as const) {
      await fee.fill(typed)
      await fee.blur()
      await see(() => fee.inputValue()).toBe(shown)
    }
    for (const typed of ['1.500', '0x10', '12 50', 'a lot']) {
      await fee.fill(typed)
      await fee.blur()
      await dialog.getByText('Not an amount, such as $1,500 or $62.50').waitFor()
      await see(() => fee.inputValue()).toBe(typed)
    }
    page.calls.length = 0
    await save(dialog)
    expect(page.calls.filter((call) => call.startsWith('PUT'))).toEqual([])
    await fee.fill('1500,50')
    await save(dialog)
    await saved(page, 'Campaign was changed successfully')
    expect(await stored()).toMatchObject({ service_fee: 1500.5 })
  })

  test('missing fields have their own messages, the first has the focus, and nothing is sent [CAMP-23] [CAMP-24] [CAMP-25] [CAMP-26] [CAMP-27] [CAMP-28] [CAMP-29]', async () => {
    const page = await open()
    const dialog = await openNew(page)
    page.calls.length = 0
    await save(dialog)
    await see(() => errorsOf(dialog)).toEqual([
      'Please input campaign name',
      'Please select a category',
      'Please select a client',
      'Please input manager',
      'Please pick start date',
      'Please select due date',
      'Please input initial target',
    ])
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
    expect(callsTo(page, 'POST')).toEqual([])
  })

  test('a target is truncated to an integer; a value that is not a number becomes empty and is refused, by Enter too [CAMP-30] [CAMP-31] [CAMP-32]', async () => {
    const page = await open()
    const dialog = await openEdit(page)
    const cut = async (name: string, typed: string) => {
      await field(dialog, name).fill(typed)
      await field(dialog, name).blur()
      return field(dialog, name).inputValue()
    }
    page.calls.length = 0
    await field(dialog, 'Initial Target').fill('many')
    await page.keyboard.press('Enter')
    await see(() => errorsOf(dialog)).toEqual(['Input a number'])
    expect(callsTo(page, 'PUT')).toEqual([])
    await field(dialog, 'Initial Target').fill('20')
    await see(() => errorsOf(dialog)).toEqual([])
    expect(await cut('6 Month Target', '12.9 leads')).toBe('12')
    expect(await cut('6 Month Target', '1.500')).toBe('')
    expect(await cut('6 Month Target', '1,200')).toBe('1200')
    expect(await cut('Initial Target', 'many')).toBe('')
    await see(() => errorsOf(dialog)).toEqual(['Input a number'])
    for (const name of ['3 Month Target', '6 Month Target', '9 Month Target', '12 Month Target'])
      expect(await cut(name, 'x')).toBe('')
    await save(dialog)
    await see(() => errorsOf(dialog)).toEqual(Array(5).fill('Input a number'))
    expect(callsTo(page, 'PUT')).toEqual([])
    // On saving, optional targets may stay empty; the initial one is required.
    for (const name of ['3 Month Target', '6 Month Target', '9 Month Target', '12 Month Target', 'Initial Target'])
      await field(dialog, name).focus()
    await save(dialog)
    await see(() => errorsOf(dialog)).toContain('Please input initial target')
    await field(dialog, 'Initial Target').fill('7')
    await save(dialog)
    await saved(page, 'Campaign was changed successfully')
    expect(await stored()).toMatchObject({ initial_target: 7, month_3_target: null, month_6_target: null })
  })

  test('a chooser takes the one match on Enter, shows nothing that is not chosen, and is not cleared by choosing again [DESK-12]', async () => {
    const page = await open()
    const dialog = await openNew(page)
    const box = dialog.getByRole('combobox', { name: 'Client', exact: true })
    // The dialog has given the focus to a field, and takes it no more.
    await see(() => dialog.evaluate((one) => one.querySelector(':focus') !== null)).toBe(true)
    await box.click()
    await box.fill('zet')
    await page.getByRole('option', { name: 'Zeta' }).waitFor() // typed before the clients were there
    await page.keyboard.press('Enter')
    await see(() => box.inputValue()).toBe('Zeta')
    await box.click()
    await page.getByRole('option', { name: 'Zeta' }).click()
    await see(() => box.inputValue()).toBe('Zeta')
    await box.fill('Acm')
    await field(dialog, 'Name').click()
    await see(() => box.inputValue()).toBe('Zeta')
    const many = dialog.getByRole('combobox', { name: 'Categories', exact: true })
    await many.click()
    await many.fill('plumb')
    await page.getByRole('option', { name: 'Plumbing' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Plumbing').waitFor()
    await many.fill('roof')
    await field(dialog, 'Name').click()
    await see(() => many.inputValue()).toBe('')
    expect(await dialog.getByText('Roofing').count()).toBe(0)
  })

  test('sites of the client and sites without a campaign are offered [CAMP-47]', async () => {
    await app.make.clientSite({ url: 'https://second.acme.example', campaign_id: campaign.id })
    await app.make.clientSite({ url: 'https://nobodys.example', campaign_id: null })
    const page = await open()
    const dialog = await openNew(page)
    await pick(page, dialog, 'Client', 'Acme')
    await dialog.getByRole('combobox', { name: 'Client Sites', exact: true }).click()
    const offered = () => page.getByRole('option').filter({ visible: true }).allTextContents()
    await see(async () => (await offered()).join()).toContain('https://nobodys.example No campaign')
    expect((await offered()).join()).toContain(`https://second.acme.example ${campaign.name}`)
    expect((await offered()).join()).not.toContain('zeta.example')
  })

  test('before a campaign goes to another client, the dialog says what goes along', async () => {
    const page = await open()
    const dialog = await openEdit(page)
    const warning = dialog.getByText('The campaign’s leads and its next statement go along.')
    expect(await warning.count()).toBe(0)
    await pick(page, dialog, 'Client', 'Zeta')
    expect(await warning.textContent()).toContain('What Acme said about the leads is put away')
    await pick(page, dialog, 'Client', 'Acme')
    await warning.waitFor({ state: 'detached' })
  })

  test('a refusal by the server is shown at its field, and what was typed stays', async () => {
    const site = await app.make.clientSite({ url: `https://kept-${campaign.id}.example`, campaign_id: campaign.id })
    const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
    const page = await visit(app, admin, '/campaigns')
    const dialog = await openEdit(page)
    await field(dialog, 'Manager').fill('Typed')
    await dialog.locator('.mantine-Pill-root').filter({ hasText: site.url }).locator('button').click()
    await save(dialog)
    await see(() => errorsOf(dialog)).toEqual([
      `${site.url} would have no campaign: move it to another one, or ask a super admin`,
    ])
    await see(() => field(dialog, 'Manager').inputValue()).toBe('Typed')
  })

  test('closing asks when something was typed', async () => {
    const page = await open()
    const dialog = await openNew(page)
    await field(dialog, '9 Month Target').fill('5')
    await page.keyboard.press('Escape')
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Cancel' }).click()
    await see(() => field(dialog, '9 Month Target').inputValue()).toBe('5')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })
})

test('a dialog stays open when a phone is turned, and returns the focus to its button in the pinned column; the table stays where it is', async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } })
  const edit = rowOf(page, campaign.name).getByRole('button', { name: 'Edit', exact: true })
  await edit.evaluate((button) => button.focus({ preventScroll: true })) // a click of the test would scroll
  await page.keyboard.press('Enter')
  const name = field(page.getByRole('dialog', { name: 'Edit Campaign' }), 'Name')
  await name.fill('North roofs')
  await page.setViewportSize({ width: 390, height: 844 }) // a phone or a tablet is turned
  await see(() => page.evaluate(() => innerWidth)).toBe(390)
  expect(await name.inputValue()).toBe('North roofs')
  await page.setViewportSize({ width: 1280, height: 800 })
  await name.fill(campaign.name)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await see(() => edit.evaluate((button) => button === document.activeElement)).toBe(true)
  const around = edit.locator('xpath=ancestor::*')
  expect(await around.evaluateAll((boxes) => boxes.filter(({ scrollLeft }) => scrollLeft !== 0).length)).toBe(0)
})

describe('two people save the form', () => {
  /** The dialog, opened before someone else saved theirs with another manager. */
  async function openAndBeLate(page: Visit) {
    const dialog = await openEdit(page)
    await see(() => dialog.getByRole('combobox', { name: 'Client', exact: true }).inputValue()).toBe('Acme')
    const { categories, client, client_sites, ...row } = await stored()
    const { id, current_target, ppc, net, gmbs_count, archived, version, ...form } = row
    const theirs = {
      ...form,
      categories: [ids.plumbing],
      client_id: client.id,
      client_sites: [],
      initial_target: 44,
      manager: 'Theirs',
    }
    await root.call(campaignsContract.update, { params: { id }, body: theirs })
    await field(dialog, 'Manager').fill('Mine')
    await save(dialog)
    await dialog.getByText('Someone else has changed this').waitFor()
    return dialog
  }

  test('the second sees both versions of fields that both changed, other fields update, and nothing is saved before they choose', async () => {
    const page = await open()
    const dialog = await openAndBeLate(page)
    await dialog.getByText('Someone changed this to Theirs').waitFor()
    await see(() => field(dialog, 'Manager').inputValue()).toBe('Mine')
    await see(() => field(dialog, 'Initial Target').inputValue()).toBe('44')
    await dialog.locator('.mantine-Pill-root').filter({ hasText: 'Plumbing' }).waitFor()
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await save(dialog)
    expect(await stored()).toMatchObject({ initial_target: 44, manager: 'Theirs' })
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await save(dialog)
    await saved(page, 'Campaign was changed successfully')
    expect(await stored()).toMatchObject({ initial_target: 44, manager: 'Mine', categories: [{ name: 'Plumbing' }] })
  })

  test('the second can take the other version', async () => {
    const page = await open()
    const dialog = await openAndBeLate(page)
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await see(() => field(dialog, 'Manager').inputValue()).toBe('Theirs')
    await field(dialog, '12 Month Target').fill('50')
    await save(dialog)
    await saved(page, 'Campaign was changed successfully')
    expect(await stored()).toMatchObject({ initial_target: 44, manager: 'Theirs', month_12_target: 50 })
  })
})

describe('working hours', () => {
  async function openHours(page: Page) {
    await rowOf(page, campaign.name).getByRole('button', { name: 'Working hours' }).click()
    const dialog = page.getByRole('dialog', { name: /^Working hours/ })
    await dialog.getByRole('combobox', { name: 'Monday start' }).waitFor()
    return dialog
  }
  const times = (dialog: Locator, day: string) =>
    Promise.all(['start', 'end'].map((end) => dialog.getByRole('combobox', { name: `${day} ${end}` }).inputValue()))
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

  test('a timezone, and a row for each weekday, ten to seven and the weekend off; the focus begins in it and returns [HOURS-01] [HOURS-02] [HOURS-03]', async () => {
    const page = await open()
    const dialog = await openHours(page)
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    await see(() => dialog.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Eastern Time (New York)')
    for (const day of days) {
      const isOn = !day.startsWith('S')
      await see(() => dialog.getByRole('switch', { name: day }).isChecked()).toBe(isOn)
      await see(() => times(dialog, day)).toEqual(['10:00', isOn ? '19:00' : '15:00'])
    }
    const offered = await dialog.getByRole('combobox', { name: 'Sunday end' }).locator('option').allTextContents()
    expect(offered).toHaveLength(49)
    expect([...offered.slice(0, 3), ...offered.slice(-2)]).toEqual(['00:00', '00:30', '01:00', '23:30', '24:00'])
    const starts = await dialog.getByRole('combobox', { name: 'Sunday start' }).locator('option').allTextContents()
    expect(starts).toEqual(offered.slice(0, -1)) // no day starts at its end
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Working hours')
  })

  test('they are saved, confirmed, and there on reopening; one day can be copied to the others [HOURS-04]', async () => {
    const page = await open()
    const dialog = await openHours(page)
    await dialog.getByRole('combobox', { name: 'Monday start' }).selectOption('08:30')
    await dialog.getByRole('combobox', { name: 'Monday end' }).selectOption('24:00')
    await dialog.getByRole('button', { name: 'Copy the hours of Monday to the other days' }).click()
    await dialog.getByRole('switch', { name: 'Saturday' }).check({ force: true })
    await pick(page, dialog, 'Time zone', 'Pacific')
    await save(dialog)
    await saved(page, 'Campaign working hours saved successfully')
    await dialog.waitFor({ state: 'hidden' })
    const again = await openHours(page)
    for (const day of days) expect(await times(again, day)).toEqual(['08:30', '24:00'])
    await see(() => again.getByRole('switch', { name: 'Saturday' }).isChecked()).toBe(true)
    expect(await again.getByRole('switch', { name: 'Sunday' }).isChecked()).toBe(false)
    await see(() => again.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Pacific Time (Los Angeles)')
  })

  test('hours over midnight are refused with a clear message at their day, which goes when they are fixed [HOURS-09]', async () => {
    const page = await open()
    const dialog = await openHours(page)
    page.calls.length = 0
    await dialog.getByRole('combobox', { name: 'Friday start' }).selectOption('22:00')
    await dialog.getByRole('combobox', { name: 'Friday end' }).selectOption('06:00')
    await save(dialog)
    const line = dialog.getByText(
      'Hours cannot run past midnight: end this day at 24:00 and start the next one at 00:00',
    )
    await line.waitFor()
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Friday end')
    expect(callsTo(page, 'POST')).toEqual([])
    await dialog.getByRole('combobox', { name: 'Friday end' }).selectOption('24:00')
    await line.waitFor({ state: 'hidden' })
    await save(dialog)
    await saved(page, 'Campaign working hours saved successfully')
  })

  test('hours that someone else saved in the meantime are shown beside the typed ones', async () => {
    const page = await open()
    const dialog = await openHours(page)
    const schedule = defaultSchedule.map((entry) => (entry.day === 2 ? { ...entry, enabled: false } : entry))
    await root.call(workingHoursContract.save, {
      params: { id: campaign.id },
      body: { timezone: 'America/Denver', schedule },
    })
    await dialog.getByRole('combobox', { name: 'Tuesday end' }).selectOption('20:00')
    await save(dialog)
    await dialog.getByText('Someone changed this to Monday 10:00–19:00, Tuesday off, Wednesday 10:00–19:00').waitFor()
    await see(() => dialog.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Mountain Time (Denver)')
    await see(() => times(dialog, 'Tuesday')).toEqual(['10:00', '20:00'])
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await see(() => dialog.getByRole('switch', { name: 'Tuesday' }).isChecked()).toBe(false)
    await save(dialog)
    await saved(page, 'Campaign working hours saved successfully')
  })
})
