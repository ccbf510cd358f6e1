import { readMoment, readZone } from '#contract/read-date.ts'
import { findDialCode, hasCountry, isWithheldPhone } from '#contract/read-phone.ts'
import {
  type ColumnMapping,
  type FileLine,
  type FirstValues,
  guessColumns,
  type ImportField,
  isSameTitle,
  type LineCells,
  type LineProblem,
  mayHold,
  parseYesNo,
  splitTitleZone,
} from '#domains/imports/public.ts'
import { joinLabel } from '#domains/leads/custom-sources/body-paths.ts'
import { outboundReason } from '#domains/leads/intake/server/outbound-call.ts'
import {
  dialCodeNames,
  otherNames,
  otherNumbers,
  otherWords,
  personNames,
  personWords,
  toBareName,
  toPlainWords,
} from '#domains/leads/intake/server/person-fields.ts'
import { isFacebookDummy } from '#domains/leads/intake/server/provider-test.ts'
import { describeUnsent } from '#domains/leads/intake/server/unsent-entries.ts'
import type { leadProviders } from '#domains/leads/labels.ts'
import { addCountry } from '#domains/leads/model/phone-key.ts'
import { isOutbound, isVoicemail, parseAnswered, readYesNo } from '#domains/leads/model/provider-words.ts'
import { datesOrTimes } from './cell-synonyms.ts'
import { isTimeOfDay } from './import-line.ts'

/**
 * The files that services write, known by their headers. Where these were learned: Facebook's from the fields of the Graph API
 * (developers.facebook.com, “Retrieving Leads”; facebook/facebook-php-business-sdk#252, #270) and files as they were sent; CallRail's from
 * its call log; Dialpad's from help.dialpad.com, “Analytics exports”, and programs that read it; WhatConverts' from
 * whatconverts.com/help, “CSV Formatting Requirements”; Google's from the fields of its webhook (developers.google.com/google-ads/webhook).
 */
type KnownExport = {
  name: string
  /** Titles that no other file has together. */
  signs: readonly string[]
  /** Columns that would be taken for others by their titles. */
  columns: Readonly<Record<string, readonly string[]>>
  /** Fields whose titles say something else here. */
  without?: readonly string[]
  /** Columns that count where that of a field is empty. */
  instead?: Readonly<Record<string, string>>
  /** A telephone system's: `Phone Number` is the dialed one. */
  isOfCalls?: true
  /** What every line of it is. */
  lead?: { lead_type: 'Form' | 'Call'; lead_s: (typeof leadProviders)[number] }
  /** Columns of the service itself; the others are answers to the form's own questions. Without it there are no questions. */
  envelope?: readonly string[]
}

const adColumns = ['ad_id', 'ad_name', 'adset_id', 'adset_name', 'campaign_id', 'campaign_name', 'form_id', 'form_name']
const knownExports: readonly KnownExport[] = [
  {
    // Its file has the columns of Facebook's, but for the ad group.
    name: 'TikTok',
    signs: ['created_time', 'form_id', 'ad_id', 'adgroup_name'],
    columns: { campaign: ['campaign_name', 'campaign_id'], lead_date: ['created_time'] },
    without: ['lead_time'],
    lead: { lead_type: 'Form', lead_s: 'Other' },
    envelope: [...adColumns, 'adgroup_id', 'adgroup_name', 'video_id', 'video_name', 'page_id', 'page_name'],
  },
  {
    name: 'Facebook',
    signs: ['created_time', 'form_id', 'ad_id'],
    columns: {
      campaign: ['campaign_name', 'campaign_id'],
      lead_date: ['created_time'],
      lead_name: ['full_name'],
    },
    without: ['lead_time'],
    lead: { lead_type: 'Form', lead_s: 'Other' },
    envelope: [
      ...adColumns,
      ...['is_organic', 'platform', 'lead_status', 'inbox_url', 'is_qualified', 'is_quality', 'is_converted'],
      ...['partner_name', 'retailer_item_id', 'vehicle', 'home_listing'],
    ],
  },
  {
    name: 'Google Ads',
    signs: ['lead_id', 'gcl_id', 'form_id'],
    columns: {
      campaign: ['campaign_name', 'campaign', 'campaign_id'],
      lead_date: ['lead_submit_time', 'submission_time'],
    },
    without: ['lead_time'],
    lead: { lead_type: 'Form', lead_s: 'Other' },
    envelope: [
      ...adColumns,
      ...['campaign', 'api_version', 'google_key', 'is_test', 'adgroup_id', 'ad_group_id', 'ad_group', 'ad_group_name'],
      ...['creative_id', 'asset_group_id', 'asset_id', 'lead_stage', 'lead_form', 'lead_form_id', 'lead_source'],
    ],
  },
  {
    name: 'CallRail',
    signs: ['call_status', 'tracking_number', 'start_time'],
    columns: { campaign: ['company_name', 'company'] },
    without: ['company_name', 'tags'],
  },
  {
    name: 'CallTrackingMetrics',
    signs: ['called', 'caller_number', 'receiving_number'],
    columns: { lead_date: ['called'], answered: ['status'], recording: ['audio'] },
  },
  {
    // Its name and email are of who took the call, and the times are in the zone of their column.
    name: 'Dialpad',
    signs: ['external_number', 'internal_number', 'date_started'],
    columns: {
      lead_date: ['date_started'],
      lead_phone: ['external_number'],
      tracking_phone_number: ['internal_number'],
    },
    without: ['lead_name', 'lead_email'],
    lead: { lead_type: 'Call', lead_s: 'Other' },
  },
  {
    name: 'WhatConverts',
    signs: ['lead_id', 'lead_type', 'profile'],
    columns: { campaign: ['profile'], tracking_phone_number: ['tracking_number', 'phone_number'] },
    instead: { lead_name: 'caller_name', lead_phone: 'caller_number' },
    isOfCalls: true,
  },
  { name: 'Calendly', signs: ['invitee_email', 'event_type_name'], columns: {}, without: ['lead_location'] }, // where they meet
]

const normalizeTitle = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^googleclickid$/, 'gclid')
/** Without a zone: `Submit Date (UTC)`. */
const toBareTitle = (title: string) => normalizeTitle(splitTitleZone(title).bare)
const isTitled = (title: string, name: string) => normalizeTitle(title) === normalizeTitle(name)

const findKnownExport = (titles: readonly string[]): KnownExport | null =>
  knownExports.find(({ signs }) => signs.every((sign) => titles.some((title) => isTitled(title, sign)))) ?? null

/** Matches the columns of a file of leads to fields; a known service's file is mapped as that service means it. */
export function matchLeadColumns(
  all: readonly ImportField[],
  titles: readonly string[],
  values: FirstValues,
): ColumnMapping {
  const known = findKnownExport(titles)
  const isOfCalls = known?.isOfCalls === true || hasCallTitle(titles)
  const phone = all.find(({ name }) => name === 'lead_phone')
  const isBesideContact = titles.some(
    (title, at) => contactPhone.test(normalizeTitle(title)) && phone && mayHold(phone, values[at]),
  )
  const guessed = guessColumns(all, titles, values)
  const date = guessed.lead_date
  const sent = known ? undefined : findSentDate(date, titles, values)
  const fields = all.flatMap((field) => {
    if (field.name === 'lead_date' && sent !== undefined)
      return [{ ...field, label: splitTitleZone(titles[sent]!).bare }]
    if (field.name === 'lead_name') return [placePersonName(field, titles, values)]
    if (field.name === 'answered' && isCallLog(titles)) return [addCallResult(field, titles, values)]
    if (field.name !== 'lead_time') return [placePhoneNumber(field, isOfCalls, isBesideContact)]
    return sent === undefined ? [dropDateTitles(field, date, titles, values)] : []
  })
  if (!known) return addAskedColumns(fields, titles, values)
  const own: ColumnMapping = {}
  for (const [field, names] of Object.entries(known.columns)) {
    const named = names.map((name) => titles.findIndex((title) => isTitled(title, name))).filter((at) => at !== -1)
    const isFilled = (at: number) => values[at]?.length
    const index = named.find(isFilled) ?? (isFilled(guessed[field] ?? -1) ? undefined : named[0])
    if (index !== undefined) own[field] = index
  }
  const others = fields.filter(({ name }) => own[name] === undefined && !known.without?.includes(name))
  // A column of the service itself is no contact: `form_name` is not the lead's name.
  const open = titles.map((title, at) =>
    Object.values(own).includes(at) || known.envelope?.some((name) => isTitled(title, name)) ? '' : title,
  )
  return { ...guessColumns(others, open, values), ...own }
}

/** Returns the column with the moment at which a form was sent, beside which `Date` and `Time` are questions of its own. */
function findSentDate(date: number | undefined, titles: readonly string[], values: FirstValues): number | undefined {
  const asked = titles.findIndex((title, at) => isAskedDate(title) && !values[at]?.every(isTimeOfDay))
  const days = values[asked] ?? []
  // Every line was sent, and a question may stay without an answer.
  const sent = titles.findIndex(
    (title, at) => isSentTitle(title, titles) && isTimedDate(values[at]) && values[at]!.length >= days.length,
  )
  if (hasCallTitle(titles) || sent === -1 || (date !== asked && date !== sent)) return undefined
  // Of a day that may be two, the earlier one.
  const readDay = (value: string) =>
    (['mdy', 'dmy'] as const).flatMap((order) => readMoment(value, order)?.day ?? []).toSorted()[0] ?? ''
  const findLast = (column: readonly string[]) =>
    Math.max(...column.map((value) => Date.parse(readDay(value))).filter(Number.isFinite))
  // An appointment. The next day may be the same one, of another time zone.
  return findLast(days) - findLast(values[sent]!) > 86_400_000 ? sent : undefined
}

const isSentTitle = (title: string, titles: readonly string[]) =>
  sentTitle.test(toBareTitle(title)) ||
  (isTitled(title, 'created_at') && titles.some((other) => /^(?:entry|submission)id$/.test(normalizeTitle(other))))
const sentTitle =
  /^(?:(?:entry|submit|submission)date|submissiontime|submitted(?:at|on)?|datesubmitted|timestamp|zeitstempel|marcatemporal|horodateur|carimbodedatahora|informazionicronologiche|tijdstempel)$/
const isAskedDate = (title: string) =>
  /^(?:date|fecha|datum|data|time|uhrzeit|hora|heure|ora|tijd)$/.test(normalizeTitle(title))
const hasCallTitle = (titles: readonly string[]) => titles.some((title) => callTitle.test(normalizeTitle(title)))

/** A `Created Time` that is a date is no time beside another date, nor any beside one that has its time. */
function dropDateTitles(
  field: ImportField,
  date: number | undefined,
  titles: readonly string[],
  values: FirstValues,
): ImportField {
  const isTime = (at: number) => values[at]?.some(isTimeOfDay)
  const isTimed = isTimedDate(values[date ?? -1])
  const isDate = (name: string) =>
    titles.some((title, at) => {
      if (toBareTitle(title) !== normalizeTitle(name)) return false
      if (datesOrTimes.includes(name)) return !isTime(at) || isTimed
      return at !== date && isTimed && (isTimedDate(values[at]) || isLength(values[at]))
    })
  return { ...field, also: field.also?.filter((name) => !isDate(name)) ?? [] }
}

/** Five9's `Call Time` is one: times of day are seldom all in the first hour. */
const isLength = (values: readonly string[] = []) =>
  values.filter((value) => /^00?:\d\d:\d\d$/.test(value)).length * 2 > values.length

const isTimedDate = (values: readonly string[] = []) =>
  values.some((value) => ((readMoment(value, 'mdy') ?? readMoment(value, 'dmy'))?.time ?? midnight) !== midnight)

const midnight = '00:00:00' // how programs write a day

const callTitle =
  /^(?:call(?:er|ing|ed|duration|length|date|start).*|from(?:number)?|externalnumber|(?:duration|length).*|talktime|(?:answer|dial)status|call(?:status|sid|id|time|type|direction)|answered|(?:left)?voicemail|(?:call|play)?recording(?:url|link)?)$/

/**
 * Returns whether the titles, of those of a line the ones with a value, are a telephone system's, and none of all is a form's: a missed call
 * has no length. Forms have a tracking number, too.
 */
function isCallLog(all: readonly string[], filled: readonly string[] = all): boolean {
  const names = filled.map(normalizeTitle)
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (all.some((title) => formTitle.test(normalizeTitle(title)) || toVisitor.test(title))) return false
  return (
    has(/^(?:caller|calling)(?:phone)?number$/) ||
    (has(dialedNumber) &&
      names.some((name) => callTitle.test(name) && !dialedNumber.test(name) && !/^(?:called|from)$/.test(name))) ||
    (has(/^callid$/) && has(/^(?:call)?direction$/)) ||
    (has(/^(?:talking|ringing)$/) && has(/^(?:from|callerid)(?:number)?$/))
  )
}
const dialedNumber = /^(?:called|callee|tracking)(?:phone)?number$/
const formTitle = /(?<!voice)mail|message|comment|(?<!plat)form(?!at)|submi|question|inquiry|entryid/

/** How a call went is called so by many, but may be another word there. */
function addCallResult(field: ImportField, titles: readonly string[], values: FirstValues): ImportField {
  const isResult = (name: string) =>
    titles.some(
      (title, at) => isTitled(title, name) && values[at]?.every((value) => typeof parseAnswered(value) === 'boolean'),
    )
  return { ...field, also: [...(field.also ?? []), ...callResults.filter(isResult)] }
}
const callResults = ['call result', 'result', 'status']

/** A word below the first lines that does not say whether a call was answered says nothing. */
function dropOtherResult(cells: LineCells, line: FileLine): LineCells {
  const { answered = '' } = cells
  const isResult = line.some(
    ({ title, value, isMapped }) => isMapped && value === answered && callResults.some((name) => isTitled(title, name)),
  )
  const isRead = typeof parseYesNo(parseAnswered(answered)) === 'boolean' || isVoicemail(answered)
  return isResult && !isRead && isCallLog(line.map(({ title }) => title)) ? { ...cells, answered: '' } : cells
}

const contactPhone =
  /^(?:contact|customer|caller|lead)phone(?:number)?$|^(?:contact|caller|calling|from|external)number$/

/**
 * Only a telephone system, or a file with a number that is called the contact's, calls the number that was dialed `Phone Number`; in a CRM's
 * file it is the person's, before others such as `Mobile Phone Number`.
 */
function placePhoneNumber(field: ImportField, isOfCalls: boolean, isBesideContact: boolean): ImportField {
  const { name, also = [] } = field
  const others = also.filter((title) => title !== 'phone number')
  if (name === 'tracking_phone_number') return isOfCalls || isBesideContact ? field : { ...field, also: others }
  if (name !== 'lead_phone') return field
  if (isOfCalls) return isBesideContact ? { ...field, also: others } : field
  const first = others.filter((title) => contactPhone.test(normalizeTitle(title)))
  return { ...field, also: [...first, 'phone number', ...others] }
}

/** Beside the name of a person in every line, a CRM's `Name` is the deal's. Few names in many lines are the agency's clients, or its own. */
function placePersonName(field: ImportField, titles: readonly string[], values: FirstValues): ImportField {
  const names = values[titles.findIndex((title) => isTitled(title, field.label))] ?? []
  const person = titles.find((title, at) => {
    const { length } = values[at] ?? []
    const isEach = length >= Math.max(names.length, 1) && new Set(values[at]).size * 2 > length
    return isEach && /^(?:contact|full)name$/.test(normalizeTitle(title))
  })
  return person === undefined ? field : { ...field, label: person, also: [...(field.also ?? []), field.label] }
}

/**
 * Adds the columns that ask for the contact, as Typeform's titles are its questions: `What is your name?` A question to the visitor that
 * has answers goes before a column without any value, such as a hidden field of Typeform.
 */
function addAskedColumns(
  fields: readonly ImportField[],
  titles: readonly string[],
  values: FirstValues,
): ColumnMapping {
  const columns = guessColumns(fields, titles, values)
  const isFilled = (at: number) => values[at]?.length
  const hasValues = (...names: string[]) => names.some((name) => isFilled(columns[name] ?? -1))
  const add = (field: string, asks: (title: string, at: number) => boolean) => {
    const [taken, isOpen] = [Object.values(columns), columns[field] === undefined]
    const asked = titles.flatMap((title, at) =>
      !taken.includes(at) && (isOpen || toVisitor.test(title)) && asks(title, at) ? [at] : [],
    )
    const index = asked.find(isFilled) ?? columns[field] ?? asked[0]
    if (index !== undefined) columns[field] = index
  }
  for (const [field, names] of Object.entries(askedParts))
    if (!hasValues(field, 'lead_name')) add(field, (title) => names.includes(toBareName(title)))
  for (const [field, words] of Object.entries(askedWords)) {
    if (hasValues(field) || (field === 'lead_name' && hasValues('first_name', 'last_name'))) continue
    const own = fields.find(({ name }) => name === field)
    add(field, (title, at) => isAsked(toPlainWords(title), words) && own !== undefined && mayHold(own, values[at]))
  }
  return columns
}
const toVisitor = /\?|\b(?:your|what|enter)\b/i
const askedParts: Readonly<Record<string, readonly string[]>> = {
  first_name: personNames.first,
  last_name: personNames.last,
}
const askedWords = { lead_name: personWords.name, lead_email: personWords.email, lead_phone: personWords.phone }
const isAsked = (title: string, words: RegExp) =>
  words.test(title) && !otherNames.test(title) && !otherWords.test(title) && !otherNumbers.test(title)

/** Returns the columns without a field whose values go into the message: a form's questions, and titles that stand twice. */
export const listMessageColumns = (titles: readonly string[], columns: ColumnMapping): number[] =>
  listAnswers(titles, Object.values(columns))

function listAnswers(titles: readonly string[], mapped: readonly number[]): number[] {
  const envelope = findKnownExport(titles)?.envelope
  const isSent = !hasCallTitle(titles) && mapped.some((at) => isSentTitle(titles[at] ?? '', titles))
  return titles.flatMap((title, at) => {
    if (title === '' || mapped.includes(at) || envelope?.some((name) => isTitled(title, name))) return []
    const isAnswer = envelope || (isSent && isAskedDate(title))
    return isAnswer || titles.some((other, index) => index !== at && isSameTitle(title, other)) ? [at] : []
  })
}

/** Says why a line of a form plugin's export is no lead: Formidable has a column `Draft`, WPForms `Entry Type`, Typeform `Response Type`. */
function findUnsent(line: FileLine): string | null {
  const reasons = line.flatMap(({ title, value, isMapped }) => {
    const state = isMapped ? null : /^(?:(?:is)?draft|(?:entry|response)(?:type|status))$/.exec(normalizeTitle(title))
    return state && (/draft/.test(state[0]) || /\p{L}/u.test(value)) ? (describeUnsent(value) ?? []) : []
  })
  return reasons[0] ?? null
}

/** Returns whether a telephone system's file says that the line is a call or text that was made. */
const isOutboundLine = (line: FileLine): boolean =>
  line.some(({ title, value }) => /^(?:call)?(?:direction|type)$/.test(normalizeTitle(title)) && isOutbound(value))

/** Returns whether the line is a telephone system's, and no text or email. */
function isCallLine({ message, lead_email }: LineCells, line: FileLine): boolean {
  const isTranscribed = line.some(({ title, isMapped }) => isMapped && /transcri/i.test(title))
  if (lead_email || (message && !isTranscribed)) return false
  return (
    isCallLog(
      line.map(({ title }) => title),
      line.flatMap(({ title, value }) => (value === '' ? [] : [title])),
    ) && !line.some(({ title, value }) => kindTitle.test(title) && textKind.test(value))
  )
}
const kindTitle = /type|channel|medium|source|method|kind|category|event/i
const textKind = /\b(?:sms|mms|texts?|chat|fax|form|web|e-?mail|message)\b/i

/** Reads the cells of a service's file as that service means them. Refuses its tests, outbound calls, and what a visitor did not send. */
export function readKnownLine(
  cells: LineCells,
  line: FileLine,
): { cells: LineCells; from: string } | { wrong: LineProblem[] } {
  const titles = line.map(({ title }) => title)
  const known = findKnownExport(titles)
  const unsent = findUnsent(line)
  if (unsent !== null) return { wrong: [{ field: null, says: unsent }] }
  if (isOutboundLine(line)) return { wrong: [{ field: null, says: outboundReason }] }
  if (line.some(({ value }) => isFacebookDummy(value))) return refuseTest('Facebook')
  const isFacebook = known?.name === 'Facebook'
  const kept = listAnswers(
    titles,
    line.flatMap(({ isMapped }, at) => (isMapped ? [at] : [])),
  )
  const answers = line.flatMap(({ title, value }, at) =>
    value === '' || !kept.includes(at) || isSaid(line, title, value) || (!known && isOwnDate(line, at, cells))
      ? []
      : [joinLabel(formatQuestion(title), isFacebook ? formatAnswer(value) : value)],
  )
  const withAnswers = (read: LineCells): LineCells => {
    const message = [read.message, ...answers].filter(Boolean).join('\n')
    return message === '' ? read : { ...read, message }
  }
  if (line.some(isMarkedTest)) return refuseTest(known?.name ?? 'its sender')
  const zoned = addZone(completePhone(dropOtherResult(cells, line), line), findZone(line, known))
  if ('wrong' in zoned) return zoned
  if (!known) {
    const read =
      cells.lead_type === undefined && isCallLine(cells, line) ? { ...zoned.cells, lead_type: 'Call' } : zoned.cells
    return { cells: withAnswers(read), from: 'The file' }
  }
  const find = (name: string) => line.find(({ title }) => isTitled(title, name))?.value ?? ''
  const filled = Object.entries(zoned.cells).flatMap(([name, value]) =>
    value === '' ? [] : [[name, isFacebook ? cutFacebookPrefix(value) : value]],
  )
  const callers = Object.entries(known.instead ?? {}).map(([name, title]) => [name, find(title)])
  const read: Record<string, string> = {
    ...zoned.cells,
    ...Object.fromEntries(callers),
    ...known.lead,
    ...(isFacebook && {
      source: find('platform') === 'ig' ? 'Instagram' : 'Facebook',
      tracking_source: find('campaign_name') || find('form_name'),
    }),
    ...(known.name === 'Google Ads' && { source: 'Google Paid' }),
    ...(known.name === 'TikTok' && { source: 'TikTok' }),
    ...Object.fromEntries(filled),
  }
  return { cells: withAnswers(read), from: known.name }
}

/** Puts the code of a country or of an area before its number, if they have columns of their own. */
function completePhone(cells: LineCells, line: FileLine): LineCells {
  const { lead_phone = '' } = cells
  if (!/^[^\p{L}:+]*\d[^\p{L}:+]*$/u.test(lead_phone) || hasCountry(lead_phone) || isWithheldPhone(lead_phone))
    return cells
  const find = (names: readonly string[]) =>
    line.find(({ title, isMapped }) => !isMapped && names.includes(normalizeTitle(title)))?.value ?? ''
  const [country, area] = [findDialCode(find(dialCodeNames)), find(['areacode', 'phoneareacode', 'phonearea'])]
  if (country && country !== '1') return { ...cells, lead_phone: addCountry(country, lead_phone) }
  const isLocal = lead_phone.replace(/\D/g, '').length === 7 && /^\(?\d{3}\)?$/.test(area)
  return isLocal ? { ...cells, lead_phone: `${area} ${lead_phone}` } : cells
}

/** Returns the zone of the times, if a column for it bears their name or stands behind theirs: elsewhere, it may be the zone of a visitor. */
function findZone(line: FileLine, known: KnownExport | null): string {
  const isTime = ({ title, isMapped }: FileLine[number]) => isMapped && /time|date|start|created|received/i.test(title)
  const subjects = line.filter(isTime).map(({ title }) => toSubject(title))
  const named = line.find(
    ({ title }) => ownZoneTitle.test(normalizeTitle(title)) && subjects.includes(toSubject(title)),
  )
  if (named) return named.value
  const at = line.findIndex(({ title }) => isTitled(title, 'timezone'))
  const [time, zone] = [line[at - 1], line[at]]
  return zone && ((time && isTime(time)) || known?.name === 'Dialpad') ? zone.value : ''
}

/** `created` of `Created Time` and of `Created Time Zone`. */
const toSubject = (title: string) => toBareTitle(title).replace(/(?:date)?(?:time)?(?:zone|tz)?$/, '')

const ownZoneTitle = /^(?!lead|caller|contact|customer|client|visitor|user|agent).+(?:timezone|tz)$/

/** Adds a zone to a time that names none; elsewhere, it does not matter what the zone is. */
function addZone(cells: LineCells, zone: string): { cells: LineCells } | { wrong: LineProblem[] } {
  const { lead_date = '', lead_time = '' } = cells
  const isOpen =
    lead_time === '' ? /T[\d:.]+$/.test(lead_date) : readMoment(`2000-01-01 ${lead_time}`, 'ymd')?.zone === null
  if (zone === '' || !isOpen) return { cells }
  const field = lead_time === '' ? 'lead_date' : 'lead_time'
  if (readZone(zone) === undefined) return { wrong: [{ field, says: `Not a time zone: ${zone}` }] }
  return { cells: { ...cells, [field]: `${cells[field]} ${zone}` } }
}

/** Returns whether a date or time adds nothing to the lead's own: the same, or an earlier day. A later day, or another time, was asked for. */
function isOwnDate(line: FileLine, at: number, { lead_date = '' }: LineCells): boolean {
  const { title, value } = line[at]!
  const sent = readMoment(lead_date, 'ymd')
  const isTwice = line.some((other, index) => index !== at && isSameTitle(title, other.title))
  if (!isAskedDate(title) || isTwice || sent === null) return false
  if (isTimeOfDay(value)) return readMoment(`2000-01-01 ${value}`, 'ymd')?.time?.slice(0, 5) === sent.time?.slice(0, 5)
  const days = (['mdy', 'dmy'] as const).flatMap((order) => readMoment(value, order)?.day ?? [])
  return days.includes(sent.day) || (days.length > 0 && days.every((day) => day < sent.day))
}

/** Returns whether a field has the same value from a column of the same title. */
const isSaid = (line: FileLine, title: string, value: string) =>
  line.some((other) => other.isMapped && other.value === value && isSameTitle(title, other.title))

const isMarkedTest = ({ title, value }: FileLine[number]): boolean =>
  /^(?:istest|(?:is)?testlead)$/.test(normalizeTitle(title)) && readYesNo(value) === true

const refuseTest = (name: string) => ({ wrong: [{ field: null, says: `A test from ${name}` }] })

/** Facebook writes `l:` before a lead's id, `p:` before a phone, `c:` before a campaign's. */
const cutFacebookPrefix = (value: string) => value.replace(/^(?:l|p|c|f|z|ag|as):(?=[+\d])/, '')
/** `what_do_you_need?` is how Facebook writes a question. */
function formatQuestion(title: string): string {
  const words = title.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
const formatAnswer = (value: string) => cutFacebookPrefix(value).replaceAll('_', ' ')
