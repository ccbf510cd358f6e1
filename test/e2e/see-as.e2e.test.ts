import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewRefusal } from '#contract/endpoint.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, errorToast, pathOf, see, type Visit, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const { make } = app
const campaign = await make.campaign({ name: 'North Roofing' })
await make.lead({ campaign_id: campaign.id, lead_name: 'Visible Person', occurred_at: new Date() })
await make.lead({ lead_name: 'Foreign Person', occurred_at: new Date() })
await make.admin({
  username: 'dana',
  campaigns: [campaign.id],
  permissions: ['dashboard', 'leads', 'leadChart'],
  saw_tour: false,
})
await make.customer({ username: 'acme', email: 'acme@example.com', client_id: campaign.client_id! })

const banner = (page: Page, name: string) =>
  page.getByText(`You are viewing Leadline as ${name}. Nothing can be changed.`)
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Opens a page of a new super admin who sees as this person. */
async function seeAs(name: string, from = '/admin/pages'): Promise<Visit> {
  const root = await app.make.superAdmin({ username: `olivia-${name}-${Math.random().toString(36).slice(2)}` })
  const page = await visit(app, await app.as(root), from, { alone: true })
  await row(page, name).getByRole('button', { name: 'See as' }).click()
  await banner(page, name).waitFor()
  return page
}

const endViews = () =>
  app.context.db
    .update(sessionsTable)
    .set({ expires_at: new Date(0) })
    .where(eq(sessionsTable.via, 'see_as'))

test('Admin Access leads into a view: their menu, their rows, a banner on every screen, no tour, and a way back [SIGN-04]', async () => {
  const page = await seeAs('dana')
  await page.getByRole('navigation').getByRole('link', { name: 'Leads', exact: true }).click()
  await row(page, 'Visible Person').waitFor()
  expect(await row(page, 'Foreign Person').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Admin Access' }).count()).toBe(0)
  for (const path of ['/leads', '/profile', '/user-guide', '/nowhere']) {
    await page.goto(app.url + path)
    await banner(page, 'dana').waitFor()
  }
  await page.goto(`${app.url}/leads/chart`)
  await page.getByRole('group', { name: 'All campaigns, by week' }).waitFor()
  expect(callsTo(page, 'POST /api/user/endTour')).toEqual([])
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await banner(page, 'dana').waitFor()
  await page.getByRole('button', { name: /^Back to olivia-dana/ }).click()
  await banner(page, 'dana').waitFor({ state: 'detached' })
  await page.getByText('Hello, olivia-dana').waitFor()
})

test('changes are refused with a message [SIGN-04]', async () => {
  const page = await seeAs('dana')
  await page.goto(`${app.url}/profile`)
  await page.getByRole('radio', { name: '12 hours (03:04 PM)' }).click() // undone at once
  await errorToast(page).filter({ hasText: viewRefusal }).waitFor()
  await see(() => page.getByRole('radio', { name: '24 hours (15:04)' }).isChecked()).toBe(true)
})

test('a form shows that it cannot be saved, and no question is asked before a refusal [SIGN-04]', async () => {
  await app.make.category({ name: 'Fences' })
  await app.make.admin({ username: 'erin', permissions: ['campaignCategories'] })
  const page = await seeAs('erin')
  await row(page, 'Fences').getByRole('button', { name: 'Delete' }).click()
  await errorToast(page).filter({ hasText: viewRefusal }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Create New Category' }).click()
  const form = page.getByRole('dialog', { name: 'Create New Category' })
  await form.getByText(`${viewRefusal}.`).waitFor()
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  expect(callsTo(page, 'DELETE')).toEqual([])
})

test('a client’s account is seen from Clients; Log out leaves both sessions [SIGN-04]', async () => {
  const page = await seeAs('acme', '/clients')
  await page.getByRole('button', { name: 'Log out' }).click()
  await see(() => pathOf(page)).toBe('/login')
  const cookies = await page.context().cookies()
  expect(cookies.filter(({ name, value }) => name.startsWith('leadline') && value !== '')).toEqual([])
})

test('a view that has ended leads back to one’s own session [SIGN-04]', async () => {
  const page = await seeAs('dana')
  await page.goto('about:blank') // nothing of the view is being loaded
  await endViews()
  await page.goto(`${app.url}/leads`)
  await page.getByText('Hello, olivia-dana').waitFor()
  expect(await banner(page, 'dana').count()).toBe(0)
})

test('calls of the ended view that are answered while the page reloads do not end one’s own session [SIGN-04]', async () => {
  const page = await seeAs('dana')
  await page.getByRole('navigation').getByRole('link', { name: 'Leads', exact: true }).click()
  await row(page, 'Visible Person').waitFor()
  const reloading = Promise.withResolvers<void>()
  await page.route('**/api/leads/list/statistic?*', async (route) => {
    await reloading.promise
    await route.continue()
  })
  const isStatistic = (url: string) => url.includes('/statistic?')
  const refused = page.waitForResponse((answer) => isStatistic(answer.url()) && answer.status() === 401)
  // A list that is read again takes the call back, and asks once more.
  const takenBack = page.waitForEvent('requestfailed', (request) => isStatistic(request.url()))
  const isOver = Promise.race([refused.then((answer) => answer.finished()), takenBack])
  await page.route(`${app.url}/`, async (route) => {
    reloading.resolve()
    await isOver
    await route.continue()
  })
  await endViews()
  await page.getByLabel('Search').fill('Visible') // asks for rows and statistics
  await page.getByText('Hello, olivia-dana').waitFor()
})

test('“What do they see?” explains one row: the rule, the page, the campaign and the fields [SIGN-05]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/admin/pages')
  const { rows } = await app.context.pool.query<{ id: number }>(
    `select id from leads where lead_name = 'Visible Person'`,
  )
  await row(page, 'dana').getByRole('button', { name: 'What do they see?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Check access for dana' })
  await dialog.getByLabel('Link or ID').fill(`${app.url}/lead/${rows[0]!.id}`)
  await dialog.getByText('Yes, and they may change it').waitFor()
  await dialog.getByText('North Roofing: ticked').waitFor()
  await dialog.getByText('Leads or Leads Archive: ticked').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Link or ID').fill('999999')
  await dialog.getByText('No: hidden from them').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'dana').getByRole('button', { name: 'What do they see?' }).click()
  await dialog.getByText('No: hidden from them').waitFor()
  expect(await dialog.getByLabel('Link or ID').inputValue()).toBe('999999') // what the answer is about
})
