import { decodeHTMLStrict } from 'entities'
import { cleanText as cleanStoredText } from '#contract/clean-text.ts'
import { cutText } from '#contract/cut-text.ts'
import { msPerDay } from '#contract/days.ts'
import { isUnfilled } from '#contract/empty-text.ts'
import { undoDoubleEncoding } from '#core/http/decode-bytes.ts'
import type { leadsTable } from '#domains/leads/model/schema.ts'
import { readHtml } from './read-html.ts'

type LeadInsert = typeof leadsTable.$inferInsert

/** The fields of a lead that a provider fills, and corrects until a person has changed them. */
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
    | 'gbraid'
    | 'wbraid'
    | 'msclkid'
    | 'fbclid'
    | 'source_stated'
    | 'tracking_phone_number'
    | 'tracking_source'
  >
> & {
  /** Null if the provider does not say. */
  voicemail: boolean | null
}

/**
 * Returns a provider's value as text that can be stored and shown; null if it is none, empty, a word for no value, such as `N/A`, or a
 * template that was not filled in. Form plugins send text as HTML: its lines and links become text, its entities are decoded, once,
 * letters that were encoded twice are one again, and WordPress's slashes before quotes are gone.
 */
export function cleanText(value: unknown, max = 255): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const written = undoDoubleEncoding(String(value)).replace(/(?<!\\)\\+(?=['"])/g, '')
  const text = cleanStoredText(decodeHTMLStrict(readHtml(written)))
  return isUnfilled(text) ? null : cutText(text, max).trim() || null
}

/** Returns the same on one line. */
export const cleanLine = (value: unknown, max = 255): string | null =>
  cleanText(typeof value === 'string' ? readHtml(undoDoubleEncoding(value)).replace(/\s+/g, ' ').trim() : value, max)

/** Returns the first value that is not null. */
export const firstNonNull = (...values: (string | null)[]): string | null =>
  values.find((value) => value !== null) ?? null

/** Returns a query parameter of a URL; null if there is none. */
export function getUrlParameter(address: string | null, name: string): string | null {
  return address !== null && URL.canParse(address) ? cleanLine(new URL(address).searchParams.get(name)) : null
}

/** A date before this one is no one's: there was hardly a form or a tracked call. */
const earliestLead = Date.UTC(2000, 0, 1)

/** Returns the provider's time if it is plausible, or else the time of receipt. */
export function clampOccurredAt(value: Date | null, receivedAt: Date): Date {
  if (value === null || Number.isNaN(value.getTime())) return receivedAt
  const newest = receivedAt.getTime() + msPerDay
  return value.getTime() < earliestLead || value.getTime() > newest ? receivedAt : value
}
