import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, text } from '#contract/fields.ts'

/** What is worth knowing about a campaign; it stands beside its name in the changelog. */
export const campaignNotes = {
  update: endpoint('POST /campaign/:id/update-note', {
    allow: both(admin, may('changelog', 'campaigns')),
    about: 'An empty note is none.',
    body: z.strictObject({ note: text(10_000) }),
    answers: z.object({ id, name: z.string(), note: z.string() }),
    says: 'Note changed successfully',
  }),
}
