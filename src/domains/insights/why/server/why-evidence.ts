import { gammaln } from 'simple-statistics'

/**
 * How much better a change explains counts than no change: logarithms of Bayes factors from closed-form marginal
 * likelihoods. Counts vary more than Poisson, so likelihoods are tempered by the dispersion (quasi-likelihood).
 */

/** Leads and exposure (expected leads at a rate of one), before a change and since. */
export type BeforeAfter = { before: number; exposureBefore: number; after: number; exposureAfter: number }

/** The prior of a rate: leads and their exposure. */
type RatePrior = { leads: number; exposure: number }

/** The shares of a rate that may remain after a loss. */
const remainders = Array.from({ length: 19 }, (_, index) => index * 0.05)

/**
 * Returns the evidence of a drop: the rate is Gamma-distributed and the same before and since, except for a factor from
 * 0 to 0.9, all equally likely. `dispersion` is variance over mean.
 */
export function logDropEvidence(counts: BeforeAfter, prior: RatePrior, dispersion: number): number {
  const { before, after, exposureBefore, exposureAfter } = counts
  const leads = prior.leads + (before + after) / dispersion
  const whole = prior.exposure + (exposureBefore + exposureAfter) / dispersion
  const logs = remainders.map((remainder) => {
    const left = prior.exposure + (exposureBefore + remainder * exposureAfter) / dispersion
    const seen = after === 0 ? 0 : (after / dispersion) * Math.log(Math.max(remainder, 1e-9))
    return seen + leads * Math.log(whole / left)
  })
  return logMean(logs)
}

/** Returns the evidence that a share (of missed calls) rose: Beta-distributed, either one share for both or a higher one since. */
export function logShareEvidence(
  before: { hits: number; of: number },
  after: { hits: number; of: number },
  dispersion: number,
): number {
  const [b, a] = [before, after].map(({ hits, of }) => ({ hits: hits / dispersion, misses: (of - hits) / dispersion }))
  if (!a || !b || after.of === 0 || before.of === 0) return 0
  if (after.hits / after.of <= before.hits / before.of) return -1
  const apart = logBeta(1 + b.hits, 9 + b.misses) - logBeta(1, 9) + logBeta(1 + a.hits, 1 + a.misses)
  const together = logBeta(1 + a.hits + b.hits, 9 + a.misses + b.misses) - logBeta(1, 9)
  return apart - together
}

/**
 * Returns the evidence that a rule hit leads that would have been good: `shortage` is how many good leads are missing,
 * plus or minus `deviation`; all shares of the hits are equally likely.
 */
export function logHitsEvidence(hits: number, shortage: number, deviation: number): number {
  if (hits === 0) return Number.NEGATIVE_INFINITY
  const logAt = (lost: number) => -((shortage - lost) ** 2) / (2 * deviation ** 2)
  return logMean(Array.from({ length: 21 }, (_, index) => logAt((index / 20) * hits))) - logAt(0)
}

/** Returns the logarithm of the sum of what these are the logarithms of. */
export function logSum(logs: readonly number[]): number {
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, one) => sum + Math.exp(one - most), 0))
}
const logMean = (logs: readonly number[]) => logSum(logs) - Math.log(logs.length)

const logBeta = (a: number, b: number) => gammaln(a) + gammaln(b) - gammaln(a + b)
