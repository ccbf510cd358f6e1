import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadTags } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { allLeadColumns } from '#test/factories.ts'
import { callsTo, see, type Visit, visit } from '#test/visit.ts'

let handler: Caller

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url } }))
const root = await app.as(await app.make.superAdmin({ ...allLeadColumns, username: 'olivia' }))
const client = (await app.make.client({ emails: ['client@example.com'] })).id

type NewLead = Parameters<App['make']['lead']>[0]

/** Creates a campaign for each test, with these leads, newest first, and opens its list. */
async function desk(who: 'root' | 'handler', given: NewLead[], before?: (page: Page) => unknown) {
  const campaign = await app.make.campaign({ client_id: client })
  const made = await app.make.eachLead(
    given.map((values, index) => ({
      occurred_at: new Date(Date.now() - index * 60_000),
      ...values,
      campaign_id: campaign.id,
    })),
  )
  if (who === 'handler')
    handler = await app.as(
      await app.make.handler({ ...allLeadColumns, campaigns: [campaign.id], permissions: ['leads', 'archivedleads'] }),
    )
  const page = await visit(app, who === 'root' ? root : handler, `/leads?campaign_ids=${campaign.id}`, { before })
  await page.locator('tr[data-index]').first().waitFor()
  return { page, made, lead: made[0]!, campaign }
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
async function cell(page: Page, name: string, column: string) {
  const heads = await page.getByRole('table').locator('thead th').allInnerTexts()
  return row(page, name)
    .locator('td')
    .nth(heads.map((head) => head.trim()).indexOf(column))
}
const stored = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const puts = (page: Visit) => callsTo(page, 'PUT /api/lead/')
const bodies = (page: Page, into: unknown[]) =>
  page.on('request', (request) => request.method() === 'PUT' && into.push(request.postDataJSON()))

describe('the contents of cells', () => {
  test('mail and phone are links; a first call leads to all first calls [LEAD-30, LEAD-31]', async () => {
    const call = { lead_type: 'Call', lead_phone: '+1 (303) 555-0199' } as const
    const { page } = await desk('root', [
      { ...call, lead_name: 'First', lead_email: 'first@example.com', first_call: true },
      { ...call, lead_name: 'Second' },
    ])
    await see(() => row(page, 'First').getByRole('link', { name: 'first@example.com' }).getAttribute('href')).toBe(
      'mailto:first@example.com',
    )
    const phone = row(page, 'Second').getByRole('link', { name: '+1 (303) 555-0199' })
    await see(() => phone.getAttribute('href')).toBe('tel:+13035550199')
    expect(await row(page, 'Second').getByRole('button', { name: 'First Call' }).count()).toBe(0)
    await row(page, 'First').getByRole('button', { name: 'First Call' }).click()
    await see(() => row(page, 'Second').count()).toBe(0)
    await see(() => row(page, 'First').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('first_call')).toBe('1')
  })

  test('an extension is dialed and shown, a withheld caller is neither a link nor copied, and of two numbers the first is dialed [EDGE-03]', async () => {
    const { page } = await desk('root', [
      { lead_name: 'Office', lead_phone: '512-555-0144 ext 7' },
      { lead_name: 'Nobody', lead_type: 'Call', lead_phone: '+7378742883' },
      { lead_name: 'Couple', lead_phone: '512-555-0145 or 512-555-0146' },
    ])
    const office = row(page, 'Office').getByRole('link', { name: '+1 (512) 555-0144 ext. 7' })
    await see(() => office.getAttribute('href')).toBe('tel:+15125550144;ext=7')
    const nobody = row(page, 'Nobody')
    await see(() => nobody.getByText('Withheld').count()).toBe(1)
    expect([
      await nobody.locator('a[href^="tel:"]').count(),
      await nobody.getByRole('button', { name: /copy phone/i }).count(),
    ]).toEqual([0, 0])
    const couple = row(page, 'Couple').getByRole('link', { name: '+1 (512) 555-0145 or +1 (512) 555-0146' })
    await see(() => couple.getAttribute('href')).toBe('tel:+15125550145')
  })

  test('a message of more than 100 characters is cropped until it is expanded [LEAD-44]', async () => {
    const exactly = 'a'.repeat(100)
    const longer = `${'b'.repeat(99)}😀 and the rest`
    const { page } = await desk('root', [
      { lead_name: 'Exactly', message: exactly },
      { lead_name: 'Longer', message: longer },
    ])
    await see(async () => (await cell(page, 'Exactly', 'Message')).textContent()).toBe(`${exactly} Read More`)
    const message = await cell(page, 'Longer', 'Message')
    await see(() => message.textContent()).toBe(`${'b'.repeat(99)}😀… Read More`)
    await message.getByRole('button', { name: 'Read More' }).click()
    await see(() => message.textContent()).toBe(`${longer} Read Less`)
    await message.getByRole('button', { name: 'Read Less' }).click()
    await see(() => message.textContent()).toContain('Read More')
  })

  test('a call says whether it was recorded, and how long it took [LEAD-45]', async () => {
    const call = { lead_type: 'Call', duration: 83 } as const
    const { page } = await desk('root', [
      { ...call, lead_name: 'Silent', message: 'not shown' },
      { ...call, lead_name: 'Recorded', recording_url: 'https://calls.example/1' },
    ])
    await see(async () => (await cell(page, 'Silent', 'Message')).textContent()).toBe('No recording')
    await see(async () => (await cell(page, 'Recorded', 'Message')).textContent()).toBe('1:23')
  })

  test('rows are colored when verified or missed, and say so in words too [LEAD-27]', async () => {
    const { page } = await desk('handler', [
      { lead_name: 'Plain' },
      { lead_name: 'Sure', confirmed: true },
      { lead_name: 'Lost call', lead_type: 'Call', tags: ['Auto Missed Call'] },
    ])
    const colour = async (name: string) =>
      row(page, name)
        .locator('td')
        .nth(2)
        .evaluate((td) => getComputedStyle(td).backgroundColor)
    expect(new Set(await Promise.all(['Plain', 'Sure', 'Lost call'].map(colour))).size).toBe(3)
    await see(async () => (await cell(page, 'Sure', 'Verified')).textContent()).toBe('Yes')
    await see(async () => (await cell(page, 'Lost call', 'Type')).textContent()).toContain('Missed')
  })

  test('non-admins can only read notes, tags and Verified; a tag shows its cause [LEAD-33, LEAD-34, LEAD-36]', async () => {
    const campaign = await app.make.campaign()
    const because = 'the keyword casino'
    await app.make.lead({
      campaign_id: campaign.id,
      notes: 'Call back',
      tags: ['BLSpam'],
      tag_causes: [{ tag: 'BLSpam', because }],
    })
    const reader = await app.as(await app.make.handler({ ...allLeadColumns, campaigns: [campaign.id] }))
    const page = await visit(app, reader, '/leads')
    await row(page, 'Call back').waitFor()
    expect(await (await cell(page, 'Call back', 'Notes')).locator('textarea').count()).toBe(0)
    await see(async () => (await cell(page, 'Call back', 'Verified')).textContent()).toBe('No')
    const tagged = await cell(page, 'Call back', 'Tags')
    await see(() => tagged.getByTitle(because).textContent()).toContain('BLSpam')
    expect(await tagged.getByRole('button').count()).toBe(0)
  })
})

describe('edits in a row', () => {
  test('text is saved on leaving or by Ctrl+Enter, and Esc restores it; the list is reloaded [LEAD-33, LEAD-37, LEAD-40, LEAD-51]', async () => {
    const { page, lead } = await desk('root', [{ lead_name: 'Ann' }])
    const sent: unknown[] = []
    bodies(page, sent)
    const lists = callsTo(page, 'GET /api/leads/list/data').length
    const statistics = callsTo(page, 'GET /api/leads/list/statistic').length
    const notes = row(page, 'Ann').getByLabel('Notes', { exact: true })
    await notes.fill('first line\nsecond line')
    await notes.press('Control+Enter')
    await see(async () => (await stored(lead.id)).notes).toBe('first line\nsecond line')
    await see(() => callsTo(page, 'GET /api/leads/list/data').length).toBe(lists + 1)
    await see(() => callsTo(page, 'GET /api/leads/list/statistic').length).toBe(statistics + 1)
    expect(sent).toEqual([{ id: lead.id, notes: 'first line\nsecond line', version: 1 }])

    const company = row(page, 'Ann').getByLabel('Company Name')
    await company.fill('Acme')
    await company.press('Escape')
    expect(await company.inputValue()).toBe('')
    await company.fill('Acme Roofing')
    await row(page, 'Ann').getByLabel('Client Notes').fill('was friendly')
    await row(page, 'Ann').getByLabel('Client Notes').blur()
    await see(async () => (await stored(lead.id)).client_notes).toBe('was friendly')
    expect((await stored(lead.id)).company_name).toBe('Acme Roofing')
    expect(puts(page)).toHaveLength(3)
    await see(async () => (await cell(page, 'Ann', 'Changers')).textContent()).toBe('olivia')
    expect(page.errors).toEqual([])
  })

  test('progress is set by a click and cleared by another [LEAD-38, LEAD-39]', async () => {
    const { page, lead } = await desk('handler', [{ lead_name: 'Ann', client_progress: 3 }])
    const steps = row(page, 'Ann').getByRole('group', { name: 'Progress' })
    await see(() => steps.getByRole('button').allInnerTexts()).toEqual([
      'Won',
      'In Progress',
      'Lost',
      'Passed',
      'Not Lead',
    ])
    const pressed = () => steps.locator('[aria-pressed=true]').allInnerTexts()
    await see(() => pressed()).toEqual(['Lost'])
    await steps.getByRole('button', { name: 'Won' }).click()
    await see(pressed).toEqual(['Won'])
    await see(async () => (await stored(lead.id)).client_progress).toBe(1)
    await steps.getByRole('button', { name: 'Won' }).click()
    await see(async () => (await stored(lead.id)).client_progress).toBe(null)
    await see(pressed).toEqual([])
    expect(callsTo(page, 'POST')).toEqual([`POST /api/lead/${lead.id}/reset-progress`])
  })

  test('value and profit keep only digits, rating goes as text [LEAD-41, LEAD-42]', async () => {
    const { page, lead } = await desk('handler', [{ lead_name: 'Ann', client_profit: 99.5 }])
    const sent: unknown[] = []
    bodies(page, sent)
    const value = row(page, 'Ann').getByLabel('Value')
    await value.pressSequentially('1a2,3-4')
    await see(() => value.inputValue()).toBe('1234')
    await value.press('Enter')
    await see(async () => (await stored(lead.id)).client_value).toBe(1234)
    await see(() => value.inputValue()).toBe('$1,234')
    // Cents from elsewhere are shown, and survive a focus without typing.
    const profit = row(page, 'Ann').getByLabel('Profit')
    await see(() => profit.inputValue()).toBe('$99.50')
    await profit.focus()
    await profit.blur()
    await see(() => profit.inputValue()).toBe('$99.50')
    const stars = row(page, 'Ann').getByRole('group', { name: /^Rating/ })
    await stars.getByRole('button', { name: '4 stars' }).click()
    await see(async () => (await stored(lead.id)).rating).toBe(4)
    await see(() => stars.locator('[data-full]').count()).toBe(4)
    await see(() => row(page, 'Ann').getByTitle('Rated by a signed-in user').count()).toBe(1)
    expect(sent).toMatchObject([{ client_value: 1234 }, { rating: '4' }])
  })

  test('admins switch Verified and Is Hidden, and tick tags [LEAD-34, LEAD-35, LEAD-36, LEAD-43]', async () => {
    const { page, lead } = await desk('root', [{ lead_name: 'Ann' }])
    const sent: unknown[] = []
    bodies(page, sent)
    await row(page, 'Ann').getByRole('switch', { name: 'Verified' }).click()
    await see(async () => (await stored(lead.id)).confirmed).toBe(true)
    await row(page, 'Ann').getByRole('switch', { name: 'Is Hidden' }).click()
    await see(async () => (await stored(lead.id)).hide).toBe(true)
    await row(page, 'Ann').getByRole('button', { name: 'Edit tags' }).click()
    const list = page.getByRole('dialog', { name: 'Tags' })
    await list.waitFor()
    await see(() => list.getByRole('listitem').allInnerTexts()).toEqual([...leadTags])
    await list.getByLabel('Low Value').click()
    await list.getByLabel('Missed Call', { exact: true }).click()
    await page.keyboard.press('Escape')
    await see(async () => (await stored(lead.id)).tags).toEqual(['Low Value', 'Missed Call'])
    await see(async () => (await cell(page, 'Ann', 'Tags')).getByRole('listitem').allInnerTexts()).toEqual([
      'Low Value',
      'Missed Call',
    ])
    expect(sent).toMatchObject([
      { confirmed: 1 },
      { hide: 1 },
      { tags: [{ name: 'Low Value' }] },
      { tags: [{ name: 'Low Value' }, { name: 'Missed Call' }] },
    ])
    expect(page.errors).toEqual([])
  })

  test('an edit moves nothing, even if its lead no longer matches the filter [LEAD-51]', async () => {
    const { page, lead, campaign } = await desk('root', [
      { lead_name: 'Ann' },
      { lead_name: 'Bob' },
      { lead_name: 'Cat' },
    ])
    await page.goto(`${app.url}/leads?campaign_ids=${campaign.id}&unmarked=1&sort=lead_name&order=desc`)
    const names = async () =>
      (await page.locator('tr[data-index]').allInnerTexts()).map((text) => text.match(/Ann|Bob|Cat/)?.[0])
    await see(names).toEqual(['Cat', 'Bob', 'Ann'])
    const lists = callsTo(page, 'GET /api/leads/list/data').length
    await row(page, 'Ann').getByRole('switch', { name: 'Verified' }).click()
    await see(() => page.getByText('Total Items: 2').count()).toBe(1)
    expect(callsTo(page, 'GET /api/leads/list/data')).toHaveLength(lists + 1)
    await see(() => names()).toEqual(['Cat', 'Bob', 'Ann'])
    await see(() => row(page, 'Ann').getByRole('switch', { name: 'Verified' }).isChecked()).toBe(true)
    expect((await stored(lead.id)).confirmed).toBe(true)
    await page.getByRole('button', { name: 'Name' }).click() // reloads the list
    await see(names).toEqual(['Bob', 'Cat'])
  })

  test('only the edited row is redrawn, not its neighbors', async () => {
    const { page, lead } = await desk(
      'root',
      Array.from({ length: 12 }, (_, index) => ({ lead_name: `Person number ${index}.` })),
    )
    const target = row(page, 'Person number 3.')
    await target.getByLabel('Company Name').focus()
    await page.evaluate(noteRows)
    await target.getByLabel('Company Name').fill('Acme')
    expect(await page.evaluate(drawnSince), 'while typing').toEqual([])
    await target.getByLabel('Company Name').press('Enter')
    await see(async () => (await stored(lead.id + 3)).company_name).toBe('Acme')
    await see(() => callsTo(page, 'GET /api/leads/list/data').length).toBe(2)
    await see(() => page.getByRole('table').getAttribute('aria-busy')).toBe('false')
    expect(await page.evaluate(drawnSince)).toEqual(['3'])
  })

  test('a refused edit stays in its field, which says why: no toast, but a line in the console [LEAD-52] [DESK-11]', async () => {
    const { page, lead } = await desk('handler', [{ lead_name: 'Ann', company_name: 'Before' }])
    await app.context.db.update(leadsTable).set({ hide: true }).where(eq(leadsTable.id, lead.id))
    const company = row(page, 'Ann').getByLabel('Company Name')
    await company.fill('After')
    await company.press('Enter')
    const mark = (await cell(page, 'Ann', 'Company Name')).getByRole('alert')
    await mark.waitFor()
    await see(() => mark.textContent()).toMatch(/^Not saved\s*: This no longer exists, or you don’t have access to it$/)
    await see(() => mark.getByRole('button').getAttribute('title')).toContain(
      'This no longer exists, or you don’t have access to it',
    )
    await see(() => company.inputValue()).toBe('After')
    expect(page.errors.join('\n')).toContain(`Lead ${lead.id}: company_name was not saved`)
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0)

    await app.context.db.update(leadsTable).set({ hide: false }).where(eq(leadsTable.id, lead.id))
    await mark.getByRole('button').click() // tries again
    await see(async () => (await stored(lead.id)).company_name).toBe('After')
    await see(() => mark.count()).toBe(0)
  })

  test('what could not be saved is saved once it is corrected, and Escape takes it back [DESK-11]', async () => {
    const { page, lead } = await desk('root', [{ lead_name: 'Ann', notes: 'Before', client_value: 500 }])
    const notes = row(page, 'Ann').getByLabel('Notes', { exact: true })
    const value = row(page, 'Ann').getByLabel('Value', { exact: true })
    const refuse = (fulfil: boolean) =>
      page.route(`**/api/lead/${lead.id}`, (route) => (fulfil ? route.continue() : route.abort()))
    await refuse(false)
    await notes.fill('Call back on Monday')
    await notes.press('Control+Enter')
    await value.focus()
    await see(() => value.inputValue()).toBe('500')
    await value.fill('900')
    await value.press('Enter')
    const marks = row(page, 'Ann').getByRole('alert')
    await see(() => marks.count()).toBe(2)
    await see(() => notes.inputValue()).toBe('Call back on Monday')
    await see(() => value.inputValue()).toBe('900')
    await value.focus()
    await see(() => value.inputValue()).toBe('900')
    await refuse(true)
    await value.press('Escape')
    await value.press('Escape')
    await notes.focus()
    await notes.fill('Call back on Tuesday')
    await notes.press('Control+Enter')
    await see(async () => (await stored(lead.id)).notes).toBe('Call back on Tuesday')
    await see(() => marks.count()).toBe(0)
    await see(() => value.inputValue()).toMatch(/^\$?500$/)
    expect(Number((await stored(lead.id)).client_value)).toBe(500)
  })

  test('a person whose edit came second sees the newer value, and can overwrite it [LEAD-52]', async () => {
    const { page, lead } = await desk('root', [{ lead_name: 'Ann' }])
    const company = row(page, 'Ann').getByLabel('Company Name')
    await company.fill('Mine')
    const other = await app.as(await app.make.superAdmin({ ...allLeadColumns }))
    await other.call(leadsContract.update, {
      params: { id: lead.id },
      body: { company_name: 'Theirs', notes: 'Also theirs' },
    })
    await company.press('Enter')
    const mark = (await cell(page, 'Ann', 'Company Name')).getByRole('button', {
      name: 'Not saved: a teammate changed it first',
    })
    await mark.waitFor()
    await see(() => company.inputValue()).toBe('Theirs')
    await see(() => row(page, 'Ann').getByLabel('Notes', { exact: true }).inputValue()).toBe('Also theirs')
    await mark.click()
    await see(async () => (await stored(lead.id)).company_name).toBe('Mine')
    await see(() => mark.count()).toBe(0)
  })
})

describe('actions', () => {
  test('admins mail about missed calls only [LEAD-47, LEAD-48, LEAD-49]', async () => {
    const { page } = await desk('root', [
      { lead_name: 'Taken', lead_type: 'Call', answered: true },
      { lead_name: 'Tagged', lead_type: 'Call', tags: ['Missed Call'] },
      { lead_name: 'By itself', lead_type: 'Call', tags: ['Auto Missed Call'] },
    ])
    const actions = async (name: string) =>
      (await cell(page, name, 'Action')).getByRole('button', { name: /send/i }).allInnerTexts()
    expect(await actions('Taken')).toEqual([])
    const heightOf = async (name: string) => (await row(page, name).boundingBox())!.height
    expect(await heightOf('Tagged')).toBe(await heightOf('Taken')) // icons with names: no extra line
    await see(() => actions('Tagged')).toEqual(['Send Warning', 'Resend Notification'])
    await see(() => actions('By itself')).toEqual(['Send Warning', 'Resend Notification'])
    await row(page, 'Tagged').getByRole('button', { name: 'Send Warning' }).click()
    await page.getByText('Warning was sent successfully').waitFor()
    await row(page, 'By itself').getByRole('button', { name: 'Resend Notification' }).click()
    await page.getByText('Notification was sent successfully').waitFor()
    for (const name of ['Archive', 'Unarchive'])
      expect(await page.getByRole('table').getByRole('button', { name, exact: true }).count()).toBe(0)
  })

  test('non-admins archive and unarchive, and can undo either [LEAD-50]', async () => {
    const { page, lead, campaign } = await desk('handler', [
      { lead_name: 'Ann' },
      { lead_name: 'Bob', lead_type: 'Call', tags: ['Missed Call'] },
    ])
    const archived = async () => (await stored(lead.id)).archived
    expect(
      await row(page, 'Bob')
        .getByRole('button', { name: /Send|Resend/ })
        .count(),
    ).toBe(0)
    await row(page, 'Ann').getByRole('button', { name: 'Archive' }).click()
    await page.getByText('The agency sees the archive as well').waitFor()
    await see(() => row(page, 'Ann').count()).toBe(0)
    await see(() => archived()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Ann').waitFor()
    await see(archived).toBe(false)
    await row(page, 'Ann').getByRole('button', { name: 'Archive' }).click()
    await see(archived).toBe(true)

    const archive = await visit(app, handler, `/leads/archive?campaign_ids=${campaign.id}`)
    await row(archive, 'Ann').getByRole('button', { name: 'Unarchive' }).click()
    await see(() => row(archive, 'Ann').count()).toBe(0)
    await see(archived).toBe(false)
  })
})

test('the page of a lead has no button to move it for a person who may not', async () => {
  const campaign = await app.make.campaign()
  const [kept, moved] = [
    await app.make.lead({ campaign_id: campaign.id }),
    await app.make.lead({ campaign_id: campaign.id, archived: true }),
  ]
  const page = await visit(
    app,
    await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] })),
    `/lead/${moved.id}`,
  )
  await page.getByText('Archived', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Unarchive' }).count()).toBe(0)
  await page.goto(`${app.url}/lead/${kept.id}`)
  await page.getByRole('button', { name: 'Archive' }).waitFor()
})

test('new leads are announced above the list and wait to be shown', async () => {
  const { page, campaign } = await desk('root', [{ lead_name: 'Ann' }])
  await see(page.streams).toBe(1)
  const other = await app.make.campaign()
  await comeIn({ campaign_id: other.id, lead_name: 'Elsewhere' })
  await comeIn({ campaign_id: campaign.id, lead_name: 'New one' })
  await comeIn({ campaign_id: campaign.id, lead_name: 'New two' })
  // Reloading the list after an edit neither shows them nor hides the announcement.
  await row(page, 'Ann').getByRole('switch', { name: 'Verified' }).click()
  const bar = page.getByRole('button', { name: '2 new leads' })
  await bar.waitFor()
  await see(() => page.getByText('Total Items: 3').count()).toBe(1)
  await see(() => page.locator('tr[data-index]').count()).toBe(1)
  await bar.click()
  await row(page, 'New two').waitFor()
  await see(() => page.locator('tr[data-index]').count()).toBe(3)
  expect(await bar.count()).toBe(0)
})

test('a lost connection is restored automatically, and leads from the gap are announced', async () => {
  let calls = 0
  let restore = () => {}
  const restored = new Promise<void>((resolve) => {
    restore = resolve
  })
  const { page, campaign } = await desk('root', [{ lead_name: 'Ann' }], (page) =>
    page.route('**/api/leads/events*', async (route) => {
      calls += 1
      if (calls === 1) return route.abort()
      await restored
      await route.continue()
    }),
  )
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Unheard' })
  restore()
  await page.getByRole('button', { name: '1 new lead', exact: true }).click()
  await row(page, 'Unheard').waitFor()
  expect(calls).toBe(2)
})

test('a lead that comes in while the list is still being read is announced', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let isRead = false
  const { page: first, campaign } = await desk('root', [{ lead_name: 'Ann' }])
  await see(first.streams).toBe(1)
  const holdFirstList = (page: Page) =>
    page.route(/\/api\/leads\/list\/data\?/, async (route) => {
      if (isRead) return route.continue()
      const response = await route.fetch()
      isRead = true
      await answered
      await route.fulfill({ response })
    })
  const page = await visit(app, root, `/leads?campaign_ids=${campaign.id}`, { before: holdFirstList })
  await see(() => isRead).toBe(true)
  await comeIn({ campaign_id: campaign.id, lead_name: 'Unread' })
  // Both tabs hear of it at once.
  await first.getByRole('button', { name: '1 new lead', exact: true }).waitFor()
  answer()
  await page.getByRole('button', { name: '1 new lead', exact: true }).click()
  await row(page, 'Unread').waitFor()
})

test('a lead that comes in after the list was read and before the stream of events is open is announced', async () => {
  const hold = () => Promise.withResolvers<void>()
  const [opened, loaded] = [hold(), hold()]
  const { page, campaign } = await desk('root', [{ lead_name: 'Ann' }], (page) =>
    page.route('**/api/leads/events*', async (route) => {
      await opened.promise
      await route.continue()
    }),
  )
  await comeIn({ campaign_id: campaign.id, lead_name: 'Between' })
  opened.resolve()
  await page.getByRole('button', { name: '1 new lead', exact: true }).waitFor()

  // Another tab, which shares the stream: its list is asked for before its code is there.
  await page.goto(`${app.url}/leads`)
  await row(page, 'Between').waitFor()
  let isRead = false
  const holdCode = async (tab: Page) => {
    tab.on('requestfinished', (request) => {
      if (request.url().includes('/api/leads/list/data?')) isRead = true
    })
    await tab.route('**/assets/**', async (route) => {
      await loaded.promise
      await route.continue()
    })
    void see(() => isRead)
      .toBe(true)
      .then(() => comeIn({ campaign_id: campaign.id, lead_name: 'Before code' }))
      .finally(loaded.resolve)
  }
  const second = await visit(app, root, '/leads', { before: holdCode })
  await second.getByRole('button', { name: '1 new lead', exact: true }).click()
  await row(second, 'Before code').waitFor()
})

test('the tabs of a browser share one stream of events, and another tab takes over when the first is closed', async () => {
  const { page, campaign } = await desk('root', [{ lead_name: 'Ann' }])
  await see(page.streams).toBe(1)
  const second = await visit(app, root, `/leads?campaign_ids=${campaign.id}`)
  await row(second, 'Ann').waitFor()
  const streamsOf = (tab: Visit) => callsTo(tab, 'GET /api/leads/events').length
  await comeIn({ campaign_id: campaign.id, lead_name: 'New one' })
  for (const tab of [page, second]) await tab.getByRole('button', { name: '1 new lead', exact: true }).waitFor()
  expect([page, second].map(streamsOf)).toEqual([1, 0])
  await page.close()
  await see(() => streamsOf(second)).toBe(1)
  await comeIn({ campaign_id: campaign.id, lead_name: 'New two' })
  await second.getByRole('button', { name: '2 new leads' }).waitFor()
})

async function comeIn(values: NewLead) {
  const { id, campaign_id, hide } = await app.make.lead(values)
  await app.context.db.execute(sql`select pg_notify('leadline_lead', ${JSON.stringify({ id, campaign_id, hide })})`)
}

/** A row that React renders again has new props on its elements; others keep theirs. */
function noteRows() {
  const propsOf = (element: Element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
    return key && Object.entries(element).find(([name]) => name === key)?.[1]
  }
  const rows = [...document.querySelectorAll('tr[data-index]')]
  Object.assign(window, { propsOf, noted: new Map(rows.map((tr) => [tr, [tr, ...tr.children].map(propsOf)])) })
}

/** Returns the indexes of rows that were redrawn since they were recorded. */
function drawnSince(): (string | null)[] {
  const { noted, propsOf } = window as unknown as {
    noted: Map<Element, unknown[]>
    propsOf: (element: Element) => unknown
  }
  return [...noted]
    .filter(([tr, props]) => [tr, ...tr.children].some((element, index) => propsOf(element) !== props[index]))
    .map(([tr]) => tr.getAttribute('data-index'))
}
