import { z } from 'zod'
import { isTimeZone } from './zoned-time.ts'

/** The types of settings, each with its message for an invalid value. Core, integrations and domains declare their settings with them. */

export const urlSetting = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  })
export const webUrlSetting = urlSetting('http:', 'https:')
export const wordSetting = z.string().regex(/^\S+$/, 'must not contain spaces')
export const timeZoneSetting = z.string().refine(isTimeZone, 'must be a time zone such as America/New_York')

export const daysSetting = (least: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a number of days, at least ${least}`)
    .transform(Number)
    .refine((days) => days >= least, `must be a number of days, at least ${least}`)
