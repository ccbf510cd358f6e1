import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseKeywords } from '../contract.ts'
import { createKeywordSieve, recordEnd, textEnd } from './keyword-sieve.ts'
import { createKeywordMatcher, createSpamMatcher } from './spam-match.ts'

const toRules = (keywords: string[]) => keywords.map((keyword, id) => ({ id, keyword }))
const toRecord = (id: number, texts: string[]) =>
  `${[id, ...texts].join(textEnd).replaceAll(recordEnd, textEnd)}${recordEnd}`
/** Returns the ids of the leads that pass the sieve. */
const sift = (keywords: string[], leads: string[][]) =>
  createKeywordSieve(toRules(keywords))(leads.map((texts, id) => toRecord(id, texts)).join('')).map((record) =>
    Number.parseInt(record, 10),
  )

test('the sieve passes leads that contain a keyword’s whole words in order, and drops the others [RULE-02]', () => {
  const leads = [
    ['Ann', 'A Guest\n post, please'],
    ['Bo', 'guest posts'],
    ['Guest', 'post'],
    ['post guest'],
    ['Café'],
    ['cafes'],
  ]
  expect(sift(['guest post'], leads)).toEqual([0, 2]) // only the matcher knows where a text ends
  expect(sift(['cafe', 'bo'], leads)).toEqual([1, 4])
  expect(sift(['CAF*'], leads)).toEqual([4, 5])
  expect(sift(['*'], leads)).toEqual([])
})

const piece = fc.constantFrom(
  ...[
    'roof',
    'r\u043eof',
    'ROOF',
    'leak',
    'a',
    'café',
    'cafe\u0301',
    'Straße',
    'İ',
    'K',
    '\u212a',
    '無料',
    '𝒳',
    '👍',
    '7',
    '50%',
    '$$$',
    '.ru',
    '(free)',
    '’',
  ],
  ...[' ', ' ', ' ', '  ', '\n', '\t', '\u00a0', '*', '-', '@', '\u0301', '\u093f'],
)
const toText = (from: fc.Arbitrary<string>) => fc.array(from, { maxLength: 8 }).map((pieces) => pieces.join(''))
const leadPiece = fc.oneof(
  { weight: 9, arbitrary: piece },
  { weight: 1, arbitrary: fc.constantFrom(textEnd, recordEnd) },
)

test('a rehearsal of records gives the same hits as the rules for new leads [RULE-02, RULE-05]', () => {
  fc.assert(
    fc.property(
      fc.array(toText(leadPiece), { minLength: 1, maxLength: 4 }),
      fc.array(fc.array(toText(leadPiece), { maxLength: 4 }), { maxLength: 5 }),
      (typed, leads) => {
        const keywords = toRules(parseKeywords(typed.join('\n')))
        const findSpam = createSpamMatcher({ spammers: [], keywords })
        const expected = leads.map(([lead_name = '', lead_email = '', message = '', last_url = '']) =>
          findSpam({ phone_key: null, lead_name, lead_email, message, last_url }),
        )
        const found = leads.map((): unknown[] => [])
        const match = createKeywordMatcher(keywords)
        for (const record of createKeywordSieve(keywords)(leads.map((texts, id) => toRecord(id, texts)).join(''))) {
          const [id, ...texts] = record.split(textEnd)
          found[Number(id)] = match(texts)
        }
        expect(found).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})
