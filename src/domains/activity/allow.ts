import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'

/** Items are written from either page. */
export const canWriteActivityItems = bothRules(adminOnly, mayUsePages('changelog', 'activityLog'))
export const canReadActivityLog = bothRules(adminOnly, mayUsePages('activityLog'))
export const canReadChangelog = bothRules(adminOnly, mayUsePages('changelog'))
