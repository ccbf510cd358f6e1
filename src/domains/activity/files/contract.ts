import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryOneOf } from '#contract/fields.ts'
import { writesItems } from '../allow.ts'

export const maxFileBytes = 10 * 1024 * 1024
export const imageKinds = ['image/jpeg', 'image/png'] as const
export const onlyImages = 'Only jpeg and png images can be uploaded'
export const tooLarge = 'An image may have at most 10 MB'
/** Asked before an image is taken off the form; it leaves its item when the form is saved. */
export const asksToRemoveImage = 'Are you sure to remove this image?'

/** An image; `url` is fetched with the session, or by an <img> with `api_token`. */
export const uploadedFile = z.object({ id, url: z.string() })
export const urlOf = (id: number) => `/api/files/${id}`
/** At most 320 pixels wide and high. */
export const thumbnailOf = (id: number) => `${urlOf(id)}?size=small`

/** Images of activity log items. */
export const files = {
  upload: endpoint('POST /campaign-changelog/files', {
    allow: writesItems,
    about: 'One image as multipart form data: jpeg or png by its content, at most 10 MB. Kept without its metadata.',
    answers: z.object({ data: uploadedFile }),
  }),
  get: endpoint('GET /files/:id', {
    allow: writesItems,
    about: 'The image, or a small one of it. An <img> sends no header, so the session token may stand in `api_token`.',
    query: z.object({ size: queryOneOf(['small']) }),
    image: true,
    streams: true,
  }),
}
