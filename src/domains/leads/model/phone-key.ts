import { parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * Returns what "the same phone" compares: E.164 (`+12125550123`) for any spelling, the bare digits of an incomplete number,
 * null without a number. Numbers without a country code are American.
 */
export function toPhoneKey(text: string | null): string | null {
  if (text === null) return null
  const number = parsePhoneNumberFromString(text, 'US')
  // Possible, not valid: an unassigned number still equals itself.
  const key = number?.isPossible() ? number.number : text.replace(/[^0-9]/g, '').slice(0, maxKeyLength)
  return key === '' || withheldNumbers.has(key) ? null : key
}

/** No number has more digits; longer keys might not fit into an index. */
const maxKeyLength = 32

/**
 * How providers write a withheld number: ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE and UNKNOWN on a phone keypad. Without
 * this list all such callers would be one caller.
 */
const withheldNumbers = new Set(['266696687', '2562533', '7378742833', '+86282452253', '8656696'])
