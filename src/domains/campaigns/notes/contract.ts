import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { exactText, idField, textField } from '#contract/fields.ts'

const campaignNoteSchema = z.object({ id: idField, name: z.string(), note: z.string() })

/** A campaign's note, shown next to its name in the changelog. */
export const campaignNotesContract = {
  update: endpoint('POST /campaign/:id/update-note', {
    allow: adminsWithPages('changelog', 'campaigns'),
    changes: ['campaign', 'activity'],
    description:
      'An empty note removes it. With `seen`, the note as it was read, a note that has changed since is not overwritten: 409 with the newer one.',
    // As it is stored: what people count as 10,000 characters may be more.
    body: z.strictObject({ note: textField(10_000), seen: exactText(320_000).optional() }),
    response: campaignNoteSchema,
    conflict: { newer: campaignNoteSchema },
    success: 'Note changed successfully',
  }),
}
