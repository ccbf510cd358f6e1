import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildLoosePersonPattern, buildPersonHints, buildPersonPattern } from './person-pattern.ts'

const names = { phones: [{ callingCode: '1', national: '5125550147' }], emails: ['Zelda.Q_7+home@A-b.example'] }
const pattern = new RegExp(buildPersonPattern(names), 'i')
const loosePattern = new RegExp(buildLoosePersonPattern(names), 'i')
/** The hints as regular expressions, with the meaning of PostgreSQL's `LIKE`. */
const hints = buildPersonHints(names).map((hint) => new RegExp(`^${hint.replaceAll('%', '.*')}$`, 's'))

const separator = fc.array(fc.constantFrom(' ', '.', '-', '(', ')', '%28', '\\u0028', '\n', '\u00a0', '+'), {
  maxLength: 3,
})
const phone = fc
  .tuple(fc.constantFrom('', '+1', '001', '1', '%2B1'), fc.array(separator, { minLength: 10, maxLength: 10 }))
  .map(
    ([prefix, between]) => prefix + [...'5125550147'].map((digit, nth) => `${between[nth]!.join('')}${digit}`).join(''),
  )
const email = fc.array(fc.constantFrom('literal', 'percent', 'escaped'), { minLength: 40, maxLength: 40 }).map((ways) =>
  [...'zelda.q_7+HOME@a-B.example']
    .map((character, nth) => {
      const hex = character.charCodeAt(0).toString(16)
      if (/\w/.test(character) || ways[nth] === 'literal') return character
      return ways[nth] === 'percent' ? `%${hex}` : `\\u00${hex}`
    })
    .join(''),
)

test('the hints and the loose pattern of an erasure match every text that its pattern matches', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.oneof(phone, email),
      fc.string({ maxLength: 5 }),
      fc.string({ maxLength: 5 }),
      (name, before, after) => {
        const text = `${before}${name}${after}`
        if (!pattern.test(text)) return
        found += 1
        expect(hints.some((hint) => hint.test(text.toLowerCase()))).toBe(true)
        expect(loosePattern.test(text)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(100)
  expect(hints.some((hint) => hint.test('5125550174 and zelda@a-b.example'))).toBe(false)
  expect(loosePattern.test('512 rooms, 555 doors, 0147 keys')).toBe(false)
})
