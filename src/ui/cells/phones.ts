/** Returns an American number as +1 (407) 555-5016, however it was written; any other one stays as it is. */
export function formatPhone(phone: string): string {
  const digits = parseAmericanNumber(phone)
  return digits ? `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}` : phone
}

/** Returns what is dialed and copied: +14075555016; of other numbers what a phone can dial. */
export function toDialedPhone(phone: string): string {
  const digits = parseAmericanNumber(phone)
  return digits ? `+1${digits}` : phone.replace(/[^\d+*#,;]/g, '')
}

/** The ten digits; null for a number of another country, and for one with an extension. */
const parseAmericanNumber = (phone: string): string | null =>
  /^(?:\+?1)?([2-9]\d{9})$/.exec(phone.replace(/[\s().-]/g, ''))?.[1] ?? null
