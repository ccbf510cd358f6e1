import { beforeEach, expect, test } from 'vitest'
import { toolLinksTable } from '#domains/access/tool-links/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

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
