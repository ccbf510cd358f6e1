import { parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * What "the same phone" compares: E.164 (`+12125550123`), however it was written; the bare digits where they make no
 * complete number; null where there is none. Numbers without a country are American.
 */
export function toPhoneKey(text: string | null): string | null {
  if (text === null) return null
  const number = parsePhoneNumberFromString(text, 'US')
  // Possible, not valid: a number that nobody can hold is still the same number twice.
  const key = number?.isPossible() ? number.number : text.replace(/[^0-9]/g, '').slice(0, maxKeyLength)
  return key === '' || withheldNumbers.has(key) ? null : key
}

/** No number has more digits; without a limit they would not fit into an index. */
const maxKeyLength = 32

/**
 * How a caller who shows no number is written: ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN on the keys of a
 * phone. All of them would otherwise be one caller.
 */
const withheldNumbers = new Set(['266696687', '2562533', '7378742833', '+86282452253', '8656696'])
