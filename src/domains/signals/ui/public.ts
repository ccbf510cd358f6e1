import { lazyComponent } from '#ui/data/lazy-part.ts'

export { HomeSignals } from './HomeSignals.tsx'
export { formatAge, formatLostLeads, getSignalStart } from './signal-times.ts'

/** Loads when it is opened. */
export const CampaignSignals = lazyComponent(() => import('./CampaignSignals.tsx'))
