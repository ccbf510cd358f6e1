import { createHash } from 'node:crypto'
import { notACall } from './callrail-lead.ts'
import { FormFields, personOf } from './form-fields.ts'
import { clean, first, type Incoming, line, parameter } from './incoming-lead.ts'
import { sourceOf } from './lead-source.ts'
import { type Body, own } from './parse-body.ts'

/** What an entry of a Formidable form asks for: a lead, or nothing, for the reason given. */
export type Entry = { id: string; incoming: Incoming } | { reason: string }

/**
 * Formidable's “Send API data” does not name its event. A ping, a draft and (where the site owner maps a field for it) a
 * deletion are told by their fields; everything else is an entry, made or updated.
 */
export function entryOf(sent: Body, siteId: number, bytes: Buffer, receivedAt: Date, isPing: boolean): Entry {
  const body = unwrapped(sent)
  const fields = new FormFields(body)
  if (isPing || isTest(body)) return { reason: 'A test from the form plugin' }
  if (/^(delete|deleted|destroy|trash)/i.test(fields.get('event', 'action', 'trigger') ?? ''))
    return { reason: 'The entry was deleted on the website; the lead is kept' }
  if (['1', '2', 'true'].includes(fields.get('isdraft') ?? '')) return { reason: 'A draft, not sent yet' }
  return { id: `${siteId}-${entryId(fields, bytes)}`, incoming: incomingOf(fields, receivedAt) }
}

/** The entry's number; without one a hash of the bytes, so that a repeat is the same lead. */
function entryId(fields: FormFields, bytes: Buffer): string {
  const number = line(fields.get('itemid', 'entryid') ?? (fields.get('formid') ? fields.get('id') : null), 100)
  return number ?? `h${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
}

function incomingOf(fields: FormFields, receivedAt: Date): Incoming {
  const get = (max: number, ...names: string[]) => line(amended(fields.get(...names)), max)
  const person = personOf(fields)
  const page = get(2048, 'pageurl', 'page', 'formurl', 'sourceurl', 'url')
  const landing = get(2048, 'landingurl', 'landingpage', 'landingpageurl')
  const referrer = get(2048, 'referrer', 'referer', 'referringurl')
  const gclid = first(get(255, 'gclid'), parameter(landing, 'gclid'), parameter(page, 'gclid'))
  const utm = (name: string) =>
    first(get(255, `utm${name}`), parameter(landing, `utm_${name}`), parameter(page, `utm_${name}`))
  const named = get(255, 'source', 'leadsource', 'trafficsource')
  const utmSource = utm('source')
  const keywords = first(get(500, 'keywords', 'keyword'), utm('term'))
  return {
    ...notACall,
    occurred_at: receivedAt, // the plugin sends at once and never again, and its own time names no zone
    lead_name: line(amended(person.name)),
    lead_location: line(amended(person.location)),
    lead_email: line(person.email, 254),
    lead_phone: line(person.phone, 50),
    message: clean(amended(person.message ?? fields.rest()), 20_000),
    last_url: first(page, landing),
    referrer,
    source: sourceOf({ names: [named], gclid, utmSource, utmMedium: utm('medium'), referrer }),
    keywords,
    gclid,
    tracking_phone_number: null,
    tracking_source: first(named, utmSource),
  }
}

/** Formidable's raw mode writes `Smith %26 Sons` for `Smith & Sons`. */
const amended = (text: string | null) => text?.replaceAll(' %26 ', ' & ') ?? null

const isTest = (body: Body) => Object.keys(body).length === 1 && String(own(body, 'test')) === 'true'

/** An entry as the plugin's own API writes it, `{ "k3y": { "id": …, "meta": {…} } }`, has its answers in `meta`. */
function unwrapped(body: Body): Body {
  const values = Object.values(body)
  const [only] = values
  const entry = values.length === 1 && isObject(only) && ('form_id' in only || 'item_key' in only) ? only : body
  const meta = own(entry, 'meta')
  if (!isObject(meta) || !('form_id' in entry)) return entry
  const { name: _title, meta: _answers, ...about } = entry // the entry's own name is a title, nobody's name
  return { ...meta, ...about }
}
const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
