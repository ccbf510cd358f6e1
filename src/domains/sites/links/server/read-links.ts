import { Parser } from 'htmlparser2'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { toPlainText } from '#integrations/outbound/plain-text.ts'

/** A link of a page, with its absolute URL. */
export type ExtractedLink = { url: string; anchor: string | null; rel: string | null }

const maxPageLinks = 5000
const maxAnchorLength = 500
/** Pages with deeper nesting are hostile. */
const maxNestingDepth = 1000

/** Reads the links of a page as a stream, without holding all of it in memory. */
export async function extractPageLinks(
  pieces: AsyncIterable<Buffer>,
  address: string,
  charset: string,
): Promise<ExtractedLink[]> {
  const page = new LinkExtractor(address)
  const decoder = createDecoder(charset)
  try {
    for await (const piece of pieces) {
      page.write(decoder.decode(piece, { stream: true }))
      if (page.isFull) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.kind === 'too large')) throw error // the start is enough
  }
  return page.links
}

function createDecoder(charset: string) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder() // an unknown charset
  }
}

class LinkExtractor {
  readonly links: ExtractedLink[] = []
  #base: string
  #depth = 0
  #open: { href: string; rel: string | null; words: string } | null = null
  readonly #parser = new Parser({
    onopentag: (name, attributes) => this.#opened(name, attributes),
    onclosetag: (name) => {
      this.#depth -= 1
      if (name === 'a') this.#close()
    },
    ontext: (text) => this.#say(text),
  })

  constructor(address: string) {
    this.#base = address
  }

  get isFull(): boolean {
    return this.links.length >= maxPageLinks || this.#depth > maxNestingDepth
  }

  write(text: string) {
    // In small parts, so that reading stops early on a page that nests too deep.
    for (let from = 0; from < text.length && !this.isFull; from += 4096)
      this.#parser.write(text.slice(from, from + 4096))
  }

  #opened(name: string, { href, rel, alt }: Record<string, string>) {
    this.#depth += 1
    if (name === 'base' && href && URL.canParse(href, this.#base)) this.#base = new URL(href, this.#base).href
    if (name === 'img' && alt) this.#say(alt)
    if (name !== 'a' && name !== 'area') return
    this.#close()
    if (href !== undefined) this.#open = { href, rel: toPlainText(rel?.toLowerCase()), words: '' }
    if (name === 'area') this.#close(alt)
  }

  #say(text: string) {
    if (this.#open && this.#open.words.length < maxAnchorLength * 2)
      this.#open.words += text.slice(0, maxAnchorLength * 2)
  }

  #close(words?: string) {
    const link = this.#open
    this.#open = null
    if (!link || link.href.length > 4096 || !URL.canParse(link.href, this.#base)) return
    const url = new URL(link.href, this.#base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || url.href.length > 2048) return
    if (this.links.length < maxPageLinks)
      this.links.push({ url: url.href, anchor: toPlainText(words ?? link.words, maxAnchorLength), rel: link.rel })
  }
}
