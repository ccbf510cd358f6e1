import { expect, test } from 'vitest'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { visit } from '#test/visit.ts'

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
  await calls.getByText('Look up the API key at CallRail and enter it with Edit.').waitFor()
  delete callRail.behaviour.fail
  await calls.getByRole('button', { name: 'Edit Account ACC1' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Account ACC1' })
  await edit.getByLabel('Name', { exact: true }).fill('North')
  await edit.getByRole('button', { name: 'Save' }).click()
  await calls.getByRole('button', { name: 'Test North' }).waitFor()
  await calls.getByText('Works', { exact: true }).waitFor()
})
