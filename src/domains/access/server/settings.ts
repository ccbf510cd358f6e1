import { z } from 'zod'
import { webUrlSetting } from '#contract/setting-fields.ts'

export const accessSettings = {
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(128, 'must have at most 128 characters')
    .optional(),
  CLIENT_LOGIN_URL: webUrlSetting.optional(),
}
