import { type CalendarDay, msPerDay, msPerHour } from '#contract/days.ts'
import { endOfZonedDay, startOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { AgencyFacts } from './facts.ts'
import { dayNumber, weekdayOf } from './forecast-facts.ts'
import { roundTo } from './rounding.ts'
import { type HourClock, replaySilence } from './silence-model.ts'
import type { SilenceSignal, SourceHistory } from './source-state.ts'

const monthMs = 30.4375 * msPerDay

export type BacktestRange = { from: CalendarDay; to: CalendarDay; timeZone: string }

export type SilenceBacktest = {
  sources: { id: string; signals: { opened_at: string; closed_at: string | null; expected: number }[] }[]
  all_quiet: { opened_at: string; closed_at: string | null }[]
  source_months: number
  /** Null if there was no source in the range. */
  false_alarms_per_100: number | null
  old_rule: { false_alarms_per_100: number | null }
}

/** Replays the facts hour by hour and returns when each source would have been reported silent, using only what was known then. */
export function backtestSilence(facts: AgencyFacts, { from, to, timeZone }: BacktestRange): SilenceBacktest {
  const range = {
    from: startOfZonedDay(from, timeZone).getTime(),
    to: endOfZonedDay(to, timeZone).getTime(),
  }
  const histories = readSourceHistories(facts, range.to)
  const offline = facts.offline.map(({ at, until }) => ({
    from: Date.parse(at),
    to: until === null ? range.to : Date.parse(until),
  }))
  const { signals, allQuiet } = replaySilence(histories, createHourClock(timeZone), range)
  let months = 0
  let falseAlarms = 0
  let oldFalseAlarms = 0
  for (const history of histories) {
    if (history.leads.length === 0) continue
    months += Math.max(0, range.to - Math.max(range.from, history.leads[0]!)) / monthMs
    const spans = signals.get(history.id) ?? []
    falseAlarms += spans.filter((signal) => isFalseAlarm(history, offline, signal)).length
    oldFalseAlarms += replayOldRule(history.leads, range).filter((signal) =>
      isFalseAlarm(history, offline, signal),
    ).length
  }
  const per100 = (count: number) => (months > 0 ? roundTo((100 * count) / months, 3) : null)
  return {
    sources: histories.map(({ id }) => ({
      id,
      signals: (signals.get(id) ?? []).map(({ opened_at, closed_at, expected }) => ({
        opened_at: toIso(opened_at),
        closed_at: closed_at === null ? null : toIso(closed_at),
        expected: roundTo(expected, 2),
      })),
    })),
    all_quiet: allQuiet.map(({ opened_at, closed_at }) => ({
      opened_at: toIso(opened_at),
      closed_at: closed_at === null ? null : toIso(closed_at),
    })),
    source_months: roundTo(months, 2),
    false_alarms_per_100: per100(falseAlarms),
    old_rule: { false_alarms_per_100: per100(oldFalseAlarms) },
  }
}

/** In milliseconds. */
type Span = { from: number; to: number }

/** Returns each source with its leads and site outages up to `until`. */
function readSourceHistories(facts: AgencyFacts, until: number): SourceHistory[] {
  const categories = new Map(facts.campaigns.map(({ id, category }) => [id, category]))
  const leads = Map.groupBy(
    facts.leads.filter(({ source, at }) => source !== null && Date.parse(at) < until),
    ({ source }) => source!,
  )
  const outages = Map.groupBy(
    facts.events.filter(({ event, site, at }) => event === 'site_offline' && site !== null && Date.parse(at) < until),
    ({ site }) => site!,
  )
  return facts.sources.map(({ id, campaign, site }) => ({
    id,
    category: categories.get(campaign) ?? '',
    leads: (leads.get(id) ?? []).map(({ at }) => Date.parse(at)),
    outages: (site === null ? [] : (outages.get(site) ?? [])).map((outage) => ({
      from: Date.parse(outage.at),
      to: outage.until === null ? until : Math.min(until, Date.parse(outage.until)),
    })),
  }))
}

/**
 * Returns whether the source was not dead: it sent again within twice the time from its last lead to the signal, and
 * neither its site nor Leadline itself was offline in between.
 */
function isFalseAlarm(
  history: SourceHistory,
  offline: readonly Span[],
  signal: Pick<SilenceSignal, 'opened_at' | 'closed_at' | 'last_lead_at'>,
) {
  const { opened_at, closed_at, last_lead_at } = signal
  if (closed_at === null || closed_at - last_lead_at >= 2 * (opened_at - last_lead_at)) return false
  return ![...(history.outages ?? []), ...offline].some(({ from, to }) => from < closed_at && to > last_lead_at)
}

/** Replays the previous rule: a gap of more than seven days and five times the mean gap of the last 20 leads, checked every hour. */
function replayOldRule(leads: readonly number[], range: { from: number; to: number }) {
  const signals: { opened_at: number; closed_at: number | null; last_lead_at: number }[] = []
  for (const [index, last] of leads.entries()) {
    const recent = leads.slice(Math.max(0, index - 19), index + 1)
    const gap = recent.length < 2 ? 7 * msPerDay : (last - recent[0]!) / (recent.length - 1)
    const limit = last + Math.max(7 * msPerDay, 5 * gap)
    // The first full hour at which the silence exceeds the limit.
    const opened = Math.max((Math.floor(limit / msPerHour) + 1) * msPerHour, range.from)
    const next = leads[index + 1] ?? null
    if (opened > range.to || (next !== null && next < opened)) continue
    signals.push({ opened_at: opened, closed_at: next, last_lead_at: last })
  }
  return signals
}

/** Returns a clock of days and hours of the week in the agency's zone. */
export function createHourClock(timeZone: string): HourClock {
  return (hour) => {
    const { day, time } = toWallClock(new Date(hour * msPerHour), timeZone)
    const date = dayNumber(day)
    return { day: date, slot: weekdayOf(date) * 24 + Number(time.slice(0, 2)) }
  }
}

const toIso = (ms: number) => new Date(ms).toISOString()
