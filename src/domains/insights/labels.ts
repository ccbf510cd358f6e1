/** Where a campaign is heading, by its chance of reaching the target. `unknown` where there is no target. */
export const campaignHealths = [
  { value: 'behind', label: 'Behind' },
  { value: 'on_track', label: 'On track' },
  { value: 'ahead', label: 'Ahead' },
  { value: 'unknown', label: 'Unknown' },
] as const
export type CampaignHealth = (typeof campaignHealths)[number]['value']
export const getHealthLabel = (health: CampaignHealth) => campaignHealths.find(({ value }) => value === health)!.label

/** From `ahead` on a chance is ahead, under `behind` it is behind: where the signal `behind_target` closes. */
const healthLimits = { behind: 0.35, ahead: 0.8 }

export function getCampaignHealth(chance: number | null): CampaignHealth {
  if (chance === null) return 'unknown'
  return chance < healthLimits.behind ? 'behind' : chance >= healthLimits.ahead ? 'ahead' : 'on_track'
}

const [troubled, noIssues] = [10, 2]

/** Whether the status that people set says otherwise than the forecast: no issues but behind, troubled but not behind. */
export const isStatusContradicted = (troubleState: number, health: CampaignHealth): boolean =>
  (troubleState === noIssues && health === 'behind') ||
  (troubleState === troubled && (health === 'ahead' || health === 'on_track'))

/** A chance as people read it: never certain, because a forecast is not. */
export function formatChance(chance: number): string {
  if (chance < 0.01) return 'under 1 %'
  return chance > 0.99 ? 'over 99 %' : `${Math.round(chance * 100)} %`
}
