import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { allLeadColumns } from '#test/factories.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())
let dana: Caller
let erin: Caller
beforeAll(async () => {
  dana = await app.as(await app.make.superAdmin(allLeadColumns))
  erin = await app.as(await app.make.superAdmin(allLeadColumns))
})

/** Makes leads of a new campaign, the newest first. */
async function makeLeads(...names: string[]) {
  const campaign = await app.make.campaign()
  const ids: number[] = []
  for (const [index, lead_name] of names.entries()) {
    const occurred_at = new Date(Date.now() - index * 60_000)
    ids.push((await app.make.lead({ campaign_id: campaign.id, lead_name, occurred_at })).id)
  }
  return { campaign, ids }
}
/** Opens a page and waits until the server tells it what changes. */
async function visitLive(path: string, options: Parameters<typeof visit>[3] = {}) {
  const page = await visit(app, dana, path, { ...options, alone: true })
  await see(page.streams).toBe(1)
  return page
}
const update = (id: number | undefined, body: object) =>
  erin.call(leadsContract.update, { params: { id: id ?? 0 }, body })
const rowOf = (page: Page, name: string) => page.locator('[data-index]').filter({ hasText: name })
const labelOf = (page: Page, name: string) => () =>
  rowOf(page, name).locator('xpath=descendant-or-self::*[@data-mark-label]').getAttribute('data-mark-label')

test('what another person changes shows in an open list, marked, and no row moves or leaves before a refresh [DESK-05]', async () => {
  const { campaign, ids } = await makeLeads('Ann', 'Bob', 'Cleo', 'Dora')
  const elsewhere = await app.make.campaign()
  const page = await visitLive(`/leads?campaign_ids=${campaign.id}&unmarked=1`, {
    before: (page) => page.clock.install(),
  })
  await rowOf(page, 'Cleo').waitFor()
  const reads = callsTo(page, 'GET /api/leads/list/data').length

  // It shows although no timer runs: how long that takes is the machine's matter.
  await page.clock.pauseAt(Date.now() + 60_000)
  await update(ids[0], { notes: 'Asked for a quote' })
  await see(labelOf(page, 'Ann')).toBe('Changed')
  await page.clock.resume()
  expect(await rowOf(page, 'Ann').getByLabel('Notes', { exact: true }).inputValue()).toBe('Asked for a quote')

  await update(ids[1], { confirmed: 1 })
  await erin.call(leadsContract.archive, { params: { id: ids[2]! } })
  await update(ids[3], { campaign_id: elsewhere.id })
  await see(labelOf(page, 'Bob')).toBe('No longer in this list')
  await see(labelOf(page, 'Cleo')).toBe('Archived')
  await see(labelOf(page, 'Dora')).toBe('Moved to another campaign')
  expect(await page.locator('tr[data-index]').allTextContents()).toHaveLength(4)
  expect(callsTo(page, 'GET /api/leads/list/data'), 'nothing is read for it').toHaveLength(reads)
  await page.reload()
  await rowOf(page, 'Ann').waitFor()
  await see(() => page.locator('tr[data-index]').count()).toBe(1)
})

test('an open lead shows what others change, beside its list and on its own page [DESK-05]', async () => {
  const { campaign, ids } = await makeLeads('Fay', 'Gus')
  const page = await visitLive(`/leads?campaign_ids=${campaign.id}&lead=${ids[0]}`)
  const pane = page.getByRole('complementary', { name: 'Lead Fay' })
  await pane.getByRole('button', { name: '+ Value' }).waitFor()
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await update(ids[0], { client_value: 1200, rating: '5' })
  await see(() => pane.getByLabel('Value', { exact: true }).inputValue()).toBe('$1,200')
  await pane.getByText('Changed', { exact: true }).waitFor()
  await see(labelOf(page, 'Fay')).toBe('Changed')

  const own = await visitLive(`/lead/${ids[1]}`)
  await own.getByRole('button', { name: '+ Notes' }).waitFor()
  await update(ids[1], { notes: 'Call after 5' })
  await see(() => own.getByLabel('Notes', { exact: true }).inputValue()).toBe('Call after 5')
  await own.getByText('Changed', { exact: true }).waitFor()
})

test('on a phone a card is marked, and one’s own verdict in another tab shows without a mark [DESK-05]', async () => {
  const { campaign, ids } = await makeLeads('Hal', 'Ivy')
  const page = await visitLive(`/leads?campaign_ids=${campaign.id}`, { viewport: { width: 390, height: 844 } })
  await rowOf(page, 'Ivy').waitFor()
  await dana.call(leadsContract.update, { params: { id: ids[1]! }, body: { confirmed: 1 } })
  await rowOf(page, 'Ivy').locator('xpath=self::*[@data-tint="verified"]').waitFor()
  await update(ids[0], { tags: [{ name: 'Low Value' }] })
  await see(labelOf(page, 'Hal')).toBe('Changed')
  await rowOf(page, 'Hal').getByText('Low Value').waitFor()
  expect(await rowOf(page, 'Ivy').getAttribute('data-mark')).toBeNull()
})
