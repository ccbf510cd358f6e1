import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import type { GuidePage, Section, Telling } from './guide-page.ts'

/** A page as one person reads it. */
export type ToldPage = Pick<GuidePage, 'key' | 'title' | 'screen'> & Pick<Telling, 'picture' | 'sections'>

/** What of it is for this person; null where nothing is. */
export function toldTo(me: CurrentUser, { allow, tellings, key, title, screen }: GuidePage): ToldPage | null {
  const telling = allow(me) ? tellings.find(({ to }) => to(me)) : undefined
  if (!telling) return null
  const sections = telling.sections.filter(({ to }) => !to || to(me))
  return { key, title, sections, ...(screen && { screen }), ...(telling.picture && { picture: telling.picture }) }
}

/** What is looked for, word by word. */
export const wordsOf = (search: string): string[] => [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))]

/** Whether the page has all of the words, somewhere. */
export function isFound({ title, sections }: ToldPage, words: readonly string[]): boolean {
  const text = [title, ...sections.flatMap(linesOf)].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The line that has most of the words; null where only the title has any. */
export function bestLine({ sections }: ToldPage, words: readonly string[]): string | null {
  let best: { line: string; hits: number } | null = null
  for (const line of sections.flatMap(linesOf)) {
    const lower = line.toLowerCase()
    const hits = words.filter((word) => lower.includes(word)).length
    if (hits > (best?.hits ?? 0)) best = { line, hits }
  }
  return best?.line ?? null
}

/** Its title and its lines as they are read, without what makes words bold. */
const linesOf = ({ title = '', says }: Section): string[] => [title, ...says.flat().map(plain)].filter(Boolean)
const plain = (line: string) => line.replace(/\*\*|`/g, '')

export type Part = { text: string; hit: boolean }

/** The text in pieces: what is one of the words, and what lies between. */
export function partsOf(text: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [{ text, hit: false }]
  // The longest first, so that a word that begins like another is marked as a whole.
  const any = words.toSorted((a, b) => b.length - a.length).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return text
    .split(new RegExp(`(${any.join('|')})`, 'i'))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
