import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { leadDetailContract, maxRelatedShown } from '../contract.ts'

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'America/New_York' } }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))

const read = (who: Caller, id: number) => who.call(leadDetailContract.read, { params: { id } })

async function makeLead(timezone = 'America/Phoenix', values: Parameters<App['make']['lead']>[0] = {}) {
  const client = await app.make.client({ timezone })
  const campaign = await app.make.campaign({ client_id: client.id })
  const occurred_at = new Date('2026-01-02T03:04:00Z')
  const lead = await app.make.lead({ lead_name: 'Ann', occurred_at, ...values, campaign_id: campaign.id })
  return { campaign, lead }
}

test('a lead comes with its time in the client’s time zone, related leads and history [WORK-02]', async () => {
  const phone = { lead_phone: '+13035550101', phone_key: toPhoneKey('+13035550101') }
  const { campaign, lead } = await makeLead('America/Phoenix', phone)
  for (let count = 0; count <= maxRelatedShown; count += 1)
    await app.make.lead({ ...phone, lead_name: `Ann ${count}`, campaign_id: campaign.id, archived: count === 0 })
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { confirmed: 1 } })
  const { body } = await read(root, lead.id)
  expect(body).toMatchObject({
    id: lead.id,
    lead_name: 'Ann',
    lead_date: '2026-01-01',
    lead_time: '22:04',
    client_time: { date: '2026-01-01', time: '20:04', zone: 'MST' },
    recording_url: null,
    related: { meta: { total: maxRelatedShown + 1 } },
    history: {
      ...{ changes: [{ by: 'olivia' }], mails: [], ratings: [] },
      unmailed_because: 'This client has no email address',
    },
  })
  expect(body.related?.data).toHaveLength(maxRelatedShown)
  expect((await read(root, (await makeLead('America/Detroit')).lead.id)).body.client_time).toBe(null)
})

test('the recording’s URL comes with the lead; only playing it is audited [WORK-03]', async () => {
  const { lead } = await makeLead('America/New_York', {
    lead_type: 'Call',
    recording_url: 'https://app.callrail.com/calls/1',
  })
  const played = () => app.context.db.$count(auditTable, eq(auditTable.kind, 'recording'))
  const { body } = await read(root, lead.id)
  expect(body.recording_url).toMatch(new RegExp(`^/api/recording/${lead.id}/stream\\?`))
  expect(await played()).toBe(0)
  await root.call(recordingsContract.get, { params: { id: lead.id } })
  expect(await played()).toBe(1)
})

test('people who see the lead read the fields they may read; for others it does not exist', async () => {
  const { campaign, lead } = await makeLead()
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['archivedleads'] }))
  const { body } = await read(handler, lead.id)
  expect(body).toMatchObject({ lead_name: 'Ann', related: null, history: null })
  expect(body).not.toHaveProperty('tags')
  expect(body).not.toHaveProperty('source')
  const stranger = await app.as(await app.make.handler())
  expect((await read(stranger, lead.id)).status).toBe(404)
  const hidden = await app.make.lead({ campaign_id: campaign.id, hide: true })
  expect((await read(handler, hidden.id)).status).toBe(404)
  expect((await read(root, hidden.id)).status).toBe(200)
  const noPages = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: [] }))
  expect((await read(noPages, lead.id)).status).toBe(403)
})
