import type { FastifyRequest } from 'fastify'
import { getErrorCode } from '../error-code.ts'

/** An uploaded file, or what was wrong with it. */
type UploadResult = { name: string; bytes: Buffer } | 'missing' | 'too large' | 'broken'

/** Reads the one file of a multipart form; `broken` for an incomplete form. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<UploadResult> {
  if (!request.isMultipart()) return 'missing'
  try {
    const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
    if (!part) return 'missing'
    const bytes = await part.toBuffer()
    // If the limit falls between two chunks, toBuffer() does not throw and returns a truncated file.
    const name = part.filename.replaceAll('%22', '"') // as browsers encode it
    return part.file.truncated ? 'too large' : { name, bytes }
  } catch (error) {
    return getErrorCode(error) === 'FST_REQ_FILE_TOO_LARGE' ? 'too large' : 'broken'
  }
}
