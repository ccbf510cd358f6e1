import { z } from 'zod'
import { webUrlSetting } from '#contract/setting-fields.ts'

export const cPanelSettings = {
  CPANEL_URL: webUrlSetting.optional(),
  CPANEL_USER: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a cPanel account name')
    .optional(),
  CPANEL_TOKEN: z
    .string()
    .regex(/^\S{8,}$/, 'must have at least 8 characters and no spaces')
    .optional(),
  CPANEL_ROOT_DOMAIN: z
    .string()
    .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/i, 'must be the main domain of the cPanel account')
    .optional(),
}

export const cPanelSettingsTogether = ['CPANEL_URL', 'CPANEL_USER', 'CPANEL_TOKEN', 'CPANEL_ROOT_DOMAIN'] as const
