import { TransformStream } from 'node:stream/web'

type ByteRange = { start: number; end: number }

/** Parses one range of bytes, both ends inclusive, or a suffix (`bytes=-500`). Returns null for several or malformed ones. */
export function parseRangeHeader(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
  if (to !== '' && Number(to) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

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
