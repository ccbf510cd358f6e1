import { z } from 'zod'
import { webUrlSetting, wordSetting } from '#contract/setting-fields.ts'

export const callRailSettings = {
  CALLRAIL_API_URL: webUrlSetting.default('https://api.callrail.com/v3'),
  CALLRAIL_ACCOUNT_ID: z
    .string()
    .regex(/^[\w-]+$/, 'must be an account id such as ACC…')
    .optional(),
  CALLRAIL_API_KEY: wordSetting.optional(),
  CALLRAIL_SIGNING_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
}

export const callRailRequirements = [['CALLRAIL_API_KEY', 'CALLRAIL_ACCOUNT_ID']] as const
