import { readHtml } from '../outbound/read-html.ts'
import { parseJson } from '../outbound/response.ts'

/** The machine-readable head of a page: its meta tags by name, its linked data, and whether it is a captcha or consent page. */
export type PageHead = { meta: Map<string, string>; data: unknown[]; wall: 'captcha' | 'consent' | null }

const maxScriptLength = 200_000

export async function readPageHead(pieces: AsyncIterable<Buffer>): Promise<PageHead> {
  const page = new PageHeadReader()
  await readHtml(pieces, page)
  return page.head
}

class PageHeadReader {
  readonly head: PageHead = { meta: new Map(), data: [], wall: null }
  #script: string | null = null

  opened(name: string, attributes: Record<string, string>) {
    if (name === 'meta') this.#addMeta(attributes)
    if (name === 'script' && attributes.type?.trim().toLowerCase() === 'application/ld+json') this.#script = ''
    if (attributes.id === 'captcha-form' || /\bg-recaptcha\b/.test(attributes.class ?? '')) this.head.wall = 'captcha'
    if (name === 'form' && /^https:\/\/consent\.google\./.test(attributes.action ?? '')) this.head.wall ??= 'consent'
  }

  text(text: string) {
    if (this.#script !== null && this.#script.length < maxScriptLength) this.#script += text
  }

  closed(name: string) {
    if (name !== 'script' || this.#script === null) return
    const data = parseJson(this.#script)
    if (data !== undefined && this.head.data.length < 20) this.head.data.push(data)
    this.#script = null
  }

  /** Keeps the first tag of a name, as other readers of these tags do. */
  #addMeta({ property, name, content }: Record<string, string>) {
    const key = (property ?? name)?.toLowerCase()
    if (key && content !== undefined && this.head.meta.size < 100 && !this.head.meta.has(key))
      this.head.meta.set(key, content)
  }
}
