import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryOneOf } from '#contract/fields.ts'
import { canWriteActivityItems } from '../allow.ts'

export const maxImageBytes = 10 * 1024 * 1024
export const imageMimeTypes = ['image/jpeg', 'image/png'] as const
export const imageTypeMessage = 'Only jpeg and png images can be uploaded'
export const imageTooLargeMessage = 'An image may have at most 10 MB'
/** Confirms removing an image from the form; it leaves its item when the form is saved. */
export const removeImageQuestion = 'Are you sure to remove this image?'

/** An image; `url` is fetched with the session, or by an <img> with `api_token`. */
export const uploadedFileSchema = z.object({ id: idField, url: z.string() })
export const getFileUrl = (id: number) => `/api/files/${id}`
/** At most 320 pixels wide and high. */
export const getThumbnailUrl = (id: number) => `${getFileUrl(id)}?size=small`

/** Images of activity log items. */
export const filesContract = {
  upload: endpoint('POST /campaign-changelog/files', {
    allow: canWriteActivityItems,
    changes: [],
    description:
      'One image as multipart form data: jpeg or png by its content, at most 10 MB. Stored without its metadata.',
    upload: true,
    response: z.object({ data: uploadedFileSchema }),
  }),
  get: endpoint('GET /files/:id', {
    allow: canWriteActivityItems,
    description:
      'The image, or its thumbnail. An <img> sends no header, so the session token may be sent in `api_token`.',
    query: z.object({ size: queryOneOf(['small']) }),
    image: true,
    streams: 'image/*',
  }),
}
