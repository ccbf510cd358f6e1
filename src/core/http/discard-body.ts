import type { IncomingMessage } from 'node:http'

/** No mistake sends this much; a sender of more is cut off. */
const maxDiscardedBytes = 64 * 1024 * 1024
/** For a sender who stops in the middle. */
const maxWaitMs = 10_000

/**
 * Reads the rest of a request without keeping it: a client that is cut off while it sends gets an error of its connection instead of the
 * answer. Returns whether the request has come to its end, so that the connection can be used again.
 */
export function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve(request.complete)
  return new Promise((resolve) => {
    let bytes = 0
    const deadline = setTimeout(() => finish(), maxWaitMs)
    const finish = () => {
      clearTimeout(deadline)
      request.off('data', count).off('end', finish).off('close', finish).off('error', finish)
      resolve(request.complete)
    }
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxDiscardedBytes) finish()
    }
    request.on('data', count).on('end', finish).on('close', finish).on('error', finish).resume()
  })
}
