import { z } from 'zod'
import { daysSetting } from '#contract/setting-fields.ts'

export const intakeSettings = {
  HOOK_JOURNAL_MB: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number of megabytes, or 0 for none')
    .transform(Number)
    .default(256),
  RETAIN_EVENTS_DAYS: daysSetting(30).optional(),
}
