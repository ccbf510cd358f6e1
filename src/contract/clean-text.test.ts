import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { cleanText } from './clean-text.ts'
import { cutText, fitsLength } from './cut-text.ts'
import { foldText } from './fold-text.ts'

type TextCase = { input: string; stored: string; compared: string }

test.each(readCorpus<TextCase>('text'))(
  '%j is stored and compared as it should be [EDGE-04]',
  ({ input, stored, compared }) => {
    expect(cleanText(input)).toBe(stored)
    expect(foldText(stored)).toBe(compared)
  },
)

const anyText = string({ unit: 'binary' })

test('a text that is clean stays as it is, and one that is folded too [EDGE-04]', () => {
  assert(
    property(anyText, (text) => {
      expect(cleanText(cleanText(text))).toBe(cleanText(text))
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
    { numRuns: 2000 },
  )
})

test('every character that is clean stays as it is, and every one that is folded too [EDGE-04]', () => {
  const letters = Array.from({ length: 0x323b0 }, (_, code) => String.fromCodePoint(code))
  const changing = letters.filter(
    (letter) => foldText(foldText(letter)) !== foldText(letter) || cleanText(cleanText(letter)) !== cleanText(letter),
  )
  expect(changing.map((letter) => letter.codePointAt(0)!.toString(16))).toEqual([])
})

test('what is compared is the same in every normal form, case and width, and with marks between the letters [EDGE-04]', () => {
  const letters = string({ unit: 'grapheme' })
  assert(
    property(letters, (text) => {
      const same = foldText(text)
      for (const form of ['NFC', 'NFD'] as const) expect(foldText(text.normalize(form))).toBe(same)
    }),
    { numRuns: 1000 },
  )
  expect(foldText([...'casino'].join('\u200b'))).toBe('casino')
  expect(foldText('CASINO'.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)))).toBe(
    'casino',
  )
})

test('a text is cut between characters as people count them [EDGE-04]', () => {
  const family = '👨‍👩‍👧‍👦'
  expect(cutText('😀'.repeat(300), 255)).toBe('😀'.repeat(255))
  expect(cutText(family.repeat(3), 2)).toBe(family.repeat(2))
  expect(cutText('Jose\u0301', 4)).toBe('Jose\u0301')
  expect(cutText('abcdef', 3)).toBe('abc')
  expect(cutText(`a${'\u0301'.repeat(5000)}`, 5).length).toBe(160)
  expect([fitsLength(family.repeat(2), 2), fitsLength(family.repeat(3), 2)]).toEqual([true, false])
  assert(
    property(anyText, (text) => {
      expect(cutText(text, 1000)).toBe(text)
      expect(text.startsWith(cutText(text, 3))).toBe(true)
      expect(fitsLength(cutText(text, 3), 3)).toBe(true)
    }),
  )
})
