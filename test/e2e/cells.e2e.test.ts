import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, errorToast, see, visit } from '#test/visit.ts'

const message = 'Please call me back about the roof of our barn. '.repeat(4).trim()
const app = await setUp(startApp())
const campaign = await app.make.campaign({ name: 'Roofs' })
for (const [index, lead_name] of ['Ann', 'Bob', 'Cat'].entries())
  await app.make.lead({
    campaign_id: campaign.id,
    lead_name,
    lead_type: 'Form',
    message,
    client_value: 1234,
    lead_phone: index === 0 ? '(407) 555-5016' : null,
    last_url: 'https://roofs.example/barns',
    tags: ['Spam'],
    occurred_at: new Date(Date.now() - index * 60_000),
  })
const root = await app.as(await app.make.superAdmin())

const row = (page: Page, name: string) => page.locator('tr[data-index]', { hasText: name })
/** Returns the header above the focused cell, and its row. */
const focusedCell = (page: Page) =>
  page.evaluate(() => {
    const focus = document.activeElement
    const cell = focus?.closest<HTMLTableCellElement>('tr[data-index] > *')
    const head = cell && focus?.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
    return [focus?.localName, head?.textContent, focus?.closest('tr')?.textContent?.match(/Ann|Bob|Cat/)?.[0]]
  })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const copiedToast = (page: Page) => page.getByRole('status').filter({ hasText: 'Copied to clipboard' })

async function desk(path = `/leads?campaign_ids=${campaign.id}`) {
  const page = await visit(app, root, path)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('before'))
  return page
}
/** Moves with arrow keys only, from the start of the row. */
async function goTo(page: Page, head: string) {
  await page.keyboard.press('Home')
  for (let presses = 0; (await focusedCell(page))[1] !== head && presses < 32; presses += 1)
    await page.keyboard.press('ArrowRight')
}

test('arrow keys move from the row to its cells and to those below; Enter edits, Esc leaves, keys of the row still work', async () => {
  const page = await desk()
  await row(page, 'Ann').focus()
  // Past the checkbox.
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight')
  await see(() => focusedCell(page)).toEqual(['td', 'Date', 'Ann'])
  await page.keyboard.press('ArrowDown')
  await see(() => focusedCell(page)).toEqual(['td', 'Date', 'Bob'])
  expect(await axeViolations(page, { within: 'table' })).toEqual([])
  await page.keyboard.press('v')
  await see(() => focusedCell(page)).toEqual(['td', 'Date', 'Cat'])
  await see(() => callsTo(page, 'PUT').length).toBe(1)
  await page.keyboard.press('Escape')
  expect((await focusedCell(page))[0]).toBe('tr')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  expect((await focusedCell(page))[0]).toBe('tr')

  await page.keyboard.press('ArrowRight')
  await goTo(page, 'Company Name')
  await page.keyboard.press('Enter')
  expect((await focusedCell(page)).slice(0, 2)).toEqual(['input', 'Company Name'])
  await page.keyboard.type('Barns')
  await page.keyboard.press('ArrowLeft') // of the text
  await page.keyboard.press('Escape') // takes back what was typed
  expect((await focusedCell(page))[0]).toBe('input')
  await page.keyboard.press('Escape')
  await see(() => focusedCell(page)).toEqual(['td', 'Company Name', 'Cat'])
  await page.keyboard.press('Enter')
  await page.keyboard.type('Barns')
  await page.keyboard.press('Enter')
  await see(() => focusedCell(page)).toEqual(['td', 'Company Name', 'Cat'])
  await page.keyboard.press('ArrowUp')
  await see(() => focusedCell(page)).toEqual(['td', 'Company Name', 'Bob'])
  // Pinned columns on either side do not hide the focused cell.
  const [pinned, cell] = [row(page, 'Bob').locator('td').first(), page.locator('td:focus')]
  const [left, here] = [(await pinned.boundingBox())!, (await cell.boundingBox())!]
  expect(here.x).toBeGreaterThanOrEqual(left.x + left.width - 1)
})

test('Ctrl C copies the cell as plain text, and says so; a selection and a text being edited copy as usual', async () => {
  const page = await desk()
  await row(page, 'Ann').focus()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await see(() => clipboard(page)).toBe('before') // a row is not a cell
  await Promise.all([copiedToast(page).waitFor(), page.keyboard.press('Control+c')])
  await see(() => clipboard(page)).toBe('Roofs')
  for (const [head, value] of [
    ['Message', message],
    ['Tags', 'Spam'],
    ['Verified', 'No'],
    ['Value', '$1,234'],
    ['Phone', '+14075555016'],
    ['URL', 'https://roofs.example/barns'],
  ] as const) {
    await goTo(page, head)
    await page.keyboard.press('Control+c')
    await see(() => clipboard(page), head).toBe(value)
  }
  expect(await copiedToast(page).count(), 'none beside another').toBeLessThan(2)

  await goTo(page, 'gclid') // empty: the clipboard stays
  await page.keyboard.press('Control+c')
  await see(() => clipboard(page)).toBe('https://roofs.example/barns')

  await page.keyboard.press('Home')
  await row(page, 'Ann')
    .locator('p span')
    .first()
    .evaluate((p) => getSelection()!.setBaseAndExtent(p.firstChild!, 7, p.firstChild!, 19))
  await page.keyboard.press('Control+c')
  await see(() => clipboard(page)).toBe('call me back')
  await page.evaluate(() => getSelection()!.removeAllRanges())

  const notes = row(page, 'Ann').getByLabel('Company Name')
  await notes.fill('Granite Works')
  await notes.evaluate((input: HTMLInputElement) => input.setSelectionRange(0, 7))
  await page.keyboard.press('Control+c')
  await see(() => clipboard(page)).toBe('Granite')

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Copy the cell').waitFor()
})

test('the leads table by week has the same keys, even for weeks that are not drawn yet', async () => {
  const page = await desk('/leads/table')
  await page.getByRole('region', { name: 'Leads Table' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await see(() => focusedCell(page)).toEqual(['th', 'Campaign', undefined])
  await page.keyboard.press('Control+c')
  await see(() => clipboard(page)).toBe('Roofs')
  await page.keyboard.press('End')
  const last = page.locator('[aria-colindex]:focus')
  const columns = Number(await page.getByRole('table').getAttribute('aria-colcount'))
  await see(() => last.getAttribute('aria-colindex')).toBe(String(columns))
  for (let presses = 1; presses <= 12; presses += 1) {
    await page.keyboard.press('ArrowLeft')
    // A week may have to be drawn before it gets the focus.
    await see(() => last.getAttribute('aria-colindex')).toBe(String(columns - presses))
  }
  // Weeks to come are empty; this one has begun.
  await page.keyboard.press('Control+c')
  await see(() => clipboard(page)).toMatch(/^\d+ \/ \d+$/)
})

test.each([
  ['loaded over plain http', 'undefined', 'The browser allows copying only on pages loaded over https'],
  [
    'to which the browser does not allow it',
    `{ writeText: () => Promise.reject(new Error("Failed to execute 'writeText' on 'Clipboard'")) }`,
    'The browser did not allow this page to copy. Select the text, and copy it yourself',
  ],
])('a page %s says why it does not copy', async (_, clipboard, said) => {
  await app.make.lead({
    campaign_id: campaign.id,
    lead_name: 'Dan',
    lead_phone: '+13035550101',
    occurred_at: new Date(),
  })
  const page = await visit(app, root, '/leads', {
    before: (page) =>
      page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: ${clipboard}, configurable: true })`),
  })
  await row(page, 'Dan').first().getByRole('button', { name: 'Copy phone' }).click()
  await errorToast(page).filter({ hasText: said }).waitFor()
})
