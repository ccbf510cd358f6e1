import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { see, visit } from '#test/visit.ts'

const app = await setUp(startApp({ settings: { DATA_DIR: mkdtempSync(join(tmpdir(), 'leadline-erasures-')) } }))

const open = async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/admin/audit')
  await page.getByRole('link', { name: 'Erase a Person' }).click()
  await page.getByRole('heading', { name: 'Erase a Person' }).waitFor()
  return page
}

test('a super admin rehearses an erasure, reviews it, and erases; open pages follow', async () => {
  const campaign = await app.make.campaign({ name: 'North Roofing' })
  const lead = await app.make.lead({
    campaign_id: campaign.id,
    lead_name: 'Zelda Quillfeather',
    lead_phone: '+1 512-555-0147',
    phone_key: '+15125550147',
    lead_email: 'zelda@a.example',
  })
  const other = await visit(app, await app.as(await app.make.superAdmin()), `/lead/${lead.id}`)
  await other.getByText('zelda@a.example').waitFor()
  await see(() => other.streams()).toBe(1)
  const page = await open()
  await page.getByRole('textbox', { name: 'Phone' }).fill('(512) 555 0147')
  await page.getByRole('button', { name: 'Preview' }).click()
  const found = page.getByRole('region', { name: 'Preview' })
  await found.getByRole('row', { name: 'Leads 1' }).waitFor()
  await found.getByRole('link', { name: `Lead ${lead.id}` }).waitFor()
  await found.getByText('On the same leads: zelda@a.example.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await found.getByRole('button', { name: 'Erase this person' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Are you sure to erase (512) 555 0147? This cannot be undone.').waitFor()
  await question.getByRole('button', { name: 'Erase' }).click()
  await page.getByText('The person was erased').waitFor()
  await see(() => page.getByRole('table', { name: 'Erased' }).getByRole('row').count()).toBe(2)
  await see(() => found.count()).toBe(0)
  await other.getByRole('heading', { name: '[erased]' }).waitFor()
  expect(await other.getByText('zelda@a.example').count()).toBe(0)
  const [left] = await app.context.db.select().from(leadsTable)
  expect(left).toMatchObject({ lead_name: '[erased]', lead_email: null })
})

test('missing phone and email, and an unknown person, are reported', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Input a phone, an email or both').first().waitFor()
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@a.example')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Nothing of this person was found.').waitFor()
  expect(await page.getByRole('button', { name: 'Erase this person' }).count()).toBe(0)
})
