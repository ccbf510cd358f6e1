import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { leadSchema } from '../contract.ts'
import { leadHistorySchema } from '../history/contract.ts'

/** How many related leads are answered with a lead; a list of its own has all of them. */
export const maxRelatedShown = 5

const leadDetailSchema = leadSchema.extend({
  /** When it came on the client's own clock, where that is another one than the agency's. */
  client_time: z.object({ date: z.string(), time: z.string(), zone: z.string() }).nullable(),
  /** Where its recording can be played for the next ten minutes. Who plays it says so by `GET recording/{id}`. */
  recording_url: z.string().nullable(),
  /** Leads of the same phone or email in its campaign, the newest first; null for those who may not see them. */
  related: z.object({ data: z.array(leadSchema), meta: z.object({ total: z.int().min(0) }) }).nullable(),
  /** For admins. */
  history: leadHistorySchema.nullable(),
})
export type LeadDetail = z.infer<typeof leadDetailSchema>

export const leadDetailContract = {
  read: endpoint('GET /lead/:id', {
    allow: mayUsePages('leads', 'archivedleads'),
    description:
      'A lead with what its page shows: its time on the client’s clock, where its recording can be played, related leads and, for admins, its history.',
    response: leadDetailSchema,
  }),
}
