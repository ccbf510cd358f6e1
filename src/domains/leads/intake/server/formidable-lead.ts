import { createHash } from 'node:crypto'
import { formLeadDefaults } from './callrail-lead.ts'
import { FormFields, parsePerson } from './form-fields.ts'
import { cleanLine, cleanText, firstNonNull, getUrlParameter, type IncomingLead } from './incoming-lead.ts'
import { detectTrafficSource } from './lead-source.ts'
import { type EventBody, getOwnField } from './parse-body.ts'

/** What an entry of a Formidable form asks for: a lead, or nothing, for the reason given. */
export type FormidableEntry = { id: string; incoming: IncomingLead } | { reason: string }

/**
 * Formidable's “Send API data” does not name its event. A ping, a draft and (where the site owner maps a field for it) a
 * deletion are told by their fields; everything else is an entry, made or updated.
 */
export function parseFormidableEntry(
  sent: EventBody,
  siteId: number,
  bytes: Buffer,
  receivedAt: Date,
  isPing: boolean,
): FormidableEntry {
  const body = unwrapEntry(sent)
  const fields = new FormFields(body)
  if (isPing || isTestBody(body)) return { reason: 'A test from the form plugin' }
  if (/^(delete|deleted|destroy|trash)/i.test(fields.get('event', 'action', 'trigger') ?? ''))
    return { reason: 'The entry was deleted on the website; the lead is kept' }
  if (['1', '2', 'true'].includes(fields.get('isdraft') ?? '')) return { reason: 'A draft, not sent yet' }
  return { id: `${siteId}-${getEntryId(fields, bytes)}`, incoming: parseFormidableLead(fields, receivedAt) }
}

/** The entry's number; without one a hash of the bytes, so that a repeat is the same lead. */
function getEntryId(fields: FormFields, bytes: Buffer): string {
  const number = cleanLine(fields.get('itemid', 'entryid') ?? (fields.get('formid') ? fields.get('id') : null), 100)
  return number ?? `h${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
}

function parseFormidableLead(fields: FormFields, receivedAt: Date): IncomingLead {
  const get = (max: number, ...names: string[]) => cleanLine(decodeAmpersands(fields.get(...names)), max)
  const person = parsePerson(fields)
  const page = get(2048, 'pageurl', 'page', 'formurl', 'sourceurl', 'url')
  const landing = get(2048, 'landingurl', 'landingpage', 'landingpageurl')
  const referrer = get(2048, 'referrer', 'referer', 'referringurl')
  const gclid = firstNonNull(get(255, 'gclid'), getUrlParameter(landing, 'gclid'), getUrlParameter(page, 'gclid'))
  const utm = (name: string) =>
    firstNonNull(get(255, `utm${name}`), getUrlParameter(landing, `utm_${name}`), getUrlParameter(page, `utm_${name}`))
  const named = get(255, 'source', 'leadsource', 'trafficsource')
  const utmSource = utm('source')
  const keywords = firstNonNull(get(500, 'keywords', 'keyword'), utm('term'))
  return {
    ...formLeadDefaults,
    occurred_at: receivedAt, // the plugin sends at once and never again, and its own time names no zone
    lead_name: cleanLine(decodeAmpersands(person.name)),
    lead_location: cleanLine(decodeAmpersands(person.location)),
    lead_email: cleanLine(person.email, 254),
    lead_phone: cleanLine(person.phone, 50),
    message: cleanText(decodeAmpersands(person.message ?? fields.rest()), 20_000),
    last_url: firstNonNull(page, landing),
    referrer,
    source: detectTrafficSource({ names: [named], gclid, utmSource, utmMedium: utm('medium'), referrer }),
    keywords,
    gclid,
    tracking_phone_number: null,
    tracking_source: firstNonNull(named, utmSource),
  }
}

/** Formidable's raw mode writes `Smith %26 Sons` for `Smith & Sons`. */
const decodeAmpersands = (text: string | null) => text?.replaceAll(' %26 ', ' & ') ?? null

const isTestBody = (body: EventBody) => Object.keys(body).length === 1 && String(getOwnField(body, 'test')) === 'true'

/** An entry as the plugin's own API writes it, `{ "k3y": { "id": …, "meta": {…} } }`, has its answers in `meta`. */
function unwrapEntry(body: EventBody): EventBody {
  const values = Object.values(body)
  const [only] = values
  const entry = values.length === 1 && isBodyObject(only) && ('form_id' in only || 'item_key' in only) ? only : body
  const meta = getOwnField(entry, 'meta')
  if (!isBodyObject(meta) || !('form_id' in entry)) return entry
  const { name: _title, meta: _answers, ...about } = entry // the entry's own name is a title, nobody's name
  return { ...meta, ...about }
}
const isBodyObject = (value: unknown): value is EventBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
