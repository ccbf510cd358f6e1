import { z } from 'zod'
import { idField } from '#contract/fields.ts'

/** The fields of a lead whose new values open lists are told; of others they are told that something has changed. */
export const liveFields = [
  'archived',
  'confirmed',
  'hide',
  'tags',
  'notes',
  'client_progress',
  'rating',
  'rating_via',
  'rating_unconfirmed',
  'company_name',
  'client_notes',
  'client_value',
  'client_profit',
] as const

/** The event `change`: leads that someone has changed, with what the listener may read of it. */
export const leadChangesSchema = z.object({
  /** Whether the listener changed them, in this tab or elsewhere. */
  mine: z.boolean(),
  leads: z.array(
    z.object({
      id: idField,
      version: z.int(),
      fields: z.record(z.string(), z.unknown()),
      /** Whether `fields` has all that has changed. */
      whole: z.boolean(),
      /** Present if the lead was moved: its campaign now. */
      moved: z.int().optional(),
      /** Present if the listener may not see the lead any more. */
      gone: z.literal(true).optional(),
    }),
  ),
})
export type LeadChange = z.infer<typeof leadChangesSchema>['leads'][number]
