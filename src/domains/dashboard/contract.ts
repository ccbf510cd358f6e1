import { z } from 'zod'
import { bothRules, mayUsePages, staffOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { instantField } from '#contract/instants.ts'

export const homeContract = {
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
