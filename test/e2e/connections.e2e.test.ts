import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { connectionsContract } from '#domains/connections/contract.ts'
import { pollAccounts } from '#domains/leads/callrail/server/poll-accounts.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { see, visit } from '#test/visit.ts'

const callRail = await setUp(startCallRailStandIn())
const sink = await setUp(startSmtpSink())
const { CALLRAIL_API_URL, CALLRAIL_API_KEY } = callRail.settings
const settings = { CALLRAIL_API_URL, SMTP_URL: sink.url, MAIL_FROM: 'Acme <leads@acme.example>' }
const app = await setUp(startApp({ settings }))
callRail.companies.push({ id: 'COM1', name: 'Roofs', status: 'active' })

test('an account is connected by its key, tested at once, and says what to do when its key is refused [MOVE-02]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const page = await visit(app, root, '/')
  await page.getByRole('link', { name: 'Connections', exact: true }).click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const email = part('Email')
  await email.getByText('Set by SMTP_URL and MAIL_FROM').waitFor()
  expect(await email.getByRole('button').allTextContents()).toEqual(['Test'])
  await email.getByRole('button', { name: /^Test/ }).click()
  await email.getByText('Works', { exact: true }).waitFor()

  const calls = part('CallRail')
  await calls.getByText('Not connected.').waitFor()
  await calls.getByRole('button', { name: 'Connect CallRail' }).click()
  const form = page.getByRole('dialog', { name: 'Connect CallRail' })
  await form.getByLabel('API key').fill('wrong')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('CallRail says: HTTP Token: Access denied.').waitFor()
  expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  await form.getByLabel('API key').fill(CALLRAIL_API_KEY)
  await form.getByRole('button', { name: 'Save' }).click()
  await calls.getByText('Account ACC1: 1 company, 0 numbers').waitFor()
  expect(await axeViolations(page)).toEqual([])

  callRail.behaviour.fail = { status: 401, body: { error: 'HTTP Token: Access denied.' } }
  await calls.getByRole('button', { name: 'Test Account ACC1' }).click()
  await calls.getByText('Look up the API key in CallRail and enter it with Edit.').waitFor()
  delete callRail.behaviour.fail
  await calls.getByRole('button', { name: 'Edit Account ACC1' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Account ACC1' })
  await edit.getByLabel('Name', { exact: true }).fill('North')
  await edit.getByRole('button', { name: 'Save' }).click()
  await calls.getByRole('button', { name: 'Test North' }).waitFor()
  await calls.getByText('Works', { exact: true }).waitFor()

  await calls.getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Recordings of its calls can no longer be played here.').waitFor()
  await question.getByRole('button', { name: 'Remove' }).click()
  await calls.getByText('Not connected.').waitFor()
})

test('a connection that another person has changed since is not overwritten: the form keeps what was typed and shows both [MOVE-02]', async () => {
  const [one, other] = [await app.as(await app.make.superAdmin()), await app.as(await app.make.superAdmin())]
  const address = 'https://old.example'
  const { id, version } = (
    await other.call(connectionsContract.create, { body: { kind: 'legacy', address, token: 'first', name: 'Old' } })
  ).body
  const page = await visit(app, one, '/connections')
  await page.getByRole('button', { name: 'Edit Old' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Mine')
  await form.getByLabel('New token').fill('second')
  await other.call(connectionsContract.update, { params: { id }, body: { name: 'Theirs', version } })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Someone changed this to Theirs').waitFor()
  expect(await form.getByLabel('New token').inputValue()).toBe('second')
  await form.getByRole('button', { name: 'Keep mine' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Mine' }).waitFor()
})

const callOfRoofs = {
  ...{ company_id: 'COM1', company_name: 'Roofs', customer_phone_number: '+15125550144', duration: 60, answered: true },
  ...{ tracking_phone_number: '+15125550201', voicemail: false, direction: 'inbound', first_call: true, tags: [] },
}

test('a newcomer has the first live lead on screen after 15 clicks at most (40 are allowed), from the first sign-in on [MOVE-01] [MOVE-03]', async () => {
  const fresh = await setUp(startApp({ settings: { CALLRAIL_API_URL }, work: true }))
  await fresh.make.superAdmin({ username: 'admin', email: 'admin@localhost' })
  const page = await visit(fresh, fresh.guest, '/')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await click(page.getByRole('button', { name: 'Log in' }))
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const save = (name: string) => click(dialog(name).getByRole('button', { name: 'Save' }))
  await dialog('Your email').getByRole('textbox').fill('boss@acme.example')
  await save('Your email')
  await dialog('Your email').waitFor({ state: 'detached' })

  const steps = page.getByRole('region', { name: 'Set up your agency' })
  await click(steps.getByRole('button', { name: 'Connect a mail server' }))
  await dialog('Connect a mail server').getByLabel('Address', { exact: true }).fill(sink.url)
  await dialog('Connect a mail server').getByLabel('Sender', { exact: true }).fill('Acme <leads@acme.example>')
  await save('Connect a mail server')
  const past = new Date(Date.now() - 86_400_000).toISOString()
  const landing_page_url = 'https://roofs.example/'
  callRail.calls.push({ ...callOfRoofs, id: 'CAL0', start_time: past, customer_name: 'Eve', landing_page_url })
  await click(steps.getByRole('button', { name: 'Connect CallRail' }))
  await dialog('Connect CallRail').getByLabel('API key').fill(CALLRAIL_API_KEY)
  await save('Connect CallRail')
  await click(steps.getByRole('link', { name: 'Make a plan' }))
  await click(page.getByRole('button', { name: 'Make a plan' }))
  await click(page.getByRole('button', { name: 'Accept' }))
  const streams = page.streams()
  await click(page.getByRole('link', { name: 'Open Leads' }))
  await page.getByText('Total Items: 1').waitFor()
  await see(page.streams).toBe(streams + 1)

  callRail.calls.push({ ...callOfRoofs, id: 'CAL1', start_time: new Date().toISOString(), customer_name: 'Ada' })
  await pollAccounts(fresh.context, new Date())
  await processInbox(fresh.context)
  await click(page.getByRole('button', { name: '1 new lead' }))
  await page.getByText('Ada', { exact: true }).first().waitFor()
  expect(clicks).toBeLessThanOrEqual(15)
})
