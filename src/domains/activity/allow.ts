import { adminsWithPages } from '#contract/allow.ts'

/** Items are written from either page. */
export const canWriteActivityItems = adminsWithPages('changelog', 'activityLog')
export const canReadActivityLog = adminsWithPages('activityLog')
export const canReadChangelog = adminsWithPages('changelog')
