import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/fields.ts'

const writesNotes = both(admin, may('changelog', 'activityLog'))

export const maxFileBytes = 10 * 1024 * 1024
export const uploadedFile = z.object({ id, url: z.string() })

/** Images of activity log items. */
export const files = {
  upload: endpoint('POST /campaign-changelog/files', {
    allow: writesNotes,
    about: 'One image as multipart form data: jpeg or png by its content, at most 10 MB. Kept without its metadata.',
    answers: z.object({ data: uploadedFile }),
  }),
  get: endpoint('GET /files/:id', {
    allow: writesNotes,
    about: 'The image. An <img> sends no header, so the session token may stand in `api_token`.',
    image: true,
    streams: true,
  }),
}
