import { webUrlSetting, wordSetting } from '#contract/setting-fields.ts'

export const googleSettings = {
  GOOGLE_CLIENT_ID: wordSetting.optional(),
  GOOGLE_CLIENT_SECRET: wordSetting.optional(),
  GOOGLE_AUTH_URL: webUrlSetting.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: webUrlSetting.default('https://oauth2.googleapis.com/token'),
  GOOGLE_REVOKE_URL: webUrlSetting.default('https://oauth2.googleapis.com/revoke'),
  GOOGLE_ACCOUNTS_URL: webUrlSetting.default('https://mybusinessaccountmanagement.googleapis.com'),
  GOOGLE_BUSINESS_URL: webUrlSetting.default('https://mybusinessbusinessinformation.googleapis.com'),
  GOOGLE_VERIFICATIONS_URL: webUrlSetting.default('https://mybusinessverifications.googleapis.com'),
}

export const googleSettingsTogether = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const
