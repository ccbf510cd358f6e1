import { expect, test } from 'vitest'
import { type LeadStatistic, leadsContract } from '#domains/leads/contract.ts'
import { type CheckFilterName, checkFilters } from '#domains/leads/filters.ts'
import {
  answeringStatuses,
  type LeadTag,
  leadTags,
  leadTypes,
  noCampaignId,
  trafficSources,
} from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'

/**
 * Four hundred random leads, queried in random ways. The expected list and badges are counted here from the rows, one rule of the
 * specification after the other, without `facets`.
 */
type Row = typeof leadsTable.$inferSelect
type Query = Record<string, string | number>

const random = seeded(20_260_301)

const app = await setUp(startApp())
const campaigns = [await app.make.campaign(), await app.make.campaign(), await app.make.campaign()]
const theirs = campaigns.slice(0, 2).map(({ id }) => id)
const superAdmin = await app.as(await app.make.superAdmin())
const handler = await app.as(await app.make.handler({ campaigns: theirs }))
const places = [...campaigns.map(({ id }) => id), noCampaignId]
await app.make.leads(Array.from({ length: 400 }, (_, number) => randomLead(number, pick(places))))
const readRows = (): Promise<Row[]> => app.context.db.select().from(leadsTable)

test('list, archive and badges agree with a count by hand for any filters [LEAD-53, LEAD-54, LEAD-58, LEAD-59, LEAD-60, LEAD-73]', async () => {
  const rows = await readRows()
  for (let round = 0; round < 40; round++) {
    const query = randomQuery()
    const archived = round % 4 === 3
    const mine = rows.filter((row) => row.archived === archived)
    await agrees(superAdmin, mine, query, archived)
  }
})

test('a handler counts and lists exactly what they may see: their campaigns, nothing hidden (R3) [PERM-04, PERM-13]', async () => {
  const visible = (await readRows()).filter((row) => theirs.includes(row.campaign_id) && !row.hide)
  for (let round = 0; round < 12; round++) {
    const { source: _admins, ...query } = randomQuery()
    await agrees(
      handler,
      visible.filter((row) => !row.archived),
      query,
      false,
    )
  }
})

test('without any filter every badge counts every lead that has it [LEAD-58, LEAD-59]', async () => {
  await agrees(
    superAdmin,
    (await readRows()).filter((row) => !row.archived),
    {},
    false,
  )
})

test('a badge shows what choosing it would give [LEAD-73]', async () => {
  const query = { answering_status: 'Answered', confirmed: 1 }
  const { body } = await superAdmin.call(leadsContract.statistic, { query })
  for (const status of answeringStatuses) {
    const chosen = await superAdmin.call(leadsContract.list, { query: { ...query, answering_status: status } })
    expect(chosen.body.meta.total).toBe(body.countByAnsweringStatus[status])
  }
  const unverified = await superAdmin.call(leadsContract.list, { query: { answering_status: 'Answered', unmarked: 1 } })
  const badges = await superAdmin.call(leadsContract.statistic, { query: { answering_status: 'Answered' } })
  expect(badges.body.unmarkedCount).toBe(unverified.body.meta.total)
})

test('the sources are counted for admins only [LEAD-58]', async () => {
  expect((await superAdmin.call(leadsContract.statistic)).body).toHaveProperty('countBySource')
  expect((await handler.call(leadsContract.statistic)).body).not.toHaveProperty('countBySource')
})

test('without ratings there is no average, and money adds up to the cent [API-04]', async () => {
  const campaign = await app.make.campaign()
  const query = { campaign_ids: campaign.id }
  const empty = await superAdmin.call(leadsContract.statistic, { query })
  expect(empty.body).toMatchObject({ averageRating: null, totalValue: 0, totalWonProfit: 0 })
  for (const client_value of [0.1, 0.2, 0.7, 9_999_999_999.99])
    await app.make.lead({
      campaign_id: campaign.id,
      client_value,
      client_progress: 1,
      rating: client_value > 1 ? 5 : 4,
    })
  const { body } = await superAdmin.call(leadsContract.statistic, { query })
  expect(body).toMatchObject({ totalValue: 10_000_000_000.99, totalWonValue: 10_000_000_000.99, averageRating: 4.25 })
})

test('the answering status is what the call was, and forms have none [LEAD-74]', async () => {
  const campaign_id = (await app.make.campaign()).id
  const call = { campaign_id, lead_type: 'Call' } as const
  const expected = [
    [{ ...call, answered: true, duration: 5 }, 'Answered'],
    [{ ...call, answered: true, tags: ['Missed Call'] }, 'Missed'],
    [{ ...call, answered: false, tags: ['Auto Missed Call'] }, 'Missed'],
    [{ ...call, answered: false, duration: 14 }, 'Abandoned'],
    [{ ...call, answered: false, duration: 15 }, 'Unanswered'],
    [{ ...call, answered: false, duration: 14, voicemail: true }, 'Unanswered'],
    [{ ...call, answered: false, duration: 90, call_type: 'abandoned' }, 'Abandoned'],
    [{ campaign_id, lead_type: 'Form', tags: ['Missed Call'] }, null],
  ] satisfies [Parameters<typeof app.make.lead>[0], string | null][]
  for (const [values, status] of expected) {
    const { id } = await app.make.lead(values)
    const { body } = await superAdmin.call(leadsContract.list, { query: { campaign_ids: campaign_id } })
    expect(body.data.find((lead: { id: number }) => lead.id === id).answering_status).toBe(status)
  }
  const { body } = await superAdmin.call(leadsContract.statistic, { query: { campaign_ids: campaign_id } })
  expect(body.countByAnsweringStatus).toEqual({ Abandoned: 2, Answered: 1, Unanswered: 2, Missed: 2 })
})

// ——— counted by hand ———

async function agrees(caller: Caller, mine: Row[], query: Query, archived: boolean) {
  const badges = await caller.call(archived ? leadsContract.archivedStatistic : leadsContract.statistic, { query })
  expect(badges.status).toBe(200)
  expect(badges.body, JSON.stringify(query)).toEqual(badgesByHand(mine, query, badges.body.countBySource !== undefined))
  const list = await caller.call(archived ? leadsContract.archived : leadsContract.list, {
    query: { ...query, per_page: 200 },
  })
  const matching = mine.filter((row) => Object.entries(query).every(([name, value]) => matches(row, name, value)))
  expect(list.body.meta.total).toBe(matching.length)
  const ids = list.body.data.map(({ id }: { id: number }) => id)
  const inOrder = matching.sort((a, b) => b.occurred_at.getTime() - a.occurred_at.getTime() || b.id - a.id)
  expect(ids).toEqual(inOrder.slice(0, 200).map(({ id }) => id))
}

function badgesByHand(mine: Row[], query: Query, withSources: boolean): LeadStatistic {
  const others = (own: string) =>
    mine.filter((row) => Object.entries(query).every(([name, value]) => name === own || matches(row, name, value)))
  const counts = <Key extends string>(group: string, keys: readonly Key[]) =>
    Object.fromEntries(
      keys.map((key) => [key, others(group).filter((row) => matches(row, group, key)).length]),
    ) as Record<Key, number>
  const having = (check: CheckFilterName) => others(check).filter((row) => matches(row, check, 1))
  const sum = (check: CheckFilterName, field: 'client_value' | 'client_profit') =>
    having(check).reduce((cents, row) => cents + Math.round((row[field] ?? 0) * 100), 0) / 100
  const rated = having('rating').map((row) => row.rating ?? 0)
  return {
    countByType: counts('lead_type', leadTypes),
    countByAnsweringStatus: counts('answering_status', answeringStatuses),
    countByClientProgress: counts('client_progress', ['1', '2', '3', '4', '5']),
    ...(withSources && { countBySource: counts('source', trafficSources) }),
    confirmedCount: having('confirmed').length,
    unmarkedCount: having('unmarked').length,
    firstCallCount: having('first_call').length,
    voiceMailCount: having('voicemail').length,
    voiceMailIssuesCount: having('voicemail_issues').length,
    totalValue: sum('value', 'client_value'),
    totalProfit: sum('profit', 'client_profit'),
    totalWonValue: sum('won_value', 'client_value'),
    totalWonProfit: sum('won_profit', 'client_profit'),
    averageRating: rated.length === 0 ? null : Math.round((rated.reduce((a, b) => a + b) * 100) / rated.length) / 100,
    noFeedbackCount: having('no_feedback').length,
    notRatedCount: having('not_rated').length,
  }
}

function matches(row: Row, name: string, value: string | number): boolean {
  switch (name) {
    case 'campaign_ids':
      return String(value).split(',').includes(String(row.campaign_id))
    case 'date_from':
      return row.occurred_at >= new Date(`${value}T05:00:00Z`) // the random leads are in winter: UTC-5
    case 'date_to':
      return row.occurred_at < new Date(new Date(`${value}T05:00:00Z`).getTime() + 86_400_000)
    case 'lead_type':
      return row.lead_type === value
    case 'answering_status':
      return statusByHand(row) === value
    case 'client_progress':
      return String(row.client_progress) === value
    case 'source':
      return row.source === value
    default:
      return checked[name as CheckFilterName](row)
  }
}

function statusByHand(row: Row) {
  if (row.lead_type === 'Form') return null
  if (row.tags.includes('Missed Call') || row.tags.includes('Auto Missed Call')) return 'Missed'
  if (row.answered) return 'Answered'
  return row.call_type === 'abandoned' || (!row.voicemail && (row.duration ?? 0) < 15) ? 'Abandoned' : 'Unanswered'
}

const checked: Record<CheckFilterName, (row: Row) => boolean> = {
  confirmed: (row) => row.confirmed,
  unmarked: (row) => !row.confirmed && row.tags.length === 0 && !row.hide,
  first_call: (row) => row.first_call,
  voicemail: (row) => row.tags.includes('Voicemail'),
  voicemail_issues: (row) => row.tags.includes('Voicemail Issues'),
  value: (row) => row.client_value !== null,
  profit: (row) => row.client_profit !== null,
  won_value: (row) => row.client_value !== null && row.client_progress === 1,
  won_profit: (row) => row.client_profit !== null && row.client_progress === 1,
  rating: (row) => row.rating !== null,
  no_feedback: (row) =>
    [row.rating, row.client_progress, row.client_value, row.client_profit, row.company_name, row.client_notes].every(
      (field) => field === null,
    ),
  not_rated: (row) => row.rating === null,
}

// ——— seeded random, the same in every run ———

function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
function pick<T>(list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}
function perhaps<T>(chance: number, value: () => T): T | null {
  return random() < chance ? value() : null
}
function day() {
  return `2026-01-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`
}

function randomLead(number: number, campaign_id: number): typeof leadsTable.$inferInsert {
  const lead_type = pick(leadTypes)
  return {
    campaign_id,
    lead_s: 'Callrail',
    lead_id: `random-${number}`,
    lead_type,
    occurred_at: new Date(`${day()}T${String(Math.floor(random() * 24)).padStart(2, '0')}:00:00Z`),
    duration: perhaps(0.8, () => Math.floor(random() * 40)),
    answered: perhaps(0.9, () => random() < 0.5),
    voicemail: random() < 0.3,
    call_type: perhaps(0.2, () => 'abandoned'),
    tags: random() < 0.5 ? [] : [...new Set<LeadTag>([pick(leadTags), pick(leadTags)])],
    confirmed: random() < 0.4,
    hide: random() < 0.2,
    archived: random() < 0.3,
    first_call: random() < 0.5,
    client_progress: perhaps(0.6, () => 1 + Math.floor(random() * 5)),
    company_name: perhaps(0.1, () => 'Company'),
    client_notes: perhaps(0.1, () => 'Notes'),
    client_value: perhaps(0.4, () => Math.floor(random() * 1e6) / 100),
    client_profit: perhaps(0.4, () => Math.floor(random() * 1e6) / 100),
    rating: perhaps(0.4, () => 1 + Math.floor(random() * 5)),
    source: perhaps(0.8, () => pick([...trafficSources, 'Bing Organic'])),
  }
}

function randomQuery(): Query {
  const [from, to] = [day(), day()].sort() as [string, string]
  const radios: [string, () => string][] = [
    ['lead_type', () => pick(leadTypes)],
    ['answering_status', () => pick(answeringStatuses)],
    ['client_progress', () => pick(['1', '2', '3', '4', '5'])],
    ['source', () => pick(trafficSources)],
    ['campaign_ids', () => theirs.join(',')],
    ['date_from', () => from],
    ['date_to', () => to],
  ]
  const chosen = radios.filter(() => random() < 0.2).map(([name, value]) => [name, value()])
  const ticked = Object.keys(checkFilters).filter(() => random() < 0.1)
  return Object.fromEntries([...chosen, ...ticked.map((name) => [name, 1])])
}
