import type { WhyBacktest } from '#domains/insights/public.ts'
import type { WhyWorld, WorldCause } from './why-world.ts'

/** What WHY-06 counts as a cause that should be found. */
const isLarge = ({ lost, deviations }: { lost: number; deviations: number }) => lost >= 15 && deviations >= 4.5

export type WhyScore = {
  large: number
  first: number
  firstThree: number
  none: number
  noneFound: number
  named: number
  held: number
  /** Campaigns with two large causes, and those where both are named. */
  two: number
  twoNamed: number
  kinds: Map<string, { large: number; first: number }>
}

export const emptyScore = (): WhyScore => ({
  large: 0,
  first: 0,
  firstThree: 0,
  none: 0,
  noneFound: 0,
  named: 0,
  held: 0,
  two: 0,
  twoNamed: 0,
  kinds: new Map(),
})

/** Adds to a score how often answers named the planted cause. Of two overlapping causes the one that lost more is asked for. */
export function scoreWhy(score: WhyScore, { planted }: WhyWorld, { campaigns }: WhyBacktest): void {
  for (const { campaign, causes, found } of campaigns) {
    const all = (planted.get(campaign) ?? []).toSorted((a, b) => b.lost - a.lost)
    const findRank = (cause: WorldCause) =>
      causes.findIndex(({ event, at }) => event === cause.event && at === cause.at)
    if (all.length === 2 && all.every(isLarge)) {
      score.two++
      score.twoNamed += Number(all.every((cause) => findRank(cause) >= 0))
    }
    const [cause] = all
    if (!cause) {
      score.none++
      score.noneFound += Number(!found)
    } else if (isLarge(cause)) {
      const rank = findRank(cause)
      const kind = score.kinds.get(cause.event) ?? { large: 0, first: 0 }
      score.kinds.set(cause.event, { large: kind.large + 1, first: kind.first + Number(rank === 0) })
      score.large++
      score.first += Number(rank === 0)
      score.firstThree += Number(rank >= 0 && rank < 3)
      const lost = causes[rank]?.lost
      score.named += Number(lost !== undefined)
      score.held += Number(lost !== undefined && cause.lost >= lost.low && cause.lost <= lost.high)
    }
  }
}
