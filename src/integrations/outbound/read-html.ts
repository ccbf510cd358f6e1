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

/** Reads a page as it arrives, without holding all of it in memory. Of a page that is too long or too deep, the beginning. */
export async function readHtml(
  pieces: AsyncIterable<Buffer>,
  handlers: HtmlHandlers,
  charset = 'utf-8',
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
  const decoder = createDecoder(charset)
  try {
    for await (const piece of pieces) {
      const text = decoder.decode(piece, { stream: true })
      // In small parts, so that reading stops early.
      for (let from = 0; from < text.length && !isOver(); from += 4096) parser.write(text.slice(from, from + 4096))
      if (isOver()) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.kind === 'too large')) throw error
  }
}

function createDecoder(charset: string) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder() // an unknown charset
  }
}
