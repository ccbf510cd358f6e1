import { instantOf } from '#core/time/local-time.ts'
import { isTrue, whole, written } from '#integrations/callrail/webhook.ts'
import { FormFields, personOf } from './form-fields.ts'
import { clean, first, type Incoming, instant, line, parameter } from './incoming-lead.ts'
import { sourceOf } from './lead-source.ts'
import { type Body, own } from './parse-body.ts'

/** A CallRail call, in our words. */
export function callOf(body: Body, receivedAt: Date): Incoming {
  const get = (key: string, max?: number) => line(own(body, key), max)
  const gclid = gclidOf(body)
  const place = [get('customer_city'), get('customer_state')].filter((part) => part !== null).join(', ')
  return {
    lead_type: 'Call',
    occurred_at: instant(startOf(body), receivedAt),
    lead_name: first(get('customer_name'), get('callername'), get('formatted_customer_name')),
    lead_location: first(get('formatted_customer_location'), place || null),
    lead_email: get('customer_email', 254),
    lead_phone: first(get('customer_phone_number', 50), get('callernum', 50), get('customer_number', 50)),
    message: null,
    duration: secondsOf(body),
    ...outcomeOf(body),
    recording_url: link(get('recording', 2048)),
    last_url: first(get('last_requested_url', 2048), get('landing_page_url', 2048), get('landingpage', 2048)),
    referrer: first(get('referring_url', 2048), get('referrer', 2048)),
    source: sourceOf({
      names: [get('formatted_tracking_source'), get('source'), get('source_name'), get('callsource')],
      gclid,
      utmSource: get('utm_source'),
      utmMedium: first(get('utm_medium'), get('medium')),
    }),
    keywords: get('keywords', 500),
    gclid,
    tracking_phone_number: first(get('tracking_phone_number', 50), get('trackingnum', 50)),
    tracking_source: first(get('source_name'), get('source'), get('formatted_tracking_source')),
  }
}

/** A form that CallRail caught on a client's site. */
export function callRailFormOf(body: Body, receivedAt: Date): Incoming {
  const get = (key: string, max?: number) => line(own(body, key), max)
  const data = own(body, 'form_data')
  const fields = new FormFields(typeof data === 'object' && data !== null ? (data as Body) : {}) // an object of JSON
  const person = personOf(fields)
  const gclid = gclidOf(body)
  return {
    ...notACall,
    occurred_at: instant(startOf(body), receivedAt),
    lead_name: first(line(person.name), get('customer_name')),
    lead_location: line(person.location),
    lead_email: first(line(person.email, 254), get('customer_email', 254)),
    lead_phone: first(line(person.phone, 50), get('customer_phone_number', 50)),
    message: clean(person.message ?? fields.rest(), 20_000),
    last_url: first(get('form_url', 2048), get('last_requested_url', 2048), get('landing_page_url', 2048)),
    referrer: first(get('referrer', 2048), get('referring_url', 2048)),
    source: sourceOf({
      names: [get('formatted_tracking_source'), get('source')],
      gclid,
      utmSource: get('utm_source'),
      utmMedium: first(get('utm_medium'), get('medium')),
    }),
    keywords: get('keywords', 500),
    gclid,
    tracking_phone_number: get('tracking_phone_number', 50),
    tracking_source: first(get('source_name'), get('source')),
  }
}

/** What a form never has. */
export const notACall = {
  lead_type: 'Form',
  duration: null,
  answered: null,
  call_type: null,
  voicemail: false,
  recording_url: null,
} as const

function gclidOf(body: Body): string | null {
  const landing = line(own(body, 'landing_page_url'), 2048)
  const last = line(own(body, 'last_requested_url'), 2048)
  return first(line(own(body, 'gclid')), parameter(landing, 'gclid'), parameter(last, 'gclid'))
}

/** How the call ended, as far as the event says. */
function outcomeOf(body: Body): Pick<Incoming, 'answered' | 'voicemail' | 'call_type'> {
  const call_type = line(own(body, 'call_type'), 50)?.toLowerCase() ?? null
  const [answered, voicemail] = [own(body, 'answered'), own(body, 'voicemail')]
  const says = (value: unknown, type: string) =>
    written(value) !== '' || typeof value === 'boolean' ? isTrue(value) : call_type === null ? null : call_type === type
  return { call_type, answered: says(answered, 'answered'), voicemail: says(voicemail, 'voicemail') }
}

function secondsOf(body: Body): number | null {
  const seconds = whole(own(body, 'duration'))
  return seconds !== null && seconds >= 0 ? seconds : null
}

/** An instant with its offset; one without is the wall clock of the company's zone. */
function startOf(body: Body): Date | null {
  const text = ['start_time', 'submitted_at', 'timestamp', 'created_at']
    .map((key) => written(own(body, key)))
    .find(Boolean)
  if (!text) return null
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?$/.exec(text) ?? []
  if (!day || !time) return /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : null
  return instantOf(day, time, zoneOf(written(own(body, 'company_time_zone'))))
}

function zoneOf(name: string): string {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name || 'UTC' })
    return name || 'UTC'
  } catch {
    return 'UTC'
  }
}

const link = (address: string | null) =>
  address !== null && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null
