import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { AgencyFacts } from '../../server/facts.ts'
import { roundTo } from '../../server/rounding.ts'
import type { BacktestRange } from '../../server/silence-backtest.ts'
import { prepareWhy } from './why-agency.ts'
import { explainShortfall, type WhyAnswer } from './why-model.ts'

export type WhyBacktest = {
  campaigns: {
    campaign: number
    from: string
    to: string
    expected: number
    observed: number
    shortfall: number
    segments: WhyAnswer['segments']
    causes: { event: string; at: string; lost: { low: number; mid: number; high: number } }[]
    found: boolean
  }[]
}

/** Returns for each campaign why it was behind in the range, using only what was known at its end. */
export function backtestWhy(facts: AgencyFacts, { from, to, timeZone }: BacktestRange): WhyBacktest {
  const range = { from: startOfZonedDay(from, timeZone).getTime(), to: endOfZonedDay(to, timeZone).getTime() }
  const agency = prepareWhy(facts, range, timeZone)
  const campaigns = facts.campaigns.map(({ id }) => {
    const answer = roundAnswer(explainShortfall(agency.campaign(id), agency.range))
    const causes = answer.causes.map(({ event, lost }) => ({ event: event.event, at: event.at, lost }))
    return { campaign: id, from, to, ...answer, causes, found: causes.length > 0 }
  })
  return { campaigns }
}

/** Rounds an answer so that the parts still add up. */
export function roundAnswer(answer: WhyAnswer): WhyAnswer {
  const segments = answer.segments.map((segment) => ({ ...segment, lost: roundTo(segment.lost, 3) }))
  const shortfall = roundTo(
    segments.reduce((sum, { lost }) => sum + lost, 0),
    3,
  )
  const causes = answer.causes.map((cause) => ({
    ...cause,
    lost: { low: roundTo(cause.lost.low, 2), mid: roundTo(cause.lost.mid, 2), high: roundTo(cause.lost.high, 2) },
  }))
  return { ...answer, expected: roundTo(answer.observed + shortfall, 3), shortfall, segments, causes }
}
