import { lazyComponent } from '#ui/data/lazy-part.ts'

export { groupSignals } from './group-signals.ts'
export { formatAge, getSignalStart } from './signal-times.ts'
export { describeLostLeads } from './signal-words.ts'
export { useHomeSignals } from './useSignals.ts'

/** Both load when they are opened. */
export const HomeSignals = lazyComponent(() => import('./HomeSignals.tsx'))
export const CampaignSignals = lazyComponent(() => import('./CampaignSignals.tsx'))
