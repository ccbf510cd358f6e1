import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { ann, bob, cat, choose, type NewLead, opened, openLeadDesk, paneOf, panes, row } from '#test/lead-desk.ts'
import { callsTo, pathOf, see, type visit } from '#test/visit.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: callrail.settings }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))

const desk = (given: NewLead[], options?: Parameters<typeof visit>[3], who = root) =>
  openLeadDesk(app, who, given, options)
const stored = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const call = { lead_type: 'Call', duration: 6, recording_url: 'https://app.callrail.com/calls/1' } as const

describe('beside the list', () => {
  test('a click on a row opens the lead, and the address carries it; Esc and Back close it [WORK-01]', async () => {
    const { page, made, campaign } = await desk([ann, bob])
    const table = await page.getByRole('table').boundingBox()
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    expect(opened(page)).toBe(String(made[0]!.id))
    const place = await paneOf(page, 'Ann').boundingBox()
    expect((await page.getByRole('table').boundingBox())?.y).toBe(table?.y)
    expect(place!.x).toBeGreaterThan(600)
    await page.keyboard.press('Escape')
    await see(() => panes(page).count()).toBe(0)
    expect(pathOf(page)).toBe(`/leads?campaign_ids=${campaign.id}`)
    await see(() => row(page, 'Ann').evaluate((tr) => tr === document.activeElement)).toBe(true)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await paneOf(page, 'Bob').waitFor()
    await page.keyboard.press('k')
    await paneOf(page, 'Ann').waitFor()
    await page.goBack() // past both of them
    await see(() => panes(page).count()).toBe(0)
    await see(() => row(page, 'Ann').evaluate((tr) => tr === document.activeElement)).toBe(true)
  })

  test('Enter on the row of the open lead goes into the pane, where Tab reaches its controls [WORK-01] [WORK-04]', async () => {
    const { page } = await desk([ann, bob])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await paneOf(page, 'Ann').waitFor()
    await page.keyboard.press('Enter')
    await see(() => paneOf(page, 'Ann').evaluate((pane) => pane === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await see(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Next lead') // Ann is the first one
    await page.keyboard.press('Escape')
    await see(() => row(page, 'Ann').evaluate((tr) => tr === document.activeElement)).toBe(true)
  })

  test('the address opens a lead, even one that the list does not show; a missing one says so [WORK-01]', async () => {
    const { page, campaign } = await desk([ann])
    const old = await app.make.lead({ campaign_id: campaign.id, lead_name: 'Old', occurred_at: new Date('2024-01-02') })
    await page.goto(`${app.url}/leads?campaign_ids=${campaign.id}&lead=${old.id}`)
    await paneOf(page, 'Old').getByRole('heading', { name: 'Old' }).waitFor()
    await page.goto(`${app.url}/leads?campaign_ids=${campaign.id}&lead=999999`)
    await page.getByRole('alert').getByText('This lead does not exist, or you cannot see it').waitFor()
  })

  test('the row of the lead stays in sight, however far the list was scrolled [WORK-01]', async () => {
    const { page } = await desk(Array.from({ length: 40 }, (_, index) => ({ lead_name: `Lead ${index}.` })))
    const scroller = page.getByRole('region', { name: 'Leads', exact: true })
    await scroller.evaluate((section) => section.scrollTo(0, 700))
    await row(page, 'Lead 20.').waitFor()
    const isInSight = async () => {
      const [list, lead] = [(await scroller.boundingBox())!, await row(page, 'Lead 20.').boundingBox()]
      return lead !== null && lead.y >= list.y && lead.y + lead.height <= list.y + list.height
    }
    await choose(page, 'Lead 20.')
    await paneOf(page, 'Lead 20.').waitFor()
    await see(isInSight).toBe(true)
    await page.keyboard.press('Escape')
    await see(() => panes(page).count()).toBe(0)
    await see(isInSight).toBe(true)
  })

  test('it shows everything needed for a verdict without scrolling, and the history below [WORK-02]', async () => {
    const phone = { lead_phone: '+13035550101', phone_key: toPhoneKey('+13035550101') }
    const { page, made } = await desk([
      { ...ann, ...phone, lead_email: 'ann@example.com', source: 'Google Organic', tags: ['Low Value'] },
      { ...bob, ...phone },
    ])
    await root.call(leadsContract.update, { params: { id: made[0]!.id }, body: { notes: 'Asked twice' } })
    await page.reload() // the list may be live by now, or not yet
    await choose(page, 'Ann')
    const pane = paneOf(page, 'Ann')
    await pane.getByText(/for the client (\d\d\/\d\d\/\d{4} )?\d\d:\d\d M[SD]T/).waitFor()
    const parts = [
      pane.getByRole('heading', { name: 'Ann' }),
      pane.getByRole('link', { name: '+1 (303) 555-0101' }),
      pane.getByRole('button', { name: 'Copy phone' }),
      pane.getByRole('link', { name: 'ann@example.com' }),
      pane.getByRole('button', { name: 'Copy email' }),
      pane.getByText('North Roofing'),
      pane.getByText('Form · Google Organic'),
      pane.getByText('The roof leaks'),
      pane.getByRole('button', { name: 'Verify' }),
      pane.getByRole('button', { name: 'Spam', exact: true }),
      pane.getByRole('list', { name: 'Tags' }),
      pane.getByRole('group', { name: 'Progress' }),
      pane.getByRole('group', { name: 'Rating: none' }),
      pane.getByRole('button', { name: '+ Value' }),
      pane.getByRole('button', { name: '+ Profit' }),
      pane.getByRole('textbox', { name: 'Notes', exact: true }),
    ]
    for (const part of parts) {
      const box = await part.boundingBox()
      expect(box!.y + box!.height, String(part)).toBeLessThanOrEqual(900)
    }
    await pane.getByRole('region', { name: 'Related' }).getByRole('link', { name: 'Bob' }).waitFor()
    await pane.getByRole('region', { name: 'Emails' }).getByText('No email was sent about this lead.').waitFor()
    await pane.getByRole('region', { name: 'Ratings' }).waitFor()
    await pane.getByRole('region', { name: 'History' }).getByText('Asked twice').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('edits in it are edits in the list, including a conflict [WORK-02]', async () => {
    const { page, made } = await desk([ann, bob])
    await choose(page, 'Ann')
    const pane = paneOf(page, 'Ann')
    await pane.getByRole('button', { name: 'Won' }).click()
    await see(async () => (await stored(made[0]!.id)).client_progress).toBe(1)
    await pane.getByRole('button', { name: 'Verify' }).click()
    await pane.getByRole('button', { name: 'Verified', pressed: true }).waitFor()
    await row(page, 'Ann').getByText('Verified').waitFor()

    await pane.getByRole('button', { name: '+ Company' }).click()
    const company = pane.getByRole('textbox', { name: 'Company Name' })
    await company.fill('Mine')
    await root.call(leadsContract.update, { params: { id: made[0]!.id }, body: { company_name: 'Theirs' } })
    await company.press('Enter')
    await pane.getByRole('alert').getByText('Not saved: a teammate changed it first').waitFor()
    await see(() => company.inputValue()).toBe('Theirs')
    await page.keyboard.press('Escape')
    await see(() => row(page, 'Ann').getByLabel('Company Name').inputValue()).toBe('Theirs')
    await see(() => row(page, 'Ann').getByRole('button', { name: 'Won' }).getAttribute('aria-pressed')).toBe('true')
  })
})

describe('the player', () => {
  test('p plays and stops it, arrows seek, and the next lead stops it; the row keeps its height [WORK-03]', async () => {
    const { page, made } = await desk([
      { ...call, lead_name: 'Ann' },
      { ...call, lead_name: 'Bob' },
    ])
    const height = async () => (await row(page, 'Ann').boundingBox())?.height
    const before = await height()
    await row(page, 'Ann').focus()
    await page.keyboard.press('p')
    const audio = page.locator('tr audio')
    await see(() => audio.evaluate((one: HTMLAudioElement) => one.paused)).toBe(false)
    expect(await height()).toBe(before)
    await page.keyboard.press('v') // on to the next: the sound ends
    await see(() => audio.evaluate((one: HTMLAudioElement) => one.paused)).toBe(true)
    await page.keyboard.press('k')

    await page.keyboard.press('Enter')
    const pane = paneOf(page, 'Ann')
    const sound = pane.locator('audio')
    await sound.waitFor({ state: 'attached' })
    const heard = callsTo(page, `GET /api/recording/${made[0]!.id}`).length
    await page.keyboard.press('p')
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.paused)).toBe(false)
    await see(() => callsTo(page, `GET /api/recording/${made[0]!.id}`).length).toBeGreaterThan(heard)
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.duration)).toBe(6)
    await page.keyboard.press('ArrowLeft')
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.currentTime < 3)).toBe(true)
    await page.keyboard.press('p')
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.paused)).toBe(true)
    await page.keyboard.press('ArrowRight')
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.currentTime)).toBe(6)
    await pane.getByRole('button', { name: '1.5x' }).click()
    await see(() => sound.evaluate((one: HTMLAudioElement) => one.playbackRate)).toBe(1.5)
    const playing = await sound.elementHandle()
    await page.keyboard.press('p')
    await page.keyboard.press('j')
    await paneOf(page, 'Bob').waitFor()
    expect(await playing!.evaluate((one) => (one as HTMLAudioElement).paused)).toBe(true)
  })

  test('the next two leads are prefetched, including the address of a recording [WORK-03]', async () => {
    const { page, made } = await desk([ann, { ...call, lead_name: 'Bob' }, cat, { lead_name: 'Dan' }])
    const isRead = () => made.map(({ id }) => page.calls.includes(`GET /api/lead/${id}`))
    await choose(page, 'Ann')
    await see(isRead).toEqual([true, true, true, false])
    await page.keyboard.press('j')
    await see(() => paneOf(page, 'Bob').locator('audio').count()).toBe(1)
    await see(isRead).toEqual([true, true, true, true])
    expect(callsTo(page, 'GET /api/recording/')).toEqual([]) // no one has listened
  })

  test('the list is read again once after quick verdicts, not after each [WORK-04]', async () => {
    const { page } = await desk([ann, bob, cat], { alone: true })
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    const reads = () => callsTo(page, 'GET /api/leads/list/data').length
    const before = reads()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    for (const next of ['Bob', 'Cat']) {
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
      await page.keyboard.press('v')
      await saved
      await paneOf(page, next).waitFor()
    }
    expect(reads()).toBe(before)
    await page.clock.runFor(1000)
    await see(reads).toBe(before + 1)
  })
})

describe('keys', () => {
  test('v, s, 1 to 5 and t act on the open lead; n writes a note [WORK-04]', async () => {
    const { page, made } = await desk([ann, bob, cat])
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    await page.keyboard.press('2')
    await page.keyboard.press('v')
    await paneOf(page, 'Bob').waitFor()
    await page.keyboard.press('s')
    await paneOf(page, 'Cat').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('low')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await see(() => page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('n')
    await page.keyboard.type('vs1') // is text
    await page.keyboard.press('Escape')
    await page.keyboard.type('x1')
    await page.keyboard.press('Control+Enter')
    await see(async () => (await stored(made[0]!.id)).confirmed).toBe(true)
    await see(async () => (await stored(made[0]!.id)).client_progress).toBe(2)
    await see(async () => await stored(made[1]!.id)).toMatchObject({ tags: ['Spam'], hide: true })
    await see(async () => await stored(made[2]!.id)).toMatchObject({ tags: ['Low Value'], confirmed: false })
    expect(opened(page)).toBe(String(made[2]!.id))
  })

  test('t in a row opens its tags: arrows and typing find one, Enter ticks it, Esc goes back [WORK-04]', async () => {
    const { page, made } = await desk([ann, bob])
    await row(page, 'Ann').focus()
    await page.keyboard.press('t')
    const list = page.getByRole('dialog', { name: 'Tags' })
    await list.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await see(async () => (await stored(made[0]!.id)).tags).toEqual(['Duplicate'])
    await page.keyboard.type('after') // the first letter leads back to the text
    await see(() => list.getByRole('listitem').allInnerTexts()).toEqual(['After Hours'])
    await page.keyboard.press('Enter')
    await see(async () => (await stored(made[0]!.id)).tags).toEqual(['Duplicate', 'After Hours'])
    await page.keyboard.press('Escape')
    await see(() => list.count()).toBe(0)
    await page.keyboard.press('j') // the keys continue from that row
    await see(() => row(page, 'Bob').evaluate((tr) => tr.contains(document.activeElement))).toBe(true)
  })

  test('no key acts while a dialog, the search or the command palette is open [WORK-04]', async () => {
    const { page, made } = await desk([ann, bob])
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    await page.keyboard.press('h')
    await page.getByRole('dialog', { name: 'History of Ann' }).waitFor()
    await page.keyboard.type('v1sj')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('v1sj')
    await see(() => page.getByRole('combobox', { name: /^Find a screen/ }).inputValue()).toBe('v1sj')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    await page.keyboard.type('n')
    expect([...callsTo(page, 'PUT'), ...callsTo(page, 'POST')]).toEqual([])
    expect(opened(page)).toBe(String(made[0]!.id))
  })

  test('? lists the keys of the open lead [WORK-04]', async () => {
    const { page } = await desk([ann])
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByRole('region', { name: 'Keys: Open lead' }).waitFor()
    const keys = dialog.getByRole('region', { name: 'Keys: Leads' }).locator('kbd')
    await see(() => keys.allInnerTexts()).toEqual([
      'j',
      'k',
      'v',
      's',
      't',
      'n',
      '1',
      '2',
      '3',
      '4',
      '5',
      'p',
      'h',
      'r',
      'u',
      'e',
      'x',
    ])
  })

  test('twenty-four leads are triaged by keyboard alone [WORK-04]', async () => {
    const given = Array.from({ length: 24 }, (_, index) => ({ lead_name: `Lead ${index}.`, message: `No. ${index}` }))
    const { page, made } = await desk(given)
    await page.getByRole('region', { name: 'Leads', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    for (const [index] of given.entries()) {
      await paneOf(page, `Lead ${index}.`).waitFor()
      if (index % 4 === 1) await page.keyboard.press('s')
      else if (index % 4 === 2) {
        await page.keyboard.press('t')
        await page.keyboard.type('dup')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Escape')
        await page.keyboard.press('j')
      } else {
        await page.keyboard.press('1')
        await page.keyboard.press('v')
      }
    }
    const expected = made.map((_, index) =>
      index % 4 === 1
        ? { tags: ['Spam'], hide: true, confirmed: false, client_progress: null }
        : index % 4 === 2
          ? { tags: ['Duplicate'], hide: false, confirmed: false, client_progress: null }
          : { tags: [], hide: false, confirmed: true, client_progress: 1 },
    )
    await see(async () =>
      (await Promise.all(made.map(({ id }) => stored(id)))).map(({ tags, hide, confirmed, client_progress }) => ({
        tags,
        hide,
        confirmed,
        client_progress,
      })),
    ).toEqual(expected)
  }, 120_000)
})

test('Not spam, on a lead that an import tagged, takes off Spam and no tag that a colleague has put on by then', async () => {
  const { page, made } = await desk([{ ...ann, tags: ['Spam'] }])
  const { id } = made[0]!
  const colleague = await app.as(await app.make.superAdmin())
  await page.route(`**/api/lead/${id}/spam`, async (route) => {
    const body = { tags: [{ name: 'Spam' as const }, { name: 'Low Value' as const }] }
    await colleague.call(leadsContract.update, { params: { id }, body })
    await route.continue()
  })
  await choose(page, 'Ann')
  await paneOf(page, 'Ann').getByRole('button', { name: 'Spam', exact: true }).click()
  await see(async () => (await stored(id)).tags).toEqual(['Low Value'])
})

describe('undo', () => {
  test('u undoes verdicts, tags and spam, the last one first, one step each [WORK-05]', async () => {
    const { page, made } = await desk([ann, bob, cat])
    await choose(page, 'Ann')
    await paneOf(page, 'Ann').waitFor()
    await page.keyboard.press('v')
    await paneOf(page, 'Bob').waitFor()
    await page.keyboard.press('s')
    await paneOf(page, 'Cat').waitFor()
    await page.keyboard.press('t')
    await page.keyboard.type('other')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const state = async () =>
      (await Promise.all(made.map(({ id }) => stored(id)))).map(({ confirmed, tags, hide }) => [
        confirmed,
        hide,
        ...tags,
      ])
    await see(state).toEqual([
      [true, false],
      [false, true, 'Spam'],
      [false, false, 'Other'],
    ])
    await page.keyboard.press('u')
    await see(state).toEqual([
      [true, false],
      [false, true, 'Spam'],
      [false, false],
    ])
    await page.keyboard.press('u')
    await paneOf(page, 'Bob').waitFor() // where it was done
    await see(state).toEqual([
      [true, false],
      [false, false],
      [false, false],
    ])
    await page.keyboard.press('u')
    await see(state).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ])
    await page.keyboard.press('u') // nothing is left
    await paneOf(page, 'Ann').waitFor()
  })

  test('a message stays its whole time, however soon it follows another [WORK-05]', async () => {
    const { page } = await desk([{ lead_name: 'Ann' }, { lead_name: 'Ben' }])
    const message = (name: string) => page.getByRole('status').filter({ hasText: `Verified: ${name}` })
    await page.clock.install()
    await choose(page, 'Ann')
    await page.keyboard.press('v')
    await message('Ann').waitFor()
    await page.clock.fastForward(6000)
    await paneOf(page, 'Ben').waitFor()
    await page.keyboard.press('v')
    await message('Ben').waitFor()
    await page.clock.fastForward(6000)
    await message('Ben').getByRole('button', { name: 'Undo' }).click()
  })

  test('twenty steps are kept, and Undo in the message takes one [WORK-05]', async () => {
    const given = Array.from({ length: 22 }, (_, index) => ({ lead_name: `Lead ${index}.` }))
    const { page, made } = await desk(given)
    await row(page, 'Lead 0.').focus() // without an open lead, of which all would be read
    for (const [index] of given.entries()) {
      await page.keyboard.press('v')
      await page.getByText(`Verified: Lead ${index}.`).first().waitFor()
    }
    const verified = async () =>
      (await Promise.all(made.map(({ id }) => stored(id)))).filter(({ confirmed }) => confirmed).length
    await page
      .getByRole('status')
      .filter({ hasText: 'Verified: Lead 21.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await see(verified).toBe(21)
    await row(page, 'Lead 21.').focus()
    for (let count = 0; count < 25; count += 1) await page.keyboard.press('u')
    await see(verified).toBe(2)
  })
})
