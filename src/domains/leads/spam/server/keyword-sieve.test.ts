import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeywordSieve, recordEnd, textEnd } from './keyword-sieve.ts'
import { createSpamMatcher } from './spam-match.ts'

const toRecord = (id: number, texts: string[]) => `${id}${textEnd}${texts.join(textEnd)}${recordEnd}`
const sift = (keywords: string[], leads: string[][]) =>
  createKeywordSieve(keywords.map((keyword, id) => ({ id, keyword })))(
    leads.map((texts, id) => toRecord(id, texts)).join(''),
  )

test('a rehearsal looks at the leads that say a keyword, whole and in its order, and passes by the others [RULE-02]', () => {
  const leads = [
    ['Ann', 'A Guest\n post, please'],
    ['Bo', 'guest posts'],
    ['Guest', 'post'],
    ['post guest'],
    ['Café'],
    ['cafes'],
  ]
  expect(sift(['guest post'], leads)).toEqual([0, 2]) // the matcher knows where a text ends
  expect(sift(['cafe', 'bo'], leads)).toEqual([1, 4])
  expect(sift(['CAF*'], leads)).toEqual([4, 5])
  expect(sift(['*'], leads)).toEqual([])
})

const piece = fc.constantFrom(
  ...[
    'roof',
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
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

test('a rehearsal passes by no lead that a keyword hits [RULE-02, RULE-05]', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 5 }),
      (keywords, leads) => {
        const findSpam = createSpamMatcher({ spammers: [], keywords: keywords.map((keyword, id) => ({ id, keyword })) })
        const hit = leads.flatMap(([lead_name = '', lead_email = '', message = '', last_url = ''], id) =>
          findSpam({ phone_key: null, lead_name, lead_email, message, last_url }).length > 0 ? [id] : [],
        )
        expect(sift(keywords, leads)).toEqual(expect.arrayContaining(hit))
      },
    ),
    { numRuns: 200 },
  )
})
