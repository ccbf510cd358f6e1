import { lazyComponent } from '#ui/data/lazy-part.ts'

export { useCampaignAndTeamChoices } from './useCampaignAndTeamChoices.ts'
export { useCampaignChoices } from './useCampaignChoices.ts'
/** What comes after a new client or campaign. */
export const SetupSteps = lazyComponent(() => import('./SetupSteps.tsx'))
