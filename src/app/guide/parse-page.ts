import { lexer, type Token, type Tokens } from 'marked'
import type { GuideInline, ParsedBlock, ParsedPage } from './guide-page.ts'

/** Makes Vite import the guide's pages as data, so that the browser needs no markdown parser. */
export const guidePagesPlugin = {
  name: 'guide-pages',
  transform: (source: string, file: string) =>
    /\/guide\/pages\/.+\.md$/.test(file)
      ? { code: `export default ${JSON.stringify(parseGuidePage(source))}`, map: null }
      : null,
}

/**
 * Reads a page: `title`, `screen`, `for`, `section` and `position` between two lines of dashes, then markdown. Two comments are instructions:
 * `<!-- for: staff, client -->` limits what follows, up to the next heading or instruction, and
 * `<!-- include: finding-leads for: client -->` inserts a page of the shared folder. Throws on markdown the guide cannot show.
 */
export function parseGuidePage(source: string): ParsedPage {
  const [, head = '', body = source] = /^---\n(.*?)^---\n(.*)$/ms.exec(source) ?? []
  const fields = Object.fromEntries(
    [...head.matchAll(/^(title|screen|for|section|position): (.+)$/gm)].map(([, name, value]) => [name, value]),
  )
  const blocks: ParsedBlock[] = []
  let audience: { for?: string[] } = {}
  for (const token of lexer(body)) {
    const [, page, names] = /^<!-- (?:include: ([\w-]+) ?)?(?:for: (.+) )?-->\s*$/.exec(token.raw) ?? []
    // A mistyped instruction must not show everyone what is meant for some.
    if (token.type === 'html' && page === undefined && names === undefined)
      throw new Error(`The guide does not know this instruction: ${token.raw}`)
    if (page !== undefined) blocks.push({ type: 'include', page, ...readAudience(names) })
    if (token.type === 'heading' || token.type === 'html') audience = page === undefined ? readAudience(names) : {}
    const block = parseBlock(token)
    if (block) blocks.push({ ...block, ...(block.type !== 'heading' && audience) })
  }
  return { ...fields, blocks }
}

const readAudience = (names: string | undefined) => (names === undefined ? {} : { for: names.split(', ') })

function parseBlock(token: Token): ParsedBlock | null {
  if (token.type === 'space' || token.type === 'html') return null
  if (token.type === 'heading') return { type: 'heading', text: token.text }
  if (token.type === 'list') {
    const { ordered, items } = token as Tokens.List // by its type
    return { type: ordered ? 'steps' : 'list', items: items.map((item) => parseInlines(item.tokens[0])) }
  }
  if (token.type !== 'paragraph') throw new Error(`The guide cannot show this ${token.type}: ${token.raw}`)
  const [first] = token.tokens ?? []
  if (first?.type !== 'image') return { type: 'paragraph', text: parseInlines(token) }
  const [, name] = /([a-z0-9-]+)-light-\d+x\d+\.webp$/.exec(first.href) ?? []
  if (!name) throw new Error(`The guide names its pictures by their light version: ${token.raw}`)
  return { type: 'picture', name, alt: first.text }
}

const parseInlines = (token: Token | undefined): GuideInline[] =>
  (token && 'tokens' in token && token.tokens ? token.tokens : []).map((part) => {
    if (part.type === 'strong') return { bold: part.text }
    if (part.type === 'codespan') return { key: part.text }
    if (part.type !== 'text') throw new Error(`The guide cannot show this ${part.type}: ${part.raw}`)
    return part.text
  })
