import { getCountries, getExampleNumber } from 'libphonenumber-js'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { hasCountry, joinCountry, toTelUrl } from '#contract/read-phone.ts'
import { readCorpus } from '#test/corpus.ts'
import { addCountry, cleanPhone, toPhoneKey } from './phone-key.ts'

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

test.each([
  ['48', '48 123 45 67', '+48 48 123 45 67'], // of Radom
  ['91', '9112345678', '+91 9112345678'],
  ['55', '(55) 99876-5432', '+55 (55) 99876-5432'],
  ['49', '4921123456', '+49 4921123456'], // of Emden
  ['47', '4791234567', '+4791234567'],
  ['45', '4512345678', '+4512345678'],
  ['44', '447700900123', '+447700900123'],
])(
  'the country %s before %s is said once, and not taken from a number that begins with its digits [EDGE-03]',
  (country, number, whole) => {
    expect(addCountry(country, number)).toBe(whole)
  },
)

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

type PhoneCase = { input: string; key: string | null; tel: string | null; stored?: string }

test.each(readCorpus<PhoneCase>('phones'))(
  '$input is compared and stored as it should be [EDGE-03]',
  ({ input, key, tel, stored }) => {
    const kept = cleanPhone(input)!
    expect([toPhoneKey(input), toPhoneKey(kept), kept]).toEqual([key, key, stored ?? kept])
    // What is stored is dialed as it is compared, without the plans of other countries.
    if (key?.startsWith('+')) expect(toTelUrl(kept)?.replace(/;.*/, '')).toBe(`tel:${key}`)
    else expect(toTelUrl(kept)).toBe(tel)
  },
)

test('a number of any country is stored so that it is dialed as it is compared [EDGE-03]', () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])
  expect(numbers.length).toBeGreaterThan(200)
  for (const number of numbers)
    for (const written of [
      number.number,
      number.formatInternational(),
      number.format('IDD', { fromCountry: 'US' }) ?? number.number,
      `+${number.countryCallingCode} ${number.formatNational()}`,
    ]) {
      const kept = cleanPhone(written)!
      expect([written, toTelUrl(kept)]).toEqual([written, `tel:${toPhoneKey(kept)}`])
      if (written === number.number) expect(toPhoneKey(written)).toBe(number.number)
    }
})

test('a number is of the country that stands beside it, in letters or by its name [EDGE-03]', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  for (const country of getCountries()) {
    const number = getExampleNumber(country, examples)
    // In Argentina 011 is a city, not the way abroad.
    for (const named of [country, country.toLowerCase(), names.of(country)!, `+${number?.countryCallingCode}`])
      if (number && !hasCountry(number.formatNational()))
        expect([named, toPhoneKey(cleanPhone(joinCountry(named, number.formatNational())))]).toEqual([
          named,
          number.number,
        ])
  }
})

test('a country that does not fit the number stays readable beside it [EDGE-03]', () => {
  for (const beside of ['(GB) 512-555-0144', '(Texas) 512-555-0144', '(cell) 512-555-0144'])
    expect([cleanPhone(beside), toPhoneKey(beside)]).toEqual([beside, '+15125550144'])
  expect(cleanPhone('(GB) anonymous')).toBe('(GB) anonymous')
  expect(cleanPhone('(GB) 020 7946 0958 ext. 7')).toBe('+44 20 7946 0958 x7')
  expect(toPhoneKey('+44 20 7946 0958 x7')).toBe('+442079460958')
})

test('an empty phone is none [EDGE-03]', () => {
  expect(['', ' ', '\u200b'].map(cleanPhone)).toEqual([null, null, null])
})
