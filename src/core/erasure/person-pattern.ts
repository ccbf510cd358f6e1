/**
 * A regular expression, for JavaScript and PostgreSQL alike and to be matched in any case, that finds a phone or an email however a text
 * spells it: with blanks, dots and parentheses, in an address (`%40`), in JSON (`\u0040`). Never a part of a longer number or address.
 */
export function buildPersonPattern({ phones, emails }: PersonNames): string {
  return [...phones.map(spellPhone), ...emails.map(spellEmail)].map((one) => `(?:${one})`).join('|')
}

/**
 * Returns patterns of `LIKE`, in lower case: a text in which none of them is has no match of the regular expression either. They look for
 * the digits and letters alone, in their order, which costs PostgreSQL a hundredth of it.
 */
export const buildPersonHints = ({ phones, emails }: PersonNames): string[] => [
  ...phones.map(({ national }) => `%${[...national].join('%')}%`),
  ...emails.map((email) => `%${(email.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('%')}%`),
]

/** `phones` are national numbers with their country's calling code, digits only. */
type PersonNames = { phones: { callingCode: string; national: string }[]; emails: string[] }

/** What may stand between two digits, and what precedes a value that was escaped: its last character is part of the escape. */
const separator = '(?:%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}|[^0-9A-Za-z]){0,5}'
const escaped = String.raw`(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\[0-7]{3})|(?<=\\[bfnrt])`

function spellPhone({ callingCode, national }: PersonNames['phones'][number]): string {
  const digits = [...national].join(separator)
  const abroad = `(?:[+]|%2B|\\\\u002b|(?:00|011)${separator})?`
  const prefix = callingCode === '' ? '' : `(?:${abroad}${callingCode}${separator})?(?:[(]?0[)]?${separator})?`
  return `(?:(?<![0-9])|${escaped})${prefix}[(]?${digits}(?![0-9])`
}

function spellEmail(email: string): string {
  const characters = [...email].map((character) => {
    if (/[A-Za-z0-9]/.test(character)) return character
    const hex = Buffer.from(character, 'utf8').toString('hex')
    const literal =
      /[\w]/.test(character) || character > '\x7f' ? character : `[${character === '^' ? '\\^' : character}]`
    const percent = hex.replace(/../g, '%$&')
    return `(?:${literal}|${percent}|\\\\u00${hex})`
  })
  return `(?:(?<![A-Za-z0-9._+-])|${escaped})${characters.join('')}(?![A-Za-z0-9-]|[.](?!csv|txt|pdf)[A-Za-z0-9])` // a file may be named after them
}
