import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { type CalendarDay, getToday, isCalendarDay } from '#contract/days.ts'
import { HttpError } from '#core/http/errors.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { type AppSettings, readSettings } from '#domains/app-settings.ts'
import {
  type AgencyFacts,
  type BacktestRange,
  backtestForecast,
  backtestSilence,
  backtestWhy,
  type ForecastBacktest,
  parseFacts,
  readStoredFacts,
  type SilenceBacktest,
  type WhyBacktest,
} from '#domains/insights/public.ts'
import { printLine, withAppContext } from './run-command.ts'

type BacktestOptions = { facts?: string; from?: CalendarDay; to?: CalendarDay; json?: boolean }

/** Each model replays facts and returns its result, as an object and as lines. */
const backtests = {
  silence: (facts, range) => {
    const result = backtestSilence(facts, range)
    return { result, lines: describeSilence(result) }
  },
  forecast: (facts, range) => {
    const result = backtestForecast(facts, range)
    return { result, lines: describeForecast(result) }
  },
  why: (facts, range) => {
    const result = backtestWhy(facts, range)
    return { result, lines: describeWhy(result) }
  },
} satisfies Record<string, (facts: AgencyFacts, range: BacktestRange) => { result: object; lines: string[] }>
type BacktestModel = keyof typeof backtests

export function defineBacktestCommand(command: Command): void {
  command
    .description('replay the past through a model and report how often it was right')
    .addArgument(new Argument('<model>', 'the model to replay').choices(Object.keys(backtests)))
    .option('--facts <file>', 'read facts from this file, one JSON object per line, instead of the database')
    .option('--from <day>', 'the first day, yyyy-MM-dd; what comes before is history', parseDayOption)
    .option('--to <day>', 'the last day, yyyy-MM-dd', parseDayOption)
    .option('--json', 'print one JSON object')
    .action(runBacktest)
}

async function runBacktest(model: BacktestModel, { facts: file, from, to, json }: BacktestOptions) {
  const settings = readSettings()
  const facts = file ? await readFactsFile(resolve(file)) : await readDatabaseFacts()
  const { result, lines } = backtests[model](facts, findBacktestRange(facts, { from, to }, settings))
  for (const line of json ? [JSON.stringify(result)] : lines) printLine(line)
}

async function readFactsFile(file: string): Promise<AgencyFacts> {
  const lines: string[] = []
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
      lines.push(line)
  } catch {
    throw new HttpError(404, `${file} cannot be read`)
  }
  return parseFacts(lines)
}

async function readDatabaseFacts(): Promise<AgencyFacts> {
  let facts: AgencyFacts = { campaigns: [], sources: [], leads: [], events: [], offline: [] }
  await withAppContext(async ({ db, settings }) => {
    facts = await readStoredFacts(db, settings.AGENCY_TIMEZONE)
  })
  return facts
}

/** Returns the range of days; by default all facts, up to the day of the last one. */
function findBacktestRange(
  { leads, events }: AgencyFacts,
  { from, to }: Pick<BacktestOptions, 'from' | 'to'>,
  { AGENCY_TIMEZONE: timeZone }: AppSettings,
): BacktestRange {
  const dayOf = (at: string) => toWallClock(new Date(at), timeZone).day
  const times = [leads[0], leads.at(-1), events[0], events.at(-1)].flatMap((fact) => (fact ? [dayOf(fact.at)] : []))
  const range = {
    from: from ?? times.toSorted()[0] ?? getToday(timeZone),
    to: to ?? times.toSorted().at(-1) ?? getToday(timeZone),
    timeZone,
  }
  if (range.to < range.from) throw new HttpError(422, `--to ${range.to} is before --from ${range.from}`)
  return range
}

function parseDayOption(text: string): CalendarDay {
  if (!isCalendarDay(text)) throw new InvalidArgumentError(`${text} is not a day, yyyy-MM-dd.`)
  return text
}

function describeSilence({ sources, all_quiet, source_months, false_alarms_per_100, old_rule }: SilenceBacktest) {
  const spoken = sources.flatMap(({ id, signals }) =>
    signals.map(
      ({ opened_at, closed_at, expected }) =>
        `${id}  silent at ${opened_at}, after ${expected} expected leads${closed_at ? `, sent again ${closed_at}` : ''}`,
    ),
  )
  const quiet = all_quiet.map(({ opened_at, closed_at }) => `everything quiet  ${opened_at} to ${closed_at ?? 'now'}`)
  return [
    ...spoken,
    ...quiet,
    `${source_months} source-months; false alarms per 100 of them: ${false_alarms_per_100 ?? '–'}, the fixed rule before: ${old_rule.false_alarms_per_100 ?? '–'}`,
  ]
}

function describeForecast({ forecasts, calibration_error, brier, brier_run_rate, brier_base_rate }: ForecastBacktest) {
  if (brier === null) return [`${forecasts.length} forecasts, none of a campaign with a target: nothing to score`]
  return [
    `${forecasts.length} forecasts; chances are off by ${calibration_error} on average`,
    `Brier score ${brier}, run rate ${brier_run_rate}, base rate ${brier_base_rate}; lower is better`,
  ]
}

function describeWhy({ campaigns }: WhyBacktest) {
  const count = (value: number) => value.toFixed(1)
  return campaigns.flatMap(({ campaign, expected, observed, causes }) => [
    `campaign ${campaign}  ${observed} verified, ${count(expected)} expected${causes.length === 0 ? '; no cause found' : ''}`,
    ...causes.map(
      ({ event, at, lost: { low, mid, high } }) =>
        `  ${event}  ${at}  could explain ${count(low)} to ${count(high)} leads, ${count(mid)} most likely`,
    ),
  ])
}
