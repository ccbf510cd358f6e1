import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { pathOf, see, visit } from '#test/visit.ts'

const clientLogin = 'https://clients.example/login'
const app = await setUp(startApp({ settings: { CLIENT_LOGIN_URL: clientLogin } }))

test('the field of a password has the focus ring of every other field', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByLabel('Username', { exact: true }).press('Tab')
  const field = page.getByLabel('Password', { exact: true })
  await see(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  // Around the box: what is inside of it is cut at its edges.
  expect(await field.evaluate((one) => getComputedStyle(one.parentElement!).outlineStyle)).toBe('solid')
})

test('the page is titled Administrator Login and asks for Username and Password [LOGIN-01] [LOGIN-02]', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByRole('heading', { name: 'Administrator Login', exact: true }).waitFor()
  await see(() => page.title()).toContain('Administrator Login')
  expect(await page.getByLabel('Username', { exact: true }).getAttribute('type')).not.toBe('password')
  await see(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
})

test('clients are pointed to their own login site [LOGIN-03]', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  const link = page.getByRole('link', { name: 'client login site' })
  await see(() => link.getAttribute('href')).toBe(clientLogin)
})

test('an empty form is refused with messages and sends nothing [LOGIN-04] [LOGIN-05]', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Please input username').waitFor()
  await page.getByText('Please input password').waitFor()
  expect(page.calls).toEqual([])
})

test('a wrong password shows an alert below the form, and no one is signed in [LOGIN-06]', async () => {
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await see(() => alert.textContent()).toBe('Wrong username or password')
  const form = await page.locator('form').boundingBox()
  expect((await alert.boundingBox())?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0))
  expect(pathOf(page)).toBe('/login')
  expect(await page.context().cookies()).toEqual([])
})

test('logging in leads to Home [LOGIN-07]', async () => {
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
  expect(pathOf(page)).toBe('/')
})

test('a handler who may not open Home starts at their first screen', async () => {
  const user = await app.make.handler({ permissions: ['archivedleads', 'leadChart'] })
  const page = await visit(app, await app.as(user), '/', { alone: true })
  await see(() => pathOf(page)).toBe('/leads/archive')
  await page.getByRole('heading', { name: 'Leads Archive', level: 1 }).waitFor()
})

test('a client starts at its own numbers [RPT-05]', async () => {
  const page = await visit(app, await app.as(await app.make.customer()), '/', { alone: true })
  await page.getByRole('heading', { name: 'This billing cycle' }).waitFor()
  expect(pathOf(page)).toBe('/')
})
