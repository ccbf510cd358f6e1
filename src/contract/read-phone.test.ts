import { assert, constantFrom, integer, property, stringMatching, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { formatPhone, readPhone, toDialedPhone, toTelUrl } from './read-phone.ts'

type PhoneCase = { input: string; shown: string; tel: string | null; withheld?: true; shortened?: true }

test.each(readCorpus<PhoneCase>('phones'))(
  '$input is shown, dialed and withheld as it should be [EDGE-03]',
  ({ input, shown, tel, ...is }) => {
    const { isWithheld, isShortened } = readPhone(input)
    expect({ shown: formatPhone(input), tel: toTelUrl(input), isWithheld, isShortened }).toEqual({
      shown,
      tel,
      isWithheld: is.withheld ?? false,
      isShortened: is.shortened ?? false,
    })
  },
)

const american = tuple(stringMatching(/^[2-9]\d\d$/), stringMatching(/^\d{3}$/), stringMatching(/^\d{4}$/)).filter(
  (parts) => !readPhone(parts.join('')).isWithheld,
)
const styles = [
  ([a, b, c]: string[]) => `(${a}) ${b}-${c}`,
  ([a, b, c]: string[]) => `${a}-${b}-${c}`,
  ([a, b, c]: string[]) => `${a}.${b}.${c}`,
  ([a, b, c]: string[]) => `+1${a}${b}${c}`,
  ([a, b, c]: string[]) => `1 ${a} ${b} ${c}`,
  ([a, b, c]: string[]) => `1${a}${b}${c}.0`,
  ([a, b, c]: string[]) => `+1 (${a}) ${b}-${c}`,
  ([a, b, c]: string[]) => `${a} / ${b}-${c}`,
]
const extensions = [
  ...[' ext ', ' x', ' #', ' extension ', ';ext=', ' Ext. ', ', ext: ', 'x'],
  ...[' ext. no. ', ' (x', ' opt. ', ', press ', ' exten '],
]

test('an American number is the same in every style, with every extension and before any second number [EDGE-03]', () => {
  assert(
    property(
      american,
      american,
      constantFrom(...styles),
      constantFrom(...styles),
      constantFrom(...extensions),
      integer({ min: 0, max: 99_999 }),
      constantFrom(' / ', ', ', '; ', ' or ', ' and ', '\n', ' | ', ' & ', ' ', ' cell ', ' (home), ', ' alt: '),
      (first, second, style, other, label, extension, between) => {
        const number = `+1${first.join('')}`
        expect(toDialedPhone(style(first))).toBe(number)
        expect(toDialedPhone(`${style(first)}${between}${other(second)}`)).toBe(number)
        expect(toDialedPhone(`${style(first)}${label}${extension}`)).toBe(`${number};ext=${extension}`)
        expect(toDialedPhone(`${style(first)}${label}${extension} / ${other(second)}`)).toBe(
          `${number};ext=${extension}`,
        )
        expect(formatPhone(`${style(first)}${between}${other(second)}`)).toContain(formatPhone(other(second)))
        expect(formatPhone(formatPhone(style(first)))).toBe(formatPhone(style(first)))
      },
    ),
  )
})

test('what is shown is read as the same number again [EDGE-03]', () => {
  for (const { input } of readCorpus<PhoneCase>('phones')) expect(toTelUrl(formatPhone(input))).toBe(toTelUrl(input))
})
