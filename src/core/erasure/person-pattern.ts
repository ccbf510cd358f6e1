/**
 * Returns a regular expression, for both JavaScript and PostgreSQL, case-insensitive, that finds a phone or an email however a text
 * spells it: with spaces, dots and parentheses, in a URL (`%40`), in JSON (`\u0040`). Never matches part of a longer number or address.
 */
export function buildPersonPattern({ phones, emails }: PersonNames): string {
  return [...phones.map(spellPhone), ...emails.map(spellEmail)].map((one) => `(?:${one})`).join('|')
}

/**
 * Returns `LIKE` patterns, in lower case: a text that matches none of them does not match the regular expression either. They check
 * only the digits and letters, in order, at a hundredth of the cost in PostgreSQL.
 */
export const buildPersonHints = ({ phones, emails }: PersonNames): string[] => [
  ...phones.map(({ national }) => `%${[...national].join('%')}%`),
  ...emails.map((email) => `%${(email.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('%')}%`),
]

/**
 * Returns the regular expression without its lookarounds, and with any number of separators. It matches wherever the full one does,
 * and also inside longer numbers and addresses. PostgreSQL runs it over a hundred times faster.
 */
export const buildLoosePersonPattern = ({ phones, emails }: PersonNames): string =>
  [...phones.map(({ national }) => [...national].join(`${oneSeparator}*`)), ...emails.map(spellCharacters)]
    .map((one) => `(?:${one})`)
    .join('|')

/** `phones` are national numbers with their country calling codes, digits only. */
type PersonNames = { phones: { callingCode: string; national: string }[]; emails: string[] }

/** Separators between two digits, and escapes before a value: their last character would look like part of the value. */
const oneSeparator = '(?:%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}|[^0-9A-Za-z])'
const separator = `${oneSeparator}{0,5}`
const escaped = String.raw`(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\[0-7]{3})|(?<=\\[bfnrt])`

const spellDigits = (national: string): string => [...national].join(separator)

function spellPhone({ callingCode, national }: PersonNames['phones'][number]): string {
  const abroad = `(?:[+]|%2B|\\\\u002b|(?:00|011)${separator})?`
  const prefix = callingCode === '' ? '' : `(?:${abroad}${callingCode}${separator})?(?:[(]?0[)]?${separator})?`
  return `(?:(?<![0-9])|${escaped})${prefix}[(]?${spellDigits(national)}(?![0-9])`
}

/** Returns a pattern of each character as is, percent-encoded or as a JSON escape. */
const spellCharacters = (email: string): string =>
  [...email]
    .map((character) => {
      if (/[A-Za-z0-9]/.test(character)) return character
      const hex = Buffer.from(character, 'utf8').toString('hex')
      const literal =
        /[\w]/.test(character) || character > '\x7f' ? character : `[${character === '^' ? '\\^' : character}]`
      const percent = hex.replace(/../g, '%$&')
      const escapes = character.replace(/./gs, (unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      return `(?:${literal}|${percent}|${escapes})`
    })
    .join('')

const spellEmail = (email: string): string =>
  `(?:(?<![A-Za-z0-9._+-])|${escaped})${spellCharacters(email)}(?![A-Za-z0-9-]|[.](?!csv|txt|pdf)[A-Za-z0-9])` // a file name may be an email with an extension
