import { countOf } from '#contract/count-of.ts'
import { formatBriefMoney } from '#contract/money.ts'
import type { ReportPeriod } from '../labels.ts'

type Results = {
  period: ReportPeriod
  /** Not over yet: it is compared with as many days of the period before. */
  isRunning: boolean
  verified: number
  verified_before: number | null
  under_review: number
  target: number
  won: number
  won_value: number
}

/** Says a client's results: `38 verified leads, 17 above the target of 21 and 5 more than the month before. 3 won jobs worth $33,975.` */
export function describeResults(results: Results): string {
  const { verified, under_review, isRunning } = results
  const compared = [describeTarget(results), describeDifference(results)].filter((part) => part !== null)
  const counted =
    verified === 0
      ? isRunning
        ? 'There are no verified leads in this period yet'
        : 'There were no verified leads in this period'
      : `${countOf(verified, 'verified lead')}${isRunning ? ' so far' : ''}`
  return [
    `${[counted, ...(compared.length > 0 ? [compared.join(' and ')] : [])].join(', ')}.`,
    ...(under_review > 0 ? [`${under_review} of them ${under_review === 1 ? 'is' : 'are'} under review.`] : []),
    ...describeWon(results),
  ].join(' ')
}

function describeTarget({ verified, target, isRunning }: Results): string | null {
  if (target === 0) return null
  const goal = `the target of ${target.toLocaleString('en-US')}`
  if (verified === target) return `exactly ${goal}`
  const away = Math.abs(verified - target).toLocaleString('en-US')
  if (verified > target) return `${away} above ${goal}`
  return isRunning ? `${away} to go to ${goal}` : `${away} below ${goal}`
}

function describeDifference({ period, verified, verified_before: before, isRunning }: Results): string | null {
  if (before === null || (before === 0 && verified === 0)) return null // nothing to compare
  const than = isRunning ? `at the same point of the ${period} before` : `the ${period} before`
  if (verified === before) return `as many as ${than}`
  const away = Math.abs(verified - before).toLocaleString('en-US')
  return `${away} ${verified > before ? 'more' : 'fewer'} than ${than}`
}

function describeWon({ won, won_value }: Results): string[] {
  if (won === 0) return []
  return [`${countOf(won, 'won job')}${won_value > 0 ? ` worth ${formatBriefMoney(won_value)}` : ''}.`]
}
