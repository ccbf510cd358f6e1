import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'

/** Writes items, from either page. */
export const canWriteActivityItems = bothRules(adminOnly, mayUsePages('changelog', 'activityLog'))
export const canReadActivityLog = bothRules(adminOnly, mayUsePages('activityLog'))
export const canReadChangelog = bothRules(adminOnly, mayUsePages('changelog'))
