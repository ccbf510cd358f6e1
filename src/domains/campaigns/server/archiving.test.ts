import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { setUp, startApp } from '#test/app.ts'
import { sendForm } from '#test/provider-hooks.ts'
import { type CampaignOption, campaignsContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const move = (call: 'archive' | 'unarchive', id: number) => root.call(campaignsContract[call], { params: { id } })
const trail = async (id: number) =>
  (
    await app.context.db.execute(
      sql`select before, after from audit where kind = 'campaign' and row_id = ${id} order by audit.id`,
    )
  ).rows

test('archiving and restoring move it between the lists; repeating changes nothing [CAMP-44] [CAMP-45]', async () => {
  const { id } = await app.make.campaign()
  expect((await move('archive', id)).body).toMatchObject({ id, archived: 1 })
  expect((await move('archive', id)).body).toMatchObject({ id, archived: 1 })
  const isIn = async (list: 'list' | 'archived') =>
    (await root.call(campaignsContract[list])).body.data.some((row: { id: number }) => row.id === id)
  expect([await isIn('list'), await isIn('archived')]).toEqual([false, true])
  expect((await move('unarchive', id)).body).toMatchObject({ id, archived: 0 })
  expect((await move('unarchive', id)).status).toBe(200)
  expect([await isIn('list'), await isIn('archived')]).toEqual([true, false])
  expect(await trail(id)).toEqual([
    { before: { archived: false }, after: { archived: true } },
    { before: { archived: true }, after: { archived: false } },
  ])
})

test('an archived campaign is marked for the pickers; its leads keep coming in, are counted and shown [CAMP-54]', async () => {
  const campaign = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: campaign.id, key: 'the key of the form' })
  await move('archive', campaign.id)
  const { body: pickable } = await root.call(campaignsContract.all)
  expect(pickable.find((one: CampaignOption) => one.id === campaign.id)).toMatchObject({ archived: 1 })
  await sendForm(app, site.id, 'the key of the form', { id: 1, name: 'Late Comer', email: 'late@example.com' })
  await processInbox(app.context)
  const query = { campaign_ids: campaign.id }
  const list = await root.call(leadsContract.list, { query })
  expect(list.body).toMatchObject({ data: [{ campaign_id: campaign.id }], meta: { total: 1 } })
  expect((await root.call(leadsContract.statistic, { query })).body.countByType).toEqual({ Form: 1, Call: 0 })
})

test('a campaign whose client was removed cannot be restored until it has another one', async () => {
  const client = await app.make.client({ deleted_at: new Date() })
  const { id } = await app.make.campaign({ client_id: client.id, archived: true })
  const before = await app.dump()
  expect(await move('unarchive', id)).toMatchObject({
    status: 409,
    body: { message: 'The client of this campaign was removed; give the campaign another one first' },
  })
  expect(await app.dump()).toBe(before)
})
