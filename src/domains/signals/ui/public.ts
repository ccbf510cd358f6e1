import { lazyComponent } from '#ui/data/lazy-part.ts'

export { describeLostLeads } from '../describe-lost-leads.ts'
export { groupSignals } from './group-signals.ts'
export { formatAge, getSignalStart } from './signal-times.ts'
export { useHomeSignals } from './useSignals.ts'

/** Both load when they are opened. */
export const HomeSignals = lazyComponent(() => import('./HomeSignals.tsx'))
export const CampaignSignals = lazyComponent(() => import('./CampaignSignals.tsx'))
