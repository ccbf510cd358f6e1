/** Where a campaign is heading, by its chance of reaching the target. `unknown` without a target. */
export const campaignHealths = [
  { value: 'behind', label: 'Behind' },
  { value: 'on_track', label: 'On track' },
  { value: 'ahead', label: 'Ahead' },
  { value: 'unknown', label: 'Unknown' },
] as const
export type CampaignHealth = (typeof campaignHealths)[number]['value']
export const getHealthLabel = (health: CampaignHealth) => campaignHealths.find(({ value }) => value === health)!.label

/** At least `ahead` means ahead, below `behind` means behind. */
export const healthLimits = { behind: 0.35, ahead: 0.8 }

export function getCampaignHealth(chance: number | null): CampaignHealth {
  if (chance === null) return 'unknown'
  return chance < healthLimits.behind ? 'behind' : chance >= healthLimits.ahead ? 'ahead' : 'on_track'
}

const [troubled, noIssues] = [10, 2]

/** Returns whether the manual status contradicts the forecast: no issues but behind, or troubled but not behind. */
export const isStatusContradicted = (troubleState: number, health: CampaignHealth): boolean =>
  (troubleState === noIssues && health === 'behind') ||
  (troubleState === troubled && (health === 'ahead' || health === 'on_track'))

/** Formats a chance, never as 0% or 100%, because no forecast is certain. */
export function formatChance(chance: number): string {
  if (chance < 0.01) return 'under 1%'
  return chance > 0.99 ? 'over 99%' : `${Math.round(chance * 100)}%`
}

type Score = { brier: number | null; brier_run_rate: number | null; beats_run_rate: boolean }

/** Compares past forecasts to the run rate by Brier scores; without a final period. */
export function describeScore({ brier, brier_run_rate, beats_run_rate }: Score): string {
  if (brier === null || brier_run_rate === null) return 'There is no track record yet: no cycle with a target has ended'
  if (brier === 0) return 'Forecasts have always been right'
  if (!beats_run_rate) return 'Forecasts have been no closer than run rate'
  return `Forecasts have been ${Math.round((1 - brier / brier_run_rate) * 100)}% closer than run rate`
}

/** A server that has just started may not know the track record for a few seconds. */
export const describeReliability = (reliability: Score | null): string =>
  reliability ? describeScore(reliability) : 'No track record is known yet'
