import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadTags } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { allLeadColumns } from '#test/factories.ts'
import { callsTo, see, typeAtOnce, type Visit, visit } from '#test/visit.ts'

const ids = { north: 0, south: 0, closed: 0, roofing: 0 }

const app = await setUp(startApp())
const { make } = app
const root = await app.as(await make.superAdmin({ ...allLeadColumns }))
ids.roofing = (await make.category({ name: 'Roofing', color: '#aa3311' })).id
ids.north = (await make.campaign({ name: 'North Roofing', categories: [ids.roofing] })).id
ids.south = (await make.campaign({ name: 'South Plumbing' })).id
ids.closed = (await make.campaign({ name: 'Closed Plumbing', archived: true })).id
const call = { campaign_id: ids.north, lead_type: 'Call', answered: true, duration: 60 } as const
const form = { campaign_id: ids.south, lead_type: 'Form' } as const
await make.lead({ ...call, lead_name: 'Ann First', first_call: true, lead_phone: '+13035550101', confirmed: true })
await make.lead({ ...call, lead_name: 'Bob Again', lead_phone: '+13035550101', source: 'Google Paid' })
await make.lead({ ...call, lead_name: 'Cat Missed', answered: false, tags: ['Missed Call'] })
await make.lead({ ...form, lead_name: 'Dan Won', client_progress: 1, client_value: 1234.5, client_profit: 200.25 })
await make.lead({
  ...form,
  lead_name: 'Eve Going',
  client_progress: 2,
  client_value: 1000,
  rating: 4,
  source: 'Facebook',
})
await make.lead({
  ...form,
  lead_name: 'Fay Mail',
  lead_email: 'fay@example.com',
  rating: 5,
  tags: ['Spam', 'Voicemail'],
})
await make.lead({ ...form, lead_name: 'Gil Old', occurred_at: new Date(Date.now() - 40 * 24 * 3600_000) })
await make.lead({ ...form, lead_name: 'Hal Archived', archived: true })

const listCall = 'GET /api/leads/list/data'
const statisticCall = 'GET /api/leads/list/statistic'
const table = (page: Page) => page.getByRole('table')
/** Without the header above the checkboxes. */
const heads = async (page: Page) =>
  (await table(page).locator('thead th:not(:has(input))').allInnerTexts()).map((text) => text.trim())
const names = async (page: Page) => {
  const texts = await table(page).locator('thead th').allInnerTexts()
  const column = texts.findIndex((text) => text.trim() === 'Name') + 1
  return page.locator(`tr[data-index] td:nth-child(${column})`).allInnerTexts()
}
const shows = (page: Page, expected: string[]) => see(() => names(page)).toEqual(expected)
const open = async (who: Caller, path = '/leads', options = {}) => {
  const page = await visit(app, who, path, options)
  await page.locator('tr[data-index]').first().waitFor()
  return page
}
const asked = (call: string | undefined) => Object.fromEntries(new URLSearchParams(call?.split('?')[1]))
const last = (page: Visit, start: string) => callsTo(page, start).at(-1)

test('the two lists say which they are, and show their own leads [LEAD-01]', async () => {
  const page = await open(root)
  await see(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Leads')
  await see(() => page.title()).toMatch(/^Leads ·/)
  await page.getByRole('link', { name: 'Leads Archive' }).click()
  await page.getByRole('heading', { name: 'Leads Archive' }).waitFor()
  await shows(page, ['Hal Archived'])
  expect(new URL(page.url()).pathname).toBe('/leads/archive')
})

test('until the rows are read there is a skeleton of them, and no row is drawn twice', async () => {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  const page = await visit(app, root, '/leads', {
    alone: true,
    before: (page) =>
      page.route('**/api/leads/list/data?*per_page=50', async (route) => {
        await held
        await route.continue()
      }),
  })
  await see(() => table(page).locator('tbody tr[aria-hidden]').count()).toBe(30)
  expect(await page.locator('tr[data-index]').count()).toBe(0)
  const place = () => table(page).locator('tbody tr').first().boundingBox()
  const { height = 0 } = (await place()) ?? {}
  expect(height).toBeGreaterThanOrEqual(40)
  // Skeletons of the other columns scroll below the pinned ones.
  const covered = await table(page).evaluate((element) => {
    element.closest('section')?.scrollTo(300, 0)
    const pinned = [...element.querySelectorAll<HTMLElement>('tbody tr:first-child [data-pinned]')]
    return pinned.map((cell) => {
      const { left, right, top, height } = cell.getBoundingClientRect()
      const across = Array.from({ length: 20 }, (_, part) => left + 1 + ((right - left - 2) * part) / 19)
      return across.every((x) => cell.contains(document.elementFromPoint(x, top + height / 2)))
    })
  })
  expect(covered.length).toBeGreaterThan(0)
  expect(covered).not.toContain(false)
  come()
  await see(() => page.locator('tr[data-index]').count()).toBe(6)
  await see(() => table(page).locator('tbody tr').count()).toBe(6)
})

test('it starts with 50 leads of the last month through today, newest first; the range cannot be cleared [LEAD-07, LEAD-10]', async () => {
  const { rows } = await app.context.pool.query(`select to_char(day - interval '1 month', 'YYYY-MM-DD') as since,
    to_char(day, 'YYYY-MM-DD') as today from (select (now() at time zone 'America/New_York')::date as day) now`)
  const start = { date_from: rows[0].since, date_to: rows[0].today }
  const page = await open(root)
  expect(asked(last(page, listCall))).toEqual({ ...start, page: '1', per_page: '50', sort: 'lead_date', order: 'desc' })
  await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won', 'Cat Missed', 'Bob Again', 'Ann First'])
  expect(new URL(page.url()).search).toBe('')

  await page.getByRole('button', { name: /^Date Range/ }).click()
  const panel = page.getByRole('dialog', { name: 'Date Range' })
  await panel.getByRole('button', { name: 'Last 7 days' }).waitFor()
  expect(await panel.getByRole('button', { name: 'Clear' }).count()).toBe(0)
  await panel.getByRole('textbox', { name: 'From' }).fill('1/31/2026')
  await panel.getByRole('textbox', { name: 'To' }).fill('')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await panel.getByRole('alert').waitFor()
  expect(new URL(page.url()).search).toBe('')
  await panel.getByRole('textbox', { name: 'To' }).fill('12/31/2036')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won', 'Cat Missed', 'Bob Again', 'Ann First', 'Gil Old'])
  expect(new URL(page.url()).search).toBe('?date_from=2026-01-31&date_to=2036-12-31')

  // What is chosen stays, also if it is the default of today: tomorrow it is not.
  const month = await open(root, `/leads?date_from=${start.date_from}&date_to=${start.date_to}`)
  await shows(month, ['Fay Mail', 'Eve Going', 'Dan Won', 'Cat Missed', 'Bob Again', 'Ann First'])
  await month.getByRole('button', { name: /^Date Range/ }).click()
  const chosen = month.getByRole('dialog', { name: 'Date Range' })
  await chosen.getByRole('textbox', { name: 'To' }).fill('12/31/2036')
  await chosen.getByRole('button', { name: 'Apply' }).click()
  await see(() => new URL(month.url()).search).toBe(`?date_from=${start.date_from}&date_to=2036-12-31`)

  const cleared = await open(root, '/leads?date_from=&date_to=')
  await see(() => asked(last(cleared, listCall))).toMatchObject(start)
  await see(() => new URL(cleared.url()).search).toBe('')
})

test('filters are in the address: a link restores them, Back undoes them', async () => {
  const page = await open(root, `/leads?campaign_ids=${ids.south}&client_progress=1`)
  await shows(page, ['Dan Won'])
  await page.getByRole('button', { name: 'Campaigns: South Plumbing' }).waitFor()
  await page.getByRole('button', { name: 'More (1)' }).click()
  await page
    .getByRole('group', { name: 'Progress', exact: true })
    .locator('label')
    .getByText('All', { exact: true })
    .click()
  await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won'])
  await page.goBack()
  await shows(page, ['Dan Won'])
})

describe('filters', () => {
  test('each change reloads the list and the numbers; Reset appears and restores the defaults [LEAD-08, LEAD-15]', async () => {
    const page = await open(root)
    const [lists, statistics] = [callsTo(page, listCall).length, callsTo(page, statisticCall).length]
    expect(await page.getByRole('button', { name: 'Reset', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Category', exact: true }).click()
    await page.getByRole('option', { name: 'Roofing' }).click()
    await shows(page, ['Cat Missed', 'Bob Again', 'Ann First'])
    expect(callsTo(page, listCall)).toHaveLength(lists + 1)
    expect(callsTo(page, statisticCall)).toHaveLength(statistics + 1)
    expect(asked(last(page, statisticCall)).category_id).toBe(String(ids.roofing))
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won', 'Cat Missed', 'Bob Again', 'Ann First'])
    await see(() => new URL(page.url()).search).toBe('')
    expect(await page.getByRole('button', { name: 'Reset', exact: true }).count()).toBe(0)
  })

  test('campaigns are found by typing, several at once, and archived ones are not offered; tags are all offered, and several can be chosen [LEAD-12, LEAD-13]', async () => {
    const page = await open(root)
    await page.getByRole('button', { name: 'Campaigns', exact: true }).click()
    await page.getByRole('combobox', { name: 'Find in Campaigns' }).fill('plumb')
    await see(() => page.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^South Plumbing\nClient/),
    ])
    await page.getByRole('option', { name: 'South Plumbing' }).click()
    await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won'])
    await page.getByRole('combobox', { name: 'Find in Campaigns' }).fill('')
    await page.getByRole('option', { name: 'North Roofing' }).click()
    await see(() => asked(last(page, listCall)).campaign_ids).toBe(`${ids.south},${ids.north}`)
    await page.getByRole('button', { name: 'Campaigns: 2' }).waitFor()

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await see(() => page.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual([...leadTags])
    await page.getByRole('option', { name: 'Spam', exact: true }).click()
    await shows(page, ['Fay Mail'])
    await page.getByRole('option', { name: 'Missed Call', exact: true }).click()
    await shows(page, ['Fay Mail', 'Cat Missed'])
    expect(asked(last(page, listCall)).tags).toBe('Spam,Missed Call')
  })

  test('a search is sent once, when the typing pauses; without results in its date range it says how many all years have, and shows them with one click [LEAD-14, WORK-17]', async () => {
    const page = await open(root)
    const before = callsTo(page, listCall).length
    await typeAtOnce(page.getByLabel('Search'), 'fay mail')
    await shows(page, ['Fay Mail'])
    expect(callsTo(page, listCall)).toHaveLength(before + 1)
    expect(asked(last(page, listCall)).lead_search).toBe('fay mail')

    await page.getByLabel('Search').fill('gil old')
    await page.getByText('1 lead matches in all years.').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await shows(page, ['Gil Old'])
    expect(await page.getByLabel('Search').inputValue()).toBe('gil old')
    await page.getByLabel('Search').fill('nobody of that name')
    await page.getByText('List is empty').waitFor()
    expect(await page.getByText('in all years').count()).toBe(0)
    await page.goto(`${app.url}/leads?date_from=2001-01-01&date_to=2001-01-02`)
    await page.getByText(/^\d+ leads match in all years\./).waitFor() // not only of a search: all that was imported may be older
  })
})

describe('the rarer filters', () => {
  const group = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true }).locator('label')
  const words = async (page: Page, label: string) =>
    (await group(page, label).allInnerTexts()).map((text) => text.split('\n'))

  const openMore = async () => {
    const page = await open(root)
    expect(await page.getByRole('group', { name: 'Type', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await see(() => words(page, 'Type')).toEqual([['All'], ['Form', '3'], ['Call', '3']])
    return page
  }

  test('are opened and closed; each group has All, and a count for each other option [LEAD-16, LEAD-17, LEAD-18, LEAD-19, LEAD-20]', async () => {
    const page = await openMore()
    await see(() => words(page, 'Answering status')).toEqual([
      ['All'],
      ['Abandoned', '0'],
      ['Answered', '2'],
      ['Unanswered', '0'],
      ['Missed', '1'],
    ])
    await see(() => words(page, 'Progress')).toEqual([
      ['All'],
      ['Won', '1'],
      ['Progress', '1'],
      ['Lost', '0'],
      ['Passed', '0'],
      ['Not Lead', '0'],
    ])
    await see(() => words(page, 'Source')).toEqual([
      ['All'],
      ['Google Organic', '0'],
      ['Google Paid', '1'],
      ['Google Maps', '0'],
      ['Facebook', '1'],
      ['Instagram', '0'],
      ['Google Local Services Ads', '0'],
    ])
    await page.getByRole('button', { name: 'Less' }).click()
    await see(() => page.getByRole('group', { name: 'Type', exact: true }).count()).toBe(0)
  })

  test('an option filters the list, and All clears it [LEAD-16]', async () => {
    const page = await openMore()
    for (const [label, word, name, value, found] of [
      ['Type', 'Call', 'lead_type', 'Call', ['Cat Missed', 'Bob Again', 'Ann First']],
      ['Answering status', 'Missed', 'answering_status', 'Missed', ['Cat Missed']],
      ['Progress', 'Progress', 'client_progress', '2', ['Eve Going']],
      ['Source', 'Google Paid', 'source', 'Google Paid', ['Bob Again']],
    ] as const) {
      await group(page, label).filter({ hasText: word }).first().click()
      await shows(page, [...found])
      expect(asked(last(page, listCall))[name]).toBe(value)
      await group(page, label).getByText('All', { exact: true }).click()
      await shows(page, ['Fay Mail', 'Eve Going', 'Dan Won', 'Cat Missed', 'Bob Again', 'Ann First'])
    }
  })

  test('checkboxes are 1 or not there, with a number or an amount each [LEAD-21, LEAD-22]', async () => {
    const page = await open(root)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const checks = page.getByRole('group', { name: 'Only leads with' }).locator('label')
    await see(async () => (await checks.allInnerTexts()).map((text) => text.split('\n'))).toEqual([
      ['Verified', '1'],
      ['Unmarked', '3'],
      ['First Call', '1'],
      ['Voicemail', '1'],
      ['Voicemail Issues', '0'],
      ['Value', '$2,234.50'],
      ['Profit', '$200.25'],
      ['Won Value', '$1,234.50'],
      ['Won Profit', '$200.25'],
      ['Rating', '4.5'],
      ['No feedback', '3'],
      ['Not rated', '4'],
    ])
    await checks.filter({ hasText: 'Won Value' }).click()
    await shows(page, ['Dan Won'])
    expect(asked(last(page, listCall)).won_value).toBe('1')
    await page.getByRole('button', { name: 'Less' }).click()
    await page.getByRole('button', { name: 'More (1)' }).click()
    await checks.filter({ hasText: 'Won Value' }).click()
    await see(() => asked(last(page, listCall))).not.toHaveProperty('won_value')
  })
})

describe('columns', () => {
  const all = [
    'Campaign',
    'Date',
    'Type',
    'Tracking Phone',
    'Tracking Source',
    'Name',
    'Location',
    'Email',
    'Phone',
    'Message',
    'Related',
    'Notes',
    'Tags',
    'Verified',
    'Changers',
    'Progress',
    'Company Name',
    'Client Notes',
    'Value',
    'Profit',
    'Rating',
    'URL',
    'Referrer',
    'Source',
    'Keyword',
    'gclid',
    'Is Hidden',
    'Action',
  ]
  const forAdmins = ['Tracking Phone', 'Tracking Source', 'Is Hidden']
  const forAdminsWithHttp = ['Changers', 'URL', 'Referrer', 'Source', 'Keyword', 'gclid']
  const without = (...left: string[][]) => all.filter((column) => !left.flat().includes(column))

  test('are in their order, as far as the person may read them [LEAD-23, LEAD-24, LEAD-25]', async () => {
    const { make } = app
    const theirs = { campaigns: [ids.north, ids.south] }
    expect(await heads(await open(root))).toEqual(all)
    const admin = await app.as(await make.admin({ ...allLeadColumns, ...theirs, permissions: ['leads'] }))
    expect(await heads(await open(admin))).toEqual(without(forAdminsWithHttp, ['Tags']))
    const seesTags = await app.as(await make.handler({ ...theirs, ...allLeadColumns }))
    expect(await heads(await open(seesTags))).toEqual(without(forAdmins, forAdminsWithHttp))
    const handler = await app.as(await make.handler({ ...allLeadColumns, ...theirs, permissions: ['leads'] }))
    expect(await heads(await open(handler))).toEqual(without(forAdmins, forAdminsWithHttp, ['Tags']))
  })

  test('non-admins get neither the filters nor the controls of admins [LEAD-11, LEAD-20, LEAD-29, PERM-12]', async () => {
    const person = await app.make.handler({
      ...allLeadColumns,
      campaigns: [ids.north, ids.south],
      permissions: ['leads', 'archivedleads'],
    })
    const page = await open(await app.as(person))
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('group', { name: 'Type', exact: true }).waitFor()
    for (const name of [
      'Category',
      'Tags',
      'Send Warning',
      'Resend Notification',
      'Edit tags',
      'Blacklist',
      'Spammers',
      'Add Lead',
    ])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    expect(await page.getByRole('group', { name: 'Source', exact: true }).count()).toBe(0)
    expect(await page.getByRole('switch').count()).toBe(0)
    expect(await page.getByLabel('Notes', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Select Table Columns' }).click()
    const offered = page.getByRole('dialog').getByRole('checkbox')
    await see(() => offered.count()).toBe(without(forAdmins, forAdminsWithHttp, ['Tags']).length)
    for (const name of [...forAdmins, ...forAdminsWithHttp, 'Tags'])
      expect(await page.getByRole('dialog').getByLabel(name, { exact: true }).count(), name).toBe(0)
  })

  test('a hidden column is gone, for this person and after a reload too [LEAD-02, LEAD-28]', async () => {
    const person = await app.make.superAdmin({ ...allLeadColumns })
    const page = await open(await app.as(person))
    await page.getByRole('button', { name: 'Select Table Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Select Table Columns' })
    await dialog.getByLabel('Location', { exact: true }).uncheck()
    await dialog.getByLabel('gclid', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(() => heads(page)).toEqual(without(['Location', 'gclid']))
    expect(asked(last(page, 'POST /api/user/saveColumns'))).toEqual({
      view: 'leads.list',
      hidden_columns: 'lead_location,gclid',
    })
    await page.reload()
    await see(() => heads(page)).toEqual(without(['Location', 'gclid']))
    expect(await heads(await open(root))).toEqual(all)
  })

  test('exactly those that the server sorts by are buttons, duration on Message [LEAD-26]', async () => {
    const page = await open(root)
    const sorts = {
      Campaign: 'campaign_name',
      Date: 'lead_date',
      Type: 'lead_type',
      Name: 'lead_name',
      Location: 'lead_location',
      Email: 'lead_email',
      Phone: 'lead_phone',
      Message: 'duration',
      Verified: 'confirmed',
      Progress: 'client_progress',
      Value: 'client_value',
      Profit: 'client_profit',
      Rating: 'rating',
      Source: 'source',
    }
    const buttons = table(page).locator('thead').getByRole('button')
    await see(() => buttons.allInnerTexts()).toEqual(Object.keys(sorts))
    for (const [head, sort] of Object.entries(sorts)) {
      await buttons.filter({ hasText: new RegExp(`^${head}$`) }).click()
      await see(() => asked(last(page, listCall)).sort, head).toBe(sort)
    }
  })
})

test('pages, page size and total; sorting or another size goes back to the first page [LEAD-06, LEAD-09]', async () => {
  const [many] = await app.context.db
    .insert(campaignsTable)
    .values({
      name: 'Busy',
      client_id: (await app.make.client()).id,
      manager: 'M',
      start_date: '2026-01-01',
      initial_target: 1,
    })
    .returning()
  await app.context.db.insert(leadsTable).values(
    Array.from({ length: 103 }, (_, index) => ({
      campaign_id: many!.id,
      lead_s: 'Formidable' as const,
      lead_id: `busy-${index}`,
      lead_type: 'Form' as const,
      lead_name: `Busy ${index}`,
      occurred_at: new Date(),
    })),
  )
  onTestFinished(async () => {
    await app.context.db.delete(leadsTable).where(eq(leadsTable.campaign_id, many!.id))
    await app.context.db.delete(campaignsTable).where(eq(campaignsTable.id, many!.id))
  })
  const page = await open(root, `/leads?campaign_ids=${many!.id}&page=2`)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await page.getByText('Total Items: 103').waitFor()
  await pages.getByRole('button', { name: 'Next page' }).click()
  await see(() => page.locator('tr[data-index]').count()).toBe(3)
  await pages.getByRole('button', { name: 'Previous page' }).click()
  await see(() => asked(last(page, listCall)).page).toBe('2')
  await table(page).getByRole('button', { name: 'Name' }).click()
  await see(() => asked(last(page, listCall))).toMatchObject({ page: '1', sort: 'lead_name', order: 'asc' })
  await pages.getByRole('button', { name: 'Page 3' }).click()
  await page.getByLabel('Page size').selectOption('100')
  await see(() => asked(last(page, listCall))).toMatchObject({ page: '1', per_page: '100' })
  await see(() => page.getByLabel('Page size').locator('option').allInnerTexts()).toEqual(['50', '100', '200'])
  await page.getByLabel('Page size').selectOption('200')
  await see(() => pages.count()).toBe(0)
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

test('on a phone the filters wait behind one button, and nothing scrolls sideways [WORK-14]', async () => {
  const page = await visit(app, root, '/leads?confirmed=1', { ...phone, colorScheme: 'dark' })
  await page.locator('li[data-index]').first().waitFor()
  await see(() => page.getByLabel('Search').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByLabel('Search').fill('bob')
  await page.getByRole('button', { name: 'More (1)' }).click()
  await see(() => page.locator('li[data-index]').count()).toBe(0)
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(widths[0]).toBe(widths[1])
  expect(await axeViolations(page)).toEqual([])
})

test('the page is accessible', async () => {
  const page = await open(root)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('group', { name: 'Source', exact: true }).waitFor()
  // Where most of the controls are.
  await table(page).evaluate((element) => element.parentElement?.scrollTo({ left: 1800 }))
  expect(await axeViolations(page)).toEqual([])
})
