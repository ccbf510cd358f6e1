import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, see, visit } from '#test/visit.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

let receiver: WebhookReceiver
const app = await setUp(startApp({ work: true, settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1' } }))
beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('a key is made from the menu, shown once, works, and is revoked [OPEN-01]', async () => {
  const morgan = await app.as(await app.make.admin())
  const page = await visit(app, morgan, '/')
  await page.getByRole('link', { name: 'API & Webhooks' }).click()
  await page.getByRole('heading', { name: 'API & Webhooks', level: 1 }).waitFor()
  await page.getByText('List is empty', { exact: true }).waitFor()
  await button(page, 'Create API Key').click()
  const form = dialogOf(page, 'Create API Key')
  await form.getByLabel('Name', { exact: true }).fill('Zapier')
  await form.getByLabel('Leads', { exact: true }).check()
  expect(await form.getByLabel(/^(Admin|Leads Handlers) Access$/).count(), 'no key may use them').toBe(0)
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  const shown = dialogOf(page, 'Your new API key')
  const key = await shown.getByRole('textbox', { name: 'API key' }).inputValue()
  expect((await caller(app.url, key).call(leadsContract.list)).status).toBe(200)
  await shown.getByRole('button', { name: 'Done' }).click()
  await see(() => button(page, 'Create API Key').evaluate((one) => one === document.activeElement)).toBe(true)
  const row = page.getByRole('row').filter({ hasText: 'Zapier' })
  await row.getByText('Leads', { exact: true }).waitFor()
  await see(() => page.content()).not.toContain(key)
  expect(await axeViolations(page)).toEqual([])
  await row.getByRole('button', { name: 'Revoke' }).click()
  await confirmDialog(page, apiKeysContract.remove.confirm).getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('API key was revoked', { exact: true }).waitFor()
  expect((await caller(app.url, key).call(leadsContract.list)).status).toBe(401)
})

test('a webhook is added, tested, looked into, sent again, switched off and removed [OPEN-02]', async () => {
  const campaign = await app.make.campaign()
  const morgan = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const page = await visit(app, morgan, '/integrations?tab=webhooks')
  await button(page, 'Add Webhook').click()
  const form = dialogOf(page, 'Add Webhook')
  await form.getByLabel('Address', { exact: true }).fill(receiver.url)
  await form.getByRole('combobox', { name: 'Events' }).click()
  await page.getByRole('option', { name: 'Lead verified' }).click()
  await page.keyboard.press('Tab') // closes the list
  await form.getByRole('button', { name: 'Save' }).click()
  const shown = dialogOf(page, 'The secret of your new webhook')
  const secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue()
  await shown.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Send a test message' }).click()
  await see(() => receiver.received.length).toBe(1)
  expect(receiver.verify(receiver.received[0]!, secret).type).toBe('test')
  await row.getByRole('button', { name: 'Deliveries' }).click()
  const deliveries = dialogOf(page, /^Deliveries to/)
  const taken = deliveries.getByRole('row').filter({ hasText: 'thanks' })
  await see(async () => {
    await deliveries.getByRole('button', { name: 'Refresh' }).click()
    return taken.count()
  }).toBe(1)
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await taken.getByRole('button', { name: 'Send again' }).click()
  await see(() => receiver.received.length).toBe(2)
  await see(() => taken.count()).toBe(2)
  const lead = await app.make.lead({ campaign_id: campaign.id })
  await morgan.call(leadsContract.update, { params: { id: lead.id }, body: { confirmed: 1 } })
  await see(async () => {
    await deliveries.getByRole('button', { name: 'Refresh' }).click()
    return deliveries.locator(`a[href="/lead/${lead.id}"]`).allTextContents()
  }).toEqual([`No. ${lead.id}`])
  await page.keyboard.press('Escape')
  await deliveries.waitFor({ state: 'hidden' })
  await row.getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page, 'Edit Webhook').getByRole('switch', { name: 'Active' }).uncheck()
  await dialogOf(page, 'Edit Webhook').getByRole('button', { name: 'Save' }).click()
  await row.getByText('Off', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await row.getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure you want to remove this webhook?')
    .getByRole('button', { name: 'Delete' })
    .click()
  await row.waitFor({ state: 'detached' })
})

test('a webhook whose message is taken at last is no longer failing, in the list behind its deliveries too [OPEN-02]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const page = await visit(app, root, '/integrations?tab=webhooks')
  receiver.respond = (response) => void response.writeHead(500).end('no such workflow')
  const events = ['lead.created']
  const { body: webhook } = await root.call(webhooksContract.create, { body: { url: receiver.url, events } })
  await root.call(webhooksContract.test, { params: { id: webhook.id } })
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await see(async () => {
    await page.reload()
    return row.getByText('Failing', { exact: true }).count()
  }).toBe(1)
  receiver.respond = (response) => void response.end('thanks')
  await row.getByRole('button', { name: 'Deliveries' }).click()
  const deliveries = dialogOf(page, /^Deliveries to/)
  await deliveries.getByRole('button', { name: 'Send again' }).first().click()
  await deliveries.getByRole('row').filter({ hasText: 'thanks' }).first().waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('Active', { exact: true }).waitFor()
  await root.call(webhooksContract.remove, { params: { id: webhook.id } })
})

test('a webhook that another person has changed since is not overwritten: the dialog shows both [OPEN-02]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const { body: webhook } = await root.call(webhooksContract.create, {
    body: { url: receiver.url, events: ['lead.created'] },
  })
  const page = await visit(app, root, '/integrations?tab=webhooks')
  await page.getByRole('row').filter({ hasText: receiver.url }).getByRole('button', { name: 'Edit' }).click()
  const form = dialogOf(page, 'Edit Webhook')
  await form.getByLabel('Address', { exact: true }).fill(`${receiver.url}/mine`)
  await root.call(webhooksContract.update, {
    params: { id: webhook.id },
    body: { url: `${receiver.url}/theirs`, events: ['lead.rated'] },
  })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Someone else has changed this.').waitFor()
  await form.getByText(`${receiver.url}/theirs`).waitFor()
  await form.getByRole('button', { name: 'Keep mine' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  expect((await root.call(webhooksContract.list)).body[0]).toMatchObject({
    url: `${receiver.url}/mine`,
    events: ['lead.rated'],
  })
  await root.call(webhooksContract.remove, { params: { id: webhook.id } })
})

test('a handler has keys and no webhooks, a client neither; a phone does not scroll sideways [OPEN-01, OPEN-02]', async () => {
  const handler = await visit(app, await app.as(await app.make.handler()), '/integrations?tab=webhooks', {
    viewport: { width: 390, height: 844 },
  })
  await handler.getByRole('tab', { name: 'API keys' }).waitFor()
  expect(await handler.getByRole('tab').count()).toBe(1)
  expect(await handler.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const client = await visit(app, await app.as(await app.make.customer()), '/integrations')
  await client.getByRole('heading', { level: 1 }).waitFor()
  expect(await client.getByRole('tab').count()).toBe(0)
  expect(await client.getByRole('link', { name: 'API & Webhooks' }).count()).toBe(0)
})
