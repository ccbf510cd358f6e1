import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { OutboundError } from './outbound-problem.ts'

type HtmlHandlers = {
  opened(name: string, attributes: Record<string, string>): void
  closed(name: string): void
  text(text: string): void
  /** Whether the rest of the page does not matter. */
  isFull?(): boolean
}

/** Pages with deeper nesting are hostile. */
const maxNestingDepth = 1000

/**
 * Reads a page as it arrives, without holding all of it in memory. Of a page that is too long or too deep, the beginning. `charset` is what
 * its headers declare.
 */
export async function readHtml(
  pieces: AsyncIterable<Buffer>,
  handlers: HtmlHandlers,
  charset: string | null = null,
): Promise<void> {
  let depth = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1
      handlers.opened(name, attributes)
    },
    onclosetag: (name) => {
      depth -= 1
      handlers.closed(name)
    },
    ontext: (text) => handlers.text(text),
  })
  const isOver = () => depth > maxNestingDepth || handlers.isFull?.() === true
  let decoder: TextDecoder | null = null
  try {
    for await (const piece of pieces) {
      decoder ??= createDecoder(charset, piece)
      const text = decoder.decode(piece, { stream: true })
      // In small parts, so that reading stops early.
      for (let from = 0; from < text.length && !isOver(); from += 4096) parser.write(text.slice(from, from + 4096))
      if (isOver()) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.kind === 'too large')) throw error
  }
  parser.end()
}

/**
 * As browsers do: the page's own mark counts, then what was declared, then what its head says. Without any of them it is UTF-8, or
 * Windows-1252 if it begins as UTF-8 never would.
 */
function createDecoder(declared: string | null, beginning: Buffer): TextDecoder {
  const marked = charsetMarks.find(([, mark]) => beginning.subarray(0, mark.length).equals(mark))?.[0]
  // A head that is read letter by letter is not UTF-16.
  const said = metaCharset.exec(beginning.toString('latin1', 0, 4096))?.[1]?.replace(/^utf-?16.*/i, 'utf-8')
  for (const charset of [marked, declared, said]) {
    const decoder = charset ? openDecoder(charset) : null
    if (decoder) return decoder
  }
  return new TextDecoder(isUtf8Start(beginning) ? 'utf-8' : 'windows-1252')
}

const charsetMarks: [charset: string, mark: Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]
const metaCharset = /<meta\s[^>]*\bcharset\s*=\s*["']?\s*([\w-]+)/i

function openDecoder(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null // an unknown charset
  }
}

/** The last letter may not be whole yet. */
function isUtf8Start(beginning: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    return true
  } catch {
    return false
  }
}
