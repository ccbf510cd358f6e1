import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { ruleHitsTable } from '#domains/leads/spam/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, errorToast, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const campaign = await app.make.campaign({ name: 'North Roofing' })
await root.call(spamContract.saveKeywords, { body: { keywords: 'casino\nloans', confirmed: true } })
await root.call(spamContract.addSpammer, { body: { name: 'Robo Caller', email: 'robo@a.example' } })
const rules = (await root.call(spamContract.rules)).body
const hidden = { campaign_id: campaign.id, hide: true, tags: ['BLSpam'] as const }
const because = "keyword 'casino'"
const lead = await app.make.lead({
  ...hidden,
  tags: ['BLSpam'],
  tag_causes: [{ tag: 'BLSpam', because }],
  lead_name: 'Ann Gambler',
  message: 'A roof for our casino',
})
const leadId = lead.id
const good = await app.make.lead({ ...hidden, tags: [], hide: false, confirmed: true, message: 'casino' })
await app.context.db.insert(ruleHitsTable).values([lead, good].map(({ id }) => ({ rule_id: rules[0].id, lead_id: id })))
const offer = { campaign_id: campaign.id, tags: ['Spam' as const], hide: true, message: 'Buy cheap backlinks' }
const request = { campaign_id: campaign.id, message: 'My roof leaks, please send a quote' }
await app.make.eachLead([...Array(6).fill(offer), ...Array(24).fill(request)])

const open = async (button: 'Blacklist' | 'Spammers', options: Parameters<typeof visit>[3] = {}) => {
  const page = await visit(app, root, '/leads', options)
  if (options.viewport) await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: button }).click()
  return { page, dialog: page.getByRole('dialog', { name: button }) }
}
const findLead = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, leadId)))[0]!

test('beside the text each keyword shows its hits and the good leads it hid; Try shows what it would hit now [RULE-04, RULE-05]', async () => {
  const { page, dialog } = await open('Blacklist')
  const rules = dialog.getByRole('table', { name: 'Hits so far' })
  await rules.getByText(/^2 hits in 12 months, last \d\d\/\d\d\/\d{4}, 1 of them good$/).waitFor()
  await rules.getByText('0 hits in 12 months', { exact: true }).waitFor()
  expect(await rules.getByRole('button', { name: 'Undo loans' }).isDisabled()).toBe(true)
  await rules.getByRole('button', { name: 'Try casino' }).click()
  await dialog.getByText(/Hits 2 of \d+ leads of the last 12 months: 1 verified/).waitFor()
  await dialog.getByText(/^\d\d\/\d\d\/\d{4} Ann Gambler A roof for our casino$/).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('a suggested word is added to the text, and rehearsed like a typed one [RULE-05]', async () => {
  const { dialog } = await open('Blacklist')
  const words = dialog.getByRole('region', { name: 'Suggested keywords' })
  await words.getByRole('button', { name: 'Add backlinks' }).click()
  await see(() => dialog.getByLabel('Keywords', { exact: true }).inputValue()).toBe('casino\nloans\nbacklinks')
  await dialog.getByText(/Hits 6 of \d+ leads/).waitFor()
  await see(() => words.getByRole('button', { name: 'Add backlinks' }).count()).toBe(0)
})

test('a keyword that hits a lot is asked about with its numbers; Cancel keeps the text and says them once [RULE-03]', async () => {
  const { page, dialog } = await open('Blacklist')
  await dialog.getByLabel('Keywords', { exact: true }).fill('casino\nloans\nroof')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to save these keywords?' })
  await question.getByText(/"roof" hits 25 of \d+ leads/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await dialog.getByText(/"roof" hits 25 of \d+ leads/).waitFor()
  expect(await errorToast(page).count()).toBe(0)
  await see(() => dialog.getByLabel('Keywords', { exact: true }).inputValue()).toBe('casino\nloans\nroof')
})

test('Undo reverses what the keyword did, in the chosen days, and can itself be undone [RULE-04]', async () => {
  const { page, dialog } = await open('Blacklist')
  await dialog.getByRole('button', { name: 'Undo casino' }).click()
  const form = page.getByRole('dialog', { name: 'Undo “casino”' })
  await form.getByLabel('From').waitFor()
  await form.getByText('Email the clients of these leads').waitFor()
  await form.getByRole('button', { name: 'Undo', exact: true }).click()
  const toast = page.getByRole('status').filter({ hasText: '1 lead brought back' })
  await toast.waitFor()
  expect(await findLead()).toMatchObject({ hide: false, tags: [] })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await see(async () => (await findLead()).tags).toEqual(['BLSpam'])
  expect((await findLead()).hide).toBe(true)
  await see(() => dialog.getByLabel('Keywords', { exact: true }).inputValue()).toBe('casino\nloans')
})

test('what an Undo brought back before it failed can be undone, at the second try, too [RULE-04]', async () => {
  const { page, dialog } = await open('Blacklist')
  await page.route('**/api/leads/rules/*/undo', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), state: 'failed', problem: 'Interrupted' } })
  })
  await page.route('**/api/leads/batch/*/undo', (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Undo casino' }).click()
  const form = page.getByRole('dialog', { name: 'Undo “casino”' })
  await form.getByRole('button', { name: 'Undo', exact: true }).click()
  await errorToast(page)
    .getByText(/^Interrupted: 1 lead changed, /)
    .waitFor()
  const undo = page.getByRole('status').filter({ hasText: '1 lead brought back' }).getByRole('button', { name: 'Undo' })
  await undo.click()
  await errorToast(page).getByText('The server could not be reached').waitFor()
  expect((await findLead()).hide).toBe(false)
  await undo.click()
  await see(async () => (await findLead()).hide).toBe(true)
})

test('Back asks before it loses a spammer that is typed', async () => {
  const page = await visit(app, root, '/clients')
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('button', { name: 'Spammers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spammers' })
  const name = dialog.getByLabel('Name')
  await name.fill('Robo Two')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await page.goBack()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await name.inputValue()).toBe('Robo Two')
})

test('the dialogs fit a phone, in dark colors too; spammers have the same in their table [RULE-04]', async () => {
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
  const { page, dialog } = await open('Spammers', phone)
  await dialog.getByText('0 hits in 12 months').waitFor()
  await dialog.getByRole('button', { name: /^More/ }).click()
  await dialog.getByRole('button', { name: 'Try Robo Caller' }).click()
  await dialog.getByText(/Hits 0 of \d+ leads of the last 12 months/).waitFor()
  const isWide = () => dialog.evaluate((element) => element.scrollWidth > element.clientWidth)
  expect(await isWide()).toBe(false)
  expect(await axeViolations(page)).toEqual([])
})
