export type ByteRange = { start: number; end: number }

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
