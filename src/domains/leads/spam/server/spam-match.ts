import { asc, inArray, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { leadsTable, TagCause } from '#domains/leads/model/schema.ts'
import { keywordsTable, spammersTable } from '../schema.ts'

type LeadInsert = typeof leadsTable.$inferInsert
/** What the rules look at. */
export type MatchedLead = Pick<LeadInsert, 'phone_key' | 'lead_name' | 'lead_email' | 'message' | 'last_url'>
export type SpammerRule = { id: number; name: string; phone_key: string | null; email: string | null }
export type KeywordRule = { id: number; keyword: string }
/** A rule that hits a lead, and the tag that it gives. */
export type SpamMatch = TagCause & { rule: number }

/**
 * Returns a function that lists the rules that hit a lead, in their order. It is the one that decides: for leads that come in,
 * for imports, and for rehearsals.
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
 * Returns a function that lists the keywords that hit one of these texts. Only those are tried of which a whole word is there: most leads
 * have none.
 */
export function createKeywordMatcher(rules: readonly KeywordRule[]): (texts: string[]) => SpamMatch[] {
  const patterns = new Map<KeywordRule, RegExp>() // made when they are tried: making them takes longer than trying them
  const isIn = (rule: KeywordRule, text: string) => {
    const pattern = patterns.get(rule) ?? toKeywordPattern(rule.keyword)
    patterns.set(rule, pattern)
    return pattern.test(text)
  }
  const byWord = Map.groupBy(rules, ({ keyword }) => findWholeWord(keyword))
  const withoutWord = byWord.get(null) ?? []
  return (texts) => {
    const folded = texts.map(foldText)
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

/** The longest word that stands whole wherever the keyword does; null for one that has none. */
const findWholeWord = (keyword: string): string | null =>
  findWholeWords(keyword).reduce<string | null>(
    (best, word) => (best && best.length >= word.length ? best : word),
    null,
  )

/** Returns the words that stand whole and one after the other wherever the keyword does; none for such as `rob*`. */
export function findWholeWords(keyword: string): string[] {
  const words = foldText(removeStar(keyword)).match(allWords) ?? []
  return keyword.endsWith('*') ? words.slice(0, -1) : words
}

/** Emails are compared case folded. */
const isSpammer = (spammer: SpammerRule, { phone_key, lead_email }: MatchedLead) =>
  (spammer.phone_key !== null && spammer.phone_key === phone_key) ||
  (spammer.email !== null && spammer.email.toLowerCase() === lead_email?.toLowerCase())

// A vowel sign of an Indic script is part of its letter, so that marks belong to words.
const wordCharacter = '[\\p{L}\\p{M}\\p{N}]'
export const allWords = new RegExp(`${wordCharacter}+`, 'gu')
const wordStart = new RegExp(`^${wordCharacter}`, 'u')
const wordEnd = new RegExp(`${wordCharacter}$`, 'u')

/** A bound is asked only where the keyword itself begins or ends with a letter or digit; `*` at its end leaves that one out. */
export function toKeywordPattern(keyword: string): RegExp {
  const text = foldText(removeStar(keyword)).trim()
  if (text === '') return /(?!)/ // stars alone hit nothing
  const startsInWord = wordStart.test(text)
  const endsInWord = wordEnd.test(text) && !keyword.endsWith('*')
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(
    `${startsInWord ? `(?<!${wordCharacter})` : ''}${escaped}${endsInWord ? `(?!${wordCharacter})` : ''}`,
    'u',
  )
}

/** The keyword without the `*` at its end, which is no part of its text. */
export const removeStar = (keyword: string) => keyword.replace(/\*+$/, '')

/** Case and accents folded, runs of white space as one space. */
export function foldText(text: string): string {
  const letters = isAscii(text)
    ? text
    : text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
  const folded = letters.toLowerCase()
  return /\s\s|[^\S ]/.test(folded) ? folded.replace(/\s+/g, ' ') : folded
}
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** Returns the matcher for these people, with every keyword and those spammers that can be one of them. */
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
