import { createHash } from 'node:crypto'
import { toWallClock } from '#core/time/local-time.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import { parseClock, parseMoment, toMomentInstant } from '#domains/leads/model/parse-moment.ts'
import { parseAnswered, parseLeadType, parseSeconds } from '#domains/leads/model/provider-words.ts'
import { clampOccurredAt, cleanLine, cleanText, type IncomingLead } from '../../intake/server/incoming-lead.ts'
import { UnusableEventError } from '../../intake/server/parse-body.ts'
import type { FieldMapping, MappedSample, MappingProblem } from '../contract.ts'
import type { FieldSource } from '../fields.ts'
import { type MappedField, mappedFieldLabels, mappedFields, type SourcePreset } from '../labels.ts'
import { type FieldTexts, readPreset } from './presets.ts'
import { findByPath, type SourceBody, toText } from './read-body.ts'

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

/** Maps a body to a lead. The preset fills fields that the mapping leaves out. Throws for a body that the preset cannot read. */
export function mapLead({ preset, mapping, body, bytes, receivedAt, zone }: MappingInput): MappedLead {
  const texts: FieldTexts = preset ? readPreset(preset, body) : {}
  for (const field of mappedFields) {
    const source = mapping[field]
    if (source) texts[field] = readFieldSource(source, body)
  }
  const problems: MappingProblem[] = []
  const report = (field: MappedField, says: string) =>
    problems.push({ field, says: `${says} (‘${texts[field]?.slice(0, 100)}’)` })
  const incoming = toIncomingLead(texts, { receivedAt, zone }, report)
  const { lead_name, lead_phone, lead_email, message } = incoming
  if ([lead_name, lead_phone, lead_email, message].every((value) => value === null))
    problems.push({ field: null, says: 'It has no name, phone, email or message' })
  const number = texts.lead_id?.replaceAll(/\p{Cc}/gu, '').trim()
  if (number && number.length > 200) report('lead_id', 'At most 200 characters')
  return {
    lead_id: number || createHash('sha256').update(bytes).digest('hex'),
    incoming,
    notify: !/^(0|no|false|off)$/i.test(texts.notify ?? ''),
    problems,
  }
}

function readFieldSource(source: FieldSource, body: SourceBody): string | null {
  if ('value' in source) return toText(source.value)
  const said = toText(findByPath(body, source.from))
  const key = (said ?? '').trim().toLowerCase()
  const ours = Object.entries(source.values ?? {}).find(([word]) => word.trim().toLowerCase() === key)?.[1]
  return ours === undefined ? said : toText(ours)
}

type Report = (field: MappedField, says: string) => void

function toIncomingLead(
  texts: FieldTexts,
  { receivedAt, zone }: Pick<MappingInput, 'receivedAt' | 'zone'>,
  report: Report,
): IncomingLead {
  const line = (field: MappedField, max?: number) => cleanLine(texts[field], max)
  const lead_type = parseLeadType(texts.lead_type ?? (texts.duration || texts.recording ? 'Call' : 'Form'))
  if (lead_type !== 'Form' && lead_type !== 'Call') report('lead_type', 'Must be Form or Call')
  const recording_url = line('recording', 2048)
  const isAddress = recording_url === null || (URL.canParse(recording_url) && /^https?:/i.test(recording_url))
  if (!isAddress) report('recording', 'Not a web address')
  return {
    lead_type: lead_type === 'Call' ? 'Call' : 'Form',
    occurred_at: readOccurredAt(texts, receivedAt, zone, report),
    lead_name: line('lead_name'),
    lead_location: line('lead_location'),
    lead_email: line('lead_email', 254),
    lead_phone: line('lead_phone', 50),
    message: cleanText(texts.message, 20_000),
    duration: readDuration(texts, report),
    answered: readAnswered(texts, report),
    call_type: null,
    voicemail: null,
    recording_url: isAddress ? recording_url : null,
    last_url: line('last_url', 2048),
    referrer: line('referrer', 2048),
    source: line('source'),
    keywords: line('keywords', 500),
    gclid: line('gclid'),
    tracking_phone_number: line('tracking_phone_number', 50),
    tracking_source: line('tracking_source'),
  }
}

/** Without a date, uses the time of the event. A time without a zone is in the agency's. */
function readOccurredAt({ lead_date, lead_time }: FieldTexts, receivedAt: Date, zone: string, report: Report): Date {
  const moment = lead_date ? parseMoment(lead_date, zone) : toWallClock(receivedAt, zone)
  const time = lead_time ? parseClock(lead_time) : null
  if (lead_time && time === null) report('lead_time', 'Not a time')
  const instant = moment && toMomentInstant(time === null ? moment : { ...moment, time }, zone)
  if (instant === null) report('lead_date', 'Not a date')
  return lead_date || time ? clampOccurredAt(instant, receivedAt) : receivedAt
}

function readDuration({ duration }: FieldTexts, report: Report): number | null {
  if (!duration) return null
  const seconds = Math.round(Number(parseSeconds(duration)))
  if (seconds >= 0 && seconds <= 2_147_483_647) return seconds
  report('duration', 'Must be seconds')
  return null
}

function readAnswered({ answered }: FieldTexts, report: Report): boolean | null {
  if (!answered) return null
  const said = parseAnswered(answered)
  if (typeof said === 'boolean') return said
  if (/^(1|yes|true|y)$/i.test(answered)) return true
  if (!/^(0|no|false|n)$/i.test(answered)) report('answered', 'Must be yes or no')
  return /^(0|no|false|n)$/i.test(answered) ? false : null
}

/** Returns the lead that a mapping makes from a sample, for display. */
export function previewLead(input: MappingInput): MappedSample {
  try {
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
    return { lead, problems }
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
