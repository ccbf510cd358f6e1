export { CampaignSignals } from './CampaignSignals.tsx'
export { HomeSignals } from './HomeSignals.tsx'
