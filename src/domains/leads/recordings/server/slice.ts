import { TransformStream } from 'node:stream/web'
import type { ByteRange } from './range.ts'

/** Passes on the bytes of the range, and stops reading after it. */
export function sliceByteRange({ start, end }: ByteRange): TransformStream<Uint8Array, Uint8Array> {
  let at = 0
  return new TransformStream({
    transform(chunk, controller) {
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
      at += chunk.length
      if (part.length > 0) controller.enqueue(part)
      if (at > end) controller.terminate()
    },
  })
}
