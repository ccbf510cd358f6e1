import type { FastifyRequest } from 'fastify'
import { getErrorCode } from '../error-code.ts'

/** A file that was sent, or what was wrong with it. */
type UploadResult = { name: string; bytes: Buffer } | 'missing' | 'too large' | 'broken'

/** Reads the one file of a multipart form. A form that is incomplete is the sender's fault. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<UploadResult> {
  if (!request.isMultipart()) return 'missing'
  try {
    const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
    if (!part) return 'missing'
    const bytes = await part.toBuffer()
    // toBuffer() does not notice it when the limit falls between two chunks, and returns what came before.
    return part.file.truncated ? 'too large' : { name: part.filename, bytes }
  } catch (error) {
    return getErrorCode(error) === 'FST_REQ_FILE_TOO_LARGE' ? 'too large' : 'broken'
  }
}
