import type { FastifyRequest } from 'fastify'
import { getErrorCode } from '../error-code.ts'

/** A file that somebody sent, or what was wrong with it. */
type UploadResult = { name: string; bytes: Buffer } | 'missing' | 'too large' | 'broken'

/** The one file of a multipart form. Whatever is no whole form is the sender's fault, not ours. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<UploadResult> {
  if (!request.isMultipart()) return 'missing'
  try {
    const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
    return part ? { name: part.filename, bytes: await part.toBuffer() } : 'missing'
  } catch (error) {
    return getErrorCode(error) === 'FST_REQ_FILE_TOO_LARGE' ? 'too large' : 'broken'
  }
}
