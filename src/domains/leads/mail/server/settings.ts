import { daysSetting } from '#contract/setting-fields.ts'

export const mailSettings = { RETAIN_MAILS_DAYS: daysSetting(90).optional() }
