import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: callrail.settings }))
const campaign = await app.make.campaign({ name: 'North Roofing' })
const root = await app.as(await app.make.superAdmin())
const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
const call = { campaign_id: campaign.id, lead_type: 'Call', answered: true, duration: 75 } as const
await app.make.lead({ ...call, lead_name: 'Ann Recorded', recording_url: 'https://app.callrail.com/calls/1' })
await app.make.lead({ ...call, lead_name: 'Bob Recorded', recording_url: 'https://app.callrail.com/calls/2' })
await app.make.lead({ ...call, lead_name: 'Cat Silent' })
await app.make.lead({ campaign_id: campaign.id, lead_name: 'Dan Form', message: '=1+1' })

const open = async (who: Caller, path = '/leads') => {
  const page = await visit(app, who, path)
  await page.getByRole('table', { name: 'Leads' }).first().waitFor()
  return page
}

test('Export saves what is on screen as leads.csv, and is not on the archive [LEAD-04]', async () => {
  const page = await open(root, '/leads?lead_type=Form')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('leads.csv')
  const rows = parse(await readFile(await file.path()), { columns: true, bom: true }) as Record<string, string>[]
  expect(rows.map((row) => [row.Name, row.Message])).toEqual([['Dan Form', "'=1+1"]])
  await page.goto(`${app.url}/leads/archive`)
  await page.getByRole('heading', { name: 'Leads Archive' }).waitFor()
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
})

describe('a recording', () => {
  test('a call shows "No recording", or a play control with its length [LEAD-45]', async () => {
    const page = await open(root, '/leads?lead_type=Call')
    await see(() => page.getByText('No recording').count()).toBe(1)
    await see(() => page.getByRole('button', { name: 'Play the recording, 1:15' }).count()).toBe(2)
  })

  test('playing fetches it and shows a player with three speeds, which keeps the one chosen; one plays at a time [LEAD-46]', async () => {
    const page = await open(root, '/leads?lead_type=Call')
    await page.getByRole('button', { name: 'Play the recording, 1:15' }).first().press('Enter')
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /^(Pause|Continue) /,
    )
    await page.locator('audio').waitFor()
    expect(callsTo(page, 'GET /api/recording/')[0]).toMatch(/^GET \/api\/recording\/\d+$/)
    await see(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(6)
    for (const speed of ['1x', '1.5x', '2x']) {
      await page.getByRole('button', { name: speed, exact: true }).click()
      await see(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(
        Number.parseFloat(speed),
      )
    }
    await page.getByRole('button', { name: 'Play the recording, 1:15' }).click()
    await see(() => page.locator('audio').count()).toBe(2)
    const playing = () =>
      page.locator('audio').evaluateAll((all) => all.filter((audio) => !(audio as HTMLAudioElement).paused).length)
    await see(async () => (await playing()) <= 1).toBe(true)
    await see(() => page.getByRole('button', { name: '2x', exact: true }).last().getAttribute('aria-pressed')).toBe(
      'true',
    )
  })

  test('one that cannot be played says so in its cell, and can be tried again', async () => {
    callrail.behaviour = { fail: 500 }
    const page = await open(root, '/leads?lead_type=Call')
    await page.getByRole('button', { name: 'Play the recording, 1:15' }).first().click()
    await page.getByText('The recording cannot be played right now.').waitFor()
    callrail.behaviour = {}
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('audio').waitFor()
  })
})

describe('the blacklist', () => {
  test('it is one large text with Cancel and Save; closing with changes asks [SPAM-01]', async () => {
    await root.call(spamContract.saveKeywords, { body: { keywords: 'seo' } })
    const page = await open(root)
    await page.getByRole('button', { name: 'Blacklist' }).click()
    const dialog = page.getByRole('dialog', { name: 'Blacklist' })
    await see(() => dialog.getByLabel('Keywords').inputValue()).toBe('seo')
    await dialog.getByLabel('Keywords').fill('seo\nbacklinks')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('dialog', { name: 'Are you sure to close this dialog?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { body } = await root.call(spamContract.keywords)
    expect(body.keywords).toEqual([{ keyword: 'seo' }, { keyword: 'backlinks' }])
  })

  test('what is typed stays when someone else saves the list; Save then shows both texts', async () => {
    await root.call(spamContract.saveKeywords, { body: { keywords: 'seo' } })
    const page = await open(root)
    await page.getByRole('button', { name: 'Blacklist' }).click()
    const dialog = page.getByRole('dialog', { name: 'Blacklist' })
    const text = dialog.getByLabel('Keywords', { exact: true })
    await text.fill('seo\nmine only')
    await root.call(spamContract.saveKeywords, { body: { keywords: 'seo\ntheirs only' } })
    // Nothing was hit, so there is nothing to undo.
    await see(() => dialog.getByRole('button', { name: 'Undo seo' }).isDisabled()).toBe(true)
    expect(await text.inputValue()).toBe('seo\nmine only')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Someone changed this to').waitFor()
    expect(await text.inputValue()).toBe('seo\nmine only')
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { body } = await root.call(spamContract.keywords)
    expect(body.keywords).toEqual([{ keyword: 'seo' }, { keyword: 'mine only' }])
  })
})

describe('spammers', () => {
  const openSpammers = async () => {
    const page = await open(root)
    await page.getByRole('button', { name: 'Spammers' }).click()
    return { page, dialog: page.getByRole('dialog', { name: 'Spammers' }) }
  }

  test('the form has Name, a masked Phone, Email and the note; Add waits for a name and one of the two; errors are shown at their fields [SPAM-02, SPAM-03, SPAM-04, SPAM-05, SPAM-06, SPAM-07]', async () => {
    const { dialog } = await openSpammers()
    await dialog.getByText('Either Phone or Email is required').waitFor()
    await dialog.getByLabel('Name').focus()
    await dialog.getByLabel('Phone').focus()
    await dialog.getByText('Please input name').waitFor()
    const add = dialog.getByRole('button', { name: 'Add' })
    await dialog.getByLabel('Name').fill('R')
    await dialog.getByLabel('Phone').pressSequentially('15125550144')
    await see(() => dialog.getByLabel('Phone').inputValue()).toBe('+1 512-555-0144')
    await see(() => add.isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Ro')
    await see(() => add.isEnabled()).toBe(true)
    await dialog.getByLabel('Phone').fill('')
    await see(() => add.isDisabled()).toBe(true)
    await dialog.getByLabel('Email').fill('robo@spam.example')
    await see(() => add.isEnabled()).toBe(true)

    await dialog.getByLabel('Name').fill('R')
    await dialog.getByLabel('Phone').fill('1512')
    await dialog.getByLabel('Email').fill('robo@')
    await dialog.getByLabel('Name').focus()
    await dialog.getByLabel('Email').focus()
    await dialog.getByText('Length should be at least 2 characters').waitFor()
    await dialog.getByText('Wrong phone format').waitFor()
    await dialog.getByText('Email is not valid').waitFor()
  })

  test('an added spammer is in the table until deleted, which asks first [SPAM-08]', async () => {
    const { page, dialog } = await openSpammers()
    await see(async () => (await dialog.locator('thead th').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Name',
      'Phone',
      'Email',
      'Actions',
    ])
    await dialog.getByLabel('Name').fill('Robo Caller')
    await dialog.getByLabel('Phone').fill('15125550144')
    await dialog.getByRole('button', { name: 'Add' }).click()
    const row = dialog.getByRole('row', { name: /Robo Caller/ })
    await row.waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Are you sure to remove this item?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await row.waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'hidden' })
    expect((await root.call(spamContract.spammers)).body).toEqual([])
  })
})

test('a leads handler may export and listen, but may not edit either list', async () => {
  const page = await open(handler)
  await page.getByRole('button', { name: 'Export' }).waitFor()
  for (const name of ['Blacklist', 'Spammers']) expect(await page.getByRole('button', { name }).count()).toBe(0)
})
