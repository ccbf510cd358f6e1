import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { allLeadColumns } from '#test/factories.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const north = await app.make.campaign({ name: 'North Roofing' })
const south = await app.make.campaign({ name: 'South Plumbing' })
const northSite = await app.make.clientSite({ campaign_id: north.id, url: 'https://north.example' })
const root = await app.as(await app.make.superAdmin({ ...allLeadColumns }))
const handler = await app.as(await app.make.handler({ ...allLeadColumns, campaigns: [north.id, south.id] }))
const phone = { lead_phone: '+13035550101', phone_key: toPhoneKey('+13035550101') }
await app.make.lead({ ...phone, campaign_id: north.id, lead_name: 'Ann Once' })
await app.make.lead({ ...phone, campaign_id: north.id, lead_name: 'Ann Twice' })
await app.make.lead({ ...phone, campaign_id: south.id, lead_name: 'Ann Elsewhere' })
await app.make.lead({ campaign_id: north.id, lead_name: 'Bob Alone', lead_id: 'CAL-bob' })

/** Creates a campaign of a client, with its own site. */
async function makeElsewhere() {
  const client_id = (await app.make.client({ emails: ['east@client.example'] })).id
  const campaign = await app.make.campaign({ name: 'East Gutters', client_id })
  return { campaign, site: await app.make.clientSite({ campaign_id: campaign.id, url: 'https://east.example' }) }
}

const open = async (who: Caller, path = '/leads') => {
  const page = await visit(app, who, path)
  await page.locator('tr[data-index]').first().waitFor()
  return page
}
const row = (page: Page | Locator, name: string) => page.locator('tr[data-index]', { hasText: name })

describe('the Edit Lead dialog', () => {
  const dialogOf = async (page: Page) => {
    await page.getByRole('button', { name: 'Add Lead' }).click()
    return page.getByRole('dialog', { name: 'Edit Lead' })
  }

  test('Add Lead opens it for admins, with its fields in order [LADD-01, LADD-02, LEAD-05]', async () => {
    const dialog = await dialogOf(await open(root))
    const labels = async () => (await dialog.locator('label').allInnerTexts()).map((text) => text.trim())
    await see(labels).toEqual([
      'Campaign',
      'ClientSite',
      'Lead Date',
      'Lead Time',
      'Lead Type',
      'Lead Source',
      'Callrail Lead ID',
      'Name',
      'Email',
      'Phone',
      'Message',
      'Source',
      'Last URL',
      'Referrer',
      'Notify',
    ])
    const isBeside = async () => {
      const [one, other] = await Promise.all(
        ['Lead Date', 'Lead Time'].map((text) => dialog.getByText(text, { exact: true }).boundingBox()),
      )
      return one!.y === other!.y
    }
    for (const [width, expected] of [
      [1440, true],
      [1024, true],
      [1000, false],
    ] as const) {
      await dialog.page().setViewportSize({ width, height: 900 })
      await see(isBeside, `${width} wide`).toBe(expected)
    }
    const other = await open(handler)
    for (const name of ['Add Lead', 'Edit Lead', 'Cross Campaign Related'])
      expect(await other.getByRole('button', { name }).or(other.getByRole('link', { name })).count()).toBe(0)
  })

  test('missing fields have their messages [LADD-03, LADD-04, LADD-05, LADD-06, LADD-07, LADD-08]', async () => {
    const dialog = await dialogOf(await open(root))
    const id = dialog.getByLabel('Callrail Lead ID')
    await see(() => id.inputValue()).toMatch(/^manual-[a-z]{10}$/)
    await id.fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    for (const sentence of [
      'Please select campaign',
      'Please select client site',
      'Please select lead date',
      'Please select lead time',
      'Please select lead type',
      'Please insert callrail lead id',
    ])
      await dialog.getByText(sentence, { exact: true }).waitFor()
  })

  test('a new lead is in the list at once; the row’s button opens it prefilled, and saving changes it [LADD-09]', async () => {
    const page = await open(root)
    const dialog = await dialogOf(page)
    const pick = async (label: string, option: string | RegExp) => {
      await dialog
        .getByRole('combobox', { name: label })
        .or(dialog.getByRole('textbox', { name: label }))
        .first()
        .click()
      await page.getByRole('option', { name: option }).click()
    }
    await pick('Campaign', /North Roofing/)
    await pick('ClientSite', /north\.example/)
    await dialog.getByLabel('Lead Date').fill(
      new Date().toLocaleDateString('en-US', {
        month: '2-digit',
        day: '2-digit',
        year: 'numeric',
        timeZone: 'America/New_York',
      }),
    )
    await dialog.getByLabel('Lead Time').fill('00:05')
    await pick('Lead Type', 'Call')
    await dialog.getByLabel('Callrail Lead ID').fill('CAL-new')
    await dialog.getByLabel('Name', { exact: true }).fill('Cat New')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Cat New').waitFor()

    await row(page, 'Cat New').getByRole('button', { name: 'Edit Lead' }).click()
    expect(await dialog.getByLabel('Callrail Lead ID').inputValue()).toBe('CAL-new')
    expect(await dialog.getByLabel('Lead Time').inputValue()).toBe('00:05')
    await dialog.getByLabel('Name', { exact: true }).fill('Cat Renamed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Cat Renamed').waitFor()
  })
})

test('an admin who may not read tracking details neither sees them in Edit Lead nor loses them by saving', async () => {
  const tracked = {
    source: 'Google Paid',
    last_url: 'https://north.example/quote',
    referrer: 'https://search.example/',
  }
  const lead = await app.make.lead({ ...tracked, campaign_id: north.id, lead_name: 'Tess Tracked' })
  const admin = await app.make.admin({ ...allLeadColumns, permissions: ['leads'], campaigns: [north.id] })
  const page = await open(await app.as(admin), '/leads?lead_search=tess')
  await row(page, 'Tess Tracked').getByRole('button', { name: 'Edit Lead' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Lead' })
  await dialog.getByLabel('Name', { exact: true }).fill('Tess Renamed')
  for (const name of ['Source', 'Last URL', 'Referrer'])
    expect(await dialog.getByText(name, { exact: true }).count(), name).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Tess Renamed').waitFor()
  const [stored] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id))
  expect(stored).toMatchObject(tracked)
})

test('a lead moved to another campaign may have no site, and its new client is mailed unless turned off [WORK-16]', async () => {
  const { campaign, site } = await makeElsewhere()
  const given = await app.make.lead({
    lead_name: 'Gil Given',
    campaign_id: north.id,
    clientsite_id: northSite.id,
    notify: false,
  })
  const page = await open(root, '/leads?lead_search=gil')
  await row(page, 'Gil Given').getByRole('button', { name: 'Edit Lead' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Lead' })
  expect(await dialog.getByLabel('Notify').isChecked()).toBe(false)
  await dialog.getByLabel('Campaign', { exact: true }).click()
  await page.getByRole('option', { name: campaign.name }).click()
  await see(() => dialog.getByLabel('Email the new client').isChecked()).toBe(true)
  const picker = dialog
    .getByRole('combobox', { name: 'ClientSite' })
    .or(dialog.getByRole('textbox', { name: 'ClientSite' }))
  await see(() => picker.first().inputValue()).toBe('')
  await picker.first().click()
  await see(() => page.getByRole('option', { name: /example/ }).allTextContents()).toEqual([
    expect.stringContaining(site.url),
  ])
  await page.keyboard.press('Tab') // closes the list
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { db } = app.context
  const mails = await db.select().from(mailsTable).where(eq(mailsTable.lead_id, given.id))
  expect(mails).toMatchObject([{ kind: 'notification', campaign_id: campaign.id }])
  const [moved] = await db.select().from(leadsTable).where(eq(leadsTable.id, given.id))
  expect(moved).toMatchObject({ campaign_id: campaign.id, clientsite_id: null })
})

test('picking another client’s campaign and then the lead’s own again changes nothing [WORK-16]', async () => {
  const kept = { campaign_id: north.id, clientsite_id: northSite.id, notify: false }
  const lead = await app.make.lead({ ...kept, lead_name: 'Kay Kept' })
  const page = await open(root, '/leads?lead_search=kay')
  await row(page, 'Kay Kept').getByRole('button', { name: 'Edit Lead' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Lead' })
  for (const { name } of [south, north]) {
    await dialog.getByLabel('Campaign', { exact: true }).click()
    await page.getByRole('option', { name }).click()
    if (name === south.name) await dialog.getByLabel('Email the new client').waitFor()
  }
  await see(() => dialog.getByLabel('Notify').isChecked()).toBe(false)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [stored] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id))
  expect(stored).toMatchObject(kept)
})

describe('related leads', () => {
  test('the button is shown only if there are related leads, and opens the lead at the top and its related leads below [REL-01, LEAD-32]', async () => {
    const page = await open(root)
    expect(await row(page, 'Bob Alone').getByRole('button', { name: 'Related Leads' }).count()).toBe(0)
    await row(page, 'Ann Once').getByRole('button', { name: 'Related Leads' }).click()
    const dialog = page.getByRole('dialog', { name: 'Related Leads' })
    await row(dialog.getByRole('table', { name: 'This lead' }), 'Ann Once').waitFor()
    await row(dialog.getByRole('table', { name: 'Related leads' }), 'Ann Twice').waitFor()
    const parts = ['heading:This lead', 'table:This lead', 'heading:Related (1)', 'table:Related leads'].map((part) => {
      const [role, name] = part.split(':') as ['heading' | 'table', string]
      return dialog.getByRole(role, { name, exact: true })
    })
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    expect(await dialog.getByText('Ann Elsewhere').count()).toBe(0)
    const [call = ''] = callsTo(page, 'GET /api/lead/').filter((one) => one.includes('/related'))
    expect(call).toMatch(/per_page=50/)
    await dialog.getByRole('table', { name: 'Related leads' }).getByRole('button', { name: 'Name' }).click()
    await see(() => callsTo(page, 'GET /api/lead/').some((one) => one.includes('sort=lead_name'))).toBe(true)
    expect(await dialog.getByRole('button', { name: 'Related Leads' }).count()).toBe(0)
  })

  test('an edit of the lead at the top of the dialog shows there', async () => {
    const page = await open(root)
    await row(page, 'Ann Once').getByRole('button', { name: 'Related Leads' }).click()
    const dialog = page.getByRole('dialog', { name: 'Related Leads' })
    const verified = row(dialog.getByRole('table', { name: 'This lead' }), 'Ann Once').getByRole('switch', {
      name: 'Verified',
    })
    const { db } = app.context
    const stored = async () => (await db.select().from(leadsTable).where(eq(leadsTable.lead_name, 'Ann Once')))[0]!
    for (const isOn of [true, false]) {
      await verified.click()
      await see(() => verified.isChecked()).toBe(isOn)
      await see(async () => (await stored()).confirmed).toBe(isOn)
    }
  })

  test('the dialog has the columns that its reader sees in the list', async () => {
    const hidden_columns = { 'leads.list': ['tracking_phone_number', 'lead_location'] }
    const page = await open(await app.as(await app.make.superAdmin({ hidden_columns })))
    await row(page, 'Ann Once').getByRole('button', { name: 'Related Leads' }).click()
    const table = page.getByRole('dialog', { name: 'Related Leads' }).getByRole('table', { name: 'Related leads' })
    await row(table, 'Ann Twice').waitFor()
    const heads = await table.getByRole('columnheader').allInnerTexts()
    expect(heads).toContain('Tracking Source')
    expect(heads).not.toContain('Tracking Phone')
    expect(heads).not.toContain('Location')
  })

  test('Cross Campaign Related leads to those of every campaign: same list, no filters, global = 1 [REL-02, REL-03, LEAD-03]', async () => {
    const page = await open(root)
    await page.getByRole('link', { name: 'Cross Campaign Related' }).click()
    await page.getByRole('heading', { name: 'Leads Related' }).waitFor()
    for (const name of ['Ann Once', 'Ann Twice', 'Ann Elsewhere']) await row(page, name).waitFor()
    expect(await row(page, 'Bob Alone').count()).toBe(0)
    expect(callsTo(page, 'GET /api/lead/related')[0]).toContain('global=1')
    for (const name of ['Select Table Columns', 'Blacklist', 'Spammers'])
      await see(() => page.getByRole('button', { name }).count()).toBe(1)
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })
})
