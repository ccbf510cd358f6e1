import { msPerDay, toUtcDay } from '#contract/days.ts'
import { toInstant, toWallClock } from '#core/time/local-time.ts'
import type { DemoAgency, DemoCampaign, DemoStory } from './agency.ts'
import type { LeadMoment } from './calendar.ts'
import type { SeededRandom } from './random.ts'

const storyDays = { 'site offline': 18, 'fewer leads': 24, 'not judged yet': 6 } as const
const storyKinds = Object.keys(storyDays) as DemoStory['kind'][]
/** The share of leads that still arrive, by kind of story. */
const leadsLeft = { 'site offline': 0.22, 'fewer leads': 0.35, 'not judged yet': 1 }

/** Gives the busiest established campaigns with a single site a story each, and a cycle that starts in time for it. */
export function assignStories({ contracts }: DemoAgency, now: Date): void {
  const oldEnough = toUtcDay(now.getTime() - 400 * msPerDay)
  const fit = contracts
    .filter(({ row, sites }) => !row.archived && sites.length === 1 && (row.start_date ?? '') < oldEnough)
    .toSorted((a, b) => b.pace - a.pace || a.row.id - b.row.id)
  for (const [index, kind] of storyKinds.entries()) {
    const contract = fit[index]
    if (!contract) return
    tellStory(contract, kind, now)
  }
}

function tellStory(contract: DemoCampaign, kind: DemoStory['kind'], now: Date) {
  const { row, sites } = contract
  const { day } = toWallClock(new Date(now.getTime() - storyDays[kind] * msPerDay), row.timezone ?? 'UTC')
  contract.story = { kind, since: toInstant(day, '06:00', row.timezone ?? 'UTC') }
  // The cycle starts shortly before the story; with pending verdicts, two days before them.
  const begun = new Date(Date.parse(day) - (kind === 'not judged yet' ? 2 : 4) * msPerDay)
  row.due_date = Math.min(28, begun.getUTCDate())
  row.trouble_state = kind === 'not judged yet' ? 10 : 2
  if (kind !== 'site offline') return
  for (const site of sites) Object.assign(site, { status: 0, http_status_code: 503, problem: 'Error 503' })
}

/** Gives the campaign that only looks behind a target that its leads of the previous quarter would reach. */
export function setReachableTarget({ contracts }: DemoAgency, moments: readonly LeadMoment[]): void {
  const contract = contracts.find(({ story }) => story?.kind === 'not judged yet')
  if (!contract?.story) return
  const until = contract.story.since.getTime()
  const leads = moments.filter(
    (moment) =>
      moment.contract === contract && moment.at.getTime() < until && moment.at.getTime() > until - 90 * msPerDay,
  )
  // About seven in ten are verified.
  contract.row.month_12_target = Math.round((leads.length / 3) * 0.45)
}

/** Drops the leads that a story loses. The leads that an offline site still gets are calls from Google Maps. */
export function dropLostLeads(dice: SeededRandom, moments: readonly LeadMoment[]): LeadMoment[] {
  return moments.flatMap((moment) => {
    const { story } = moment.contract
    if (!story || moment.at < story.since) return [moment]
    if (!dice.chance(leadsLeft[story.kind])) return []
    return [story.kind === 'site offline' ? { ...moment, isFromMaps: true } : moment]
  })
}

/** Returns whether staff have not judged a lead of that time yet. */
export const isLeftUnjudged = ({ story }: DemoCampaign, at: Date) =>
  story?.kind === 'not judged yet' && at >= story.since

/** Returns whether a note at that time would be taken for a cause. */
export const hasNoNotes = ({ story }: DemoCampaign, at: Date) =>
  story !== undefined && at.getTime() > story.since.getTime() - 14 * msPerDay
