import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { remoteTokensTable, usersTable } from '#domains/access/schema.ts'
import { totpSecretAad, totpSecretsTable } from '#domains/access/second-factor/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { callsTo, errorToast, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp({ settings: { RESOURCES_URL: 'https://resources.example/' } }))

const publicPages = ['/login', '/rate', '/rate/not-lead']
/** Every other address of the specification, built or not, and one that does not exist. */
const privatePages = [
  ...['/', '/campaigns', '/campaigns-changelog', '/activity-log', '/admin/pages', '/leads-handlers', '/ips'],
  ...['/categories', '/client-sites', '/campaign-categories', '/network-sites/outgoing-links', '/network-sites'],
  ...['/redirect-domains', '/clients', '/campaign-gmbs', '/campaign-gmbs/map', '/cpanel', '/leads', '/leads/archive'],
  ...['/leads/chart', '/leads/table', '/leads-related', '/gmb-manager', '/no-such-page'],
]

// ——— access ———

test('a guest is sent to /login from every address except the public ones [SHELL-01]', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  for (const path of privatePages) {
    await page.goto(app.url + path)
    await page.waitForURL(`${app.url}/login`)
  }
})

test('a guest stays on /login, /rate and /rate/not-lead [SHELL-02]', async () => {
  const page = await visit(app, app.guest, '/login', { alone: true })
  for (const path of publicPages) {
    await page.goto(`${app.url}${path}?lead=1`)
    await page.waitForLoadState('networkidle')
    expect(pathOf(page)).toBe(`${path}?lead=1`)
  }
})

test('the cPanel page is a placeholder [SHELL-03]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/cpanel')
  await page.getByText('This page is a placeholder.').waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
})

test('an unknown address says so, and so does a page without permission', async () => {
  const caller = await app.as(await app.make.admin({ permissions: ['dashboard'] }))
  const page = await visit(app, caller, '/no-such-page')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.goto(`${app.url}/campaign-categories`)
  await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor()
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
})

test('the way back from an unknown address is named by the screen that it leads to', async () => {
  const caller = await app.as(await app.make.admin({ permissions: ['archivedleads', 'campaigns'] }))
  const page = await visit(app, caller, '/no-such-page')
  await page.getByRole('link', { name: 'Go to Leads Archive' }).click()
  await page.getByRole('heading', { name: 'Leads Archive' }).waitFor()
})

// ——— the session ———

async function remoteToken() {
  const customer = await app.make.customer()
  const token = `remote-${customer.id}-${Math.random()}`
  const { createHash } = await import('node:crypto')
  await app.context.db.insert(remoteTokensTable).values({
    user_id: customer.id,
    token_hash: createHash('sha256').update(token).digest(),
    token_encrypted: app.context.secrets.seal(token, `remote_tokens:${customer.id}`),
    expires_at: new Date(Date.now() + 86_400_000),
  })
  return { token, customer }
}

test('a token in an address is exchanged for a session and removed before anything else happens [SHELL-04] [SHELL-05]', async () => {
  const { token, customer } = await remoteToken()
  const seen: string[] = []
  const page = await visit(app, app.guest, `/leads?token=${token}&lead_type=Call`, {
    alone: true,
    before: async (page) => {
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        const told = request.headers().referer ?? ''
        if (pathname.startsWith('/api/'))
          seen.push(`${pathname}${told.includes(token) ? ' with the token in sight' : ''}`)
        else if (request.isNavigationRequest()) seen.push('page')
      })
      // The address at the time of a call, as the page itself sees it.
      await page.addInitScript(() => {
        const { fetch } = window
        window.fetch = (...call) => {
          sessionStorage.setItem('shown', `${sessionStorage.getItem('shown') ?? ''} ${location.href}`)
          return fetch(...call)
        }
      })
    },
  })
  await page.getByRole('button', { name: customer.username }).waitFor()
  expect(pathOf(page)).toBe('/leads?lead_type=Call')
  expect(seen.slice(0, 4)).toEqual(['page', '/api/user/authByToken', 'page', '/api/user/me'])
  const shown = await page.evaluate(() => sessionStorage.getItem('shown'))
  expect(shown).toContain('/leads?lead_type=Call')
  expect(shown).not.toContain(token)
  const [cookie] = await page.context().cookies()
  expect(cookie?.value).toMatch(/^[\w-]{20,}$/)
  expect(cookie?.value).not.toBe(token)
})

test('a token that is refused leads to the login page of clients, which says why [MOVE-13]', async () => {
  const page = await visit(app, app.guest, '/leads?token=worthless', { alone: true })
  await page.getByRole('alert').waitFor()
  expect(pathOf(page)).toBe('/client-login')
  expect(await page.context().cookies()).toEqual([])
  // The browser is not taken for a client's.
  await page.goto(`${app.url}/leads`)
  await page.getByRole('heading', { name: 'Administrator Login' }).waitFor()
})

test('a client comes by an outdated link, or one that asks for a second factor, to the login of clients [MOVE-13]', async () => {
  const { token, customer } = await remoteToken()
  const page = await visit(app, app.guest, `/leads?token=${token}`, { alone: true })
  await page.getByRole('button', { name: customer.username }).waitFor()
  await app.context.db.delete(remoteTokensTable)
  await page.context().clearCookies()
  await page.goto(`${app.url}/leads?token=${token}`)
  await page.getByRole('heading', { name: 'Client Login' }).waitFor()
  await page.getByRole('alert').getByText('This sign-in link no longer works. Ask the agency for a new one.').waitFor()

  const other = await remoteToken()
  await app.context.db.insert(totpSecretsTable).values({
    ...{ user_id: other.customer.id, enabled_at: new Date() },
    secret_encrypted: app.context.secrets.seal('JBSWY3DPEHPK3PXP', totpSecretAad(other.customer.id)),
  })
  const fresh = await visit(app, app.guest, `/leads?token=${other.token}`, { alone: true })
  await fresh.getByText('Please confirm that it is you.').waitFor()
  await fresh.getByRole('heading', { name: 'Client Login' }).waitFor()
})

test('a link of someone else asks who is to be signed in, and no changes nothing', async () => {
  const { token, customer } = await remoteToken()
  const admin = await app.make.admin()
  const as = await app.as(admin)
  const page = await visit(app, as, `/campaign-categories?token=${token}`, { alone: true })
  const dialog = page.getByRole('dialog', { name: `Sign in as ${customer.username} instead of ${admin.username}?` })
  await dialog.waitFor()
  expect(pathOf(page)).toBe('/campaign-categories')
  expect(callsTo(page, 'GET /api/user/me')).toEqual([])
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: admin.username }).waitFor()
  expect((await page.context().cookies())[0]?.value).toBe(as.token)

  await page.goto(`${app.url}/leads?token=${token}`)
  await page.getByRole('button', { name: `Sign in as ${customer.username}` }).click()
  await page.getByRole('button', { name: customer.username }).waitFor()
  expect(pathOf(page)).toBe('/leads')
  expect((await as.fetch('/api/user/me')).status).toBe(401)
})

test('the page with the API’s description reads it with the session’s token', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/api/docs', {
    alone: true,
    before: (page) =>
      page.route('**/api/openapi.json', (route) =>
        route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': '203.0.113.9' } }),
      ),
  })
  await page.getByRole('heading', { name: 'PUT /api/campaigncategory/{id}', exact: true }).waitFor()
  await page.getByText('Ends the session; with all every session of the user').waitFor()
  await page.context().clearCookies()
  await page.reload()
  await page.getByText('This page is for admins: please log in to Leadline in this browser').waitFor()
})

test('one’s own link asks nothing', async () => {
  const { token, customer } = await remoteToken()
  const page = await visit(app, await app.as(customer), `/leads?token=${token}`, { alone: true })
  await page.getByRole('button', { name: customer.username }).waitFor()
  expect(pathOf(page)).toBe('/leads')
})

test('the signed-in person is fetched at startup, but not on the public pages [SHELL-05]', async () => {
  const as = await app.as(await app.make.admin())
  const page = await visit(app, as, '/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(callsTo(page, 'GET /api/user/me')).toHaveLength(1)
  for (const path of publicPages) {
    await page.goto(app.url + path)
    await page.waitForLoadState('networkidle')
  }
  expect(callsTo(page, 'GET /api/user/me')).toHaveLength(1)
})

test('when the person cannot be loaded they are logged out and sent to /login [SHELL-06]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/campaign-categories', {
    alone: true,
    before: (page) =>
      page.route('**/api/user/me', (route) => route.fulfill({ status: 500, json: { message: 'Out of order' } })),
  })
  await errorToast(page).filter({ hasText: 'Out of order' }).waitFor()
  expect(pathOf(page)).toBe('/login')
  expect(await page.context().cookies()).toEqual([])
})

test('on the login page no one is logged out or redirected [SHELL-07]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/login', {
    alone: true,
    before: (page) => page.route('**/api/user/me', (route) => route.fulfill({ status: 401, json: { message: 'No' } })),
  })
  await page.waitForLoadState('networkidle')
  expect(pathOf(page)).toBe('/login')
  expect(await page.context().cookies()).toHaveLength(1)
})

test('the session is kept in a cookie for one month [SHELL-08]', async () => {
  const { username } = await app.make.admin()
  const page = await visit(app, app.guest, '/login', { alone: true })
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  const [cookie] = await page.context().cookies(page.url()) // not the device's, which only signing in gets
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(31)
  expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax' })
})

test('Log out ends the session here and on the server [SHELL-17]', async () => {
  const caller = await app.as(await app.make.admin())
  const page = await visit(app, caller, '/campaign-categories')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${app.url}/login`)
  expect(await page.context().cookies()).toEqual([])
  expect((await caller.fetch('/api/user/me')).status).toBe(401)
  await page.goBack()
  await page.waitForURL(`${app.url}/login`)
})

// ——— around a page ———

test('a signed-in page has a top bar, a side menu and its content; the public pages have no menu [SHELL-10] [SHELL-13] [SHELL-14]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/')
  await page.getByRole('banner').waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  for (const [path, layout] of [
    ['/login', 'auth'],
    ['/rate', 'simple'],
    ['/rate/not-lead', 'simple'],
  ] as const) {
    await page.goto(app.url + path)
    await page.locator(`[data-layout="${layout}"]`).waitFor()
    expect(await page.getByRole('navigation', { name: 'Menu' }).count()).toBe(0)
  }
})

test('the side menu collapses, stays so, and expands [SHELL-11]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const width = async () => (await menu.boundingBox())?.width ?? 0
  await menu.getByText('Leads Archive').waitFor()
  const wide = await width()
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await menu.getByText('Leads Archive').waitFor({ state: 'detached' })
  expect(await width()).toBeLessThan(wide / 3)
  await page.reload()
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await menu.getByText('Leads Archive').waitFor()
  await see(() => width()).toBe(wide)
})

test('the side menu has a different color in each environment, and names it [SHELL-12]', async () => {
  const colours = new Map<string, string>()
  for (const [setting, word] of [
    ['production', 'Production'],
    ['staging', 'Staging'],
    ['development', 'Development'],
  ] as const) {
    const other = await startApp({ settings: { APP_ENV: setting } })
    const page = await visit(other, await other.as(await other.make.admin()), '/')
    const chip = page.getByTitle(word, { exact: true }).first()
    await chip.waitFor()
    const side = page.locator('[data-environment]').first()
    colours.set(word, await side.evaluate((element) => getComputedStyle(element).backgroundColor))
    await other.close()
  }
  expect(new Set(colours.values()).size).toBe(3)
})

test('the top bar offers guests a sign-in link, and people their name [SHELL-15] [SHELL-16]', async () => {
  const guest = await visit(app, app.guest, '/rate')
  await guest.goto(`${app.url}/login`)
  await see(() => guest.getByRole('banner').getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login')
  const user = await app.make.admin()
  const page = await visit(app, await app.as(user), '/')
  await page.getByRole('banner').getByRole('button', { name: user.username }).click()
  await page.getByRole('dialog', { name: 'Edit Profile' }).waitFor()
})

// ——— the menu ———

const entries: Record<PermissionFlag, string[]> = {
  dashboard: ['/'],
  admin_pages: ['/admin/pages'],
  leads_handlers: ['/leads-handlers'],
  leads: ['/leads'],
  leadsRelated: ['/leads-related'],
  archivedleads: ['/leads/archive'],
  leadChart: ['/leads/table', '/leads/chart'],
  campaigns: ['/campaigns'],
  changelog: ['/campaigns-changelog'],
  activityLog: ['/activity-log'],
  campaignCategories: ['/campaign-categories'],
  campaignMap: ['/campaign-gmbs/map'],
  campaignGmbs: ['/campaign-gmbs'],
  googleLocations: ['/gmb-manager'],
  clients: ['/clients'],
  clientSites: ['/client-sites'],
  networkSites: ['/network-sites'],
  outgoingLinks: ['/network-sites/outgoing-links'],
  networkCategories: ['/categories'],
  redirectDomains: ['/redirect-domains'],
  ipAddresses: ['/ips'],
  show_lead_http_columns: [],
}

test('an entry of the menu shows exactly when its flag is true and its page is built [SHELL-18] [SHELL-19] [SHELL-20] [SHELL-21] [SHELL-22]', async () => {
  const user = await app.make.admin({ permissions: [] })
  const page = await visit(app, await app.as(user), '/')
  const shown = async () => {
    await page.getByRole('navigation', { name: 'Menu' }).waitFor({ state: 'attached' })
    const links = await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').all()
    return Promise.all(links.map((link) => link.getAttribute('href')))
  }
  expect(await shown()).toEqual([])

  for (const flag of permissionFlags) {
    await app.context.db
      .update(usersTable)
      .set({ permissions: [flag] })
      .where(eq(usersTable.id, user.id))
    const [first] = entries[flag]
    await page.goto(app.url + (first ?? '/'))
    await see(shown, flag).toEqual(entries[flag])
    for (const path of entries[flag]) {
      if (path !== first) await page.goto(app.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByRole('heading', { name: 'Page not found' }).count(), path).toBe(0)
    }
  }
})

test('User Guide and Resources open in a new place [SHELL-23]', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/')
  for (const [name, address] of [
    ['User Guide', '/user-guide'],
    ['Resources', 'https://resources.example/'],
  ] as const) {
    const link = page.getByRole('link', { name, exact: true })
    await see(() => link.getAttribute('target')).toBe('_blank')
    await see(() => link.getAttribute('href')).toBe(address)
  }
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'User Guide', exact: true }).click()
  expect(pathOf(await opened)).toBe('/user-guide')
  expect(pathOf(page)).toBe('/')
})

test('on a small laptop the whole menu is visible', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/', {
    viewport: { width: 1280, height: 800 },
  })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('link').last().waitFor()
  const hidden = await menu.evaluate((element) => element.scrollHeight - element.clientHeight)
  expect(hidden, 'The menu is full: lower its rows in Sidebar.module.css, or let Find lead to the screen').toBe(0)
})

test('Resources is not a second entry for the guide, and clients are not told that this is production [SHELL-12] [SHELL-23]', async () => {
  const other = await startApp({ settings: { APP_ENV: 'production' } })
  const page = await visit(other, await other.as(await other.make.customer()), '/')
  await page.getByRole('link', { name: 'User Guide', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Resources', exact: true }).count()).toBe(0)
  expect(await page.getByText('Production', { exact: true }).count()).toBe(0)
  await other.close()
})
