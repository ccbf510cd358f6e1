/** How many leads of each kind have a word, and how far that is from chance, in standard deviations. */
export type WordScore = { word: string; spam: number; others: number; score: number }

/** The weight of the prior, in words. */
const priorWords = 100

/**
 * Returns the words of spam, the most distinctive first, by their log-odds against other leads with an informative Dirichlet prior
 * (Monroe, Colaresi and Quinn 2008, Fightin' Words, equations 16 to 23). The prior is the frequency of the word in both kinds
 * together, so that a word that is rare everywhere needs more cases to stand out. A lead counts a word once.
 */
export function compareWords(spam: Set<string>[], others: Set<string>[]): WordScore[] {
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
