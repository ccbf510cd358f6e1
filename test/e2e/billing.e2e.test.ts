import { describe, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { confirmDialog, see, visit } from '#test/visit.ts'

const zone = 'America/New_York'
const current = computeBillingCycle(15, getToday(zone))
const last = computeBillingCycle(15, addDays(current.from, -1))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, TRUSTED_PROXIES: '127.0.0.1' } }))
const root = await app.as(await app.make.superAdmin())
const campaign = await app.make.campaign({
  name: 'Austin Roofs',
  start_date: last.from,
  due_date: 15,
  service_fee: 750,
})

const makeVerifiedLead = (lead_name: string, occurred_at = new Date()) =>
  makeMailedLead(app, {
    campaign_id: campaign.id,
    lead_name,
    confirmed: true,
    message: 'My roof leaks',
    occurred_at,
  })

// One story, from terms to what the client reads: each test continues from the one before it.
describe('the billing of a campaign', { shuffle: false }, () => {
  test('terms are added to a campaign, and errors are shown at their fields [RPT-07]', async () => {
    const page = await visit(app, root, '/campaigns')
    await page
      .getByRole('row', { name: /Austin Roofs/ })
      .getByRole('button', { name: 'Terms' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Terms: Austin Roofs' })
    const first = dialog.getByRole('region', { name: 'Terms 1' })
    await see(() => first.getByLabel('Fee').inputValue()).toBe('$750')
    await first.getByLabel('Kind').click()
    await page.getByRole('option', { name: 'Per lead' }).click()
    await first.getByLabel('Price of a form').fill('25.50')
    await dialog.getByRole('button', { name: 'Add terms' }).click()
    await see(() => first.getByLabel('To', { exact: true }).inputValue()).not.toBe('')
    await first.getByLabel('To', { exact: true }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^Overlaps the terms that start on/).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove terms 2' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Campaign terms saved successfully', { exact: true }).waitFor()
    const { body } = await root.call(termsContract.read, { params: { id: campaign.id } })
    expect(body.terms).toMatchObject([{ kind: 'per_lead', prices: { Form: 25.5, Call: 0 } }])
  })

  test('a statement shows its lines, and is sent once its cycle has ended [RPT-07]', async () => {
    await makeVerifiedLead('Pat', toInstant(last.from, '12:00', zone))
    const page = await visit(app, root, '/statements')
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor()
    const rows = page.getByRole('row').filter({ hasText: 'Austin Roofs' })
    await see(() => rows.count()).toBe(2)
    const ended = rows.nth(1)
    await see(() => ended.textContent()).toContain('$25.50')
    await see(() => rows.nth(0).getByRole('button', { name: 'Send' }).count()).toBe(0)
    await ended.getByRole('button', { name: 'Lines' }).click()
    const dialog = page.getByRole('dialog', { name: 'Statement of Austin Roofs' })
    await dialog.getByRole('row', { name: /Pat.*Verified form.*\$25\.50/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await ended.getByRole('button', { name: 'Send' }).click()
    await confirmDialog(page, 'Are you sure to send this statement? Its lines cannot be changed afterwards.')
      .getByRole('button', { name: 'Yes' })
      .click()
    await page.getByText('Statement was sent', { exact: true }).waitFor()
    await see(() => ended.getByText('Sent').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
  })

  test('a dispute shows the lead, and is decided with an answer that the client reads [RPT-06]', async () => {
    const lead = await makeVerifiedLead('Robin')
    await lead.notLead()
    const page = await visit(app, root, '/disputes')
    const row = page.getByRole('row').filter({ hasText: 'Robin' })
    await row.getByRole('button', { name: 'Decide' }).click()
    const dialog = page.getByRole('dialog', { name: 'Dispute of Robin' })
    await dialog.getByText('My roof leaks').waitFor()
    await dialog.getByRole('link', { name: 'Open in Leads' }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Please accept or refuse').waitFor()
    await dialog.getByText('Please write an answer for the client').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByLabel(/^Accept/).check()
    await dialog.getByLabel('Answer to the client').fill('Wrong number, sorry')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dispute was decided', { exact: true }).waitFor()
    await see(() => row.getByText('Accepted').count()).toBe(1)
    expect((await lead.row()).confirmed).toBe(false)

    const rating = await visit(app, app.guest, `/rate?lead=${lead.id}&auth_key=${lead.key}`, { alone: true })
    await rating.getByText('Wrong number, sorry').waitFor()
    expect(await axeViolations(rating)).toEqual([])
  })

  test('a list that cannot be read offers to try again [RPT-06]', async () => {
    const page = await visit(app, root, '/disputes?state=refused')
    await page.getByRole('button', { name: 'Reset' }).first().waitFor()
    await page.route('**/api/disputes**', (route) =>
      route.fulfill({ status: 500, body: '{"message":"Something went wrong"}' }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect((await root.call(disputesContract.list)).body.total).toBeGreaterThan(0)
  })

  test('on a phone nothing needs sideways scrolling [RPT-07]', async () => {
    for (const [path, button, name] of [
      ['/statements', 'Lines', /^Statement of/],
      ['/disputes', 'View', /^Dispute of/],
    ] as const) {
      const page = await visit(app, root, path, { viewport: { width: 390, height: 844 } })
      const card = page.locator('li[data-index]').last()
      await card.getByRole('button', { name: 'More' }).click()
      await card.getByRole('button', { name: button }).click()
      await page.getByRole('dialog', { name }).waitFor()
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await see(overflow).toBeLessThanOrEqual(0)
      expect(await axeViolations(page)).toEqual([])
    }
  })
})
