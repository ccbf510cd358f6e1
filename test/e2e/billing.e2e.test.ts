import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, formatDaySpan, getToday } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { countTextLines, measureListOverflow } from '#test/cut-values.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { errorToast, see, visit } from '#test/visit.ts'
import { formatDay } from '#ui/cells/days.ts'

const zone = 'America/New_York'
const current = computeBillingCycle(15, getToday(zone))
const last = computeBillingCycle(15, addDays(current.from, -1))

const endsOn = addDays(current.from, -1)
const monthOfEnd = `${endsOn.slice(0, 7)}-01`
/** The statements of the cycles that ended with the last one. */
const span = `cycle_ends_from=${monthOfEnd}&cycle_ends_before=${addMonths(monthOfEnd, 1)}`

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
    // The first field has the focus, and a calendar only once it is asked for.
    const calendar = page.getByRole('button', { name: 'Previous month' })
    await see(() => first.getByLabel('From').evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await calendar.count()).toBe(0)
    await first.getByLabel('From').click()
    await calendar.waitFor()
    await page.keyboard.press('Escape')
    await see(() => calendar.count()).toBe(0)
    await first.getByLabel('Billing').click()
    await page.getByRole('option', { name: 'Per lead' }).click()
    await first.getByLabel('Per form').fill('25.50')
    await dialog.getByRole('button', { name: 'Add terms' }).click()
    await see(() => first.getByLabel('To', { exact: true }).inputValue()).not.toBe('')
    await first.getByLabel('To', { exact: true }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^Overlaps the terms that start on/).waitFor()
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await dialog.getByRole('button', { name: 'Remove terms 2' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Campaign terms saved successfully', { exact: true }).waitFor()
    const { body } = await root.call(termsContract.read, { params: { id: campaign.id } })
    expect(body.terms).toMatchObject([{ kind: 'per_lead', prices: { Form: 25.5, Call: 0 } }])
    await page
      .getByRole('row', { name: /Austin Roofs/ })
      .getByRole('button', { name: 'Terms' })
      .click()
    await first.getByLabel('To', { exact: true }).fill('11/30/2098')
    await dialog.getByText('From Dec 1, 2098: the service fee of $750.', { exact: true }).waitFor()
  })

  test('statements open at those to send; one shows its lines, and is sent once its cycle has ended [ACCT-04, RPT-07]', async () => {
    await makeVerifiedLead('Pat', toInstant(last.from, '12:00', zone))
    const page = await visit(app, root, `/statements?${span}`, { viewport: { width: 1280, height: 800 } })
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'To send 1 · $25.50', pressed: true }).waitFor()
    const ended = page.getByRole('row').filter({ hasText: 'Austin Roofs' })
    await see(() => ended.count()).toBe(1)
    await see(() => ended.textContent()).toContain('$25.50')
    expect(await page.evaluate(measureListOverflow)).toBe(0)
    // While other rows come, those that are still there keep the names of their clients.
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('tr[data-index] > :first-child:empty')) document.body.dataset.nameless = 'once'
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    await page.getByRole('button', { name: /^Sent 0/ }).click()
    await see(() => ended.count()).toBe(0)
    expect(await page.getByText('A statement stands here').count()).toBe(0)
    expect(await page.evaluate(() => document.body.dataset.nameless)).toBeUndefined()
    await page.getByRole('button', { name: /^To send 1/ }).click()
    await ended.getByRole('button', { name: 'Lines' }).click()
    const dialog = page.getByRole('dialog', { name: 'Statement of Austin Roofs' })
    await dialog.getByRole('row', { name: /Pat.*\$25\.50/ }).waitFor()
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await page.keyboard.press('Escape')
    await ended.getByRole('button', { name: 'Send' }).click()
    const sending = page.getByRole('dialog', { name: 'Send this statement' })
    await sending.getByText('$25.50', { exact: true }).waitFor()
    await sending.getByLabel('Email to').waitFor()
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
    await sending.getByRole('button', { name: 'Send without email' }).click()
    await page.getByText('Statement was sent', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Unpaid 1 · $25.50' }).click()
    await see(() => ended.getByText('Sent').count()).toBe(1)
    await page.getByRole('button', { name: 'To send 0 · $0.00' }).click()
    await page.getByText('A statement stands here from the day after a campaign’s billing cycle ends').waitFor()
    await page.getByRole('button', { name: 'Unpaid 1 · $25.50' }).click()
    await see(() => ended.getByText('Sent').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    // Its number, its cycle, and the day on which it is due.
    const values = await ended.getByRole('cell').filter({ hasText: /\d{4}/ }).all()
    expect(await Promise.all(values.map((one) => one.evaluate(countTextLines)))).toEqual([1, 1, 1])
    expect(await page.evaluate(measureListOverflow)).toBe(0)

    await ended.getByRole('button', { name: 'Lines' }).click()
    const link = await root.call(statementsContract.get, { params: { id: toStatementId(campaign.id, last.from) } })
    const client = await visit(app, app.guest, new URL(link.body.url).pathname, { alone: true })
    await client.getByRole('heading', { name: /^Statement \d{4}-\d\d-0001$/ }).waitFor()
    expect(await axeViolations(client)).toEqual([])
    await client.mouse.move(40, 40)
    const readState = async () =>
      (await root.call(statementsContract.get, { params: { id: toStatementId(campaign.id, last.from) } })).body.state
    await see(readState).toBe('opened')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    // A colleague records it first.
    const paying = page.getByRole('dialog', { name: 'Mark as paid' })
    const save = paying.getByRole('button', { name: 'Save' })
    await save.waitFor()
    const params = { id: toStatementId(campaign.id, last.from) }
    await root.call(statementsContract.paid, { params, body: { on: endsOn, note: 'Check 12' } })
    await save.click()
    await paying.getByText('Someone else has changed this', { exact: false }).waitFor()
    expect(await paying.getByLabel('Note').inputValue()).toBe('Check 12')
    await save.click()
    await page.getByText('Statement was updated', { exact: true }).waitFor()
    const { body: paid } = await root.call(statementsContract.get, { params })
    expect(paid).toMatchObject({ state: 'paid', paid_on: endsOn, paid_note: 'Check 12' })
    await dialog.getByRole('button', { name: 'Not paid' }).click()
    await page.getByText('Are you sure this statement is not paid? Its payment is removed.').waitFor()
    expect(await readState()).toBe('paid')
    await page.getByRole('button', { name: 'Not paid' }).last().click()
    await see(readState).toBe('opened')
  })

  test('a batch shows client, cycle, total and addresses before it sends [ACCT-03]', async () => {
    const client = await app.make.client({ name: 'Acme' })
    const billing_emails = 'books@acme.example\ncfo@acme.example'
    await root.call(clientsContract.update, { params: { id: client.id }, body: { billing_emails } })
    const cycle = { start_date: last.from, due_date: 15, service_fee: 500 }
    await app.make.campaign({ name: 'Reno Roofs', client_id: client.id, ...cycle })
    const page = await visit(app, root, `/statements?${span}`)
    await page.getByRole('button', { name: 'Send all…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Send the statements of/ })
    const row = dialog.getByRole('row', { name: /Reno Roofs/ })
    await see(() => row.textContent()).toBe(
      `AcmeReno Roofs${formatDaySpan({ from: last.from, to: endsOn })}books@acme.example, cfo@acme.example$500.00`,
    )
    await dialog.getByText('Email each client their statement').waitFor()
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  })

  test('a dispute shows the lead, and is decided with an answer that the client reads [RPT-06]', async () => {
    const lead = await makeVerifiedLead('Robin')
    await lead.notLead()
    const page = await visit(app, root, '/disputes')
    await page.getByRole('button', { name: /^Robin’s form \(Austin Roofs\)/ }).click()
    const pane = page.getByRole('region', { name: 'Dispute: Robin’s form (Austin Roofs)' })
    await pane.getByText('My roof leaks').waitFor()
    await pane.getByRole('link', { name: 'Open in Leads' }).waitFor()
    await pane.getByRole('button', { name: 'Accept and credit' }).click()
    await pane.getByText('Please write an answer for the client').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await pane.getByLabel('Answer to the client').fill('Wrong number, sorry')
    await pane.getByRole('button', { name: 'Accept and credit' }).click()
    await page.getByText('Dispute was decided', { exact: true }).waitFor()
    expect((await lead.row()).confirmed).toBe(false)

    const rating = await visit(app, app.guest, `/rate?lead=${lead.id}&auth_key=${lead.key}`, { alone: true })
    await rating.getByText('Wrong number, sorry').waitFor()
    expect(await axeViolations(rating)).toEqual([])
  })

  test('a decision that is refused when the next dispute is open is reported [RPT-06, DESK-11]', async () => {
    for (const name of ['Alex', 'Sam']) await (await makeVerifiedLead(name)).notLead()
    const page = await visit(app, root, '/disputes')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/disputes/*/decide', async (route) => {
      await held.promise
      await route.fulfill({ status: 422, json: { message: 'Refused', errors: { answer: ['Too short'] } } })
    })
    await page.getByRole('button', { name: /^Alex’s form/ }).click()
    await page.getByLabel('Answer to the client').fill('No')
    await page.getByRole('button', { name: 'Accept and credit' }).click()
    await page.getByRole('button', { name: /^Sam’s form/ }).click()
    await page.getByRole('region', { name: /^Dispute: Sam’s form/ }).waitFor()
    held.resolve()
    await errorToast(page).getByText('Refused').waitFor()
  })

  test('a dispute that is open is in the address, and an answer that is half written stays [RPT-06]', async () => {
    for (const name of ['Ola', 'Uwe']) await (await makeVerifiedLead(name)).notLead()
    const page = await visit(app, root, '/disputes')
    const answer = page.getByLabel('Answer to the client')
    const choose = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}’s form`) }).click()
    await choose('Uwe')
    await answer.fill('We listened to')
    await choose('Ola')
    await see(() => answer.inputValue()).toBe('')
    await answer.fill('It was')
    await choose('Uwe')
    await see(() => answer.inputValue()).toBe('We listened to')
    await page.getByRole('link', { name: 'The lead’s page' }).click()
    await page.getByRole('heading', { name: 'Uwe', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: /^Dispute: Uwe/ }).waitFor()
    await see(() => answer.inputValue()).toBe('We listened to')
    await page.reload()
    await page.getByRole('region', { name: /^Dispute: Uwe/ }).waitFor()
  })

  test('a dispute says when its lead came by the clock of its reader [RPT-06]', async () => {
    const yesterday = addDays(getToday(zone), -1)
    await (await makeVerifiedLead('Ivo', toInstant(yesterday, '14:05', zone))).notLead()
    const reader = await app.as(await app.make.superAdmin({ time_format: '12h' }))
    const page = await visit(app, reader, '/disputes')
    await page.getByRole('button', { name: /^Ivo’s form/ }).click()
    await page.getByText(`Form, ${formatDay(yesterday)} 02:05 PM`, { exact: true }).waitFor()
  })

  test('a dispute that someone else has decided says so, and leaves those to decide [RPT-06]', async () => {
    const lead = await makeVerifiedLead('Zoe')
    await lead.notLead()
    const page = await visit(app, root, '/disputes')
    await page.getByRole('button', { name: /^Zoe’s form/ }).click()
    await page.getByLabel('Answer to the client').fill('We listened to it')
    const [dispute] = (await root.call(disputesContract.list, { query: { lead_id: lead.id } })).body.data
    const body = { accept: false, answer: 'She asked for a price' }
    await root.call(disputesContract.decide, { params: { id: dispute.id }, body })
    await page.getByRole('button', { name: 'Accept and credit' }).click()
    await page.getByText('This dispute was decided already', { exact: true }).waitFor()
    await see(() => page.getByRole('button', { name: /^Zoe’s form/ }).count()).toBe(0)
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
    const phone = { viewport: { width: 390, height: 844 } }
    const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const statements = await visit(app, root, '/statements?state=&cycle_ends_from=&cycle_ends_before=', phone)
    const card = statements.locator('li[data-index]').last()
    await card.getByRole('button', { name: 'More' }).click()
    await card.getByRole('button', { name: 'Lines' }).click()
    await statements.getByRole('dialog', { name: /^Statement of/ }).waitFor()
    await see(() => overflow(statements)).toBeLessThanOrEqual(0)
    expect(await axeViolations(statements)).toEqual([])

    await (await makeVerifiedLead('Kim')).notLead()
    const disputes = await visit(app, root, '/disputes', phone)
    await disputes.getByRole('button', { name: /^Kim’s form/ }).click()
    await disputes.getByRole('button', { name: 'Reject, keep billed' }).waitFor()
    await see(() => overflow(disputes)).toBeLessThanOrEqual(0)
    expect(await axeViolations(disputes)).toEqual([])
    await disputes.getByRole('button', { name: 'All disputes' }).click()
    await disputes.getByRole('button', { name: /^Kim’s form/ }).click()
    await disputes.getByRole('button', { name: 'Reject, keep billed' }).waitFor()
    await disputes.goBack()
    await disputes.getByRole('button', { name: /^Kim’s form/ }).waitFor()
  })
})
