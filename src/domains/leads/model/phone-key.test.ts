import { expect, test } from 'vitest'
import { toPhoneKey } from './phone-key.ts'

test('every spelling of an American number has the same key', () => {
  const written = [
    '+12125550123',
    '2125550123',
    '(212) 555-0123',
    '1-212-555-0123',
    '212.555.0123 ext. 4',
    ' 212 555 0123 ',
  ]
  expect(new Set(written.map(toPhoneKey))).toEqual(new Set(['+12125550123']))
})

test('a number from another country keeps its country code', () => {
  expect(toPhoneKey('+44 20 7946 0958')).toBe('+442079460958')
})

test('an incomplete number is compared by its digits', () => {
  expect(toPhoneKey('555-0123')).toBe('5550123')
  expect(toPhoneKey('9'.repeat(400))).toBe('9'.repeat(32))
})

test('a text without digits has no key', () => {
  expect([null, '', 'unknown', '+', '() -'].map(toPhoneKey)).toEqual([null, null, null, null, null])
})

test('withheld numbers are not one caller', () => {
  const withheld = ['+266696687', '+2562533', '+7378742833', '+86282452253', '+8656696', 'Anonymous']
  expect(withheld.map(toPhoneKey)).toEqual(withheld.map(() => null))
})
