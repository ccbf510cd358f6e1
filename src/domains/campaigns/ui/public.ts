export { useCampaignAndTeamChoices } from './useCampaignAndTeamChoices.ts'
export { useCampaignChoices } from './useCampaignChoices.ts'
