import { expect, test } from 'vitest'
import { formatPhone, toDialedPhone, toTelUrl } from './phones.ts'

test.each([
  ['+14075555016', '+1 (407) 555-5016', '+14075555016'],
  ['407.555.5016', '+1 (407) 555-5016', '+14075555016'],
  ['(407) 555-5016', '+1 (407) 555-5016', '+14075555016'],
  ['1 407-555-5016', '+1 (407) 555-5016', '+14075555016'],
  ['+44 20 7946 0958', '+44 20 7946 0958', '+442079460958'],
  ['407-555-5016 ext. 7', '407-555-5016 ext. 7', '40755550167'],
  ['anonymous', 'anonymous', ''],
])('%s is shown and dialed in one format', (written, shown, dialed) => {
  expect([formatPhone(written), toDialedPhone(written)]).toEqual([shown, dialed])
})

test('only a number that can be dialed has a link', () => {
  expect(toTelUrl('(407) 555-5016')).toBe('tel:+14075555016')
  expect(['anonymous', '411', '', null].map(toTelUrl)).toEqual([null, null, null, null])
})
