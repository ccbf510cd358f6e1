import type { leadsTable } from '#domains/leads/model/schema.ts'

type LeadInsert = typeof leadsTable.$inferInsert

/** What a provider says about a lead: the fields that are theirs to fill and, until a person changed them, to correct. */
export type IncomingLead = Required<
  Pick<
    LeadInsert,
    | 'lead_type'
    | 'occurred_at'
    | 'lead_name'
    | 'lead_location'
    | 'lead_email'
    | 'lead_phone'
    | 'message'
    | 'duration'
    | 'answered'
    | 'call_type'
    | 'recording_url'
    | 'last_url'
    | 'referrer'
    | 'source'
    | 'keywords'
    | 'gclid'
    | 'tracking_phone_number'
    | 'tracking_source'
  >
> & {
  /** Null where the provider does not say. */
  voicemail: boolean | null
}

/** Text as it can be stored and shown: no NUL or other control characters, no half of a surrogate pair, null for none. */
export function cleanText(value: unknown, max = 255): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const text = String(value)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, max)
    .toWellFormed()
    .trim()
  return text === '' ? null : text
}

/** The same on one line. */
export const cleanLine = (value: unknown, max = 255): string | null =>
  cleanText(value, max)?.replace(/\s+/g, ' ') ?? null

/** The first that says anything. */
export const firstNonNull = (...values: (string | null)[]): string | null =>
  values.find((value) => value !== null) ?? null

/** The parameter of an address that somebody was sent to. */
export function getUrlParameter(address: string | null, name: string): string | null {
  return address !== null && URL.canParse(address) ? cleanLine(new URL(address).searchParams.get(name)) : null
}

/** When it happened, if the provider says so and it can be true; else when we heard of it. */
export function clampOccurredAt(value: Date | null, receivedAt: Date): Date {
  if (value === null || Number.isNaN(value.getTime())) return receivedAt
  const oldest = Date.UTC(2000, 0, 1)
  const newest = receivedAt.getTime() + 86_400_000
  return value.getTime() < oldest || value.getTime() > newest ? receivedAt : value
}
