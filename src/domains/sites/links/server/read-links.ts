import { toPlainText } from '#integrations/outbound/plain-text.ts'
import { readHtml } from '#integrations/outbound/read-html.ts'

/** A link of a page, with its absolute URL. */
export type ExtractedLink = { url: string; anchor: string | null; rel: string | null }

const maxPageLinks = 5000
const maxAnchorLength = 500

/** Reads the links of a page as a stream, without holding all of it in memory. */
export async function extractPageLinks(
  pieces: AsyncIterable<Buffer>,
  address: string,
  charset: string,
): Promise<ExtractedLink[]> {
  const page = new LinkExtractor(address)
  await readHtml(pieces, page, charset)
  return page.links
}

class LinkExtractor {
  readonly links: ExtractedLink[] = []
  #base: string
  #open: { href: string; rel: string | null; words: string } | null = null

  constructor(address: string) {
    this.#base = address
  }

  isFull(): boolean {
    return this.links.length >= maxPageLinks
  }

  opened(name: string, { href, rel, alt }: Record<string, string>) {
    if (name === 'base' && href && URL.canParse(href, this.#base)) this.#base = new URL(href, this.#base).href
    if (name === 'img' && alt) this.text(alt)
    if (name !== 'a' && name !== 'area') return
    this.#close()
    if (href !== undefined) this.#open = { href, rel: toPlainText(rel?.toLowerCase()), words: '' }
    if (name === 'area') this.#close(alt)
  }

  closed(name: string) {
    if (name === 'a') this.#close()
  }

  text(text: string) {
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
