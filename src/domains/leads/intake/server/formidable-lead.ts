import { createHash } from 'node:crypto'
import { readEmail } from '#contract/read-email.ts'
import { isWordNumber, readPhone } from '#contract/read-phone.ts'
import { formLeadDefaults } from './callrail-lead.ts'
import { FormFields, joinMessage, parsePerson } from './form-fields.ts'
import { unwrapEntry } from './formidable-entry.ts'
import { cleanLine, cleanText, firstNonNull, getUrlParameter, type IncomingLead } from './incoming-lead.ts'
import { detectTrafficSource, readClickIds } from './lead-source.ts'
import { type EventBody, getOwnField, UnusableEventError } from './parse-body.ts'
import { personNames } from './person-fields.ts'
import { describeUnsent } from './unsent-entries.ts'

/** A parsed entry of a Formidable form: a lead, or the reason why there is none. */
type FormidableEntry = { id: string; incoming: IncomingLead } | { reason: string }

/**
 * Parses an entry. Formidable's “Send API data” does not name its event: a ping, a draft and (if the site owner maps a field for
 * it) a deletion are recognized by their fields; everything else is a created or updated entry.
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
  if (['event', 'action', 'trigger'].some((name) => deletionWords.test(fields.peek(name) ?? '')))
    return { reason: 'The entry was deleted on the website; the lead is kept' }
  const unsent = describeUnsent(fields.get('isdraft') ?? '')
  if (unsent !== null) return { reason: unsent }
  const incoming = parseFormidableLead(fields, receivedAt)
  if (asksContact(fields) && !hasContact(incoming))
    throw new UnusableEventError('The contact fields are all empty: Name, Email, Phone')
  return { id: `${siteId}-${getEntryId(fields, bytes)}`, incoming }
}

/** A form that asks for no contact makes leads without one. */
const asksContact = (fields: FormFields) =>
  fields.has(...[personNames.name, personNames.first, personNames.last, personNames.email, personNames.phone].flat())

/** Returns whether the visitor can be called back: the form may call its fields as it likes, so an address anywhere counts. */
const hasContact = ({ lead_name, lead_email, lead_phone, message }: IncomingLead) =>
  [lead_name, lead_email, lead_phone].some((value) => value !== null) ||
  readEmail(message ?? '').address !== null ||
  ((readPhone(message ?? '').number ?? '').startsWith('+') && !isWordNumber(message ?? ''))

/** The whole value: a visitor may answer a question about an event with 'Trash removal'. */
const deletionWords = /^\s*(deleted?|destroy(ed)?|trash(ed)?)\s*$/i

/** Returns the entry's number, or else a hash of the bytes, so that a repeat is the same lead. */
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
  const clickIds = readClickIds((name) => get(255, name), [landing, page])
  const utm = (name: string) =>
    firstNonNull(get(255, `utm${name}`), getUrlParameter(landing, `utm_${name}`), getUrlParameter(page, `utm_${name}`))
  const prefix = ['', 'lead', 'traffic'].find((start) => fields.peek(`${start}source`) !== null) ?? ''
  const named = get(255, `${prefix}source`)
  const utmSource = utm('source')
  const keywords = firstNonNull(get(500, 'keywords', 'keyword'), utm('term'))
  return {
    ...formLeadDefaults,
    occurred_at: receivedAt, // the plugin sends immediately and never repeats, and its own time has no zone
    lead_name: cleanLine(decodeAmpersands(person.name)),
    lead_location: cleanLine(decodeAmpersands(person.location)),
    lead_email: cleanLine(person.email, 254),
    lead_phone: cleanLine(person.phone),
    message: cleanText(decodeAmpersands(joinMessage(person.message, fields.rest())), 20_000),
    last_url: firstNonNull(page, landing),
    referrer,
    ...detectTrafficSource({
      names: [named],
      clickIds,
      utmSource,
      utmMedium: utm('medium'),
      utmCampaign: utm('campaign'),
      // A form may ask for a medium too, so both stay in the message.
      medium: fields.peek(`${prefix}medium`),
      campaign: fields.peek(`${prefix}campaign`),
      referrer,
    }),
    keywords,
    ...clickIds,
    tracking_phone_number: null,
    tracking_source: firstNonNull(named, utmSource),
  }
}

/** Decodes the `%26` of Formidable's raw mode: `Smith %26 Sons` is `Smith & Sons`. */
const decodeAmpersands = (text: string | null) => text?.replaceAll(' %26 ', ' & ') ?? null

const isTestBody = (body: EventBody) => Object.keys(body).length === 1 && String(getOwnField(body, 'test')) === 'true'
