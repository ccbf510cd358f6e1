import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { ratingKeysTable, ratingSavesTable } from '#domains/leads/rating/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { allLeadColumns } from '#test/factories.ts'
import { callsTo, confirmDialog, see, visit } from '#test/visit.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ work: true, settings: { SMTP_URL: sink.url, AGENCY_TIMEZONE: 'America/Denver' } }))
const root = await app.as(await app.make.superAdmin({ ...allLeadColumns, username: 'olivia' }))
const other = await app.as(await app.make.superAdmin({ ...allLeadColumns, username: 'oscar' }))
const client = (await app.make.client({ emails: ['client@example.com'] })).id

type NewLead = Parameters<App['make']['lead']>[0]

/** Creates a lead in a new campaign, with these changes, and opens the list that shows it. */
async function desk(values: NewLead = {}, changes: object[] = []) {
  const campaign = await app.make.campaign({ client_id: client, name: 'North Roofing' })
  const lead = await app.make.lead({ lead_name: 'Ann', ...values, campaign_id: campaign.id })
  for (const body of changes) await change(lead.id, body, root)
  const open = async () => {
    const page = await visit(app, root, `/leads?campaign_ids=${campaign.id}`)
    await page.locator('tr[data-index]').first().waitFor()
    return page
  }
  return { lead, campaign, open }
}
const change = (id: number, body: object, who = other) => who.call(leadsContract.update, { params: { id }, body })
const drawer = (page: Page) => page.getByRole('dialog', { name: 'History of Ann' })
async function openHistory(page: Page) {
  await page.getByRole('button', { name: 'History' }).click()
  await drawer(page).getByRole('heading', { name: 'Changes' }).waitFor()
  return drawer(page)
}
const part = (page: Page, name: string) => drawer(page).getByRole('region', { name, exact: true })
const plain = async (page: Page, name: string) => (await part(page, name).allInnerTexts()).join().replace(/\s+/g, ' ')
const stored = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!

describe('the history of a lead', () => {
  test('says who changed what, from what to what, in the words of the columns [LEAD-80]', async () => {
    const { open } = await desk({ client_value: 5 }, [
      { confirmed: 1, notes: 'call back', client_progress: 2 },
      { tags: [{ name: 'Spam' }, { name: 'Other' }], rating: '4', client_value: 1200.5, lead_time: '07:15' },
    ])
    const page = await open()
    await openHistory(page)
    const text = await plain(page, 'Changes')
    expect(text).toMatch(/^Changes 2 olivia \d\d\/\d\d\/\d{4} \d\d:\d\d /)
    for (const line of [
      'Progress from – to In Progress Restore',
      'Verified from No to Yes Restore',
      'Notes from – to call back Restore',
      'Tags from – to Spam, Other Restore',
      'Rating from – to 4 stars Restore',
      'Value from $5.00 to $1,200.50 Restore',
      'to 07:15 Restore',
    ])
      expect(text).toContain(line)
    expect(text).not.toMatch(/[{}[\]"]|confirmed|client_/)
    await see(() => plain(page, 'Events')).toBe('Events No event is stored.')
  })

  test('says of a lead without events that it was added by hand only if it was [LEAD-80]', async () => {
    const site = await app.make.clientSite()
    const body = {
      campaign_id: site.campaign_id,
      clientsite_id: site.id,
      lead_date: '2026-03-02',
      lead_time: '09:05',
      lead_type: 'Form',
      lead_id: 'by-hand',
    }
    const added = await root.call(leadFormContract.create, { body })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    for (const [id, says] of [
      [added.body.id, 'Added by hand.'],
      [(await desk()).lead.id, 'No event is stored.'],
    ]) {
      const page = await visit(app, root, `/lead/${id}`)
      await page.getByRole('region', { name: 'Events', exact: true }).getByText(says).waitFor()
    }
  })

  test('shows its mails, the use of their links, and its events; it has no faults that axe finds, and Esc gives the focus back', async () => {
    const { lead, open } = await desk()
    const { db } = app.context
    const of = { lead_id: lead.id, campaign_id: lead.campaign_id }
    const sent_at = new Date('2026-03-02T14:05:00Z')
    const [mail] = await db
      .insert(mailsTable)
      .values([
        { ...of, kind: 'notification', recipients: ['client@example.com'], state: 'sent', sent_at },
        {
          ...of,
          kind: 'missed_call_warning',
          recipients: ['b@example.com'],
          state: 'refused',
          error: '550 no',
        },
      ])
      .returning()
    const [key] = await db
      .insert(ratingKeysTable)
      .values({
        ...of,
        mail_id: mail!.id,
        key_hash: hashSha256(`k${lead.id}`),
        expires_at: new Date(Date.now() + 86_400_000),
      })
      .returning()
    const save = { key_id: key!.id, ...of, auto: true }
    await db.insert(ratingSavesTable).values([
      { ...save, choice: '1', outcome: 'undone' },
      { ...save, choice: '5', outcome: 'counted' },
    ])
    await db.insert(inboundEventsTable).values({
      provider: 'callrail',
      headers: {},
      body: Buffer.from('{}'),
      state: 'done',
      lead_id: lead.id,
      reconciled_as: `call ${lead.id}`,
    })
    const page = await open()
    await openHistory(page)
    await see(() => plain(page, 'Changes')).toContain('Nothing has been changed yet.')
    await see(() => plain(page, 'Emails')).toMatch(
      /Warning refused \d.* To b@example.com 550 no Send again Notification sent 03\/02\/2026 07:05 To client@example.com/,
    )
    await see(() => plain(page, 'Ratings by email')).toMatch(
      /5 stars counted .* Saved when the link was opened Through the email of 03\/02\/2026 07:05 1 star undone .* Opened by an email scanner/,
    )
    await see(() => plain(page, 'Events')).toMatch(/CallRail used .* Read from CallRail’s own list/)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('History')
  })

  test('a lost mail is sent again by its button, which says so and goes [IN-18]', async () => {
    const { lead, campaign, open } = await desk()
    await app.context.db.insert(mailsTable).values({
      lead_id: lead.id,
      campaign_id: campaign.id,
      kind: 'notification',
      recipients: ['client@example.com'],
      state: 'uncertain',
      created_at: new Date('2026-03-02T14:00:00Z'),
    })
    const sent = sink.letters.length
    const page = await open()
    const history = await openHistory(page)
    await see(() => plain(page, 'Emails')).toMatch(/Notification perhaps sent .* To client@example.com Send again/)
    await history.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Email is sent again', { exact: true }).waitFor()
    await see(() => history.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    await see(() => sink.letters.length).toBe(sent + 1)
    expect(sink.letters.at(-1)!.to).toEqual(['client@example.com'])
    await page.reload()
    await openHistory(page)
    await see(() => plain(page, 'Emails')).toMatch(/^Emails 2 Notification sent .* requested by olivia Delivered/)
  })

  test('an old value is restored after confirmation, and the row has it at once [LEAD-79, LEAD-80]', async () => {
    const { lead, open } = await desk({ notes: 'before' }, [{ notes: 'after' }])
    const page = await open()
    const history = await openHistory(page)
    const asked = confirmDialog(page, 'Are you sure you want to restore the old value?')
    await history.getByRole('button', { name: 'Restore Notes' }).click()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    expect((await stored(lead.id)).notes).toBe('after')
    await history.getByRole('button', { name: 'Restore Notes' }).click()
    await asked.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('The old value was restored').waitFor()
    expect((await stored(lead.id)).notes).toBe('before')
    await see(() => plain(page, 'Changes')).toMatch(/^Changes 2 olivia .* Notes from after to before Restore olivia/)
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Notes', { exact: true }).inputValue()).toBe('before')
  })

  test('after a conflict the newer value is shown, in the row too, and can be overwritten [LEAD-79]', async () => {
    const { lead, open } = await desk({ notes: 'one' }, [{ notes: 'two' }])
    const page = await open()
    const history = await openHistory(page)
    await change(lead.id, { notes: 'three' })
    const putBack = async () => {
      await history.getByRole('button', { name: 'Restore Notes' }).last().click()
      await page.getByRole('button', { name: 'Yes' }).click()
    }
    await putBack()
    const said = history.getByRole('alert')
    await said.waitFor()
    await see(() => said.textContent()).toBe('A teammate changed this first. The value is now “three”.')
    await see(() => plain(page, 'Changes')).toContain('oscar')
    await see(() => page.getByLabel('Notes', { exact: true }).inputValue()).toBe('three')
    await putBack()
    await see(async () => (await stored(lead.id)).notes).toBe('one')
    await see(() => said.count()).toBe(0)
  })

  test('what cannot be read says so and can be tried again', async () => {
    const { open } = await desk()
    const page = await open()
    await page.route('**/api/lead/*/history', (route) => route.fulfill({ status: 503, json: { message: 'Back soon' } }))
    await page.getByRole('button', { name: 'History' }).click()
    await drawer(page).getByText('The history could not be loaded: Back soon').waitFor()
    await page.unroute('**/api/lead/*/history')
    await drawer(page).getByRole('button', { name: 'Retry' }).click()
    await part(page, 'Changes').waitFor()
  })
})

describe('the latest mail', () => {
  const mark = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('img')

  test('its delivery status is beside the actions, in words for a screen reader [IN-18]', async () => {
    const { campaign, open } = await desk({ lead_name: 'Without' })
    const says = {
      sent: 'Notification sent, 03/02/2026 07:05',
      uncertain: 'Notification perhaps sent, ',
      refused: 'Notification refused, ',
      queued: 'Notification waiting to be sent, ',
    } as const
    for (const state of Object.keys(says) as (keyof typeof says)[]) {
      const { id } = await app.make.lead({ campaign_id: campaign.id, lead_name: `Was ${state}` })
      await app.context.db.insert(mailsTable).values({
        lead_id: id,
        campaign_id: campaign.id,
        kind: 'notification',
        recipients: ['a@example.com'],
        state,
        created_at: new Date(Date.now() + 3_600_000), // the sweep does not send it yet
        sent_at: state === 'sent' ? new Date('2026-03-02T14:05:00Z') : null,
        error: state === 'refused' ? '550 no such box' : null,
      })
    }
    const page = await open()
    for (const [state, words] of Object.entries(says)) {
      const said = await mark(page, `Was ${state}`).getAttribute('aria-label')
      expect(said).toContain(words)
      await see(() => mark(page, `Was ${state}`).getAttribute('title')).toBe(said)
    }
    await see(() => mark(page, 'Was refused').getAttribute('title')).toContain('550 no such box')
    expect(await mark(page, 'Without').count()).toBe(0)
  })

  test('a mail sent by hand is reported at once, and again when it has been sent [LEAD-48, IN-18]', async () => {
    const { open } = await desk({ lead_type: 'Call', tags: ['Missed Call'] })
    const page = await open()
    await page.getByRole('button', { name: 'Send Warning' }).click()
    await mark(page, 'Ann').waitFor()
    await see(() => mark(page, 'Ann').getAttribute('aria-label')).toMatch(/^Warning sent, /)
    expect(callsTo(page, 'POST /api/lead/send-warning/')).toHaveLength(1)
  })

  test('is hidden from non-admins, and so is the history', async () => {
    const { lead, campaign } = await desk()
    await app.context.db.insert(mailsTable).values({
      lead_id: lead.id,
      campaign_id: campaign.id,
      kind: 'notification',
      recipients: ['a@example.com'],
      state: 'sent',
    })
    const handler = await app.as(await app.make.handler({ ...allLeadColumns, campaigns: [campaign.id] }))
    const page = await visit(app, handler, '/leads')
    await page.locator('tr[data-index]').first().waitFor()
    expect(await mark(page, 'Ann').count()).toBe(0)
    for (const name of ['History', 'Edit Lead']) expect(await page.getByRole('button', { name }).count()).toBe(0)
  })
})
