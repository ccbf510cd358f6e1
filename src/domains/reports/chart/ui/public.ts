export { CampaignChart, CampaignCycle, readWeekCounts } from './CampaignChart.tsx'
