import { z } from 'zod'
import { isLogoAddress, logoAddressMessage } from '#contract/logo-address.ts'
import { timeZoneSetting, webUrlSetting } from '#contract/setting-fields.ts'

export const defaultAgencyName = 'Leadline'

export const agencySettings = {
  AGENCY_TIMEZONE: timeZoneSetting.default('America/New_York'),
  AGENCY_NAME: z.string().trim().min(1).max(100, 'must have at most 100 characters').default(defaultAgencyName),
  AGENCY_COLOR: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #2a5bd7')
    .default('#2a5bd7'),
  AGENCY_LOGO: z.string().max(700_000).refine(isLogoAddress, logoAddressMessage).optional(),
  USER_GUIDE_URL: webUrlSetting.optional(),
  RESOURCES_URL: webUrlSetting.optional(),
}
