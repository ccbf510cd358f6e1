import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { leadSchema } from '../contract.ts'
import { leadHistorySchema } from '../history/contract.ts'

/** How many related leads come with a lead; the list of related leads has all of them. */
export const maxRelatedShown = 5

const leadDetailSchema = leadSchema.extend({
  /** When the lead came in, in the client's time zone; null if that is the same as the agency's. */
  client_time: z.object({ date: z.string(), time: z.string(), zone: z.string() }).nullable(),
  /** The URL of the recording, valid for ten minutes. Playing it is recorded by `GET recording/{id}`. */
  recording_url: z.string().nullable(),
  /** Leads with the same phone or email in its campaign, the newest first; null for callers who may not see them. */
  related: z.object({ data: z.array(leadSchema), meta: z.object({ total: z.int().min(0) }) }).nullable(),
  /** For admins. */
  history: leadHistorySchema.nullable(),
})
export type LeadDetail = z.infer<typeof leadDetailSchema>

export const leadDetailContract = {
  read: endpoint('GET /lead/:id', {
    allow: mayUsePages('leads', 'archivedleads'),
    reads: ['lead'],
    description:
      'A lead with everything its page shows: its time in the client’s time zone, the URL of its recording, related leads and, for admins, its history.',
    response: leadDetailSchema,
  }),
}
