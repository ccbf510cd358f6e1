import { expect, test } from 'vitest'
import { clientsContract } from '#domains/clients/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { pathOf, see, visit } from '#test/visit.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url } }))

test('a client signs in at /client-login, which the login of administrators names, and sign-out leads back there [MOVE-13]', async () => {
  const customer = await app.make.customer()
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByRole('link', { name: 'Go to the client login site' }).click()
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Username').fill(customer.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
  expect(pathOf(page)).toContain('/client-login')
  await page.goto(`${app.url}/leads`)
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
})

test('a client who has forgotten the password comes back to the login of clients, also by an outdated link [MOVE-13]', async () => {
  const page = await visit(app, app.guest, '/client-login', { alone: true })
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('link', { name: 'Back to the login page' }).click()
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
  await page.goto(`${app.url}/reset?key=${'k'.repeat(22)}&client=1`)
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.getByRole('link', { name: 'Back to the login page' }).click()
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
})

test('a client is invited, with the nickname filled in from the name [MOVE-13]', async () => {
  const root = await app.as(await app.make.superAdmin())
  const page = await visit(app, root, '/clients')
  await page.getByRole('button', { name: 'Create New Client' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Granite Roofing')
  await see(() => dialog.getByLabel('Nickname').inputValue()).toBe('granite-roofing')
  await dialog.getByLabel('Email', { exact: true }).fill('owner@granite.example')
  await dialog.getByRole('switch', { name: 'Send an invitation instead of a password' }).click()
  await dialog.getByLabel('Password', { exact: true }).waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { body } = await root.call(clientsContract.list, { query: { search: 'granite' } })
  expect(body.data[0].user).toMatchObject({ username: 'granite-roofing', email: 'owner@granite.example' })
})
