import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { ruleHitsTable } from '#domains/leads/spam/schema.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { makeReceivedLeads, type ReceivedLead } from '#test/received-leads.ts'
import { signalFindingsTable, signalsTable } from '../schema.ts'
import { reviewRules } from './review-rules.ts'
import { runSignals } from './runner.ts'

let app: App
let root: Caller
let campaign: { id: number }
beforeEach(async () => {
  await app?.close()
  app = await startApp()
  campaign = await app.make.campaign()
  root = await app.as(await app.make.superAdmin())
})
afterAll(() => app.close())

const receiveLead = async (values: ReceivedLead) => (await makeReceivedLeads(app, campaign.id, [values]))[0]!
const receiveCall = (values: ReceivedLead) =>
  receiveLead({ lead_type: 'Call', lead_s: 'Callrail', occurred_at: new Date('2026-03-17T18:00Z'), ...values })
const save = (...keywords: string[]) =>
  root.call(spamContract.saveKeywords, { body: { keywords: keywords.join('\n'), confirmed: true } })
const rules = async () => (await root.call(spamContract.rules)).body
const put = async (id: number, body: object) =>
  expect((await root.call(leadsContract.update, { params: { id }, body })).status).toBe(200)
const findings = () => app.context.db.select().from(signalFindingsTable)

test('leads that a rule hid count against it if they are verified, unhidden, rated 4 or 5, or call again and are answered [RULE-05]', async () => {
  await save('casino', 'loans', 'quiet')
  const receive = (more: ReceivedLead = {}) => receiveLead({ message: 'casino', ...more })
  await put(await receive(), { confirmed: 1 })
  await put(await receive(), { hide: 0 })
  await put(await receive(), { rating: '4' })
  await put(await receive(), { rating: '3' })
  await receive()
  expect((await rules())[0]).toMatchObject({ keyword: 'casino', hits: 5, wrong: 3 })

  await receive({ lead_phone: '+1 512-555-0101' })
  await receive({ lead_phone: '+1 512-555-0102' })
  await receive({ lead_phone: '+1 512-555-0103' })
  await receive({ lead_phone: '+1 512-555-0104', occurred_at: new Date('2026-03-18T18:00Z') })
  await receive({ lead_phone: '+1 512-555-0105', message: 'casino loans' })
  await receiveCall({ lead_phone: '(512) 555-0101', answered: false, call_type: 'missed' })
  await receiveCall({ lead_phone: '(512) 555-0102', answered: true, campaign_id: (await app.make.campaign()).id })
  await receiveCall({ lead_phone: '(512) 555-0103', answered: true, lead_name: 'Casino' }) // hidden as well
  await receiveCall({ lead_phone: '(512) 555-0104', answered: true }) // an earlier call
  expect((await rules())[0]).toMatchObject({ hits: 11, wrong: 3 })
  await receiveCall({ lead_phone: '5125550105', answered: true })
  expect(await rules()).toMatchObject([
    { keyword: 'casino', hits: 11, wrong: 4 },
    { keyword: 'loans', hits: 1, wrong: 1 },
    { keyword: 'quiet', hits: 0, wrong: 0 },
  ])
})

test('the nightly review reports a rule that hides good leads, until it no longer does [RULE-05]', async () => {
  await save('casino')
  const { id: spammer } = (
    await root.call(spamContract.addSpammer, { body: { name: 'Robo', email: 'robo@a.example' } })
  ).body
  const good = await receiveLead({ lead_email: 'robo@a.example' })
  await receiveLead({ lead_email: 'robo@a.example' })
  await receiveLead({ message: 'casino' })
  await reviewRules(app.context)
  expect(await findings()).toEqual([])
  await put(good, { confirmed: 1 })
  await reviewRules(app.context)
  await reviewRules(app.context)
  expect(await findings()).toMatchObject([
    {
      kind: 'rule_hides_good_leads',
      subject_type: 'rule',
      subject_id: String(spammer),
      subject_label: 'spammer Robo',
      campaign_id: null,
      title: 'The spammer Robo hides good leads',
      severity: 'warning',
      evidence: { hits: 2, wrong: 1, leads: [good], says: expect.stringMatching(/^1 of the 2 leads/) },
    },
  ])
  const openSignals = async () => {
    await runSignals(app.context)
    return app.context.db.$count(signalsTable, sql`kind = 'rule_hides_good_leads' and closed_at is null`)
  }
  expect(await openSignals()).toBe(1)
  await root.call(spamContract.removeSpammer, { params: { id: spammer } })
  expect(await openSignals(), 'a removed rule hides nothing more').toBe(0)
  await reviewRules(app.context)
  expect(await findings()).toEqual([])
  await root.call(spamContract.addSpammer, { body: { name: 'One', email: 'one@a.example' } })
  await put(await receiveLead({ lead_email: 'one@a.example' }), { confirmed: 1 })
  await reviewRules(app.context)
  expect((await findings()).map(({ evidence }) => evidence.says)).toEqual([
    expect.stringMatching(/^The only lead that/),
  ])
})

test('hits and mistakes cover the last 12 months, the last hit all time [RULE-05]', async () => {
  await save('casino')
  const old = await receiveLead({ message: 'casino' })
  await put(old, { confirmed: 1 })
  await app.context.db
    .update(ruleHitsTable)
    .set({ hit_at: sql`now() - interval '13 months'` })
    .where(eq(ruleHitsTable.lead_id, old))
  const [rule] = await rules()
  expect(rule).toMatchObject({ hits: 0, wrong: 0 })
  expect(Date.parse(rule.last_hit_at)).toBeLessThan(Date.now() - 365 * 86_400_000)
})

test('suggested words are in leads tagged Spam by hand but not in others, and hit no verified lead [RULE-05]', async () => {
  const suggest = async (caller = root) => (await caller.call(spamContract.suggestKeywords)).body
  const occurred_at = new Date(Date.now() - 86_400_000)
  const make = (message: string, more: Parameters<App['make']['lead']>[0] = {}) =>
    app.make.lead({ campaign_id: campaign.id, message, occurred_at, ...more })
  for (let nth = 0; nth < 8; nth++) {
    await make('Buy BÁCKLINKS and crypto for your website today', { tags: ['Spam'], hide: true })
    for (let other = 0; other < 4; other++) await make('My roof leaks and I need a quote for your service today')
  }
  await make('I sell crypto, and my roof leaks', { confirmed: true })
  const found = await suggest()
  const words = found.map(({ keyword }: { keyword: string }) => keyword)
  expect(words).toEqual(expect.arrayContaining(['backlinks', 'website', 'buy']))
  for (const word of ['crypto', 'roof', 'and', 'for', 'your', 'today']) expect(words).not.toContain(word)
  expect(found.find(({ keyword }: { keyword: string }) => keyword === 'backlinks')).toMatchObject({
    spam: 8,
    others: 0,
    hits: 8,
    score: expect.any(Number),
  })
  await save('backlink*')
  expect((await suggest()).map(({ keyword }: { keyword: string }) => keyword)).not.toContain('backlinks')
  const stranger = await app.as(await app.make.admin({ permissions: ['leads'], campaigns: [] }))
  expect(await suggest(stranger)).toEqual([])
  expect(await app.context.db.$count(leadsTable)).toBe(41)
})
