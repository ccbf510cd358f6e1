import { and, desc, type SQL, sql } from 'drizzle-orm'
import { foldText } from '#contract/fold-text.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { spamTags } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import type { KeywordSuggestion } from '../contract.ts'
import { findRuleHits } from './rehearse.ts'
import { createSpamMatcher, readKeywords } from './spam-match.ts'

/** Only the newest leads of each kind are read, so that a large agency waits no longer than a small one. */
const readSpamLeads = 5_000
const readOtherLeads = 20_000
const fewestSpamLeads = 3
/** In standard deviations: by chance one word in a hundred gets this far. */
const lowestScore = 2.33
const rehearsedWords = 30
const suggestedWords = 10

/** Returns words that distinguish leads tagged Spam by hand from others, and that would have hit no verified lead. */
export async function suggestKeywords(db: DbOrTx, me: CurrentUser): Promise<KeywordSuggestion[]> {
  const spam = await readWordSets(
    db,
    me,
    sql`${leadsTable.tags} @> '{Spam}' and ${leadsTable.tags} <> '{}'`,
    readSpamLeads,
  )
  if (spam.length < fewestSpamLeads) return []
  const isOther = sql`not ${leadsTable.hide} and not ${leadsTable.tags} && ${sql.param(spamTags)}::text[]`
  const others = await readWordSets(db, me, isOther, readOtherLeads)
  const findKnown = createSpamMatcher({ keywords: await readKeywords(db), spammers: [] })
  const isKnown = (word: string) =>
    findKnown({ phone_key: null, lead_name: null, lead_email: null, message: word, last_url: null }).length > 0
  const words = compareWords(spam, others)
    .filter(({ spam, score, word }) => spam >= fewestSpamLeads && score >= lowestScore && !isKnown(word))
    .slice(0, rehearsedWords)
  return (await rehearseWords(db, me, words)).slice(0, suggestedWords)
}

async function rehearseWords(db: DbOrTx, me: CurrentUser, words: WordScore[]): Promise<KeywordSuggestion[]> {
  if (words.length === 0) return []
  const keywords = words.map(({ word }, id) => ({ id, keyword: word }))
  const hits = words.map(() => ({ all: 0, verified: 0 }))
  const found = await findRuleHits(db, me, { keywords })
  for (const { matches, confirmed } of found.hits)
    for (const { rule } of matches) {
      hits[rule]!.all++
      if (confirmed) hits[rule]!.verified++
    }
  return words.flatMap(({ word, spam, others, score }, id) => {
    const { all, verified } = hits[id]!
    return verified > 0 ? [] : [{ keyword: word, spam, others, score: Math.round(score * 10) / 10, hits: all }]
  })
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu

/** Returns the distinct words of each lead, folded like keywords, with three letters or more. */
async function readWordSets(db: DbOrTx, me: CurrentUser, which: SQL, limit: number): Promise<Set<string>[]> {
  const { lead_name, message, occurred_at, id } = leadsTable
  const rows = await db
    .select({ lead_name, message })
    .from(leadsTable)
    .where(and(sql`${occurred_at} >= now() - interval '12 months'`, visibleLeadsCondition(me), which))
    .orderBy(desc(occurred_at), desc(id))
    .limit(limit)
  return rows.map((lead) => {
    const words = foldText(`${lead.lead_name ?? ''} ${lead.message ?? ''}`).match(wordPattern) ?? []
    return new Set(words.filter((word) => (word.match(/\p{L}/gu) ?? []).length >= 3))
  })
}

/** How many leads of each kind have a word, and how far that is from chance, in standard deviations. */
type WordScore = { word: string; spam: number; others: number; score: number }

/** The weight of the prior, in words. */
const priorWords = 100

/**
 * Returns the words of spam, the most distinctive first, by their log-odds against other leads with an informative Dirichlet prior
 * (Monroe, Colaresi and Quinn 2008, Fightin' Words, equations 16 to 23). The prior is the frequency of the word in both kinds
 * together, so that a word that is rare everywhere needs more cases to stand out. A lead counts a word once.
 */
function compareWords(spam: Set<string>[], others: Set<string>[]): WordScore[] {
  const [inSpam, inOthers] = [countWords(spam), countWords(others)]
  const [spamTotal, otherTotal] = [sumCounts(inSpam), sumCounts(inOthers)]
  const all = spamTotal + otherTotal
  return [...inSpam]
    .map(([word, count]): WordScore => {
      const other = inOthers.get(word) ?? 0
      const prior = (priorWords * (count + other)) / all
      const [a, b] = [count + prior, other + prior]
      const logOdds = Math.log(a / (spamTotal + priorWords - a)) - Math.log(b / (otherTotal + priorWords - b))
      return { word, spam: count, others: other, score: logOdds / Math.sqrt(1 / a + 1 / b) }
    })
    .sort((a, b) => b.score - a.score || a.word.localeCompare(b.word, 'en'))
}

function countWords(leads: Set<string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const words of leads) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const sumCounts = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
