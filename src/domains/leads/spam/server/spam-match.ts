import { asc, inArray, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { leadsTable, TagCause } from '#domains/leads/model/schema.ts'
import { keywordsTable, spammersTable } from '../schema.ts'
import { foldSpamText } from './fold-spam.ts'

type LeadInsert = typeof leadsTable.$inferInsert
/** The columns that rules read. */
type MatchedLead = Pick<LeadInsert, 'phone_key' | 'lead_name' | 'lead_email' | 'message' | 'last_url'>
export type SpammerRule = { id: number; name: string; phone_key: string | null; email: string | null }
export type KeywordRule = { id: number; keyword: string }
/** A rule that hits a lead, and the tag that it sets. */
export type SpamMatch = TagCause & { rule: number }

/**
 * Returns a function that lists the rules that hit a lead, in order. The only place that decides, for incoming leads, imports and
 * rehearsals.
 */
export function createSpamMatcher(rules: {
  spammers: SpammerRule[]
  keywords: KeywordRule[]
}): (lead: MatchedLead) => SpamMatch[] {
  const matchKeywords = createKeywordMatcher(rules.keywords)
  return (lead) => [
    ...rules.spammers
      .filter((spammer) => isSpammer(spammer, lead))
      .map(({ id, name }): SpamMatch => ({ rule: id, tag: 'Autospam', because: `spammer ${name}` })),
    ...matchKeywords([lead.lead_name, lead.lead_email, lead.message, lead.last_url].map((text) => text ?? '')),
  ]
}

/**
 * Returns a function that lists the keywords that hit one of these texts. Tries only keywords with a whole word that occurs in a
 * text; most leads have none.
 */
export function createKeywordMatcher(rules: readonly KeywordRule[]): (texts: string[]) => SpamMatch[] {
  const patterns = new Map<KeywordRule, RegExp>() // compiled when needed: compiling takes longer than matching
  const isIn = (rule: KeywordRule, text: string) => {
    const pattern = patterns.get(rule) ?? toKeywordPattern(rule.keyword)
    patterns.set(rule, pattern)
    return pattern.test(text)
  }
  const byWord = Map.groupBy(rules, ({ keyword }) => findWholeWord(keyword))
  const withoutWord = byWord.get(null) ?? []
  return (texts) => {
    const folded = texts.map(foldSpamText)
    const tried = new Set(withoutWord)
    for (const text of folded)
      for (const word of text.match(isAscii(text) ? /[a-z0-9]+/g : allWords) ?? [])
        for (const rule of byWord.get(word) ?? []) tried.add(rule)
    if (tried.size === 0) return []
    return rules
      .filter((rule) => tried.has(rule) && folded.some((text) => isIn(rule, text)))
      .map(({ id, keyword }) => ({ rule: id, tag: 'BLSpam', because: `keyword '${keyword}'` }))
  }
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** Returns the longest word that must occur whole for the keyword to hit; null if there is none. */
const findWholeWord = (keyword: string): string | null =>
  findWholeWords(keyword).reduce<string | null>(
    (best, word) => (best && best.length >= word.length ? best : word),
    null,
  )

/** Returns the words that must occur whole and in a row for the keyword to hit; none for `rob*`. */
export function findWholeWords(keyword: string): string[] {
  const words = foldSpamText(removeStar(keyword)).match(allWords) ?? []
  return keyword.endsWith('*') ? words.slice(0, -1) : words
}

/** Emails are compared ignoring case. */
const isSpammer = (spammer: SpammerRule, { phone_key, lead_email }: MatchedLead) =>
  (spammer.phone_key !== null && spammer.phone_key === phone_key) ||
  (spammer.email !== null && spammer.email.toLowerCase() === lead_email?.toLowerCase())

// Marks belong to words: in Indic scripts a vowel sign is part of its letter.
const wordCharacter = '[\\p{L}\\p{M}\\p{N}]'
export const allWords = new RegExp(`${wordCharacter}+`, 'gu')
const wordStart = new RegExp(`^${wordCharacter}`, 'u')
const wordEnd = new RegExp(`${wordCharacter}$`, 'u')

/** Requires a word boundary only where the keyword starts or ends with a letter or digit; a trailing `*` drops the end boundary. */
export function toKeywordPattern(keyword: string): RegExp {
  const text = foldSpamText(removeStar(keyword)).trim()
  if (text === '') return /(?!)/ // stars alone hit nothing
  const startsInWord = wordStart.test(text)
  const endsInWord = wordEnd.test(text) && !keyword.endsWith('*')
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(
    `${startsInWord ? `(?<!${wordCharacter})` : ''}${escaped}${endsInWord ? `(?!${wordCharacter})` : ''}`,
    'u',
  )
}

/** Removes the trailing `*`, which is not part of the text. */
export const removeStar = (keyword: string) => keyword.replace(/\*+$/, '')

/** Returns a matcher for these people, with all keywords and only the spammers that can match one of them. */
export async function readSpamMatcher(db: DbOrTx, people: Pick<MatchedLead, 'phone_key' | 'lead_email'>[]) {
  const phones = people.flatMap(({ phone_key }) => phone_key ?? [])
  const emails = people.flatMap(({ lead_email }) => lead_email?.toLowerCase() ?? [])
  const { id, name, phone_key, email } = spammersTable
  const spammers = await db
    .select({ id, name, phone_key, email })
    .from(spammersTable)
    .where(or(inArray(phone_key, phones), inArray(sql`lower(${email})`, emails)))
    .orderBy(asc(id))
  return createSpamMatcher({ spammers, keywords: await readKeywords(db) })
}

export const readKeywords = (db: DbOrTx): Promise<KeywordRule[]> =>
  db
    .select({ id: keywordsTable.id, keyword: keywordsTable.keyword })
    .from(keywordsTable)
    .orderBy(asc(keywordsTable.position), asc(keywordsTable.id))
