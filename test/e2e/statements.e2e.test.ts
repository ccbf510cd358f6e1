import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, formatLongDay, getToday } from '#contract/days.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { waitForJobs } from '#test/until.ts'
import { confirmDialog, errorToast, holdFirstWrite, see, visit } from '#test/visit.ts'

const zone = 'America/New_York'
const current = computeBillingCycle(15, getToday(zone))
const last = computeBillingCycle(15, addDays(current.from, -1))
const monthOfEnd = `${addDays(current.from, -1).slice(0, 7)}-01`
/** The statements of the cycles that ended with the last one. */
const span = `cycle_ends_from=${monthOfEnd}&cycle_ends_before=${addMonths(monthOfEnd, 1)}`

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, SMTP_URL: sink.url }, work: true }))
const root = await app.as(await app.make.superAdmin())

/** A campaign with a statement to send for the last cycle and for the one before. */
const makeFlatCampaign = async (name: string, client_id?: number) => {
  const start_date = computeBillingCycle(15, addDays(last.from, -1)).from
  return (await app.make.campaign({ name, client_id, start_date, due_date: 15, service_fee: 10 })).id
}

test('with campaigns chosen, the tiles count the statements that are listed, and those are sent [ACCT-04]', async () => {
  const ids = [await makeFlatCampaign('Salem Roofs'), await makeFlatCampaign('Akron Roofs')]
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${ids[0]}`)
  await page.getByRole('button', { name: 'To send 1 · $10.00', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Send all…' }).click()
  await page.getByLabel('Email each client their statement').uncheck()
  await page.getByRole('button', { name: 'Send 1 without email' }).waitFor()
})

test('statements of an archived campaign, which goes on being billed, are marked in the list and before a batch is sent [ACCT-03] [ACCT-04]', async () => {
  const ids = [await makeFlatCampaign('Olean Roofs'), await makeFlatCampaign('Ogden Roofs')]
  expect((await root.call(campaignsContract.archive, { params: { id: ids[0]! } })).status).toBe(200)
  for (const width of [1440, 390]) {
    const page = await visit(app, root, `/statements?${span}&campaign_ids=${ids}`, { viewport: { width, height: 844 } })
    const marked = () => page.getByText('Archived', { exact: true }).count()
    await page.getByText('Olean Roofs').first().waitFor()
    expect(await marked()).toBe(1)
    await page.getByRole('button', { name: 'Send all…' }).click()
    await page.getByLabel('Email each client their statement').uncheck()
    const table = page.getByRole('table', { name: 'Statements to send' })
    await table.getByText('Archived', { exact: true }).waitFor()
    expect(await marked()).toBe(2)
    expect(await axeViolations(page, { within: '[role=dialog]' })).toEqual([])
  }
})

test('a statement that no one was emailed is not emailed again, and says how long its link stays open [ACCT-03]', async () => {
  const id = await makeFlatCampaign('Tampa Roofs')
  const params = { id: toStatementId(id, last.from) }
  await root.call(statementsContract.send, { params, body: { mail: 0 } })
  const { expires_at } = (await root.call(statementsContract.get, { params })).body
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}&state=sent`)
  await page.getByRole('button', { name: 'Lines' }).click()
  await page.getByRole('button', { name: 'Email…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Email this statement', exact: true })
  const openUntil = formatLongDay(getToday(zone, new Date(expires_at!)))
  await dialog.getByText(`a link that is open until ${openUntil}`).waitFor()
  await dialog.getByLabel('Email to').fill('books@tampa.example')
  await dialog.getByRole('button', { name: 'Email', exact: true }).click()
  await page.getByRole('button', { name: 'Email again…' }).click()
  await page.getByRole('dialog', { name: 'Email this statement again' }).waitFor()
})

test('a statement says whom its email did not reach, not that they were emailed [ACCT-03]', async () => {
  const id = await makeFlatCampaign('Miami Roofs')
  const params = { id: toStatementId(id, last.from) }
  sink.unknown.add('gone@miami.example')
  await root.call(statementsContract.send, {
    params,
    body: { mail: 1, to: ['gone@miami.example', 'books@miami.example'] },
  })
  await waitForJobs(app.context)
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}&state=sent`)
  await page.getByRole('button', { name: 'Lines' }).click()
  const history = page.getByText('Emailed to books@miami.example,')
  await history.getByText('No such mailbox').waitFor()
  expect(await history.textContent()).toMatch(/Not delivered to gone@miami\.example: .*No such mailbox\.$/)
})

test('a statement is offered to the billing emails of now, also when its dialog was open before they were corrected [ACCT-03]', async () => {
  const client = await app.make.client({ billing_emails: ['bokos@akron.example'] })
  const start_date = computeBillingCycle(15, addDays(last.from, -1)).from
  const values = { client_id: client.id, start_date, due_date: 15, service_fee: 10 }
  const { id } = await app.make.campaign({ ...values, name: 'Toledo Roofs' })
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}`)
  const emails = page.getByRole('dialog', { name: 'Send this statement' }).getByLabel('Email to')
  const open = () =>
    page.getByRole('row').filter({ hasText: 'Toledo Roofs' }).getByRole('button', { name: 'Send' }).click()
  await open()
  expect(await emails.inputValue()).toBe('bokos@akron.example')
  await page.keyboard.press('Escape')
  await see(() => emails.count()).toBe(0)
  await app.context.db
    .update(clientsTable)
    .set({ billing_emails: ['books@akron.example'] })
    .where(eq(clientsTable.id, client.id))
  await open()
  expect(await emails.inputValue()).toBe('books@akron.example')
})

test('closing asks before it loses the addresses that a statement was to be sent to [SHELL-30]', async () => {
  const id = await makeFlatCampaign('Elmira Roofs')
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}`)
  await page.getByRole('row').filter({ hasText: 'Elmira Roofs' }).getByRole('button', { name: 'Send' }).click()
  const emails = page.getByRole('dialog', { name: 'Send this statement' }).getByLabel('Email to')
  await emails.fill('books@elmira.example')
  await page.keyboard.press('Escape')
  const asked = confirmDialog(page, 'Are you sure to close this dialog?')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await emails.inputValue()).toBe('books@elmira.example')
})

test('while a batch without emails is read, its switch keeps the focus, and what was read before is not sent [ACCT-04]', async () => {
  const id = await makeFlatCampaign(
    'Utica Roofs',
    (await app.make.client({ billing_emails: ['books@utica.example'] })).id,
  )
  const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}`)
  await page.getByRole('button', { name: 'Send all…' }).click()
  const mails = page.getByLabel('Email each client their statement')
  await mails.waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/statements/send-batch*', async (route) => {
    await held.promise
    await route.fallback()
  })
  await mails.focus()
  await page.keyboard.press('Space')
  const send = page.getByRole('button', { name: 'Send 1 without email' })
  await see(() => mails.isChecked()).toBe(false)
  await see(() => send.isDisabled()).toBe(true)
  held.resolve()
  await see(() => send.isDisabled()).toBe(false)
  expect(await mails.evaluate((one) => one === document.activeElement)).toBe(true)
})

describe('an answer that comes after its dialog was closed leaves the next dialog open', () => {
  test('of one statement [ACCT-03, DESK-11]', async () => {
    const ids = [await makeFlatCampaign('Waco Roofs'), await makeFlatCampaign('Tulsa Roofs')]
    const page = await visit(app, root, `/statements?${span}&campaign_ids=${ids}`)
    const answer = await holdFirstWrite(page, '**/api/statements/*/send')
    const dialog = page.getByRole('dialog', { name: 'Send this statement' })
    const open = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Send' }).click()
    await open('Waco Roofs')
    await dialog.getByRole('button', { name: 'Send without email' }).click()
    await page.keyboard.press('Escape')
    await see(() => dialog.count()).toBe(0)
    await open('Tulsa Roofs')
    await dialog.getByLabel('Email to').fill('books@tulsa.example')
    answer()
    await page.getByText('Statement was sent', { exact: true }).waitFor()
    await see(() => page.getByRole('row').filter({ hasText: 'Waco Roofs' }).count()).toBe(0)
    expect(await dialog.getByLabel('Email to').inputValue()).toBe('books@tulsa.example')
  })

  test('of a refused one, which is reported [ACCT-03, DESK-11]', async () => {
    const id = await makeFlatCampaign('Provo Roofs')
    const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}`)
    const answer = await holdFirstWrite(page, '**/api/statements/*/send')
    const dialog = page.getByRole('dialog', { name: 'Send this statement' })
    await page.getByRole('row').filter({ hasText: 'Provo Roofs' }).getByRole('button', { name: 'Send' }).click()
    await dialog.getByLabel('Email to').fill('nobody')
    await dialog.getByRole('button', { name: 'Send and email' }).click()
    await page.keyboard.press('Escape')
    await see(() => dialog.count()).toBe(0)
    answer()
    await errorToast(page).waitFor()
  })

  test('of a month [ACCT-03, DESK-11]', async () => {
    const id = await makeFlatCampaign('Boise Roofs')
    const page = await visit(app, root, `/statements?${span}&campaign_ids=${id}`)
    const answer = await holdFirstWrite(page, '**/api/statements/send-batch')
    const dialog = page.getByRole('dialog', { name: /^Send the statements of/ })
    await page.getByRole('button', { name: 'Send all…' }).click()
    await dialog.getByLabel('Email each client their statement').uncheck()
    await dialog.getByRole('button', { name: /^Send \d+ without email$/ }).click()
    await page.keyboard.press('Escape')
    await see(() => dialog.count()).toBe(0)
    await page.getByRole('button', { name: 'Month before' }).click()
    await page.getByRole('button', { name: 'Send all…' }).click()
    await dialog.getByLabel('Email each client their statement').uncheck()
    answer()
    await page.getByText(/^\d+ statements? sent$/).waitFor()
    await dialog.getByRole('button', { name: /^Send \d+ without email$/ }).waitFor()
  })
})
