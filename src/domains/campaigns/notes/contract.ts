import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, textField } from '#contract/fields.ts'

/** A campaign's note, shown next to its name in the changelog. */
export const campaignNotesContract = {
  update: endpoint('POST /campaign/:id/update-note', {
    allow: adminsWithPages('changelog', 'campaigns'),
    changes: ['campaign', 'activity'],
    description: 'An empty note removes it.',
    body: z.strictObject({ note: textField(10_000) }),
    response: z.object({ id: idField, name: z.string(), note: z.string() }),
    success: 'Note changed successfully',
  }),
}
