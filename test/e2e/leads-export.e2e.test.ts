import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { allLeadColumns } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { callsTo, errorToast, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
const campaign = await app.make.campaign()
// More than the network buffers hold: the server waits until it is read. Few rows, which take it longer than their length.
await app.context.db.execute(sql`
    insert into leads (campaign_id, lead_s, lead_id, lead_type, occurred_at, message)
    select ${campaign.id}, 'Formidable', 'many-' || n, 'Form', now(), repeat('x', 4000) from generate_series(1, 5000) n`)

/** Holds every export on the server until released, at the latest after the test, like a slow database. */
async function holdExports() {
  const client = await app.context.pool.connect()
  await client.query('begin')
  await client.query('lock table leads in access exclusive mode')
  let isHeld = true
  const letGo = async () => {
    if (!isHeld) return
    isHeld = false
    await client.query('rollback')
    client.release()
  }
  onTestFinished(letGo)
  return letGo
}
const isExporting = async () => {
  const { rows } = await app.context.db.execute(
    sql`select from pg_locks where locktype = 'advisory' and classid = 7318202`,
  )
  return rows.length > 0
}
const open = async (who: Caller) => {
  const page = await visit(app, who, '/leads')
  await page.locator('tr[data-index]').first().waitFor()
  return page
}
const progress = 'leads.csv'

test('an export continues on other screens, and says when it is saved [LEAD-67]', async () => {
  const page = await open(await app.as(await app.make.superAdmin({ ...allLeadColumns })))
  const letGo = await holdExports()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByText(progress).waitFor()
  await page.getByRole('link', { name: 'Campaign Categories' }).click()
  await page.getByRole('heading', { name: 'Campaign Categories' }).waitFor()
  await see(() => page.getByText('Preparing…').count()).toBe(1)
  await letGo()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text.match(/many-|x{4000}/g)?.length).toBe(5000)
  await page.getByText(/MB saved/).waitFor()
  expect(await isExporting()).toBe(false)
})

test('the focus is still on Export when the file is saved', async () => {
  const page = await open(await app.as(await app.make.superAdmin()))
  const letGo = await holdExports()
  const exportButton = page.getByRole('button', { name: 'Export' })
  await exportButton.press('Enter')
  await see(() => exportButton.isDisabled()).toBe(true)
  await letGo()
  await page.getByText(/MB saved/).waitFor()
  await see(() => exportButton.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('an export can be cancelled from its toast on any screen, and ends on the server too [LEAD-67]', async () => {
  const page = await open(await app.as(await app.make.superAdmin({ ...allLeadColumns })))
  const letGo = await holdExports()
  const button = page.getByRole('button', { name: 'Export' })
  await button.click()
  await until(isExporting)
  await page.getByRole('link', { name: 'Campaign Categories' }).click()
  await page.getByRole('heading', { name: 'Campaign Categories' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Canceled').waitFor()
  await letGo()
  await until(async () => !(await isExporting()))
  expect(await errorToast(page).count()).toBe(0)
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await Promise.all([page.waitForEvent('download'), button.click()])
})

test('one at a time: the second is refused with the server’s words [LEAD-67]', async () => {
  const who = await app.as(await app.make.superAdmin({ ...allLeadColumns }))
  const [first, second] = [await open(who), await open(who)]
  const letGo = await holdExports()
  const saved = first.waitForEvent('download')
  await first.getByRole('button', { name: 'Export' }).click()
  await until(isExporting)
  await second.getByRole('button', { name: 'Export' }).click()
  await see(() => errorToast(second).allInnerTexts()).toEqual(['An export of yours is still running'])
  expect(await second.getByText('Preparing…').count()).toBe(0)
  await letGo()
  await saved
  expect(callsTo(first, 'POST /api/lead/export')).toHaveLength(1)
})
