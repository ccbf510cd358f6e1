import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { callsTo, confirmDialog, endSessionsAt, see, visit } from '#test/visit.ts'

const now = getToday('UTC')
const ids = { alpha: 0, beta: 0, team: 0, olivia: 0 }
const shown = (day: string) => day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'UTC' } }))
const { make } = app
ids.alpha = (await make.campaign({ name: 'Alpha roofs' })).id
ids.beta = (await make.campaign({ name: 'Beta pipes' })).id
ids.team = (await make.team({ name: 'Ads' })).id
await make.admin({ username: 'morgan' })
const olivia = await make.superAdmin({ username: 'olivia' })
ids.olivia = olivia.id
const root = await app.as(olivia)
const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#2a5bd7' } })
  .png()
  .toBuffer()

const open = (options: Parameters<typeof visit>[3] = {}) => visit(app, root, '/activity-log', options)
const rowOf = (page: Page, note: string) => page.locator('tr[data-index]').filter({ hasText: note })
const creating = (page: Page) => page.getByRole('dialog', { name: 'Create New Item' })
const editing = (page: Page) => page.getByRole('dialog', { name: 'Edit Item' })
async function create(page: Page) {
  await page.getByRole('button', { name: 'Create New Item' }).click()
  await creating(page).getByLabel('Date').waitFor()
  return creating(page)
}
async function edit(page: Page, note: string) {
  await rowOf(page, note).getByRole('button', { name: 'Edit' }).click()
  await editing(page).getByLabel('Note').waitFor()
  return editing(page)
}
async function pick(page: Page, label: string, choices: string[]) {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByLabel(label, { exact: true }))
    .first()
    .click()
  for (const choice of choices) await page.getByRole('option', { name: choice }).click()
  await page.keyboard.press('Tab')
}
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const listed = async (note: string) =>
  (await root.call(activityLogContract.list)).body.data.filter((item: { note: string }) => item.note === note)
const image = (name: string, buffer = photo, mimeType = 'image/png') => ({ name, mimeType, buffer })
const attach = (page: Page, files: ReturnType<typeof image>[]) => page.locator('input[type=file]').setInputFiles(files)
const attached = (page: Page) => page.getByRole('group', { name: 'Images' }).locator('img')

describe('a new item', () => {
  test('creates one for each campaign and team, with an assigned task [ACT-08] [ACT-09] [ACT-20] [ACT-31]', async () => {
    const page = await open()
    const dialog = await create(page)
    await pick(page, 'Campaigns and teams', ['Alpha roofs', 'Ads'])
    await dialog.getByLabel('Date').fill(shown(addDays(now, 2)))
    await dialog.getByLabel('Note').fill('Call them\nafter lunch')
    expect(await dialog.getByLabel('Assignee').count()).toBe(0)
    await dialog.getByRole('switch', { name: 'Task' }).click()
    await pick(page, 'Assignee', ['morgan'])
    await dialog.getByRole('button', { name: 'Add images' }).or(dialog.getByLabel('Add images')).first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await save(page)
    await page.getByText('Activity Log item was added successfully', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await see(() => rowOf(page, 'Call them').count()).toBe(2)
    expect(await listed('Call them\nafter lunch')).toMatchObject([
      { team: { name: 'Ads' }, date: addDays(now, 2), is_task: 1, assignee: { username: 'morgan' } },
      { campaign: { name: 'Alpha roofs' }, date: addDays(now, 2), is_task: 1 },
    ])
  })

  test('the date is today by default, and a click on today keeps it', async () => {
    const page = await open()
    const dialog = await create(page)
    const date = dialog.getByLabel('Date')
    expect(await date.inputValue()).toBe(shown(now))
    await date.click()
    await page.locator('[data-dates-dropdown] button[data-selected]').click()
    expect(await date.inputValue()).toBe(shown(now))
    await pick(page, 'Campaigns and teams', ['Alpha roofs'])
    await dialog.getByLabel('Note').fill('Written today')
    await save(page)
    await dialog.waitFor({ state: 'hidden' })
    expect(await listed('Written today')).toMatchObject([{ date: now }])
  })

  test('says everything that is missing, and sends nothing [ACT-11] [ACT-12] [ACT-13] [ACT-14]', async () => {
    const page = await open()
    const dialog = await create(page)
    const says = (words: string) => dialog.getByText(words, { exact: true })
    await dialog.getByLabel('Date').fill('')
    await save(page)
    for (const words of ['Please select campaign of team', 'Please pick a date', 'Please input your note'])
      await says(words).waitFor()
    expect(await says('Please select admin user').count()).toBe(0)
    await dialog.getByRole('switch', { name: 'Task' }).click()
    await save(page)
    await says('Please select admin user').waitFor()
    expect(callsTo(page, 'POST')).toEqual([])
  })

  test('a task that becomes a note loses its assignee [ACT-10] [ACT-12]', async () => {
    const page = await open()
    const dialog = await create(page)
    await pick(page, 'Campaigns and teams', ['Beta pipes'])
    await dialog.getByLabel('Date').fill(shown(now))
    await dialog.getByLabel('Note').fill('No task after all')
    await dialog.getByRole('switch', { name: 'Task' }).click()
    await pick(page, 'Assignee', ['morgan'])
    await dialog.getByRole('switch', { name: 'Task' }).click()
    expect(await dialog.getByLabel('Assignee').count()).toBe(0)
    await dialog.getByRole('switch', { name: 'Task' }).click()
    expect(await dialog.getByLabel('Assignee').inputValue()).toBe('')
    await dialog.getByRole('switch', { name: 'Task' }).click()
    await save(page)
    await dialog.waitFor({ state: 'hidden' })
    expect(await listed('No task after all')).toMatchObject([{ is_task: 0, assignee: null }])
  })

  test('days before yesterday cannot be picked; a typed one is refused with a message [ACT-15]', async () => {
    const page = await open()
    const dialog = await create(page)
    await dialog.getByLabel('Date').click()
    const disabled = (day: string) =>
      page
        .locator(`.mantine-DateInput-day[aria-label], .mantine-DatePickerInput-day, [data-date]`)
        .evaluateAll(
          (days, wanted) =>
            days.some((found) => found.getAttribute('aria-label')?.includes(wanted) && found.hasAttribute('disabled')),
          day,
        )
    const label = (day: string) =>
      new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )
    const [past, yesterday] = [addDays(now, -2), addDays(now, -1)]
    const month = async (day: string) => {
      if (day.slice(0, 7) !== now.slice(0, 7)) await page.getByRole('button', { name: 'Previous month' }).click()
    }
    await month(past)
    await see(() => disabled(label(past))).toBe(true)
    expect(yesterday.slice(0, 7) === past.slice(0, 7) && (await disabled(label(yesterday)))).toBe(false)
    await page.keyboard.press('Escape')
    await pick(page, 'Campaigns and teams', ['Beta pipes'])
    await dialog.getByLabel('Date').fill(shown(past))
    await dialog.getByLabel('Note').fill('Too late')
    await save(page)
    await dialog.getByText('Please pick a date from yesterday on', { exact: true }).waitFor()
    expect(await dialog.getByLabel('Date').inputValue()).toBe(shown(past))
    expect(await listed('Too late')).toEqual([])
  })
})

describe('an existing item', () => {
  const made = async (note: string, more: object = {}) =>
    (await root.call(activityItemsContract.create, { body: { campaign_ids: [ids.alpha], date: now, note, ...more } }))
      .body.data[0]

  test('can be changed, except for its campaign and its date [ACT-16] [ACT-21]', async () => {
    await made('Before')
    const page = await open()
    const dialog = await edit(page, 'Before')
    for (const [label, value] of [
      ['Campaigns and teams', 'Alpha roofs'],
      ['Date', shown(now)],
    ] as const) {
      const field = dialog.getByLabel(label, { exact: true })
      expect([await field.inputValue(), await field.getAttribute('readonly')]).toEqual([value, ''])
    }
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('note')
    await dialog.getByLabel('Note').fill('Changed words')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Activity Log item was updated successfully', { exact: true }).waitFor()
    await rowOf(page, 'Changed words').waitFor()
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit')
  })

  test('of a moved task whose assignee is not here can be changed without choosing another one [MOVE-05]', async () => {
    const { id } = await made('Moved task')
    await app.context.db
      .update(activityItemsTable)
      .set({ is_task: true, assignee_name: 'Riley' })
      .where(eq(activityItemsTable.id, id))
    const page = await open()
    const dialog = await edit(page, 'Moved task')
    const assignee = dialog.getByRole('combobox', { name: 'Assignee' })
    expect(await assignee.getAttribute('placeholder')).toBe('Riley')
    await dialog.getByLabel('Note').fill('Moved task, done better')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Activity Log item was updated successfully', { exact: true }).waitFor()
    expect(await rowOf(page, 'done better').textContent()).toContain('Riley')
  })

  test('that a colleague saved in the meantime shows both versions', async () => {
    const { id } = await made('Theirs and mine')
    const page = await open()
    const dialog = await edit(page, 'Theirs and mine')
    await root.call(activityItemsContract.update, { params: { id }, body: { note: 'Theirs' } })
    await dialog.getByLabel('Note').fill('Mine')
    await save(page)
    await dialog.getByText('Someone else has changed this').waitFor()
    await dialog.getByText('Someone changed this to Theirs').waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await save(page)
    await rowOf(page, 'Mine').waitFor()
  })

  test('that a colleague made a task of in the meantime shows whose it is, and can be saved [ACT-21]', async () => {
    const { id } = await made('For us')
    const page = await open()
    const dialog = await edit(page, 'For us')
    const body = { note: 'For us', is_task: 1, assignee_id: ids.olivia }
    expect(await root.call(activityItemsContract.update, { params: { id }, body })).toMatchObject({ status: 200 })
    await dialog.getByLabel('Note').fill('For us, today')
    await save(page)
    await dialog.getByText('Someone else has changed this').waitFor()
    await see(() => dialog.getByLabel('Assignee', { exact: true }).inputValue()).toBe('olivia')
    await save(page)
    await rowOf(page, 'For us, today').waitFor()
    expect(await listed('For us, today')).toMatchObject([{ is_task: 1, assignee: { username: 'olivia' } }])
  })

  test('that a colleague marked as done in the meantime says that none of the fields differ [ACT-21]', async () => {
    const task = await make.activityItem({ campaign_id: ids.alpha, date: now, note: 'To do', assignee_id: ids.olivia })
    const page = await open()
    const dialog = await edit(page, 'To do')
    await dialog.getByLabel('Note').fill('To do today')
    await root.call(activityLogContract.toggleStatus, { params: { id: task.id }, body: { is_done: 1 } })
    await save(page)
    await dialog.getByText('This has changed since you opened it, but none of the fields here.').waitFor()
    await save(page)
    await see(async () => (await listed('To do today')).map((item: { is_done: number }) => item.is_done)).toEqual([1])
  })

  test('asks before closing when something was typed', async () => {
    await made('Typed over')
    const page = await open()
    const dialog = await edit(page, 'Typed over')
    await dialog.getByLabel('Note').fill('Lost?')
    await page.keyboard.press('Escape')
    await confirmDialog(page, 'Are you sure to close this dialog?').getByRole('button', { name: 'Cancel' }).click()
    await see(() => dialog.getByLabel('Note').inputValue()).toBe('Lost?')
  })
})

describe('images', () => {
  test('several are picked, shown small, and opened large; the session is in their address [ACT-17] [ACT-18] [ACT-30] [SHELL-09]', async () => {
    const page = await open()
    const dialog = await create(page)
    await pick(page, 'Campaigns and teams', ['Beta pipes'])
    await dialog.getByLabel('Date').fill(shown(now))
    await dialog.getByLabel('Note').fill('With pictures')
    await attach(page, [image('a.png'), image('b.jpg', await sharp(photo).jpeg().toBuffer(), 'image/jpeg')])
    await see(() => attached(page).count()).toBe(2)
    await see(() => attached(page).first().getAttribute('src')).toMatch(/^\/api\/files\/\d+\?size=small&api_token=/)
    await save(page)
    await dialog.waitFor({ state: 'hidden' })
    const row = rowOf(page, 'With pictures')
    await see(() =>
      row.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
    ).toEqual([320, 320])
    await row.getByRole('button', { name: 'Open image 1 of 2' }).click()
    const large = page.getByRole('dialog', { name: 'Image 1 of 2' })
    await see(() => large.locator('img').evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(600)
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: 'Image 2 of 2' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await see(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open image 1 of 2')
  })

  test('another type, a script under a false name and a file that is too large are refused with a message [ACT-17]', async () => {
    const page = await open()
    await create(page)
    await attach(page, [
      image('notes.txt', Buffer.from('text'), 'text/plain'),
      image('script.png', Buffer.from('<script>')),
      image('large.png', Buffer.alloc(11 * 1024 * 1024)),
    ])
    const group = page.getByRole('group', { name: 'Images' })
    await see(() => group.getByText('Only jpeg and png images can be uploaded').count()).toBe(2)
    await group.getByText('An image may have at most 10 MB').waitFor()
    expect(callsTo(page, 'POST /api/campaign-changelog/files')).toHaveLength(1)
    await group.getByRole('button', { name: 'Dismiss notes.txt' }).click()
    await see(() => group.getByText('notes.txt').count()).toBe(0)
  })

  test('can also be dropped and pasted', async () => {
    const page = await open()
    await create(page)
    const bytes = photo.toString('base64')
    for (const [type, name] of [
      ['drop', 'dropped.png'],
      ['paste', 'pasted.png'],
    ])
      await page.evaluate(
        ({ bytes, type, name }) => {
          const sent = new DataTransfer()
          const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
          sent.items.add(new File([content], name!, { type: 'image/png' }))
          const options = { bubbles: true, cancelable: true }
          const target = document.querySelector('[role=dialog] textarea')
          target?.dispatchEvent(
            type === 'drop'
              ? new DragEvent('drop', { ...options, dataTransfer: sent })
              : new ClipboardEvent('paste', { ...options, clipboardData: sent }),
          )
        },
        { bytes, type, name },
      )
    await see(() => attached(page).count()).toBe(2)
  })

  test('an upload after the session has ended goes on after the login over the page [DESK-11]', async () => {
    const user = await app.make.superAdmin()
    const page = await visit(app, await app.as(user), '/activity-log', { alone: true })
    await create(page)
    await endSessionsAt(page, app, user, /^POST .*\/files/)
    await attach(page, [image('late.png')])
    await page
      .getByRole('dialog', { name: 'Your session has ended' })
      .getByLabel('Password', { exact: true })
      .fill(password)
    await page.keyboard.press('Enter')
    await see(() => attached(page).count()).toBe(1)
  })

  test('progress is shown, and saving waits for running uploads', async () => {
    const page = await open({
      before: (one) => one.route('**/api/campaign-changelog/files', (route) => void held.push(() => route.continue())),
    })
    const held: (() => void)[] = []
    const dialog = await create(page)
    await attach(page, [image('slow.png')])
    await dialog.getByRole('progressbar', { name: 'Uploading slow.png' }).waitFor()
    await dialog.getByLabel('Note').fill('Soon')
    await save(page)
    await dialog.getByText('Please wait until every image is uploaded', { exact: true }).waitFor()
    await see(() => held.length).toBe(1)
    held[0]!()
    await see(() => attached(page).count()).toBe(1)
  })

  test('removing one asks first; cancelling keeps it [ACT-18]', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(photo)]), 'photo.png')
    const { data } = await (await root.fetch('/api/campaign-changelog/files', { method: 'POST', body: form })).json()
    await root.call(activityItemsContract.create, {
      body: { campaign_ids: [ids.alpha], date: now, note: 'One picture', files: [data.id] },
    })
    const page = await open()
    await edit(page, 'One picture')
    const remove = page.getByRole('button', { name: 'Remove image 1' })
    const asked = confirmDialog(page, 'Are you sure to remove this image?')
    await remove.click()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    await see(() => attached(page).count()).toBe(1)
    await remove.click()
    await asked.getByRole('button', { name: 'Remove' }).click()
    await see(() => attached(page).count()).toBe(0)
    await save(page)
    await page.getByText('Activity Log item was updated successfully', { exact: true }).waitFor()
    expect(await listed('One picture')).toMatchObject([{ files: [] }])
  })
})
