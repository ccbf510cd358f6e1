import { setImmediate, setTimeout } from 'node:timers/promises'
import { desc, sql } from 'drizzle-orm'
import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { CampaignForecast, ForecastScoreAnswer } from '../contract.ts'
import { describeScore } from '../labels.ts'
import { replayForecasts, type ScoredForecast, scoreForecasts } from './forecast-backtest.ts'
import { calendarDay } from './forecast-facts.ts'
import { readDerivedFacts, readHistoriesFor } from './recent-facts.ts'
import { roundTo } from './rounding.ts'

/** The most leads that a replay holds in memory. */
const mostLeads = 300_000
/** Before any lead. */
const beginning = '1970-01-01'
/** What is replayed changes little in a day, so ten seconds of work are cached for three hours. */
const scoreKeepFactor = 1000
/** In milliseconds. After this, a forecast is returned without its score. */
const longestWait = 3000

/** Returns how accurate forecasts were in all past cycles, as far as they are replayed; null means all campaigns. */
export async function readForecastScore(
  context: AppContext,
  campaignIds: number[] | null,
): Promise<ForecastScoreAnswer> {
  const all = await readDerivedFacts(context, 'score', scoreKeepFactor, () => replayCycles(context))
  const visible = campaignIds && new Set(campaignIds)
  const scored = visible ? all.filter(({ campaign }) => visible.has(campaign)) : all
  const { brier, brier_run_rate, brier_base_rate } = scoreForecasts(scored)
  const cases = scored.length
  const beats_run_rate = brier !== null && brier_run_rate !== null && isBetter(brier, brier_run_rate)
  return {
    bins: Array.from({ length: 10 }, (_, index) => {
      const inBin = scored.filter(({ chance }) => Math.min(9, Math.floor(chance * 10)) === index)
      const mean = (of: (one: (typeof scored)[number]) => number) =>
        inBin.length === 0 ? null : roundTo(inBin.reduce((sum, one) => sum + of(one), 0) / inBin.length, 4)
      return {
        from: index / 10,
        to: (index + 1) / 10,
        cases: inBin.length,
        said: mean(({ chance }) => chance),
        happened: mean(({ hit }) => Number(hit)),
      }
    }),
    cases,
    brier,
    brier_run_rate,
    brier_base_rate,
    beats_run_rate,
    says: describeScore({ brier, brier_run_rate, beats_run_rate }),
  }
}

/** A perfect score counts as better, because it cannot be beaten. */
const isBetter = (brier: number, runRate: number) => brier < runRate || brier === 0

/** Returns how accurate forecasts of these campaigns were; null if no cycle has ended, or if computing it takes too long. */
export async function readReliability(
  context: AppContext,
  campaignIds: number[] | null,
): Promise<CampaignForecast['reliability']> {
  const late = new AbortController()
  const score = await Promise.race([
    readForecastScore(context, campaignIds),
    setTimeout(longestWait, null, { signal: late.signal, ref: false }),
  ]).finally(() => late.abort())
  if (!score || score.brier === null || score.brier_run_rate === null) return null
  const { cases, brier, brier_run_rate, beats_run_rate } = score
  return { cases, brier, brier_run_rate, beats_run_rate }
}

/**
 * Replays the forecasts of all past cycles from what was known at the time, as far back as the newest `mostLeads` go. Yields to the event
 * loop between instants.
 */
async function replayCycles(context: AppContext): Promise<(ScoredForecast & { campaign: number })[]> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const range = { from: await findFirstDay(context), to: addDays(getToday(timeZone), -1), timeZone }
  const { campaigns, histories } = await readHistoriesFor(context, range.from)
  // Nothing is known about a campaign before its first lead.
  const begun = campaigns.flatMap((campaign) => {
    const first = histories.get(campaign.id)?.leads[0]?.day
    if (first === undefined) return []
    const start = calendarDay(first)
    return { ...campaign, start_date: (campaign.start_date ?? '') > start ? campaign.start_date : start }
  })
  const scored: (ScoredForecast & { campaign: number })[] = []
  for (const instant of replayForecasts(begun, histories, range)) {
    for (const one of instant) if (one.scored) scored.push({ ...one.scored, campaign: one.forecast.campaign })
    await setImmediate()
  }
  return scored
}

async function findFirstDay({ db, settings }: AppContext): Promise<CalendarDay> {
  const [oldest] = await db
    .select({ at: leadsTable.occurred_at })
    .from(leadsTable)
    .where(sql`not ${leadsTable.archived}`) // spelled as in the index
    .orderBy(desc(leadsTable.occurred_at), desc(leadsTable.id))
    .offset(mostLeads)
    .limit(1)
  return oldest ? toWallClock(oldest.at, settings.AGENCY_TIMEZONE).day : beginning
}
