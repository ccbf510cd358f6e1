import { adminOnly, both, may } from '#contract/allow.ts'

/** Writes items, from either page. */
export const canWriteActivityItems = both(adminOnly, may('changelog', 'activityLog'))
export const canReadActivityLog = both(adminOnly, may('activityLog'))
export const canReadChangelog = both(adminOnly, may('changelog'))
