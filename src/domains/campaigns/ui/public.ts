import { lazyComponent } from '#ui/data/lazy-part.ts'

export { computeSquareMiles } from '../area/polygon.ts'
export { ShowMapButton } from '../area/ui/ShowMap.tsx'
export { orderedWeekdays } from '../hours/ui/weekdays.ts'
export { useCampaignAndTeamChoices } from './useCampaignAndTeamChoices.ts'
export { useCampaignChoices, useLoadedCampaignChoices } from './useCampaignChoices.ts'
/** The next steps after creating a client or campaign. */
export const SetupSteps = lazyComponent(() => import('./SetupSteps.tsx'))
