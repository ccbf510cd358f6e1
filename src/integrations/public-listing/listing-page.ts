import { Parser } from 'htmlparser2'
import { OutboundError } from '../outbound/outbound-problem.ts'

/** The machine-readable head of a page: its meta tags by name, its linked data, and whether it is a captcha or consent page. */
export type PageHead = { meta: Map<string, string>; data: unknown[]; wall: 'captcha' | 'consent' | null }

/** Pages that are nested deeper are malicious. */
const maxNestingDepth = 1000
const maxScriptLength = 200_000

/** Parses a page as it arrives; of a page that is too long, the beginning. */
export async function readPageHead(pieces: AsyncIterable<Buffer>): Promise<PageHead> {
  const page = new PageHeadParser()
  const decoder = new TextDecoder()
  try {
    for await (const piece of pieces) {
      page.write(decoder.decode(piece, { stream: true }))
      if (page.isTooDeep) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.kind === 'too large')) throw error
  }
  return page.head
}

class PageHeadParser {
  readonly head: PageHead = { meta: new Map(), data: [], wall: null }
  #depth = 0
  #script: string | null = null
  readonly #parser = new Parser({
    onopentag: (name, attributes) => this.#opened(name, attributes),
    onclosetag: (name) => this.#closed(name),
    ontext: (text) => {
      if (this.#script !== null && this.#script.length < maxScriptLength) this.#script += text
    },
  })

  get isTooDeep(): boolean {
    return this.#depth > maxNestingDepth
  }

  write(text: string) {
    // In small parts, so that parsing stops early if a page is nested too deep.
    for (let from = 0; from < text.length && !this.isTooDeep; from += 4096)
      this.#parser.write(text.slice(from, from + 4096))
  }

  #opened(name: string, attributes: Record<string, string>) {
    this.#depth += 1
    if (name === 'meta') this.#say(attributes)
    if (name === 'script' && attributes.type?.trim().toLowerCase() === 'application/ld+json') this.#script = ''
    if (attributes.id === 'captcha-form' || /\bg-recaptcha\b/.test(attributes.class ?? '')) this.head.wall = 'captcha'
    if (name === 'form' && /^https:\/\/consent\.google\./.test(attributes.action ?? '')) this.head.wall ??= 'consent'
  }

  /** Keeps the first tag of a name, as other readers of these tags do. */
  #say({ property, name, content }: Record<string, string>) {
    const key = (property ?? name)?.toLowerCase()
    if (key && content !== undefined && this.head.meta.size < 100 && !this.head.meta.has(key))
      this.head.meta.set(key, content)
  }

  #closed(name: string) {
    this.#depth -= 1
    if (name !== 'script' || this.#script === null) return
    try {
      if (this.head.data.length < 20) this.head.data.push(JSON.parse(this.#script))
    } catch {
      // Invalid or truncated JSON is ignored.
    }
    this.#script = null
  }
}
