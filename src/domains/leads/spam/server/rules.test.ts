import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads } from '#domains/leads/model/store.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { spamContract } from '../contract.ts'

let app: App
let root: Caller
let admin: Caller
let campaign: { id: number }
beforeEach(async () => {
  await app?.close()
  app = await startApp()
  campaign = await app.make.campaign()
  root = await app.as(await app.make.superAdmin({ username: 'root' }))
  admin = await app.as(await app.make.admin({ permissions: ['leads'], campaigns: [campaign.id] }))
})
afterAll(() => app.close())

const save = (keywords: string, more: object = {}) =>
  root.call(spamContract.saveKeywords, { body: { keywords, ...more } })
const rules = async () => (await root.call(spamContract.rules)).body
const makeLead = (values: Parameters<App['make']['lead']>[0]) => app.make.lead({ campaign_id: campaign.id, ...values })
const addLead = async (message: string) => {
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const body = {
    campaign_id: campaign.id,
    clientsite_id: site.id,
    lead_type: 'Form',
    lead_id: crypto.randomUUID(),
    lead_date: '2026-03-16',
    lead_time: '12:00',
    message,
  }
  const answer = await root.call(leadFormContract.create, { body })
  expect(answer.status).toBe(200)
  return answer.body
}

test('each keyword is a row with its creator, time and hits, in one sequence with spammers [RULE-01]', async () => {
  await save('casino\nfree money', { confirmed: true })
  const { body: spammer } = await root.call(spamContract.addSpammer, {
    body: { name: 'Robo', email: 'robo@a.example' },
  })
  expect(await rules()).toMatchObject([
    { keyword: 'casino', created_by: 'root', hits: 0, last_hit_at: null, wrong: 0 },
    { keyword: 'free money', created_by: 'root' },
    { id: spammer.id, spammer: 'Robo', created_by: 'root', hits: 0 },
  ])
  const ids = (await rules()).map(({ id }: { id: number }) => id)
  expect(new Set(ids).size).toBe(3)

  const lead = await addLead('Free  MONEY at the casino')
  expect(lead).toMatchObject({ hide: 1, tags: [{ name: 'BLSpam', because: "keyword 'casino'" }] })
  await addLead('Free casinos')
  const hit = await rules()
  expect(hit.map((rule: { hits: number }) => rule.hits)).toEqual([1, 1, 0])
  expect(Date.parse(hit[0].last_hit_at)).toBeGreaterThan(Date.now() - 60_000)
  await app.context.db.update(leadsTable).set({ hide: false }).where(eq(leadsTable.id, lead.id))
  expect((await rules())[0].wrong).toBe(1)
})

test('a lead that the undo of an import deletes is no hit any more [RULE-01]', async () => {
  await save('casino', { confirmed: true })
  const [kept, deleted] = [await addLead('A casino'), await addLead('Another casino')]
  expect(await rules()).toMatchObject([{ hits: 2 }])
  expect(await app.context.db.transaction((tx) => deleteUntouchedLeads(tx, [deleted.id]))).toEqual([deleted.id])
  expect(await rules()).toMatchObject([{ hits: 1 }])
  expect(kept.hide).toBe(1)
})

test('a row survives other saves, also in another order and another case [RULE-01]', async () => {
  await save('casino\nmoney', { confirmed: true })
  const [casino, money] = await rules()
  await admin.call(spamContract.saveKeywords, { body: { keywords: 'loans\nMoney\ncasino', confirmed: true } })
  const after = await rules()
  expect(after).toMatchObject([{ keyword: 'loans' }, { ...money, keyword: 'Money' }, casino])
  expect(after[0].created_by).not.toBe('root')
  await save('loans')
  expect(await rules()).toEqual([after[0]])
})

test('a new keyword that is under three letters or hits over 5% of the leads is refused with its numbers until confirmed [RULE-03]', async () => {
  for (let nth = 0; nth < 20; nth++) await makeLead({ message: nth < 2 ? 'about a roof' : `message ${nth}` })
  await makeLead({ message: 'roof', occurred_at: new Date(Date.now() - 400 * 86_400_000) })
  const before = await app.dump()
  const refused = await save('a\nroof\nharmless\nse*')
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    {
      keywords: [
        '"a" has fewer than 3 letters and hits 2 of 20 leads of the last 12 months (10%)',
        '"roof" hits 2 of 20 leads of the last 12 months (10%)',
        '"se*" has fewer than 3 letters and hits 0 of 20 leads of the last 12 months (0%)',
      ],
    },
  ])
  expect(await app.dump()).toBe(before)
  expect((await save('a\nroof\nharmless', { confirmed: true })).status).toBe(200)
  expect((await save('a\nroof')).status).toBe(200) // they are already on the list
})

test('the 5% are of the leads that the caller sees [RULE-03]', async () => {
  for (let nth = 0; nth < 30; nth++) await app.make.lead({ message: 'elsewhere' })
  await makeLead({ message: 'roof' })
  const answer = await admin.call(spamContract.saveKeywords, { body: { keywords: 'roof' } })
  expect(answer.body.errors.keywords).toEqual(['"roof" hits 1 of 1 lead of the last 12 months (100%)'])
  expect((await save('roof')).status).toBe(200)
})

test('a rehearsal returns what keywords would have hit, hidden and archived leads included [RULE-02]', async () => {
  const other = await app.make.campaign()
  const won = await makeLead({ message: 'A Café roof', client_progress: 1, client_value: 1200.5, confirmed: true })
  const hidden = await makeLead({ last_url: 'https://a.example/?q=cafe', hide: true })
  const archived = await makeLead({ lead_name: 'CAFE', archived: true })
  await makeLead({ message: 'cafeteria' })
  await makeLead({ message: 'cafe', occurred_at: new Date(Date.now() - 400 * 86_400_000) })
  const elsewhere = await app.make.lead({ campaign_id: other.id, message: 'café' })
  const before = await app.dump()
  const { body } = await root.call(spamContract.rehearseKeywords, { body: { keywords: 'café\nnothing' } })
  expect(body).toMatchObject({ hits: 4, of: 5, verified: 1, won: 1, value: 1200.5 })
  expect(body.campaigns).toMatchObject([
    { id: campaign.id, hits: 3 },
    { id: other.id, hits: 1 },
  ])
  const ids = (leads: { id: number }[]) => leads.map(({ id }) => id).sort((a, b) => a - b)
  expect(ids(body.leads)).toEqual([won.id, hidden.id, archived.id, elsewhere.id])
  const mine = await admin.call(spamContract.rehearseKeywords, { body: { keywords: 'café' } })
  expect(mine.body).toMatchObject({ hits: 3, of: 4, campaigns: [{ id: campaign.id }] })
  expect(await app.dump()).toBe(before)
})

test('a rehearsal of a spammer finds the phone however it is written, and the email in any case [RULE-02]', async () => {
  await makeLead({ lead_phone: '(512) 555-0144', phone_key: '+15125550144' })
  await makeLead({ lead_email: 'Robo@A.example' })
  await makeLead({ lead_email: 'other@a.example' })
  const rehearse = (body: object) => root.call(spamContract.rehearseSpammer, { body })
  expect((await rehearse({ phone: '+1 512-555-0144' })).body).toMatchObject({ hits: 1, of: 3 })
  expect((await rehearse({ phone: '+1 512-555-0144', email: 'ROBO@a.example' })).body).toMatchObject({ hits: 2 })
  expect((await rehearse({ phone: ' ', email: null })).status).toBe(422)
})
