import { z } from 'zod'
import { webUrlSetting, wordSetting } from '#contract/setting-fields.ts'
import { isLoopback } from '#contract/web-address.ts'

export const openIdSettings = {
  OIDC_ISSUER: webUrlSetting
    .refine(
      (value) => !URL.canParse(value) || new URL(value).protocol !== 'http:' || isLoopback(new URL(value).hostname),
      'must start with https://, except for a provider on this machine',
    )
    .optional(),
  OIDC_CLIENT_ID: wordSetting.optional(),
  OIDC_CLIENT_SECRET: wordSetting.optional(),
  OIDC_ROLE_CLAIM: z.string().regex(/^\S+$/, 'must be the name of a claim').optional(),
}

/** Single sign-on needs all of them. */
export const openIdSettingsTogether = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
