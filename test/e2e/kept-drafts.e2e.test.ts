import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { clientsContract } from '#domains/clients/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { endSessionsAt, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())

const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
const back = 'What you typed before your session ended is back. Check it, then save.'

/** A super admin in the dialog of a client whose name and password were changed, and whose session is over when it is saved. */
async function loseSession() {
  const user = await app.make.superAdmin()
  const person = await app.as(user)
  const body = {
    name: `Firm ${user.id}`,
    user: { username: `firm-${user.id}`, email: `o${user.id}@firm.example` },
    password,
  }
  const client = (await person.call(clientsContract.create, { body })).body
  const page = await visit(app, person, '/clients', { alone: true })
  await edit(page, client.name)
  await field(page, 'Name').fill('A longer name')
  await field(page, 'Additional Emails').fill('desk@firm.example')
  await field(page, 'Password').fill('another good password')
  await endSessionsAt(page, app, user, /^(POST|PUT|PATCH)/)
  await save(page)
  await page.getByRole('button', { name: 'Go to the login page instead' }).click()
  await page.waitForURL(`${app.url}/login`)
  return { user, client, page }
}

async function logIn(page: Page, username: string) {
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: username }).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Clients', exact: true }).click()
}

async function edit(page: Page, name: string) {
  await page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Name').waitFor()
}

test('what was typed when a session ended is back after login, but for a password, and can be saved', async () => {
  const { user, client, page } = await loseSession()
  const said = 'Your session has ended. Please log in again. What you typed in “Edit Client” is kept: open it again.'
  await page.getByText(said).waitFor()
  await logIn(page, user.username)
  await edit(page, client.name)
  await page.getByText(back).waitFor()
  await see(() => field(page, 'Name').inputValue()).toBe('A longer name')
  await see(() => field(page, 'Additional Emails').inputValue()).toBe('desk@firm.example')
  expect(await field(page, 'Password').inputValue()).toBe('')
  await save(page)
  await page.getByRole('row').filter({ hasText: 'A longer name' }).waitFor()
  const { body } = await (await app.as(user)).call(clientsContract.get, { params: { id: client.id } })
  expect(body).toMatchObject({
    name: 'A longer name',
    emails: 'desk@firm.example',
    user: { username: client.user.username },
  })
  await edit(page, 'A longer name')
  expect(await page.getByText(back).count()).toBe(0)
})

test('what someone else has saved since is shown beside it', async () => {
  const { user, client, page } = await loseSession()
  const other = await app.as(await app.make.superAdmin())
  const { version } = (await other.call(clientsContract.get, { params: { id: client.id } })).body
  const body = { name: 'Their name', user: { username: client.user.username, email: 'new@firm.example' }, version }
  await other.call(clientsContract.update, { params: { id: client.id }, body })
  await logIn(page, user.username)
  await edit(page, 'Their name')
  await page.getByText('Someone else has changed this.').waitFor()
  await see(() => field(page, 'Name').inputValue()).toBe('A longer name')
  await see(() => field(page, 'Email').inputValue()).toBe('new@firm.example')
  await page.getByRole('dialog').getByText('Their name').waitFor()
})

test('another user who logs in gets nothing of it', async () => {
  const { client, page } = await loseSession()
  const other = await app.make.superAdmin()
  await logIn(page, other.username)
  await edit(page, client.name)
  await see(() => field(page, 'Name').inputValue()).toBe(client.name)
  expect(await page.getByText(back).count()).toBe(0)
})
