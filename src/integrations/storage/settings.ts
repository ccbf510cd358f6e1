import { z } from 'zod'
import { webUrlSetting, wordSetting } from '#contract/setting-fields.ts'

export const storageSettings = {
  S3_ENDPOINT: webUrlSetting.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be a region such as us-east-1')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: wordSetting.optional(),
  S3_SECRET_ACCESS_KEY: wordSetting.optional(),
}

/** A bucket needs all of them. */
export const storageSettingsTogether = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
