import { foldSearch } from '#contract/fold-text.ts'

const maxNames = 20
/** From here on, a name may be meant: `Austin Rofing` is Austin Roofing, `My Profile` is no one. */
const nearEnough = 0.5

/** Returns the names that begin with the text, contain it, or are spelled nearly like it, in this order. */
export function findNearNames(names: Iterable<string>, text: string): string[] {
  const wanted = foldSearch(text).trim()
  const ranked = [...new Set(names)].flatMap((name) => {
    const rank = rankName(foldSearch(name), wanted)
    return rank >= nearEnough ? [{ name, rank }] : []
  })
  return ranked
    .toSorted((a, b) => b.rank - a.rank || a.name.localeCompare(b.name))
    .slice(0, maxNames)
    .map(({ name }) => name)
}

function rankName(name: string, wanted: string): number {
  if (name === wanted) return 4
  if (name.startsWith(wanted)) return 3
  return name.includes(wanted) ? 2 : compareLetterPairs(name, wanted)
}

/** Returns how many pairs of neighboring letters two texts share, from 0 to 1 (Dice's coefficient). */
function compareLetterPairs(one: string, other: string): number {
  const [pairs, left] = [listLetterPairs(one), listLetterPairs(other)]
  const total = pairs.length + left.length
  let shared = 0
  for (const pair of pairs) {
    const at = left.indexOf(pair)
    if (at === -1) continue
    left.splice(at, 1)
    shared += 1
  }
  return total === 0 ? 0 : (2 * shared) / total
}

const listLetterPairs = (text: string) =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => Array.from({ length: Math.max(word.length - 1, 0) }, (_, at) => word.slice(at, at + 2)))
