import { countOf } from '#contract/count-of.ts'
import { readMoment, readSureMoment } from '#contract/read-date.ts'
import { isTimeZone } from '#contract/zoned-time.ts'
import { toInstant, toWrittenInstant } from '#core/time/local-time.ts'
import { parseSeconds } from '#domains/leads/model/provider-words.ts'
import { isTrueValue, readText, readWholeNumber } from '#integrations/callrail/webhook.ts'
import { openJson } from '../../custom-sources/body-paths.ts'
import { FormFields, joinMessage, parsePerson } from './form-fields.ts'
import { clampOccurredAt, cleanLine, cleanText, firstNonNull, type IncomingLead } from './incoming-lead.ts'
import { type ClickIds, detectTrafficSource, readClickIds } from './lead-source.ts'
import { type EventBody, getOwnField } from './parse-body.ts'

/** Parses a CallRail call. */
export function parseCallRailCall(body: EventBody, receivedAt: Date): IncomingLead {
  const get = (key: string, max?: number) => cleanLine(getOwnField(body, key), max)
  const clickIds = parseClickIds(body)
  const place = [get('customer_city'), get('customer_state')].filter((part) => part !== null).join(', ')
  return {
    lead_type: 'Call',
    occurred_at: clampOccurredAt(parseStartTime(body), receivedAt),
    lead_name: firstNonNull(get('customer_name'), get('callername'), get('formatted_customer_name')),
    lead_location: firstNonNull(get('formatted_customer_location'), place || null),
    lead_email: get('customer_email', 254),
    lead_phone: firstNonNull(get('customer_phone_number', 50), get('callernum', 50), get('customer_number', 50)),
    message: null,
    duration: parseDuration(body),
    ...parseCallOutcome(body),
    recording_url: toHttpUrl(get('recording', 2048)),
    last_url: firstNonNull(get('last_requested_url', 2048), get('landing_page_url', 2048), get('landingpage', 2048)),
    referrer: firstNonNull(get('referring_url', 2048), get('referrer', 2048)),
    ...detectTrafficSource({
      names: [get('formatted_tracking_source'), get('source'), get('source_name'), get('callsource')],
      clickIds,
      utmSource: get('utm_source'),
      utmMedium: firstNonNull(get('utm_medium'), get('medium')),
      utmCampaign: firstNonNull(get('utm_campaign'), get('campaign')),
      referrer: firstNonNull(get('referring_url', 2048), get('referrer', 2048)),
    }),
    keywords: get('keywords', 500),
    ...clickIds,
    tracking_phone_number: firstNonNull(get('tracking_phone_number', 50), get('trackingnum', 50)),
    tracking_source: firstNonNull(get('source_name'), get('source'), get('formatted_tracking_source')),
  }
}

/** Parses a form that CallRail captured on a client's site. */
export function parseCallRailForm(body: EventBody, receivedAt: Date): IncomingLead {
  const get = (key: string, max?: number) => cleanLine(getOwnField(body, key), max)
  const data = openJson(getOwnField(body, 'form_data'))
  const answers = typeof data === 'object' && data !== null ? (data as EventBody | unknown[]) : {} // JSON
  const fields = new FormFields(answers, { areAnswers: true })
  const person = parsePerson(fields)
  const words = typeof data === 'string' ? data : null
  const clickIds = parseClickIds(body)
  return {
    ...formLeadDefaults,
    occurred_at: clampOccurredAt(parseStartTime(body), receivedAt),
    lead_name: firstNonNull(cleanLine(person.name), get('customer_name')),
    lead_location: cleanLine(person.location),
    lead_email: firstNonNull(cleanLine(person.email, 254), get('customer_email', 254)),
    lead_phone: firstNonNull(cleanLine(person.phone), get('customer_phone_number', 50)),
    message: cleanText(joinMessage(words, person.message, fields.rest()), 20_000),
    last_url: firstNonNull(get('form_url', 2048), get('last_requested_url', 2048), get('landing_page_url', 2048)),
    referrer: firstNonNull(get('referrer', 2048), get('referring_url', 2048)),
    ...detectTrafficSource({
      names: [get('formatted_tracking_source'), get('source')],
      clickIds,
      utmSource: get('utm_source'),
      utmMedium: firstNonNull(get('utm_medium'), get('medium')),
      utmCampaign: firstNonNull(get('utm_campaign'), get('campaign')),
      referrer: firstNonNull(get('referring_url', 2048), get('referrer', 2048)),
    }),
    keywords: get('keywords', 500),
    ...clickIds,
    tracking_phone_number: get('tracking_phone_number', 50),
    tracking_source: firstNonNull(get('source_name'), get('source')),
  }
}

/** Returns whether nothing was answered in a form: there is no one to call back, and nothing to read. */
export const isBlankForm = ({ lead_type, lead_name, lead_email, lead_phone, message }: IncomingLead) =>
  lead_type === 'Form' && [lead_name, lead_email, lead_phone, message].every((value) => value === null)

/** Parses a text that a tracking number received: a form, as WhatConverts' texts are. */
export function parseCallRailText(body: EventBody, receivedAt: Date): IncomingLead {
  const get = (key: string, max?: number) => cleanLine(getOwnField(body, key), max)
  const media = getOwnField(body, 'media_urls')
  const count = Array.isArray(media) ? media.length : 0
  const attached = count === 0 ? null : `(${countOf(count, 'attachment')}, see CallRail)` // its links expire
  const clickIds = parseClickIds(body)
  return {
    ...formLeadDefaults,
    occurred_at: clampOccurredAt(parseStartTime(body), receivedAt),
    lead_name: firstNonNull(get('customer_name'), get('formatted_customer_name')),
    lead_location: get('formatted_customer_location'),
    lead_email: null,
    lead_phone: get('source_number', 50),
    message: firstNonNull(
      cleanText(joinLines(readText(getOwnField(body, 'content')), attached), 20_000),
      '(empty text)',
    ),
    last_url: firstNonNull(get('last_requested_url', 2048), get('landing_page_url', 2048)),
    referrer: get('referring_url', 2048),
    ...detectTrafficSource({
      names: [get('formatted_tracking_source'), get('source'), get('source_name')],
      clickIds,
      utmSource: get('utm_source'),
      utmMedium: firstNonNull(get('utm_medium'), get('medium')),
      utmCampaign: firstNonNull(get('utm_campaign'), get('campaign')),
      referrer: get('referring_url', 2048),
    }),
    keywords: get('keywords', 500),
    ...clickIds,
    tracking_phone_number: get('destination_number', 50),
    tracking_source: firstNonNull(get('source_name'), get('source')),
  }
}

const joinLines = (...lines: (string | null)[]) => lines.filter(Boolean).join('\n')

/** The call fields of a form. */
export const formLeadDefaults = {
  lead_type: 'Form',
  duration: null,
  answered: null,
  call_type: null,
  voicemail: false,
  recording_url: null,
} as const

function parseClickIds(body: EventBody): ClickIds {
  const get = (key: string, max?: number) => cleanLine(getOwnField(body, key), max)
  return readClickIds(get, [get('landing_page_url', 2048), get('last_requested_url', 2048), get('form_url', 2048)])
}

/** Parses how the call ended, as far as the event says. */
function parseCallOutcome(body: EventBody): Pick<IncomingLead, 'answered' | 'voicemail' | 'call_type'> {
  const call_type = cleanLine(getOwnField(body, 'call_type'), 50)?.toLowerCase() ?? null
  const [answered, voicemail] = [getOwnField(body, 'answered'), getOwnField(body, 'voicemail')]
  const readFact = (value: unknown, type: string) =>
    readText(value) !== '' || typeof value === 'boolean'
      ? isTrueValue(value) || readText(value).toLowerCase() === type
      : call_type === null
        ? null
        : call_type === type
  return { call_type, answered: readFact(answered, 'answered'), voicemail: readFact(voicemail, 'voicemail') }
}

/** Returns the seconds of a call; null if it does not say. */
export function parseDuration(body: EventBody): number | null {
  const sent = getOwnField(body, 'duration')
  const seconds = readWholeNumber(typeof sent === 'string' ? parseSeconds(sent) : sent)
  return seconds !== null && seconds >= 0 ? seconds : null
}

/** Parses the start time; without an offset it is local time in the company's zone. */
export function parseStartTime(body: EventBody): Date | null {
  const text = ['start_time', 'submitted_at', 'timestamp', 'created_at']
    .map((key) => readText(getOwnField(body, key)))
    .find(Boolean)
  if (!text) return null
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?$/.exec(text) ?? []
  const stated = readText(getOwnField(body, 'company_time_zone'))
  const zone = isTimeZone(stated) ? stated : 'UTC'
  // `Central Time (US & Canada)`
  const named = day && zone !== stated ? readMoment(`${day} ${time} ${stated}`, 'ymd') : null
  if (named && named.zone !== null) return toWrittenInstant(named, zone)
  if (day && time) return Number.isNaN(Date.parse(`${day}T${time}Z`)) ? null : toInstant(day, time, zone) // no month 13
  // Whole, as most come; readers of all forms take longer.
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text)
  const moment = (stated && zone !== stated ? readSureMoment(`${text} ${stated}`) : null) ?? readSureMoment(text)
  return moment && toWrittenInstant(moment, zone)
}

const toHttpUrl = (address: string | null) =>
  address !== null && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null
