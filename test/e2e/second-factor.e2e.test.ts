import { eq, sql } from 'drizzle-orm'
import jsQR from 'jsqr'
import { generate } from 'otplib'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { secondFactorRolesTable } from '#domains/access/second-factor/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { oidcClient, startOpenIdProvider } from '#test/openid-provider.ts'
import { confirmDialog, pathOf, see, visit } from '#test/visit.ts'

/** Passkeys belong to a name, never to an IP address. */
const started = await setUp(
  startApp({
    settings: {
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
    },
  }),
)
const app = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
const { settings } = app.context
settings.PUBLIC_URL = app.url
const provider = await setUp(startOpenIdProvider(`${app.url}/login/oidc`))
settings.OIDC_ISSUER = provider.issuer // its clients name our address, whose port is only known now
beforeEach(() => app.context.db.delete(secondFactorRolesTable))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function logIn(page: Page, username: string) {
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Log in').click()
}

/** A security key or a phone's lock, as Chromium simulates one. */
async function addVirtualAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const isFocused = (control: Locator) => control.evaluate((one) => one === document.activeElement)

/** Sets up an app on the page that asks for it; returns its key and the recovery codes. */
async function setUpApp(page: Page) {
  await button(page, 'Set up an authenticator app').click()
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(await generate({ secret }))
  await button(page, 'Turn on').click()
  await button(page, 'I have saved them').waitFor()
  await see(() => isFocused(button(page, 'Copy'))).toBe(true)
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  return { secret, codes }
}

test('a person who must have a second factor sets one up first, and then signs in with it or a recovery code [SIGN-01]', async () => {
  await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { signsIn: true })
  await logIn(page, username)
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await button(page, 'Continue').isDisabled()).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  const { secret, codes } = await setUpApp(page)
  expect(codes).toHaveLength(10)
  await button(page, 'I have saved them').click()
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()

  await button(page, 'Log out').click()
  await logIn(page, username)
  await page.getByLabel('Code').fill('000000')
  await button(page, 'Continue').click()
  await see(() => page.getByRole('alert').textContent()).toBe('The code is wrong, or was used already')
  await see(() => isFocused(button(page, 'Continue'))).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await button(page, 'Use the second factor').click()
  const epoch = Math.floor(Date.now() / 1000) + 30 // the current code may be the one that is used up
  await page.getByLabel('Code').fill(await generate({ secret, epoch }))
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()

  await button(page, 'Log out').click()
  await logIn(page, username)
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(codes[0]!.toUpperCase())
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
})

test('a person whose app is lost signs in with a recovery code and turns the app off with another; the focus stays in the part [SIGN-01]', async () => {
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { signsIn: true })
  await logIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
  await page.goto(`${app.url}/profile`)
  await button(page, 'Set up an authenticator app').click()
  await button(page, 'Cancel').click()
  await see(() => isFocused(button(page, 'Set up an authenticator app'))).toBe(true)
  const { codes } = await setUpApp(page)
  await button(page, 'I have saved them').click()
  await see(() => isFocused(button(page, 'New recovery codes'))).toBe(true)

  await button(page, 'Log out').click()
  await logIn(page, username)
  await page
    .getByText('If you have lost all of these, ask an administrator to have your second factor removed.')
    .waitFor()
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(codes[0]!)
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
  await page.goto(`${app.url}/profile`)
  await button(page, 'Turn off the app').click()
  await page.getByLabel('Code from the app, or a recovery code').fill(codes[1]!)
  await button(page, 'Turn off').click()
  await page.getByText('No authenticator app is set up.').waitFor()
  await see(() => isFocused(button(page, 'Set up an authenticator app'))).toBe(true)
})

test('recovery codes, which are shown once, stay on the page when its data cannot be read again', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/profile', { signsIn: true })
  await page.getByText('No authenticator app is set up.').waitFor()
  await page.route('**/api/user/second-factor', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  const { codes } = await setUpApp(page)
  expect(codes).toHaveLength(10)
})

test('a passkey signs in alone, and as the second step [SIGN-01]', async () => {
  await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { signsIn: true, before: addVirtualAuthenticator })
  await logIn(page, username)
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await button(page, 'Add a passkey').click()
  await page.getByText('not used yet').waitFor()
  await see(() => isFocused(page.getByLabel('Name of the passkey'))).toBe(true)
  await button(page, 'Continue').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()

  await button(page, 'Log out').click()
  await button(page, 'Use a passkey').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()

  await button(page, 'Log out').click()
  await logIn(page, username)
  await page.getByText('Please confirm that it is you.').waitFor()
  await see(() => isFocused(button(page, 'Use a passkey'))).toBe(true)
  await button(page, 'Use a passkey').click()
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
})

test('at an IP address, where browsers take no passkeys, none is offered and the profile says why [SIGN-01]', async () => {
  const byAddress = { ...app, url: app.url.replace('localhost', '127.0.0.1') }
  const { username } = await app.make.admin()
  const page = await visit(byAddress, app.guest, '/login', { signsIn: true })
  await button(page, 'Log in').waitFor()
  expect(await button(page, 'Use a passkey').count()).toBe(0)
  await logIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}!` }).waitFor()
  await page.goto(`${byAddress.url}/profile`)
  await page.getByText('Browsers take passkeys at a host name only, not at an IP address.').waitFor()
  expect(await button(page, 'Add a passkey').count()).toBe(0)
})

test('a call that is refused after 15 minutes asks for reauthentication, and is then repeated [SIGN-01]', async () => {
  const root = await app.make.superAdmin()
  const page = await visit(app, await app.as(root), '/admin/pages', { signsIn: true })
  await button(page, 'Create New Admin').click()
  const form = page.getByRole('dialog', { name: 'Create New Admin' })
  await form.getByLabel('Username').fill('casey')
  await form.getByLabel('Email').fill('casey@agency.example')
  await form.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await app.context.db
    .update(sessionsTable)
    .set({ proven_at: sql`now() - interval '16 minutes'` })
    .where(eq(sessionsTable.user_id, root.id))
  await form.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  const field = asked.getByLabel('Password', { exact: true })
  await see(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await field.fill('wrong')
  await asked.getByRole('button', { name: 'Confirm' }).click()
  await asked.getByText('The password is wrong').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await field.fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Admin was created successfully').waitFor()
  await see(() => asked.count()).toBe(0)
  expect(await app.context.db.$count(usersTable, eq(usersTable.username, 'casey'))).toBe(1)
})

test('Escape cancels only the reauthentication, and what was typed stays [SIGN-01]', async () => {
  const root = await app.make.superAdmin()
  const page = await visit(app, await app.as(root), '/admin/pages', { signsIn: true })
  await button(page, 'Create New Admin').click()
  const form = page.getByRole('dialog', { name: 'Create New Admin' })
  await form.getByLabel('Username').fill('robin')
  await form.getByLabel('Email').fill('robin@agency.example')
  await form.getByLabel('Password', { exact: true }).fill('correct horse battery')
  const closing = confirmDialog(page, 'Are you sure to close this dialog?')
  await page.keyboard.press('Escape')
  await closing.getByRole('button', { name: 'Cancel' }).click()
  await closing.waitFor({ state: 'hidden' })
  await app.context.db
    .update(sessionsTable)
    .set({ proven_at: sql`now() - interval '16 minutes'` })
    .where(eq(sessionsTable.user_id, root.id))
  await form.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await asked.getByLabel('Password', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await see(() => asked.count()).toBe(0)
  await see(() => form.getByLabel('Username').inputValue()).toBe('robin')
  expect(await closing.count()).toBe(0)
})

test('super admins choose the roles that must have a second factor [SIGN-01]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/admin/pages', { signsIn: true })
  await button(page, 'Second factor').click()
  const dialog = page.getByRole('dialog', { name: 'Who must have a second factor' })
  await dialog.getByRole('switch', { name: 'Leads handlers' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(() => dialog.count()).toBe(0)
  expect(await app.context.db.select().from(secondFactorRolesTable)).toEqual([{ role: 'leads_handler' }])
  // Opened again, it has what someone else has chosen since.
  await app.context.db.insert(secondFactorRolesTable).values({ role: 'customer' })
  await button(page, 'Second factor').click()
  await see(() => dialog.getByRole('switch', { name: 'Clients' }).isChecked()).toBe(true)
  // What someone else chooses while it is open stays.
  await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
  await dialog.getByRole('switch', { name: 'Leads handlers' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(() => dialog.getByRole('alert').textContent()).toMatch(/^Someone else has changed this\./)
  await see(() => dialog.getByRole('switch', { name: 'Admins', exact: true }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(() => dialog.count()).toBe(0)
  const roles = await app.context.db.select().from(secondFactorRolesTable).orderBy(secondFactorRolesTable.role)
  expect(roles).toEqual([{ role: 'admin' }, { role: 'customer' }])
})

test('single sign-on leads to the provider and back to Home; a refusal says why [SIGN-02]', async () => {
  const user = await app.make.admin()
  provider.person = { email: user.email, email_verified: true }
  const page = await visit(app, app.guest, '/login', { signsIn: true })
  await button(page, 'Single sign-on').click()
  await page.getByRole('heading', { name: `Hello, ${user.username}!` }).waitFor()
  expect(pathOf(page)).toBe('/')
  await button(page, 'Log out').click()
  await page.getByRole('heading', { name: 'Administrator Login' }).waitFor()
  // Someone else sits down: the provider's own session is over too.
  await page.context().clearCookies()
  provider.person = { email: 'stranger@a.example', email_verified: true }
  await button(page, 'Single sign-on').click()
  await see(() => page.getByRole('alert').textContent()).toBe('There is no account with your email here')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the login page' }).click()
  await page.getByRole('heading', { name: 'Administrator Login' }).waitFor()
})

test('the login page works again when Back shows it as it was left for the sign-in service', async () => {
  const page = await visit(app, app.guest, '/login', { signsIn: true })
  await page.route(`${provider.issuer}/**`, (route) => route.fulfill({ status: 204 })) // keeps the page
  const left = page.waitForRequest(`${provider.issuer}/**`)
  await button(page, 'Single sign-on').click()
  await left
  expect(await button(page, 'Use a passkey').isDisabled()).toBe(true)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await see(() => button(page, 'Single sign-on').isEnabled()).toBe(true)
})

test('the second step and the page that asks for one fit a phone [SIGN-01]', async () => {
  await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { signsIn: true, viewport: { width: 390, height: 844 } })
  await logIn(page, username)
  await button(page, 'Set up an authenticator app').click()
  await page.locator('code').waitFor()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await see(width).toBeLessThanOrEqual(390)
})

test('the code on the set-up page is what a scanner reads, in light and in dark, and the key stands below it [SIGN-01]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/profile', { colorScheme: 'light' })
  await button(page, 'Set up an authenticator app').click()
  const code = page.getByRole('img', { name: 'QR code for the authenticator app' })
  await code.waitFor()
  const uri = (await page.getByRole('link', { name: 'open it there' }).getAttribute('href')) ?? ''
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  expect(await scan(await code.screenshot()), 'light').toBe(uri)
  expect(await axeViolations(page)).toEqual([])
  const theme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  await page.emulateMedia({ colorScheme: 'dark' })
  await see(theme).toBe('dark')
  expect(await scan(await code.screenshot()), 'dark').toBe(uri)
})

/** Returns the text that a scanner reads in a picture. */
async function scan(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}
