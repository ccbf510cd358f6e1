import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(
  startApp({
    settings: {
      TRUSTED_PROXIES: '127.0.0.1',
      ...callrail.settings,
    },
  }),
)

const recorded = {
  lead_type: 'Call',
  recording_url: 'https://app.callrail.com/calls/1?access_key=of-the-hook',
} as const

test('the key of a mail plays its call without signing in [RATE-12, LEAD-71]', async () => {
  const lead = await makeMailedLead(app, recorded)
  const before = await app.dump()
  const { body } = await lead.get()
  expect(JSON.stringify(body)).not.toMatch(/callrail|access_key/)
  const played = await app.guest.fetch(body.recording)
  expect([played.status, played.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  expect((await played.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  expect(await app.dump()).toBe(before)
})

test('the URL is valid for that lead only, and for ten minutes [LEAD-71]', async () => {
  const [lead, other] = [await makeMailedLead(app, recorded), await makeMailedLead(app, recorded)]
  const address: string = (await lead.get()).body.recording
  const status = async (changed: string) => (await app.guest.fetch(changed)).status
  const expires = Number(new URLSearchParams(address.split('?')[1]).get('expires'))
  expect(expires - Date.now()).toBeGreaterThan(9 * 60_000)
  expect(expires - Date.now()).toBeLessThanOrEqual(10 * 60_000)
  expect(await status(address.replace(`/${lead.id}/`, `/${other.id}/`))).toBe(403)
  expect(await status(address.replace(`expires=${expires}`, `expires=${expires + 1}`))).toBe(403)
  expect(await status(address.replace(/by=[^&]+/, `by=rating+key+${other.keyId}`))).toBe(403)
  const past = Date.now() - 1
  const signature = app.context.secrets.sign(`recording ${lead.id} rating key ${lead.keyId} ${past}`)
  const dead = new URLSearchParams({ by: `rating key ${lead.keyId}`, expires: String(past), signature })
  expect(await status(`/api/recording/${lead.id}/stream?${dead}`)).toBe(403)
})

test('a lead without a recording has no URL; a hidden lead or an expired key is refused', async () => {
  const without = await makeMailedLead(app, { lead_type: 'Call' })
  const { status, body } = await without.get()
  expect([status, body.recording]).toEqual([200, null])
  const hidden = await makeMailedLead(app, { ...recorded, hide: true })
  const expired = await makeMailedLead(app, recorded, { life: -1 })
  for (const lead of [hidden, expired]) {
    const { status, body } = await lead.get()
    expect([status, body]).toEqual([404, { message: 'Lead Not Found' }])
  }
})

test('an issued URL stops working when the lead is gone', async () => {
  const lead = await makeMailedLead(app, recorded)
  const address: string = (await lead.get()).body.recording
  await app.context.db.delete(leadsTable).where(eq(leadsTable.id, lead.id))
  expect((await app.guest.fetch(address)).status).toBe(404)
})
