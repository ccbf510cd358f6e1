import { expect, test } from 'vitest'
import { type AgencyTraits, makeSilenceAgency } from '#test/insights/agency.ts'
import { AgencyDay } from './agency-activity.ts'
import { parseFacts } from './facts.ts'
import { backtestSilence, createHourClock } from './silence-backtest.ts'
import { replaySilence } from './silence-model.ts'
import { silenceOptions } from './silence-options.ts'

const timeZone = 'UTC'
const hourMs = 3_600_000

/** The combined result of several agencies. */
function poolAgencies(agencies: [seed: number, traits: AgencyTraits][]) {
  const pooled = {
    months: 0,
    alarms: 0,
    oldAlarms: 0,
    of12: 0,
    found12: 0,
    of20: 0,
    found20: 0,
    delays: [] as number[],
  }
  let [quiet, holidays] = [0, 0]
  for (const [seed, traits] of agencies) {
    const { lines, deaths, from, to, ...agency } = makeSilenceAgency(seed, traits)
    const result = backtestSilence(parseFacts(lines), { from, to, timeZone })
    pooled.months += result.source_months
    pooled.alarms += (result.false_alarms_per_100! * result.source_months) / 100
    pooled.oldAlarms += (result.old_rule.false_alarms_per_100! * result.source_months) / 100
    const signals = new Map(result.sources.map(({ id, signals }) => [id, signals]))
    for (const { source, at, missed, missedUntil } of deaths) {
      if (missed < 12) continue
      const found = signals.get(source)!.find(({ opened_at, closed_at }) => Date.parse(opened_at) > at && !closed_at)
      pooled.of12 += 1
      if (missed >= 20) pooled.of20 += 1
      if (!found) continue
      pooled.found12 += 1
      if (missed >= 20) pooled.found20 += 1
      pooled.delays.push(missedUntil(Date.parse(found.opened_at)))
    }
    holidays += agency.holidays.length
    for (const holiday of agency.holidays)
      quiet += result.all_quiet.filter(({ opened_at }) => {
        const at = Date.parse(opened_at)
        return at > holiday && at <= holiday + 26 * hourMs
      }).length
  }
  const delays = pooled.delays.toSorted((a, b) => a - b)
  return {
    per100: (100 * pooled.alarms) / pooled.months,
    oldPer100: (100 * pooled.oldAlarms) / pooled.months,
    share12: pooled.found12 / pooled.of12,
    share20: pooled.found20 / pooled.of20,
    median: delays[Math.floor(delays.length / 2)]!,
    ninthDecile: delays[Math.floor(delays.length * 0.9)]!,
    quiet,
    holidays,
  }
}

test('on synthetic agencies silence is detected soon, with few false alarms [TODAY-11]', () => {
  const { per100, oldPer100, share12, share20, median, ninthDecile, quiet, holidays } = poolAgencies([
    [1, { sources: 60 }],
    [2, { sources: 100, sharedDayShape: 80 }],
    [3, { sources: 120 }],
  ])
  expect(per100).toBeLessThanOrEqual(1.2)
  expect(oldPer100).toBeGreaterThan(3 * per100)
  expect(share12).toBeGreaterThanOrEqual(0.97)
  expect(share20).toBe(1)
  expect(median).toBeLessThanOrEqual(9)
  expect(ninthDecile).toBeLessThanOrEqual(13)
  expect(quiet / holidays).toBeGreaterThan(0.85)
  expect(quiet).toBeLessThanOrEqual(holidays)
})

test('detection holds up when quiet spells and strong seasons break the model’s assumptions [TODAY-11]', () => {
  const { per100, share12, share20, ninthDecile } = poolAgencies([
    [11, { sources: 100, spells: { left: 0.8, size: 0.12 } }],
    [12, { sources: 100, season: 0.6 }],
  ])
  expect(per100).toBeLessThanOrEqual(1.2)
  expect(share12).toBeGreaterThanOrEqual(0.97)
  expect(share20).toBe(1)
  expect(ninthDecile).toBeLessThanOrEqual(13)
})

test('agencies with two or three sources are as fast, because a silence does not explain itself [TODAY-11]', () => {
  const agencies = Array.from({ length: 60 }, (_, index): [number, AgencyTraits] => [
    200 + index,
    { sources: 2 + (index % 2) },
  ])
  const { per100, share12, share20, median, ninthDecile } = poolAgencies(agencies)
  expect(per100).toBeLessThanOrEqual(1.2)
  expect(share12).toBeGreaterThanOrEqual(0.97)
  expect(share20).toBe(1)
  expect(median).toBeLessThanOrEqual(9)
  expect(ninthDecile).toBeLessThanOrEqual(14)
})

test('when the busy one of two sources dies, the agency does not count as quiet [TODAY-04] [TODAY-11]', () => {
  const start = Date.parse('2025-01-06T00:00:00Z')
  const dies = start + 90 * 24 * hourMs
  const [busy, slow] = ['1/callrail', '2/callrail']
  const lines = [1, 2].flatMap((id) => [
    JSON.stringify({
      kind: 'campaign',
      id,
      category: 'Roofing',
      timezone: 'UTC',
      start_date: null,
      due_date: 1,
      target: null,
    }),
    JSON.stringify({ kind: 'source', id: `${id}/callrail`, campaign: id, site: id }),
  ])
  const send = (source: string, campaign: number, at: number) =>
    lines.push(
      JSON.stringify({
        ...{ kind: 'lead', id: lines.length, campaign, source, type: 'Call', channel: 'Direct' },
        ...{ at: new Date(at).toISOString(), verified_at: null, hidden_by: null, missed: false },
      }),
    )
  for (let hour = 0; hour < 100 * 24; hour++) {
    const at = start + hour * hourMs
    if (hour % 24 >= 8 && hour % 24 < 20 && at < dies) for (const part of [0.2, 0.7]) send(busy, 1, at + part * hourMs)
    if (hour % 24 === 10 || hour % 24 === 16) send(slow, 2, at + 0.4 * hourMs)
  }
  const result = backtestSilence(parseFacts(lines), { from: '2025-03-01', to: '2025-04-12', timeZone })
  expect(result.all_quiet).toEqual([])
  const opened = result.sources.map(({ id, signals }) => [id, signals.map(({ opened_at }) => opened_at)])
  expect(opened).toEqual([
    [busy, [expect.stringMatching(/^2025-04-06T/)]],
    [slow, []],
  ])
})

test('a replay uses nothing later: ending on an earlier day gives the same result up to then [TODAY-11]', () => {
  const { lines, from } = makeSilenceAgency(4, { sources: 40 })
  const facts = parseFacts(lines)
  const until = Date.parse('2025-06-01T00:00:00Z')
  const opened = (to: string) =>
    backtestSilence(facts, { from, to, timeZone }).sources.flatMap(({ id, signals }) =>
      signals
        .filter(({ opened_at }) => Date.parse(opened_at) <= until)
        .map(({ opened_at, expected }) => `${id} ${opened_at} ${expected}`),
    )
  expect(opened('2025-05-31')).toEqual(opened('2025-12-31'))
  expect(opened('2025-05-31').length).toBeGreaterThan(0)
})

test('the order of lines does not matter, and a source without leads is never silent [TODAY-11]', () => {
  const { lines, from, to } = makeSilenceAgency(5, { sources: 20 })
  const more = [...lines, JSON.stringify({ kind: 'source', id: '99/formidable', campaign: 1, site: 99 })]
  const result = backtestSilence(parseFacts(more), { from, to, timeZone })
  expect(backtestSilence(parseFacts(more.toReversed()), { from, to, timeZone })).toEqual(result)
  expect(result.sources.find(({ id }) => id === '99/formidable')).toEqual({ id: '99/formidable', signals: [] })
})

test('a silence explained by a known outage is not a false alarm [TODAY-11]', () => {
  const { lines, from, to } = makeSilenceAgency(6, { sources: 30, dayShape: 50 })
  const [busy] = Object.entries(
    Object.groupBy(
      lines.flatMap((line) => JSON.parse(line)).filter(({ kind }) => kind === 'lead'),
      ({ source }) => source,
    ),
  ).sort(([, a], [, b]) => b!.length - a!.length)[0]!
  const [start, end] = ['2025-03-03T00:00:00Z', '2025-03-09T00:00:00Z']
  const without = lines.filter((line) => {
    const fact = JSON.parse(line)
    return fact.source !== busy || fact.at < start || fact.at > end
  })
  const site = Number.parseInt(busy, 10)
  const offline = { kind: 'event', campaign: site, site, event: 'site_offline', at: start, until: end, title: 'down' }
  const alarms = (facts: string[]) => backtestSilence(parseFacts(facts), { from, to, timeZone }).false_alarms_per_100!
  expect(alarms([...without, JSON.stringify(offline)])).toBeLessThanOrEqual(alarms(without))
})

test('a source whose site goes offline with it is detected as soon as one whose site stays up [TODAY-04] [TODAY-11]', () => {
  const { lines, deaths, from, to } = makeSilenceAgency(6, { sources: 30, dayShape: 50 })
  const opened = (facts: string[]) => {
    const { sources } = backtestSilence(parseFacts(facts), { from, to, timeZone })
    return deaths
      .filter(({ missed }) => missed >= 20)
      .map(({ source, at }) =>
        sources
          .find(({ id }) => id === source)!
          .signals.findLast(({ opened_at, closed_at }) => Date.parse(opened_at) > at && closed_at === null),
      )
  }
  const offline = deaths.map(({ source, at }) => {
    const site = Number.parseInt(source, 10)
    return JSON.stringify({
      ...{ kind: 'event', campaign: site, site, event: 'site_offline', title: 'down' },
      at: new Date(at).toISOString(),
    })
  })
  const alone = opened(lines)
  expect(alone.length).toBeGreaterThan(0)
  expect(alone).not.toContain(undefined)
  const hoursLater = opened([...lines, ...offline]).map(
    (signal, index) => (Date.parse(signal!.opened_at) - Date.parse(alone[index]!.opened_at)) / hourMs,
  )
  expect(Math.max(...hoursLater.map(Math.abs))).toBeLessThanOrEqual(24)
})

test('leads that come while the site is offline do not make the source look busier [TODAY-03]', () => {
  const [hours, day] = [24 * 120, 86_400_000]
  const leads = Array.from({ length: 600 }, (_, index) => index * (day / 5))
  const source = { id: '1/callrail', category: 'Roofing', leads }
  const rate = (outages: { from: number; to: number }[]) =>
    replaySilence([{ ...source, outages }], createHourClock('UTC'), { from: 0, to: hours * 3_600_000 }).gaps[0]!
      .leads_per_month
  expect(rate([{ from: 60 * day, to: 120 * day }]) / rate([])).toBeCloseTo(1, 0)
})

test('a quiet agency has resumed once leads come, even in hours that expect few [TODAY-04]', () => {
  const night = new AgencyDay(silenceOptions)
  for (let hour = 0; hour < 24; hour++) night.count(0.5, 0)
  expect(night.hasResumed()).toBe(false)
  night.count(0.5, 12)
  expect(night.hasResumed()).toBe(true)
})

test('an agency that has shrunk does not stay quiet forever: what it gets by now becomes normal [TODAY-04]', () => {
  const day = 24 * hourMs
  const send = (perDay: number, from: number, to: number) =>
    Array.from({ length: (to - from) * perDay }, (_, index) => (from + index / perDay) * day)
  const leads = [...send(15, 0, 100), ...send(3, 103, 250)]
  const sources = Array.from({ length: 6 }, (_, place) => ({
    id: `${place}/callrail`,
    category: 'Roofing',
    leads: leads.filter((_, index) => index % 6 === place),
  }))
  const { allQuiet } = replaySilence(sources, createHourClock('UTC'), { from: 28 * day, to: 250 * day })
  expect(allQuiet).toHaveLength(1)
  expect(allQuiet[0]!.opened_at / day).toBeCloseTo(101, 0)
  expect((allQuiet[0]!.closed_at ?? Number.POSITIVE_INFINITY) / day).toBeLessThan(200)
})

test('a silence during which Leadline was offline is no false alarm [EDGE-11]', () => {
  const { lines, from, to } = makeSilenceAgency(6, { sources: 30, dayShape: 50 })
  const whole = JSON.stringify({ kind: 'offline', at: `${from}T00:00:00Z`, until: `${to}T23:59:59Z` })
  const alarms = (facts: string[]) => {
    const { false_alarms_per_100, old_rule } = backtestSilence(parseFacts(facts), { from, to, timeZone })
    return [false_alarms_per_100, old_rule.false_alarms_per_100]
  }
  expect(alarms(lines)).not.toEqual([0, 0])
  expect(alarms([...lines, whole])).toEqual([0, 0])
})
