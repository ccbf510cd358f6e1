import { expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { spamContract } from '../contract.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())
await app.make.clientSite({ callrail_campaign_identifier: 'COM1' })
const site = await app.make.clientSite({ key: 'key-of-the-form' })

const keywords = ['café', 'free money', 'seo*', '$$$', 'Straße', 'roof leak', '100%', '無料']
const messages = [
  'A CAFE on the corner',
  'cafeteria',
  'Free\n  MONEY for you',
  'freemoney',
  'SEOs and seo experts',
  'museo',
  'Only $$$ today',
  'Die STRASSE',
  'Die Straße',
  'roof\tleak, please call',
  'roof leaks',
  'It is 100% free',
  'cafe\u0301 au lait',
  '無料です',
  '',
  'Nothing to see here',
]
const names = ['Café Owner', 'Seo Kim', 'Jane Sample', 'Free Money Inc']

/** Sends every message and name once, and returns the leads by what was sent. */
async function sendAll(round: string) {
  const before = new Set((await app.context.db.select().from(leadsTable)).map(({ id }) => id))
  const start_time = new Date().toISOString()
  for (const [nth, message] of messages.entries()) {
    const body = { item_id: `${round}-${nth}`, name: 'Jane', message }
    expect((await sendForm(app, site.id, 'key-of-the-form', body)).status).toBe(200)
  }
  for (const customer_name of names)
    expect((await sendCallRail(app, postCall({ customer_name, start_time }))).status).toBe(200)
  await waitForIntake(app)
  const leads = (await app.context.db.select().from(leadsTable)).filter(({ id }) => !before.has(id))
  expect(leads).toHaveLength(messages.length + names.length)
  return leads.map(({ id, lead_type, message, lead_name, tags }) => ({
    id,
    tags,
    sent: `${lead_type} ${lead_type === 'Form' ? (message ?? '') : lead_name}`,
  }))
}

test('exactly the leads that a rehearsal hits are tagged when they are sent again as hooks [RULE-02, RULE-05]', async () => {
  const first = await sendAll('1')
  const byId = new Map(first.map(({ id, sent }) => [id, sent]))
  const { body } = await root.call(spamContract.rehearseKeywords, { body: { keywords: keywords.join('\n') } })
  const rehearsed = body.leads.map(({ id }: { id: number }) => byId.get(id)).sort()
  expect(rehearsed).toHaveLength(body.hits)
  expect(body.hits).toBeGreaterThan(8)
  await root.call(spamContract.saveKeywords, { body: { keywords: keywords.join('\n'), confirmed: true } })
  const second = await sendAll('2')
  const tagged = second.filter(({ tags }) => tags.includes('BLSpam')).map(({ sent }) => sent)
  expect(tagged.sort()).toEqual(rehearsed)
})
