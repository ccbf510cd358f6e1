import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
await app.make.lead({ lead_name: 'Ann' })

const open = async (who: Caller, options = {}) => {
  const page = await visit(app, who, '/leads', options)
  await page.locator('[data-index]').first().waitFor()
  return page
}
const notice = (page: Page) => page.getByRole('button', { name: /silent|unassigned|put aside/ })
/** Leaves exactly one quarantined event. */
async function quarantineOne() {
  await app.context.db.delete(inboundEventsTable)
  await app.context.db
    .insert(inboundEventsTable)
    .values({ provider: 'callrail', headers: {}, body: Buffer.from('?'), state: 'quarantined', reason: 'no JSON' })
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('nothing is said when all is well', async () => {
  const well = await startApp()
  onTestFinished(() => well.close())
  await well.make.lead()
  const answered: string[] = []
  const before = (page: Page) => page.on('requestfinished', (request) => answered.push(new URL(request.url()).pathname))
  const page = await visit(well, await well.as(await well.make.superAdmin()), '/leads', { before })
  await page.locator('[data-index]').first().waitFor()
  await see(() => answered).toContain('/api/leads/sources')
  expect(await notice(page).count()).toBe(0)
})

test('silent sources and waiting events are one line that moves nothing, and opens the details', async () => {
  const site = await app.make.clientSite({ url: 'https://quiet.example', created_at: daysAgo(400) })
  const from = { campaign_id: site.campaign_id, clientsite_id: site.id, lead_type: 'Call' } as const
  const daily = (lead: object, first: number) =>
    Array.from({ length: 91 - first }, (_, days) => ({ ...lead, occurred_at: daysAgo(first + days + 0.02) }))
  await app.make.eachLead(daily(from, 11))
  // Other sources keep sending: a silence everywhere would not count for one source.
  for (const _ of [1, 2, 3]) {
    const other = await app.make.clientSite({ created_at: daysAgo(400) })
    const theirs = { campaign_id: other.campaign_id, clientsite_id: other.id, lead_type: 'Call' } as const
    await app.make.eachLead(daily(theirs, 0))
  }
  await allJobs.find(({ name }) => name === 'signals')!.run(app.context, {} as never)
  await app.make.lead({ campaign_id: null })
  await app.make.lead({ campaign_id: null })
  await quarantineOne()

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    const page = await open(root, {
      viewport,
      before: (page: Page) =>
        page.route('**/api/leads/sources', async (route) => {
          await held
          await route.continue()
        }),
    })
    const place = () => page.locator('[data-index]').first().boundingBox()
    const before = await place()
    expect(await notice(page).count()).toBe(0)
    answer()
    await notice(page).waitFor()
    await see(() => notice(page).textContent()).toBe('1 silent source · 2 leads unassigned · 1 event put aside')
    await see(() => place()).toEqual(before)

    await notice(page).click()
    const dialog = page.getByRole('dialog', { name: 'Where leads come from' })
    const row = dialog.locator('[data-index]').filter({ hasText: 'quiet.example' })
    await row.waitFor()
    if (viewport.width < 768) await row.getByRole('button', { name: /^More/ }).click()
    const text = await row.textContent()
    expect(text).toMatch(/CallRail/)
    expect(text).toMatch(/11 days/)
    expect(text).toMatch(/1 day/)
    await see(() => dialog.locator('[data-index]').count()).toBe(1)
    for (const name of ['2 leads unassigned', '1 event put aside'])
      await see(() => dialog.getByRole('heading', { name }).count()).toBe(1)
    const commands = await dialog.getByText('on the server says why').textContent()
    expect(commands).toContain('on the server says why, and npx leadline events replay --all tries again')
    expect(await dialog.getByRole('link', { name: 'Lead Sources' }).getAttribute('href')).toBe('/lead-sources')
    await dialog.getByText('CallRail is not connected').waitFor()
    expect(await dialog.getByRole('link', { name: 'Check them on Home' }).getAttribute('href')).toBe('/')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await see(() => notice(page).evaluate((button) => button === document.activeElement)).toBe(true)
  }
})

test('the line is not reloaded with each edit of a lead', async () => {
  await quarantineOne()
  const page = await open(root)
  await notice(page).waitFor()
  await page.getByRole('switch', { name: 'Verified' }).first().click()
  await see(() => callsTo(page, 'GET /api/leads/list/data').length).toBe(2)
  expect(callsTo(page, 'GET /api/leads/sources')).toHaveLength(1)
})

test('the line is for super admins: no one else even requests it', async () => {
  const campaign = await app.make.campaign()
  await app.make.lead({ campaign_id: campaign.id })
  const page = await open(await app.as(await app.make.admin({ campaigns: [campaign.id] })))
  await page.getByRole('button', { name: 'Export' }).waitFor()
  expect(callsTo(page, 'GET /api/leads/sources')).toEqual([])
})
