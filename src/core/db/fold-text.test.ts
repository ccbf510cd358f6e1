import { expect, test } from 'vitest'
import { foldText } from '#contract/fold-text.ts'
import { setUp, startApp } from '#test/app.ts'
import { readCorpus } from '#test/corpus.ts'

const app = await setUp(startApp())

const foldInDatabase = async (texts: string[]): Promise<string[]> => {
  const { rows } = await app.context.pool.query<{ folded: string }>(
    'select fold_text(text) as folded from unnest($1::text[]) with ordinality one (text, nth) order by nth',
    [texts],
  )
  return rows.map(({ folded }) => folded.replace(/\s+/g, ' '))
}

test('PostgreSQL folds every character as the program does [EDGE-04]', async () => {
  const all = [...codePoints(1, 0x323af), ...codePoints(0xe0000, 0xe01ff)]
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.isWellFormed())
  const { rows } = await app.context.pool.query<{ letter: string }>(
    'select letter from unnest($1::text[]) letter where unicode_assigned(letter)', // Node.js may know newer ones
    [all],
  )
  const letters = rows.map(({ letter }) => letter)
  expect(letters.length).toBeGreaterThan(100_000)
  const texts = letters.map((letter) => `a${letter}b`)
  const folded = await foldInDatabase(texts)
  const differing = letters.filter((_, at) => folded[at] !== foldText(texts[at]!))
  expect(differing.map((letter) => letter.codePointAt(0)!.toString(16))).toEqual([])
})

test('PostgreSQL folds the corpus as the program does [EDGE-04]', async () => {
  const texts = readCorpus<{ input: string }>('text').map(({ input }) => input.toWellFormed().replaceAll('\0', ''))
  expect(await foldInDatabase(texts)).toEqual(texts.map(foldText))
})

const codePoints = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)
