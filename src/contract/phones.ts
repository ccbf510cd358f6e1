/** Formats a US number as +1 (407) 555-5016; any other number stays as it is. */
export function formatPhone(phone: string): string {
  const digits = parseAmericanNumber(phone)
  return digits ? `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}` : phone
}

/** Returns the number to dial and to copy: +14075555016; of other numbers the characters that a phone can dial. */
export function toDialedPhone(phone: string): string {
  const digits = parseAmericanNumber(phone)
  return digits ? `+1${digits}` : phone.replace(/[^\d+*#,;]/g, '')
}

/** Returns the URL that dials a number; null without one, or with too few digits, such as of a caller who is `anonymous`. */
export function toTelUrl(phone: string | null): string | null {
  const dialed = toDialedPhone(phone ?? '')
  return dialed.replace(/\D/g, '').length >= 5 ? `tel:${dialed}` : null
}

/** Returns the ten digits; null for a foreign number or one with an extension. */
const parseAmericanNumber = (phone: string): string | null =>
  /^(?:\+?1)?([2-9]\d{9})$/.exec(phone.replace(/[\s().-]/g, ''))?.[1] ?? null
