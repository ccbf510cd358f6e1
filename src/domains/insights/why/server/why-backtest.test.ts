import { expect, test } from 'vitest'
import { emptyScore, scoreWhy } from '#test/insights/score-why.ts'
import { makeWhyWorld, type WhyWorld } from '#test/insights/why-world.ts'
import { parseFacts } from '../../server/facts.ts'
import { backtestWhy } from './why-backtest.ts'

const timeZone = 'UTC'
const replay = ({ lines, from, to }: WhyWorld) => backtestWhy(parseFacts(lines), { from, to, timeZone })

test('where rates wander, links act late and notes touch a part, the cause is still named first, and none where there is none [WHY-03, WHY-06]', () => {
  const score = emptyScore()
  for (const seed of [1, 2, 3]) {
    const world = makeWhyWorld(seed, { campaigns: 150 })
    scoreWhy(score, world, replay(world))
  }
  expect(score.large).toBeGreaterThan(90)
  expect(score.first / score.large).toBeGreaterThanOrEqual(0.88)
  expect(score.firstThree / score.large).toBeGreaterThanOrEqual(0.94)
  expect(score.noneFound / score.none).toBeGreaterThanOrEqual(0.9)
  expect(score.held / score.named).toBeGreaterThanOrEqual(0.7)
  // Causes that overlap are named side by side.
  expect(score.two).toBeGreaterThanOrEqual(4)
  expect(score.twoNamed / score.two).toBeGreaterThanOrEqual(0.75)
})

test('segments add up to the shortfall, and `found` says whether there are causes [WHY-03, WHY-06]', () => {
  const { campaigns } = replay(makeWhyWorld(5, { campaigns: 10 }))
  for (const { expected, observed, shortfall, segments, causes, found } of campaigns) {
    expect(segments.reduce((sum, { lost }) => sum + lost, 0)).toBeCloseTo(shortfall, 2)
    expect(expected - observed).toBeCloseTo(shortfall, 2)
    expect(found).toBe(causes.length > 0)
    expect(causes.length).toBeLessThanOrEqual(5)
    for (const { lost } of causes) expect([lost.low <= lost.mid, lost.mid <= lost.high]).toEqual([true, true])
  }
})

test('the order of facts does not matter, and nothing after the last day is used [WHY-06]', () => {
  const world = makeWhyWorld(6, { campaigns: 8 })
  const { lines } = world
  const range = { from: world.from, to: world.to, timeZone }
  const { campaigns } = replay(world)
  expect(backtestWhy(parseFacts(lines.toReversed()), range).campaigns).toEqual(campaigns)
  const early = { ...range, to: new Date(Date.parse(range.to) - 20 * 86_400_000).toISOString().slice(0, 10) }
  const end = Date.parse(early.to) + 86_400_000
  const known = lines.flatMap((line) => {
    const fact = JSON.parse(line)
    if (fact.at && Date.parse(fact.at) >= end) return []
    const forget = (value: string | null | undefined) => (value && Date.parse(value) > end ? null : value)
    return [JSON.stringify({ ...fact, verified_at: forget(fact.verified_at), until: forget(fact.until) })]
  })
  expect(backtestWhy(parseFacts(known), early)).toEqual(backtestWhy(parseFacts(lines), early))
})

test('a campaign without leads or history gets an answer, not a guess [WHY-06]', () => {
  const lines = [
    '{"kind":"campaign","id":1,"category":"Roofing","timezone":"UTC","start_date":null,"due_date":1,"target":10}',
    '{"kind":"campaign","id":2,"category":"Roofing","timezone":"UTC","start_date":null,"due_date":1,"target":10}',
    '{"kind":"lead","id":1,"campaign":2,"source":null,"type":"Form","channel":null,"at":"2025-03-04T10:00:00Z","verified_at":"2025-03-04T11:00:00Z","hidden_by":null,"missed":false}',
    '{"kind":"event","campaign":1,"site":null,"event":"note","at":"2025-03-03T10:00:00Z","until":null,"title":"Call"}',
  ]
  const { campaigns } = backtestWhy(parseFacts(lines), { from: '2025-03-01', to: '2025-03-31', timeZone })
  expect(campaigns[0]).toMatchObject({ campaign: 1, observed: 0, expected: 0, segments: [], causes: [], found: false })
  expect(campaigns[1]).toMatchObject({ campaign: 2, observed: 1, causes: [], found: false })
  for (const { expected } of campaigns) expect(Number.isFinite(expected)).toBe(true)
})

test('a campaign whose leads wait for a verdict only looks behind, because as many as usual are expected of them [WHY-03, PACE-01]', () => {
  const { campaigns } = backtestWhy(parseFacts(makeWaitingAgency()), { from: '2026-05-01', to: '2026-05-30', timeZone })
  const waitingOf = (id: number) =>
    campaigns
      .find(({ campaign }) => campaign === id)!
      .segments.reduce((sum, { inner, lost }) => sum + (inner === 'waiting' ? lost : 0), 0)
  // Ten days of four leads, of which three are usually verified.
  expect(waitingOf(1)).toBeGreaterThan(24)
  expect(waitingOf(1)).toBeLessThan(33)
  expect(campaigns.find(({ campaign }) => campaign === 1)!.shortfall).toBeGreaterThan(20)
  expect(waitingOf(2)).toBeLessThan(12)
})

/** Four leads a day, three of them verified within two weeks; campaign 1 has had no verdicts for ten days. */
function makeWaitingAgency(): string[] {
  const begins = Date.parse('2026-01-01T08:00:00Z')
  const facts: object[] = []
  for (const campaign of [1, 2, 3, 4]) {
    facts.push({
      kind: 'campaign',
      id: campaign,
      category: 'Roofing',
      start_date: '2026-01-01',
      due_date: 1,
      target: 90,
    })
    facts.push({ kind: 'source', id: `${campaign}/callrail`, campaign, site: campaign })
    for (let index = 0; index < 150 * 4; index++) {
      const at = begins + index * 6 * 3_600_000
      const judged_at = new Date(at + (index % 5 === 0 ? 12 : 1) * 86_400_000).toISOString()
      const isLeft = campaign === 1 && index >= 140 * 4
      facts.push({
        ...{
          kind: 'lead',
          id: facts.length,
          campaign,
          source: `${campaign}/callrail`,
          type: 'Call',
          channel: 'Direct',
        },
        ...{ at: new Date(at).toISOString(), hidden_by: null, missed: false },
        verified_at: isLeft || index % 4 === 0 ? null : judged_at,
        judged_at: isLeft ? null : judged_at,
      })
    }
  }
  return facts.map((fact) => JSON.stringify(fact))
}

test('days on which Leadline was offline do not count, neither what came nor what was expected [EDGE-11]', () => {
  const world = makeWhyWorld(5, { campaigns: 10 })
  const { lines } = world
  const range = { from: world.from, to: world.to, timeZone }
  const { campaigns } = replay(world)
  const day = `${range.to}T`
  const offline = JSON.stringify({ kind: 'offline', at: `${day}10:00:00Z`, until: `${day}10:20:00Z` })
  const without = backtestWhy(parseFacts([...lines, offline]), range).campaigns
  const leadsThatDay = (campaign: number) =>
    lines.filter((line) => {
      const fact = JSON.parse(line)
      return fact.kind === 'lead' && fact.campaign === campaign && fact.at.startsWith(day)
    }).length
  for (const [index, { campaign, segments, shortfall, expected }] of without.entries()) {
    expect(expected).toBeLessThan(campaigns[index]!.expected)
    expect(segments.reduce((sum, { lost }) => sum + lost, 0)).toBeCloseTo(shortfall, 2)
    if (leadsThatDay(campaign) === 0) expect(without[index]!.observed).toBeCloseTo(campaigns[index]!.observed, 0)
  }
})
