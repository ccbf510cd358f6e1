import { blacklistedKeywords } from '#app/demo/sample-text.ts'
import type { RuleRehearsal } from '#domains/leads/spam/contract.ts'
import type { BenchServer } from './bench-server.ts'
import { type Database, withClient } from './database.ts'
import { cell, verdict } from './goal-rows.ts'
import { median, timedPost } from './http-client.ts'
import { say } from './report.ts'

const keywordCount = 100
const times = 40
const goalMs = 1500

/**
 * npm run bench -- --only rehearsal: what a hundred keywords would have done to the leads of the last 12 months. They are the agency's
 * own, a few that hit (each about a fiftieth of the forms), and pairs of words from messages that hit nothing.
 */
export async function measureRehearsals(ours: BenchServer, { url }: Database, leads: number): Promise<void> {
  const words = await readWords(url)
  const phrases = await readPhrases(url)
  const answers: number[] = []
  let hits = 0
  for (let nth = -3; nth < times; nth += 1) {
    const { ms, body } = await timedPost(ours, '/api/leads/keywords/rehearse', {
      keywords: composeKeywords(words, phrases, nth + 3).join('\n'),
    })
    hits = (JSON.parse(body) as RuleRehearsal).hits // the contract's own answer
    if (nth >= 0) answers.push(ms) // the first three warm the plans
  }
  const ninetyFifth = answers.toSorted((a, b) => a - b)[Math.floor(answers.length * 0.95)]!
  say(
    `a rehearsal of ${keywordCount} keywords that hit ${hits} of ${leads} leads: median ${cell(median(answers))} ms, 95th percentile ${cell(ninetyFifth)} ms; goal ${goalMs} ms: ${verdict(ninetyFifth <= goalMs)}`,
  )
}

const readWords = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ word: string }>(
      `select distinct lower(word) as word
       from (select message from leads where message is not null limit 5000) sample, regexp_split_to_table(message, '[^a-zA-Z]+') word
       where length(word) > 3 order by word`,
    )
    return rows.map(({ word }) => word)
  })

/** Returns the first two words of some messages, after the greeting that all have. */
const readPhrases = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ phrase: string }>(
      `select distinct lower(substring(message from '^Hi, (\\w+ \\w+)')) as phrase
       from (select message from leads where message ~ '^Hi, \\w+ \\w+' limit 1000) sample order by phrase limit 5`,
    )
    return rows.map(({ phrase }) => phrase)
  })

function composeKeywords(words: string[], phrases: string[], round: number): string[] {
  const pairs = Array.from({ length: keywordCount - blacklistedKeywords.length - phrases.length }, (_, nth) => {
    const place = round * keywordCount + nth
    return `${words[(place * 31) % words.length]} ${words[(place * 17 + 7) % words.length]}`
  })
  return [...blacklistedKeywords, ...phrases, ...pairs]
}
