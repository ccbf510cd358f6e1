import MiniSearch from 'minisearch'
import type { GuideBlock, GuideInline } from './guide-page.ts'
import type { VisibleGuidePage } from './pages.ts'

type GuideSearchIndex = MiniSearch<{ key: string; title: string; text: string }>

export function createSearchIndex(pages: readonly VisibleGuidePage[]): GuideSearchIndex {
  const index: GuideSearchIndex = new MiniSearch({
    idField: 'key',
    fields: ['title', 'text'],
    searchOptions: {
      combineWith: 'AND',
      prefix: true,
      // Tolerates a typo in a longer word.
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      boost: { title: 10 },
    },
  })
  index.addAll(pages.map(({ key, title, blocks }) => ({ key, title, text: blocks.flatMap(listLines).join('\n') })))
  return index
}

/** The `keys` of pages; `hits` are their matching words, in lower case. */
type GuideSearchResult = { keys: readonly string[]; hits: readonly string[] }

/** Returns the pages that have all words, best first. */
export function searchGuide(index: GuideSearchIndex, words: string): GuideSearchResult {
  const found = index.search(words)
  return { keys: found.map(({ id }) => String(id)), hits: [...new Set(found.flatMap(({ terms }) => terms))] }
}

/** Returns the line that has most of the words; null if only the title has any. */
export function findBestLine({ blocks }: VisibleGuidePage, hits: readonly string[]): string | null {
  let best: { line: string; count: number } | null = null
  for (const line of blocks.flatMap(listLines)) {
    const count = splitByTerms(line, hits).filter(({ hit }) => hit).length
    if (count > (best?.count ?? 0)) best = { line, count }
  }
  return best?.line ?? null
}

function listLines(block: GuideBlock): string[] {
  if (block.type === 'heading') return [block.text]
  if (block.type === 'paragraph') return [toPlainText(block.text)]
  return 'items' in block ? block.items.map(toPlainText) : []
}

const toPlainText = (parts: readonly GuideInline[]) =>
  parts.map((part) => (typeof part === 'string' ? part : 'bold' in part ? part.bold : part.key)).join('')

type TextPart = { text: string; hit: boolean }

/** Returns the text in pieces: the words that were found, and the text in between. */
export function splitByTerms(text: string, words: readonly string[]): TextPart[] {
  if (words.length === 0) return [{ text, hit: false }]
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, 'iu'))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
