import { z } from 'zod'
import { date, flag, idOr, money, optionalText, required, time, yesNo } from '#contract/fields.ts'
import { leadSources, leadTypes, tags } from './labels.ts'

/** What can be changed of a lead, field by field, in the groups that the same people may change. */

export const progressValue = z.int().min(1).max(5)
export const stars = z.enum(['1', '2', '3', '4', '5'])

export const feedback = {
  client_progress: progressValue.nullable(),
  company_name: optionalText(),
  client_notes: optionalText(10_000),
  client_value: money.nullable(),
  client_profit: money.nullable(),
  rating: stars.nullable(),
}

export const byAdmins = { notes: optionalText(10_000), confirmed: flag, hide: flag }

export const tagList = z
  .array(z.object({ name: z.enum(tags) }))
  .transform((list) => [...new Set(list.map((tag) => tag.name))])

/** The fields of the Edit Lead dialog. */
export const dialog = {
  campaign_id: idOr('Please select campaign'),
  clientsite_id: idOr('Please select client site'),
  lead_date: date('Please select lead date'),
  lead_time: time('Please select lead time'),
  lead_type: z.enum(leadTypes, 'Please select lead type'),
  lead_s: z.enum(leadSources),
  lead_id: required('Please insert callrail lead id', 200),
  lead_name: optionalText(),
  lead_email: optionalText(254),
  lead_phone: optionalText(50),
  message: optionalText(20_000),
  source: optionalText(),
  last_url: optionalText(2048),
  referrer: optionalText(2048),
  notify: yesNo,
}
