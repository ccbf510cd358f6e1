import { lazyComponent } from '#ui/data/lazy-part.ts'

export { computeSquareMiles } from '../area/polygon.ts'
export { ShowMapButton } from '../area/ui/ShowMap.tsx'
export { WorkingHoursButton } from '../hours/ui/WorkingHoursButton.tsx'
export { orderedWeekdays } from '../hours/ui/weekdays.ts'
export { type CampaignState, PpcSwitch, StatusSelect } from '../state/ui/StateControls.tsx'
export { TermsButton } from '../terms/ui/TermsButton.tsx'
export { useNextSteps } from './NextSteps.tsx'
export { ReadEditCampaignButton } from './ReadEditCampaignButton.tsx'
export { useCampaignAndTeamChoices } from './useCampaignAndTeamChoices.ts'
export { useCampaignChoices, useLoadedCampaignChoices } from './useCampaignChoices.ts'
/** What must be true of a campaign before it is handed over. */
export const HandoverSteps = lazyComponent(() => import('../handover/ui/HandoverSteps.tsx'))
