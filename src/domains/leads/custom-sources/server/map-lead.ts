import { createHash } from 'node:crypto'
import { dateOrders, isShortenedId } from '#contract/column-reading.ts'
import { cutText } from '#contract/cut-text.ts'
import { msPerDay, msPerHour } from '#contract/days.ts'
import { isObject } from '#contract/is-object.ts'
import { readMoment, readSureMoment, type WrittenMoment } from '#contract/read-date.ts'
import { readSureNumber } from '#contract/read-number.ts'
import { isUnfilledPhone } from '#contract/read-phone.ts'
import { toWallClock, toWrittenInstant } from '#core/time/local-time.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import { addCountry, isCountryOf } from '#domains/leads/model/phone-key.ts'
import {
  isVoicemail,
  parseAnswered,
  parseLeadType,
  parseSeconds,
  readYesNo,
} from '#domains/leads/model/provider-words.ts'
import { isTypedCall, readCallOutcome } from '../../intake/server/call-outcome.ts'
import { joinMessage } from '../../intake/server/form-fields.ts'
import {
  clampOccurredAt,
  cleanLine,
  cleanText,
  firstNonNull,
  getUrlParameter,
  type IncomingLead,
} from '../../intake/server/incoming-lead.ts'
import { detectTrafficSource, readClickIds } from '../../intake/server/lead-source.ts'
import { findNoLead } from '../../intake/server/no-lead.ts'
import { isCallEvent, isLeadMessage, readChatId } from '../../intake/server/outbound-call.ts'
import { UnusableEventError } from '../../intake/server/parse-body.ts'
import { isDialCode, toName } from '../../intake/server/person-fields.ts'
import { findByPath, listSampleFields, locateAll, type SampleField, toText } from '../body-paths.ts'
import type { FieldMapping, MappedSample, MappingProblem } from '../contract.ts'
import type { FieldSource } from '../fields.ts'
import { type MappedField, mappedFieldLabels, mappedFields, type SourcePreset } from '../labels.ts'
import { describeRest } from './describe-rest.ts'
import { type FieldTexts, readPreset, rejectFacebookNotice } from './presets.ts'
import type { SourceBody } from './read-body.ts'
import { suggestMapping } from './suggest-mapping.ts'

type MappingInput = {
  preset: SourcePreset | null
  mapping: FieldMapping
  body: SourceBody
  /** The raw body: its hash identifies a lead without an id. */
  bytes: Buffer
  receivedAt: Date
  /** The agency's time zone. */
  zone: string
}
export type MappedLead = { lead_id: string; incoming: IncomingLead; notify: boolean; problems: MappingProblem[] }

/** Returns whether a source has a preset or a mapping yet. */
export const isMapped = ({ preset, mapping }: Pick<MappingInput, 'preset' | 'mapping'>) =>
  preset !== null || Object.keys(mapping).length > 0

/**
 * Maps a body to a lead. The preset fills fields that the mapping leaves out. Throws for a body that the preset cannot read, and for one
 * that holds several leads.
 */
export function mapLead({ preset, mapping: mapped, body, bytes, receivedAt, zone }: MappingInput): MappedLead {
  const count = countLeads(body)
  if (count > 1) throw new UnusableEventError(`${count} leads in one body: send each lead by itself`)
  const texts: FieldTexts = preset ? readPreset(preset, body) : {}
  const mapping = preset === null && isLeadMessage(body, null) ? mapMessage(mapped, body) : mapped
  for (const field of mappedFields) {
    const source = mapping[field]
    if (!source) continue
    const text = readFieldSource(field, source, body)
    // A mapping that says what one of the service's words means leaves the others to the preset.
    if (field !== 'lead_type' || isLeadType(text) || !texts.lead_type) texts[field] = text
  }
  if (preset === null)
    texts.message = joinMessage(texts.message ?? null, describeRest(body, findUsed(mapping, body), texts))
  if (preset === null) Object.assign(texts, readTraces(texts, mapping, body))
  texts.lead_id ||= readChatId(body)
  const problems: MappingProblem[] = []
  const report = (field: MappedField, says: string) =>
    problems.push({ field, says: `${says} (‘${cutText(texts[field] ?? '', 100)}’)` })
  if (!texts.lead_type && (isCallEvent(body) || isTypedCall(body))) texts.lead_type = 'Call'
  const incoming = toIncomingLead(texts, { body, receivedAt, zone }, report)
  // A date that cannot be read does not keep a lead waiting, but is named beside what does.
  if (problems.length > 0 && incoming.occurred_at === receivedAt && texts.lead_date) report('lead_date', 'Not a date')
  const { lead_name, lead_phone, lead_email } = incoming
  if (preset === null && !lead_name && !lead_phone && !lead_email) rejectFacebookNotice(body)
  const empty = findEmptyContact(texts, { preset, mapping })
  if ([lead_name, toReach(lead_phone), lead_email, cleanText(texts.message)].every((value) => value === null))
    problems.push({ field: null, says: 'No name, phone, email or message' })
  else if (empty.length > 0)
    problems.push({ field: null, says: `The mapped contact fields are all empty: ${empty.join(', ')}` })
  const sent = texts.lead_id?.replaceAll(/\p{Cc}/gu, '').trim() ?? ''
  const number = isShortenedId(sent) ? '' : sent
  if (number.length > 200) report('lead_id', 'At most 200 characters')
  return {
    lead_id: number || createHash('sha256').update(bytes).digest('hex'),
    incoming,
    notify: !/^(0|no|false|off)$/i.test(texts.notify ?? ''),
    problems,
  }
}

/** Returns how many leads a body holds: some senders collect them in a list. Several people in the body of one lead are its own. */
function countLeads(body: SourceBody): number {
  const list = toList(body)
  if (list) return list.every(isReachable) ? list.length : 1
  if (!isObject(body) || isReachable(body)) return 1
  return Math.max(1, ...Object.entries(body).map(([name, value]) => (collections.test(name) ? countLeads(value) : 1)))
}

/** A form sends a list as `leads[0][name]`. */
function toList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  return isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : null
}

const collections = /^(?:leads?|contacts|submissions|entries|responses|records|results|items|rows|data|payload|body)$/i

/**
 * Returns whether a way to reach a person stands in a field of its own, or the answers of one in a list. An answer has the name of its
 * field beside it.
 */
const isReachable = (value: unknown) =>
  isObject(value) &&
  !Object.keys(value).some((key) => /^(?:value|answer|question)$/i.test(key)) &&
  Object.keys(value).some((key) => /e-?mail|phone|^field_data$|^user_column_data$/i.test(key))

/** What is written in a conversation stands elsewhere than the message of the enquiry, which was mapped. */
function mapMessage(mapping: FieldMapping, body: SourceBody): FieldMapping {
  const { message } = mapping
  return message && readFieldSource('message', message, body) !== null
    ? mapping
    : { ...mapping, message: suggestMapping(body).message }
}

/** Returns where the values stand that the fields of the lead have. */
const findUsed = (mapping: FieldMapping, body: SourceBody) =>
  Object.values(mapping).flatMap((source) =>
    source && 'from' in source ? locateAll(body, source.from).map(({ at }) => at) : [],
  )

/** Reads where the lead came from, unless the mapping says one source for all: by what is mapped, and by the names of click ids and UTMs. */
function readTraces(texts: FieldTexts, mapping: FieldMapping, body: SourceBody): FieldTexts {
  const fields = listSampleFields(body)
  const named = new Map(fields.flatMap(({ names, value }) => names.map((name) => [toName(name), value] as const)))
  const addresses = [texts.last_url ?? null, named.get('pageurl') ?? null, named.get('landingpageurl') ?? null]
  const get = (name: string) => cleanLine(named.get(toName(name)))
  const utm = (name: string) => get(name) ?? firstNonNull(...addresses.map((address) => getUrlParameter(address, name)))
  const clickIds = readClickIds((name) => cleanLine(texts[name as MappedField]) ?? get(name), addresses)
  if (mapping.source && 'value' in mapping.source) return clickIds
  const from = mapping.source && !mapping.source.values ? mapping.source.from : ''
  const beside = (name: string) => {
    const place = from.replace(/source(?=\]?(?:\.value)?$)/i, name).toLowerCase()
    return place === from.toLowerCase()
      ? null
      : cleanLine(fields.find(({ path }) => path.toLowerCase() === place)?.value)
  }
  const visit = utm('utm_source') === null ? findVisit(fields) : new Map<string, string>()
  const ofVisit = (name: string) => utm(`utm_${name}`) ?? cleanLine(visit.get(name))
  const traces = {
    names: [texts.source?.trim() || null],
    medium: beside('medium'),
    campaign: beside('campaign'),
    clickIds,
    utmSource: ofVisit('source'),
    utmMedium: ofVisit('medium'),
    utmCampaign: ofVisit('campaign'),
    referrer: texts.referrer ?? get('referrer'),
  }
  return { ...clickIds, ...detectTrafficSource(traces) }
}

/** Returns the parts of the UTM in an object, `utm: { source, medium }`: of several visits, of the outermost, and sooner of the last. */
function findVisit(fields: readonly SampleField[]): Map<string, string> {
  const parts = fields.flatMap(({ path, value, at }) => {
    const [, start, name] = /^((?:.*\.)?utm\.)(\w+)$/i.exec(path) ?? []
    return start === undefined || name === undefined ? [] : [{ start, name: name.toLowerCase(), value, at }]
  })
  const isFirst = ({ start }: { start: string }) => Number(/first|original|initial/i.test(start))
  const [visit] = parts.toSorted((one, other) => one.at.length - other.at.length || isFirst(one) - isFirst(other))
  return new Map(parts.flatMap(({ start, name, value }) => (start === visit?.start ? [[name, value] as const] : [])))
}

const isLeadType = (value: unknown) => /^(?:Form|Call)$/.test(String(parseLeadType(value)))

const toReach = (phone: string | null) => (phone === null || isUnfilledPhone(phone) ? null : phone)

const contactFields = ['lead_name', 'lead_email', 'lead_phone'] as const

/** Returns the labels of the mapped contact fields if all of them are empty: no one could be called back. */
function findEmptyContact(texts: FieldTexts, { preset, mapping }: Pick<MappingInput, 'preset' | 'mapping'>): string[] {
  const mapped = contactFields.filter((field) => preset !== null || mapping[field])
  const isEmpty = mapped.every((field) => {
    const text = cleanLine(texts[field])
    return (field === 'lead_phone' ? toReach(text) : text) === null
  })
  const isCall = preset !== null && parseLeadType(texts.lead_type ?? '') === 'Call' // a caller may withhold the number
  return isEmpty && !isCall ? mapped.map((field) => mappedFieldLabels[field]) : []
}

/** In a field of text, false is none: Odoo sends it for an empty one. */
const writtenFields: readonly MappedField[] = [...contactFields, 'lead_location', 'message']

function readFieldSource(field: MappedField, source: FieldSource, body: SourceBody): string | null {
  if ('value' in source) return toText(source.value)
  const found = field === 'lead_phone' ? findPhone(body, source.from) : findByPath(body, source.from)
  const text = found === false && writtenFields.includes(field) ? null : toText(found)
  const said = field === 'duration' && isThousandths(source.from, text) ? `${text} ms` : text
  const key = (said ?? '').trim().toLowerCase()
  const ours = Object.entries(source.values ?? {}).find(([word]) => word.trim().toLowerCase() === key)?.[1]
  return ours === undefined ? said : toText(ours)
}

/** Retell and Google name the unit of their number: `duration_ms`, `call_duration_millis`. */
const isThousandths = (path: string, text: string | null) =>
  /(?:_ms|[a-z]Ms|[mM]illi(?:second)?s)$/.test(path) && /^\s*\d+(?:\.\d+)?\s*$/.test(text ?? '')

/** A country and a number that stand in two fields are one phone. */
function findPhone(body: SourceBody, path: string): unknown {
  const [country, number, ...more] = locateAll(body, path).map(({ value }) => toText(value))
  const isJoined = country && number && more.length === 0 && !/area/i.test(path.split(' + ')[0]!)
  return isJoined && (isDialCode(country) || isCountryOf(country, number))
    ? addCountry(country, number)
    : findByPath(body, path)
}

type Report = (field: MappedField, says: string) => void

function toIncomingLead(
  texts: FieldTexts,
  { body, receivedAt, zone }: Pick<MappingInput, 'body' | 'receivedAt' | 'zone'>,
  report: Report,
): IncomingLead {
  const line = (field: MappedField, max?: number) => cleanLine(texts[field], max)
  const isCall = [texts.duration, texts.answered, texts.recording].some(Boolean)
  const lead_type = parseLeadType(texts.lead_type ?? (isCall ? 'Call' : 'Form'))
  if (!isLeadType(lead_type)) report('lead_type', 'Must be Form or Call: choose in the mapping which of them it is')
  const outcome = lead_type === 'Call' ? readCallOutcome(body) : null
  const answered = readAnswered(texts, report)
  // `completed` only tells that the call is over.
  const isAnswered = answered === true && !/^\s*completed/i.test(texts.answered ?? '')
  const { instant: occurred_at, unusable } = readOccurredAt(texts, receivedAt, zone)
  const message = cleanText(texts.message, 20_000)
  const recording_url = line('recording', 2048)
  const isAddress = recording_url === null || (URL.canParse(recording_url) && /^https?:/i.test(recording_url))
  if (!isAddress) report('recording', 'Not a web address')
  return {
    lead_type: lead_type === 'Call' ? 'Call' : 'Form',
    occurred_at,
    lead_name: line('lead_name'),
    lead_location: line('lead_location'),
    lead_email: line('lead_email', 254),
    lead_phone: line('lead_phone'),
    message:
      unusable === null ? message : [message, cleanText(describeArrival(texts, unusable))].filter(Boolean).join('\n\n'),
    duration: readDuration(texts, report),
    answered: isAnswered || (outcome?.answered ?? answered),
    call_type: null,
    voicemail: (!isAnswered && (outcome?.voicemail || isVoicemail(texts.answered ?? ''))) || null,
    recording_url: isAddress ? recording_url : null,
    last_url: line('last_url', 2048),
    referrer: line('referrer', 2048),
    source: line('source'),
    source_stated: cleanLine(texts.source_stated),
    keywords: line('keywords', 500),
    gclid: line('gclid'),
    gbraid: line('gbraid'),
    wbraid: line('wbraid'),
    msclkid: line('msclkid'),
    fbclid: line('fbclid'),
    tracking_phone_number: line('tracking_phone_number', 50),
    tracking_source: line('tracking_source'),
  }
}

/** Within so many days before its arrival, a date with two meanings has one. */
const surelyRecentMs = 14 * msPerDay
/** The clocks of others may be ahead of ours. */
const clockSlackMs = 10 * 60_000

/** `unusable` is why a date that was sent is not used. */
type OccurredAt = { instant: Date; unusable: string | null }

/** Without a usable date, uses the time of the event. */
function readOccurredAt(texts: FieldTexts, receivedAt: Date, zone: string): OccurredAt {
  if (!texts.lead_date && !texts.lead_time) return { instant: receivedAt, unusable: null }
  const written = readWrittenMoment(texts, receivedAt, zone)
  if (written === null) return { instant: receivedAt, unusable: 'it cannot be read' }
  const isToday = written.time === null && written.day === toWallClock(receivedAt, zone).day
  const instant = isToday ? receivedAt : toSentInstant(written, receivedAt, zone)
  const isUsable = clampOccurredAt(instant, receivedAt) === instant
  // Nothing is sent before it has happened: what is ahead and names no zone is of another zone.
  const isOfOtherZone = written.zone === null && instant.getTime() > receivedAt.getTime() + clockSlackMs
  if (isUsable && !isOfOtherZone) return { instant, unusable: null }
  return { instant: receivedAt, unusable: instant > receivedAt ? 'it is in the future' : 'it is before the year 2000' }
}

function readWrittenMoment({ lead_date, lead_time }: FieldTexts, receivedAt: Date, zone: string): WrittenMoment | null {
  const date = lead_date ? readRecentMoment(lead_date, receivedAt, zone) : null
  if (!lead_time || (lead_date && date === null)) return date
  const sent = date ? toWrittenInstant(date, zone) : receivedAt
  const timed = readMoment(`${date?.day ?? toWallClock(sent, zone).day} ${lead_time}`, 'ymd')
  if (!timed?.time) return null
  // A day alone is often written as its midnight in UTC.
  const isDay = date && (date.zone === null || date.time === '00:00:00')
  const { day } = isDay ? date : toWallClock(sent, timed.zone ?? zone)
  return { ...timed, day }
}

/**
 * A time without a zone is in the agency's, unless it would be ahead of its arrival there and is of the last hour in UTC, in which many
 * programs write.
 */
function toSentInstant(written: WrittenMoment, receivedAt: Date, zone: string): Date {
  const instant = toWrittenInstant(written, zone)
  if (written.zone !== null || written.time === null) return instant
  const universal = toWrittenInstant({ ...written, zone: 0 }, zone)
  const [age, universalAge] = [instant, universal].map((one) => receivedAt.getTime() - one.getTime()) as [
    number,
    number,
  ] // one for each
  return age < -clockSlackMs && universalAge > -clockSlackMs && universalAge < msPerHour ? universal : instant
}

/** Reads a date that a program has sent just now: of two meanings, only one may be of these days. */
function readRecentMoment(text: string, receivedAt: Date, zone: string): WrittenMoment | null {
  const isRecent = (moment: WrittenMoment | null) => {
    const age = moment ? receivedAt.getTime() - toWrittenInstant(moment, zone).getTime() : Number.NaN
    return age > -msPerDay && age < surelyRecentMs
  }
  const sure = readSureMoment(text)
  // The year may stand first: 26/11/25.
  const [, year, sign, rest] = /^\s*(\d\d)([/.])(\d\d\2\d\d(?!\d).*)$/.exec(text) ?? []
  const yearFirst = sign ? readMoment(`20${year}${sign}${rest}`, 'ymd') : null
  if (sure) return isRecent(yearFirst) && !isRecent(sure) ? yearFirst : sure
  const recent = [yearFirst, ...dateOrders.map((order) => readMoment(text, order))].flatMap((moment) =>
    moment && isRecent(moment) ? [moment] : [],
  )
  return new Set(recent.map(({ day }) => day)).size === 1 ? recent[0]! : null
}

/** What a person would miss in the lead is said in its message. */
function describeArrival({ lead_date, lead_time }: FieldTexts, unusable: string): string {
  const written = [lead_date, lead_time].filter(Boolean).join(' ').slice(0, 100)
  return `${mappedFieldLabels.lead_date}: ${written} (${unusable}; the lead has the time of its arrival)`
}

function readDuration({ duration }: FieldTexts, report: Report): number | null {
  if (!duration) return null
  const text = parseSeconds(duration)
  const seconds = Math.round(
    /^\d+(\.\d+)?$/.test(String(text)) ? Number(text) : (readSureNumber(String(text)) ?? Number.NaN),
  )
  if (seconds >= 0 && seconds <= 2_147_483_647) return seconds
  report('duration', 'Must be seconds')
  return null
}

/** What a telephone system says of a call that is not over, or of its end alone. */
const undecided = /^\s*(?:queued|initiated|ringing|in[-_ ]progress|hang[-_ ]?up|ended)\s*$/i

function readAnswered({ answered }: FieldTexts, report: Report): boolean | null {
  if (!answered) return null
  const said = parseAnswered(answered)
  if (typeof said === 'boolean') return said
  const isYes = readYesNo(answered)
  if (isYes === null && !undecided.test(answered)) report('answered', 'Must be yes or no')
  return isYes
}

/** Returns the lead that a mapping makes from a sample, for display. */
export function previewLead(input: MappingInput): MappedSample {
  try {
    const reason = findNoLead(input.body)
    const { lead_id, incoming, notify, problems } = mapLead(input)
    const { occurred_at, recording_url, call_type: _, voicemail: __, ...fields } = cleanContact(incoming)
    const { day, time } = toWallClock(occurred_at, input.zone)
    const lead = {
      lead_s: 'Other',
      lead_date: day,
      lead_time: time,
      lead_id,
      ...fields,
      recording: recording_url,
      notify,
    }
    return { lead, problems: reason === null ? problems : [{ field: null, says: reason }, ...problems] }
  } catch (error) {
    if (!(error instanceof UnusableEventError)) throw error
    return { lead: {}, problems: [{ field: null, says: error.message }] }
  }
}

/** Returns the problems in one sentence, as the reason of a quarantined event. */
export const describeProblems = (problems: readonly MappingProblem[]) =>
  problems
    .map(({ field, says }) => (field === null ? says : `${mappedFieldLabels[field as MappedField] ?? field}: ${says}`))
    .join('; ')
