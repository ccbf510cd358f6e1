import type { FastifyRequest } from 'fastify'

/** A file that somebody sent, or what was wrong with it. */
export type UploadResult = { name: string; bytes: Buffer } | 'missing' | 'too large' | 'broken'

/** The one file of a multipart form. Whatever is no whole form is the sender's fault, not ours. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<UploadResult> {
  if (!request.isMultipart()) return 'missing'
  try {
    const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
    return part ? { name: part.filename, bytes: await part.toBuffer() } : 'missing'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE' ? 'too large' : 'broken'
  }
}
