import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { connectionsContract } from '#domains/connections/contract.ts'
import { movesTable } from '#domains/moves/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { confirmDialog, see, visit } from '#test/visit.ts'

const old = await setUp(startApp())
const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({ work: true, settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.0/8', SMTP_URL: sink.url } }),
)
const owner = await app.make.superAdmin()
const boss = await app.as(owner)
const { token } = await old.as(await old.make.superAdmin())
const category = await old.make.category({ name: 'Roofing' })
for (const name of ['Oak gutter', 'Acme roofing', 'Twin']) {
  const client = await old.make.client({ name: `${name} Inc.` })
  await old.make.customer({ client_id: client.id })
  const { id } = await old.make.campaign({ name, client_id: client.id, categories: [category.id] })
  await old.make.lead({ campaign_id: id, lead_name: `Ada of ${name}` })
}
for (const name of ['TWIN', 'twin']) await app.make.campaign({ name })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('a plan that waits says what it waits for [MOVE-04]', async () => {
  const says = 'CallRail asked for fewer requests: the reading goes on by itself in 42 seconds'
  const [move] = await app.context.db
    .insert(movesTable)
    .values({ user_id: owner.id, sources: [], done: 3, total: 60, problem: says })
    .returning({ id: movesTable.id })
  const page = await visit(app, boss, `/moves/${move!.id}`)
  await see(() => page.getByText(`Reading: 3 of 60. ${says}.`).isVisible()).toBe(true)
  await page.close()
  await app.context.db.delete(movesTable)
})

test('a plan for which nothing was found says so, without empty tables [MOVE-04]', async () => {
  const lacks = { callrail_company: ['CallRail knows no logins'] }
  const made = { user_id: owner.id, sources: [], state: 'ready' as const, done: 0, total: 0, lacks }
  const [move] = await app.context.db.insert(movesTable).values(made).returning({ id: movesTable.id })
  const page = await visit(app, boss, `/moves/${move!.id}`)
  await page.getByText('Nothing was found that could be moved.').waitFor()
  expect(await page.locator('main').getByRole('table').count()).toBe(0)
  expect(await button(page, 'Accept').count()).toBe(0)
  await page.close()
  await app.context.db.delete(movesTable)
})

test('a plan is made, chosen, accepted, compared and undone on its page [MOVE-04] [MOVE-07]', async () => {
  await boss.call(connectionsContract.create, { body: { kind: 'legacy', address: old.url, token } })
  const page = await visit(app, boss, '/moves')
  await button(page, 'Make a plan').click()
  await see(() => page.getByRole('heading', { name: 'One by one' }).isVisible()).toBe(true)
  await see(() => button(page, 'Accept').isDisabled()).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('What Twin becomes').selectOption('new')
  await see(() => button(page, 'Accept').isEnabled()).toBe(true)
  const other = await visit(app, boss, new URL(page.url()).pathname)
  await see(() => button(other, 'Accept').isEnabled()).toBe(true)
  await button(page, 'Accept').press('Enter')
  await see(() => page.getByRole('heading', { name: 'Moved' }).isVisible()).toBe(true)
  // The button is gone; the keyboard goes on beside it.
  const back = page.locator('main').getByRole('link', { name: 'Moving in' })
  await see(() => back.evaluate((one) => one === document.activeElement)).toBe(true)
  await see(() => other.getByRole('heading', { name: 'Moved' }).isVisible()).toBe(true) // without a reload
  await other.close()
  await see(() => page.getByText('Nothing differs.').isVisible()).toBe(true)
  await seeManyDifferences(page)
  await page.getByText('What isn’t moved').click()
  await see(() => page.getByText('Passwords and remote tokens do not move: invite the clients').isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: 'Open Leads' }).getAttribute('href')).toBe('/leads')
  expect(await axeViolations(page)).toEqual([])
  await button(page, 'Invite 3 people').click()
  await see(() => page.getByText('3 people are invited').isVisible()).toBe(true)
  await button(page, 'Undo').click()
  const question = confirmDialog(page, 'Are you sure to undo this move?')
  await question.getByText('What this move brought is removed, except what someone has changed since.').waitFor()
  await question.getByText('Clients: 3, Campaigns: 3, Leads: 3').waitFor()
  await question.getByRole('button', { name: 'Yes' }).click()
  await see(() => page.getByText('Everything was undone.').isVisible()).toBe(true)
})

/** Twenty years of leads, of which none came along: more numbers than the page shows. */
async function seeManyDifferences(page: Page) {
  const differences = Array.from({ length: 240 }, (_, at) => ({
    ...{ kind: 'lead' as const, month: `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}` },
    ...{ theirs: 1, ours: 0, explained: null, rows: null },
  }))
  const before = await app.context.db.select().from(movesTable)
  await app.context.db.update(movesTable).set({ differences, compared_at: new Date() })
  await page.reload()
  await see(() => page.getByText(/^\d+ numbers differ among the first 200 of 2\d\d\. /).isVisible()).toBe(true)
  await app.context.db.update(movesTable).set({ differences: before[0]!.differences })
  await page.reload()
}
