import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { GuidePage, GuideSection, GuideVariant } from './guide-page.ts'

/** A page as one person reads it. */
export type VisibleGuidePage = Pick<GuidePage, 'key' | 'title' | 'screen'> & Pick<GuideVariant, 'picture' | 'sections'>

/** What of it is for this person; null where nothing is. */
export function resolveGuidePage(
  me: CurrentUserDto,
  { allow, tellings, key, title, screen }: GuidePage,
): VisibleGuidePage | null {
  const telling = allow(me) ? tellings.find(({ to }) => to(me)) : undefined
  if (!telling) return null
  const sections = telling.sections.filter(({ to }) => !to || to(me))
  return { key, title, sections, ...(screen && { screen }), ...(telling.picture && { picture: telling.picture }) }
}

/** What is looked for, word by word. */
export const splitSearchTerms = (search: string): string[] => [
  ...new Set(search.toLowerCase().split(/\s+/).filter(Boolean)),
]

/** Whether the page has all of the words, somewhere. */
export function hasAllTerms({ title, sections }: VisibleGuidePage, words: readonly string[]): boolean {
  const text = [title, ...sections.flatMap(listSectionLines)].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The line that has most of the words; null where only the title has any. */
export function findBestLine({ sections }: VisibleGuidePage, words: readonly string[]): string | null {
  let best: { line: string; hits: number } | null = null
  for (const line of sections.flatMap(listSectionLines)) {
    const lower = line.toLowerCase()
    const hits = words.filter((word) => lower.includes(word)).length
    if (hits > (best?.hits ?? 0)) best = { line, hits }
  }
  return best?.line ?? null
}

/** Its title and its lines as they are read, without what makes words bold. */
const listSectionLines = ({ title = '', says }: GuideSection): string[] =>
  [title, ...says.flat().map(stripMarkup)].filter(Boolean)
const stripMarkup = (line: string) => line.replace(/\*\*|`/g, '')

export type TextPart = { text: string; hit: boolean }

/** The text in pieces: what is one of the words, and what lies between. */
export function splitByTerms(text: string, words: readonly string[]): TextPart[] {
  if (words.length === 0) return [{ text, hit: false }]
  // The longest first, so that a word that begins like another is marked as a whole.
  const any = words.toSorted((a, b) => b.length - a.length).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return text
    .split(new RegExp(`(${any.join('|')})`, 'i'))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
