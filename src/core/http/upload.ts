import type { FastifyRequest } from 'fastify'
import { getErrorCode } from '../error-code.ts'
import { validationError } from './errors.ts'

/** An uploaded file, or what was wrong with it. */
type UploadResult = { name: string; bytes: Buffer } | 'missing' | 'too large' | 'broken'

/** What else a form may hold, which is not read: it is held in memory until the file comes. */
const otherFields = { fields: 10, fieldSize: 1000, parts: 11 }

/** Reads the one file of a multipart form; `broken` for an incomplete form. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<UploadResult> {
  if (!request.isMultipart()) return 'missing'
  try {
    const part = await request.file({ limits: { fileSize: maxBytes, files: 1, ...otherFields } })
    if (!part) return 'missing'
    const bytes = await part.toBuffer()
    // If the limit falls between two chunks, toBuffer() does not throw and returns a truncated file.
    const name = part.filename.replaceAll('%22', '"') // as browsers encode it
    return part.file.truncated ? 'too large' : { name, bytes }
  } catch (error) {
    const code = getErrorCode(error)
    if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
      throw validationError({ file: ['Please send the file alone, in the field “file”'] })
    return code === 'FST_REQ_FILE_TOO_LARGE' ? 'too large' : 'broken'
  }
}
