import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { clientsContract } from '#domains/clients/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { allLeadColumns, password } from '#test/factories.ts'
import { oidcClient, startOpenIdProvider } from '#test/openid-provider.ts'
import { confirmDialog, endSessionsAt, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(
  startApp({
    settings: {
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
    },
  }),
)
const provider = await setUp(startOpenIdProvider(`${app.url}/login/oidc`))
app.context.settings.OIDC_ISSUER = provider.issuer // its clients name our address, whose port is only known now

type Account = Awaited<ReturnType<typeof app.make.superAdmin>>

const renewal = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
const signInAtProvider = ({ email }: Account) => {
  provider.person = { email, email_verified: true }
}

async function logIn(page: Page, username: string) {
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Logs in again in the dialog, where the name is filled in. */
async function renew(page: Page) {
  await renewal(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await renewal(page).waitFor({ state: 'hidden' })
}

async function signedIn(user: Account, path: string) {
  const page = await visit(app, await app.as(user), path, { signsIn: true })
  await page.getByRole('button', { name: user.username }).waitFor()
  return page
}

describe('a link that is opened signed out', () => {
  test('leads to its place after the login, with its filters [DESK-11]', async () => {
    const user = await app.make.superAdmin()
    const page = await visit(app, app.guest, '/clients?search=Sunrise&per_page=3', { signsIn: true })
    await page.getByRole('heading', { name: 'Administrator Login' }).waitFor()
    expect(pathOf(page)).toBe('/login')
    await logIn(page, user.username)
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
    expect(pathOf(page)).toBe('/clients?search=Sunrise&per_page=3')
  })

  test('leads to its place after single sign-on, and only once [DESK-11]', async () => {
    const user = await app.make.superAdmin()
    signInAtProvider(user)
    const page = await visit(app, app.guest, '/clients?search=Sunrise', { signsIn: true })
    await page.getByRole('button', { name: 'Single sign-on' }).click()
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
    expect(pathOf(page)).toBe('/clients?search=Sunrise')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Single sign-on' }).click()
    await page.getByRole('heading', { name: `Hello, ${user.username}!` }).waitFor()
    expect(pathOf(page)).toBe('/')
  })

  test.each([
    '//evil.example/leads',
    '/\\evil.example/leads',
    '///evil.example',
    '/%2F%2Fevil.example',
    '/%5Cevil.example',
    '/%09/evil.example',
    '/login?next=//evil.example',
    '/login?next=https%3A%2F%2Fevil.example',
    '/login/oidc?to=//evil.example',
  ])('never leads to another site: %s [DESK-11]', async (path) => {
    const user = await app.make.superAdmin()
    const page = await visit(app, app.guest, path, { signsIn: true })
    if (path.startsWith('/login/oidc')) await page.getByRole('link', { name: 'Back to the login page' }).click()
    await logIn(page, user.username)
    await page.getByRole('button', { name: user.username }).waitFor()
    expect(new URL(page.url()).origin).toBe(app.url)
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Clients', exact: true }).click()
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
  })

  test('is forgotten at log out: the next login leads to Home [DESK-11] [LOGIN-07]', async () => {
    const user = await app.make.superAdmin()
    const page = await signedIn(user, '/clients')
    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn(page, user.username)
    await page.getByRole('heading', { name: `Hello, ${user.username}!` }).waitFor()
    expect(await renewal(page).count()).toBe(0)
  })
})

describe('a session that ends while nothing is typed', () => {
  test('leads to the login page, and from there back to the place [SHELL-27] [DESK-11]', async () => {
    const user = await app.make.superAdmin()
    const page = await signedIn(user, '/clients?search=Sunrise')
    await endSessionsAt(page, app, user, /search=Other/)
    await page.getByLabel('Search').fill('Other')
    await page.waitForURL(`${app.url}/login`)
    await page.getByText('Your session has ended. Please log in again.').waitFor()
    await logIn(page, user.username)
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
    expect(pathOf(page)).toBe('/clients?search=Other')
  })

  test('leads another person to Home [DESK-11]', async () => {
    const user = await app.make.superAdmin()
    const other = await app.make.superAdmin()
    const page = await signedIn(user, '/clients?search=Sunrise')
    await endSessionsAt(page, app, user, /search=Other/)
    await page.getByLabel('Search').fill('Other')
    await page.waitForURL(`${app.url}/login`)
    await logIn(page, other.username)
    await page.getByRole('heading', { name: `Hello, ${other.username}!` }).waitFor()
    expect(pathOf(page)).toBe('/')
  })
})

describe('a session that ends while something is typed', () => {
  async function typeIntoForm() {
    const user = await app.make.superAdmin()
    const body = {
      name: `Firm ${user.id}`,
      user: { username: `firm-${user.id}`, email: `o${user.id}@firm.example` },
      password,
    }
    const client = (await (await app.as(user)).call(clientsContract.create, { body })).body
    const page = await signedIn(user, '/clients')
    await page.getByRole('row').filter({ hasText: client.name }).getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Client' })
    await form.getByLabel('Name', { exact: true }).fill(`A longer name ${user.id}`)
    await endSessionsAt(page, app, user, /^(POST|PUT|PATCH)/)
    await form.getByRole('button', { name: 'Save' }).click()
    await renewal(page).waitFor()
    return { user, client, page, form }
  }

  test('is renewed by logging in over the page, and what was being saved is saved [DESK-11]', async () => {
    const { user, page } = await typeIntoForm()
    expect(pathOf(page)).toBe('/clients')
    expect(await axeViolations(page)).toEqual([])
    const field = renewal(page).getByLabel('Password', { exact: true })
    await see(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await see(() => renewal(page).getByLabel('Username').inputValue()).toBe(user.username)
    await page.keyboard.press('Escape') // cancels nothing
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await renewal(page).getByText('Wrong username or password').waitFor()
    await renew(page)
    await page.getByText('Client was updated successfully').waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: `A longer name ${user.id}` })
      .waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('is renewed by single sign-on in a window of its own [DESK-11]', async () => {
    const { user, page } = await typeIntoForm()
    signInAtProvider(user)
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      renewal(page).getByRole('button', { name: 'Single sign-on' }).click(),
    ])
    await page.getByText('Client was updated successfully').waitFor()
    await opened.getByText('You are signed in. Close this window and go on in the other one.').waitFor()
  })

  test('goes on by itself once the same person has signed in in another tab [DESK-11]', async () => {
    const { user, page } = await typeIntoForm()
    const tab = await page.context().newPage()
    await tab.goto(`${app.url}/login`)
    // The message may go before the other tab has its first screen.
    await Promise.all([page.getByText('Client was updated successfully').waitFor(), logIn(tab, user.username)])
    expect(await renewal(page).count()).toBe(0)
  })

  test('gives another person nothing of it: the page starts again [DESK-11]', async () => {
    const { client, page } = await typeIntoForm()
    const other = await app.make.superAdmin()
    const questions: string[] = []
    page.on('dialog', (question) => questions.push(question.type()))
    await renewal(page).getByLabel('Username').fill(other.username)
    await renewal(page).getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Hello, ${other.username}!` }).waitFor()
    expect(pathOf(page)).toBe('/')
    expect(questions, 'the browser does not ask whether to stay').toEqual([])
    expect(await page.getByRole('dialog').count()).toBe(0)
    const { body } = await (await app.as(other)).call(clientsContract.get, { params: { id: client.id } })
    expect(body.name).toBe(client.name)
  })

  test('a field of a row is saved after the login, too, and stays as it was typed [DESK-11]', async () => {
    const user = await app.make.superAdmin(allLeadColumns)
    const campaign = await app.make.campaign()
    const lead = await app.make.lead({ campaign_id: campaign.id, lead_name: 'Ann' })
    const page = await signedIn(user, `/leads?campaign_ids=${campaign.id}`)
    const notes = page.getByRole('row').filter({ hasText: 'Ann' }).getByLabel('Notes', { exact: true })
    await notes.fill('Call back on Monday')
    await endSessionsAt(page, app, user, /^(POST|PUT|PATCH)/)
    await notes.blur()
    await renew(page)
    await see(() => notes.inputValue()).toBe('Call back on Monday')
    await see(
      async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]!.notes,
    ).toBe('Call back on Monday')
  })

  test('can be left for the login page; the question about unsaved changes is not asked in between [DESK-11]', async () => {
    const { page } = await typeIntoForm()
    await renewal(page).getByRole('button', { name: 'Go to the login page instead' }).click()
    await page.waitForURL(`${app.url}/login`)
    expect(await confirmDialog(page, 'Are you sure to close this dialog?').count()).toBe(0)
  })
})
