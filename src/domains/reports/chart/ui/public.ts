export { CampaignChart, readWeekCounts } from './CampaignChart.tsx'
