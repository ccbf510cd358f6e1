import { lazyComponent } from '#ui/data/lazy-part.ts'

export { readWeekCounts } from './week-counts.ts'

/** Loads after what stands above it. */
export const CampaignChart = lazyComponent(() => import('./CampaignChart.tsx'))
