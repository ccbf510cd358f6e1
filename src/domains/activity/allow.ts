import { admin, both, may } from '#contract/allow.ts'

/** Writes items, from either page. */
export const writesItems = both(admin, may('changelog', 'activityLog'))
export const readsLog = both(admin, may('activityLog'))
export const readsChangelog = both(admin, may('changelog'))
