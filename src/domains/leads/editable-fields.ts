import { z } from 'zod'
import {
  booleanField,
  dateField,
  flagField,
  moneyField,
  optionalText,
  requiredId,
  requiredText,
  timeField,
} from '#contract/fields.ts'
import { leadProviders, leadTags, leadTypes } from './labels.ts'

/** What can be changed of a lead, field by field, in the groups that the same people may change. */

export const clientProgressSchema = z.int().min(1).max(5)
export const ratingSchema = z.enum(['1', '2', '3', '4', '5'])

export const feedbackSchemas = {
  client_progress: clientProgressSchema.nullable(),
  company_name: optionalText(),
  client_notes: optionalText(10_000),
  client_value: moneyField.nullable(),
  client_profit: moneyField.nullable(),
  rating: ratingSchema.nullable(),
}

export const adminEditSchemas = { notes: optionalText(10_000), confirmed: flagField, hide: flagField }

export const tagsSchema = z
  .array(z.object({ name: z.enum(leadTags) }))
  .transform((list) => [...new Set(list.map((tag) => tag.name))])

/** The fields of the Edit Lead dialog. */
export const leadDialogSchemas = {
  campaign_id: requiredId('Please select campaign'),
  clientsite_id: requiredId('Please select client site'),
  lead_date: dateField('Please select lead date'),
  lead_time: timeField('Please select lead time'),
  lead_type: z.enum(leadTypes, 'Please select lead type'),
  lead_s: z.enum(leadProviders),
  lead_id: requiredText('Please insert callrail lead id', 200),
  lead_name: optionalText(),
  lead_email: optionalText(254),
  lead_phone: optionalText(50),
  message: optionalText(20_000),
  source: optionalText(),
  last_url: optionalText(2048),
  referrer: optionalText(2048),
  notify: booleanField,
}
