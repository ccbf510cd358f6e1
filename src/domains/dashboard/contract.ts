import { z } from 'zod'
import { bothRules, mayUsePages, staffOnly, superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { setupStepKeys } from './labels.ts'

const setupStepSchema = z.object({
  key: z.enum(setupStepKeys),
  done: z.boolean(),
  /** Put off by a super admin. */
  later: z.boolean(),
  /** What is there, and what is missing. */
  says: z.string(),
  /** What comes next in this step. */
  lacks: z.enum(['name', 'connection', 'answer', 'account', 'data', 'plan', 'client', 'campaign', 'site']).nullable(),
})
export type SetupStep = z.infer<typeof setupStepSchema>

export const homeContract = {
  steps: endpoint('GET /home/steps', {
    allow: superAdminOnly,
    reads: [
      'setup-step',
      'agency',
      'connection',
      'google-location',
      'import',
      'lead',
      'client',
      'campaign',
      'client-site',
    ],
    description: 'What a new agency has to do, what of it is done, and what is missing.',
    response: z.array(setupStepSchema),
  }),
  putOff: endpoint('PUT /home/steps/:key', {
    allow: superAdminOnly,
    changes: ['setup-step'],
    params: { key: z.enum(setupStepKeys) },
    description: 'Puts a step off for every super admin, or takes it up again.',
    body: z.strictObject({ later: booleanField }),
    response: z.array(setupStepSchema),
  }),
  figures: endpoint('GET /home/figures', {
    allow: bothRules(staffOnly, mayUsePages('leads')),
    reads: ['lead'],
    description: 'The leads of today and those that wait for a verdict, of one’s campaigns.',
    response: z.object({
      leads_today: z.int().min(0),
      /** The mean of the same weekday in the last four weeks, up to this time of day. */
      usual_by_now: z.number().min(0),
      to_review: z.int().min(0),
    }),
  }),
  visit: endpoint('POST /home/visit', {
    allow: mayUsePages('dashboard'),
    reads: ['signal'],
    description:
      'Says that the caller looks at Home, and answers when their last visit ended. A visit ends half an hour after the last look.',
    response: z.object({ last_visit_at: instantField.nullable() }),
  }),
}
