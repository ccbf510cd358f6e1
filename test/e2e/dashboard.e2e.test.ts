import { beforeEach, expect, test } from 'vitest'
import { toolLinksContract } from '#domains/access/tool-links/contract.ts'
import { toolLinksTable } from '#domains/access/tool-links/schema.ts'
import { putOffStepsTable } from '#domains/dashboard/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp())
beforeEach(() => app.context.db.delete(toolLinksTable))

test('a guest is sent to the login page, which greets them [DASH-01]', async () => {
  const page = await visit(app, app.guest, '/')
  await page.getByText('Hello, guest!').waitFor()
  expect(pathOf(page)).toBe('/login')
})

test('Home greets the signed-in person by name [DASH-01] [DASH-02]', async () => {
  const user = await app.make.admin()
  const page = await visit(app, await app.as(user), '/')
  await page.getByRole('heading', { name: `Hello, ${user.username}!`, level: 1 }).waitFor()
  expect(pathOf(page)).toBe('/')
})

test('a super admin keeps a list of links, each with its label and address [DASH-03]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/')
  await page.getByRole('button', { name: 'Add link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add link' })
  await dialog.getByLabel('Label', { exact: true }).fill('Call tracking')
  await dialog.getByLabel('URL', { exact: true }).fill('https://calls.example/app')
  await page.keyboard.press('Control+Enter')
  const link = page.getByRole('link', { name: 'Call tracking' })
  await link.waitFor()
  await see(() => link.getAttribute('href')).toBe('https://calls.example/app')

  await page.getByRole('button', { name: 'Edit Call tracking' }).click()
  await page.getByRole('dialog', { name: 'Edit link' }).getByLabel('Label', { exact: true }).fill('Calls')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'Calls', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Remove Calls' }).click()
  await confirmDialog(page, 'Are you sure to remove this link?').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('List is empty').waitFor()
  expect(await page.getByRole('link', { name: 'Calls', exact: true }).count()).toBe(0)
})

test('a link that another super admin has changed since is not overwritten: the dialog shows both [DASH-03]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const { body: link } = await root.call(toolLinksContract.create, {
    body: { label: 'Calls', url: 'https://calls.example/' },
  })
  const page = await visit(app, root, '/')
  await page.getByRole('button', { name: 'Edit Calls' }).click()
  const form = page.getByRole('dialog', { name: 'Edit link' })
  await form.getByLabel('Label', { exact: true }).fill('Call tracking')
  const theirs = { label: 'Phones', url: 'https://phones.example/' }
  await root.call(toolLinksContract.update, { params: { id: link.id }, body: theirs })
  await page.keyboard.press('Control+Enter')
  await form.getByText('Someone else has changed this.').waitFor()
  await form.getByText('Phones').waitFor()
  await form.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'Call tracking' }).waitFor()
  const [stored] = await app.context.db.select().from(toolLinksTable)
  expect(stored).toMatchObject({ label: 'Call tracking', url: theirs.url })
})

test('an admin and a leads handler see no links [DASH-04]', async () => {
  const keeper = await visit(app, await app.as(await app.make.superAdmin()), '/')
  await keeper.getByRole('button', { name: 'Add link' }).click()
  await keeper.getByRole('dialog').getByLabel('Label', { exact: true }).fill('Secret tool')
  await keeper.getByRole('dialog').getByLabel('URL', { exact: true }).fill('https://secret.example')
  await keeper.keyboard.press('Control+Enter')
  await keeper.getByRole('link', { name: 'Secret tool' }).waitFor()

  for (const user of [await app.make.admin(), await app.make.handler()]) {
    const page = await visit(app, await app.as(user), '/')
    await page.getByRole('heading', { name: `Hello, ${user.username}!` }).waitFor()
    expect(await page.getByText('Secret tool').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Tools' }).count()).toBe(0)
  }
})

test('Home of a new agency begins with its steps, which open in place, tick themselves and are put off [MOVE-01]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const page = await visit(app, root, '/')
  const steps = page.getByRole('region', { name: 'Set up your agency' })
  const step = (title: string) =>
    steps.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  await step('First client').waitFor()
  expect(await steps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    ...['Agency', 'Email', 'CallRail', 'Google', 'Your data', 'First client'],
  ])
  await step('Email').getByText('No mail server is connected.').waitFor()
  await page.getByText('No signals yet.').waitFor()
  expect(await page.getByText('Nothing needs you now.').count()).toBe(0)
  await page.getByRole('link', { name: /^To review/ }).waitFor()
  expect(await page.getByRole('link', { name: /^(Urgent|Behind target)/ }).count()).toBe(0) // they would lead to nothing
  expect(await axeViolations(page)).toEqual([])

  await step('Email').getByRole('button', { name: 'Connect a mail server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a mail server' })
  await dialog.getByLabel('Address', { exact: true }).fill(sink.url)
  await dialog.getByLabel('Sender', { exact: true }).fill('Acme <leads@acme.example>')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await step('Email')
    .getByText(/^Done\. Connected: .* Links in emails lead to .*, which opens only on this machine\./)
    .waitFor()
  expect(await step('Email').getByRole('button').count()).toBe(0)
  await step('First client').getByRole('button', { name: 'Create New Client' }).click()
  await page.getByRole('dialog', { name: 'Create New Client' }).waitFor()
  await page.keyboard.press('Escape')

  await step('Google').getByRole('button', { name: 'Later' }).click()
  await step('Google').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await step('Google').waitFor()
  for (const title of ['Agency', 'CallRail', 'Google', 'Your data', 'First client'])
    await step(title).getByRole('button', { name: 'Later' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.getByText('Nothing needs you now.').waitFor()
})

test('neither does the bell of a new agency say that nothing needs anyone [MOVE-01]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/clients')
  await page.getByRole('link', { name: 'Signals', exact: true }).click()
  await page.getByRole('dialog', { name: 'Newest signals' }).getByText('No unhandled signals.').waitFor()
})

test('only super admins set an agency up [MOVE-01]', async () => {
  await app.context.db.delete(putOffStepsTable)
  const page = await visit(app, await app.as(await app.make.admin()), '/')
  await page.getByText('Nothing needs you now.').waitFor()
  expect(await page.getByRole('region', { name: 'Set up your agency' }).count()).toBe(0)
})
