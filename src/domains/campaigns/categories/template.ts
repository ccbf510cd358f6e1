import { z } from 'zod'
import { optionalText } from '#contract/fields.ts'
import { isObject } from '#contract/is-object.ts'
import { timezoneField } from '#domains/clients/fields.ts'
import { campaignFields } from '../fields.ts'
import { scheduleSchema } from '../schedule.ts'
import { billingTermsSchema } from '../terms/contract.ts'

/** Working hours as a template holds them, and as a new campaign may bring them. */
const templateHoursSchema = z.object({ timezone: timezoneField, schedule: scheduleSchema })

/** Terms begin with the campaign that gets them, so they have no days, and there is one set of them. */
const undatedTermsSchema = billingTermsSchema.omit({ from: true, to: true })
const undatedTermsField = z.preprocess(
  (value) => (isObject(value) ? [value] : value),
  z.array(undatedTermsSchema, 'Not a list of terms').length(1, 'Exactly one set of terms'),
)

export const targetNames = [
  'initial_target',
  'month_3_target',
  'month_6_target',
  'month_9_target',
  'month_12_target',
] as const
const templateTargetsSchema = z.strictObject({
  initial_target: campaignFields.initial_target.form,
  month_3_target: campaignFields.month_3_target.form,
  month_6_target: campaignFields.month_6_target.form,
  month_9_target: campaignFields.month_9_target.form,
  month_12_target: campaignFields.month_12_target.form,
})

/** What new campaigns may start with; null is not set. */
export const campaignTemplateSchema = z.strictObject({
  hours: templateHoursSchema.nullable().default(null),
  targets: templateTargetsSchema.nullable().default(null),
  terms: undatedTermsField.nullable().default(null),
  manager: optionalText().default(null),
})
export type CampaignTemplate = z.output<typeof campaignTemplateSchema>
/** As it is read: with the version that a save is checked against. */
export const storedTemplateSchema = campaignTemplateSchema.extend({ version: z.int() })
