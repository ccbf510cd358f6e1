import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'
import { isShortenedId, isShortenedNumber, shortenedNumberMessage } from '#contract/column-reading.ts'
import { dateField, moneyField, textField } from '#contract/fields.ts'
import { foldText } from '#contract/fold-text.ts'
import { readMoment } from '#contract/read-date.ts'
import {
  isWholePhone,
  isWithheldPhone,
  isWordNumber,
  readPhone,
  shortenedPhone,
  toDialedPhone,
} from '#contract/read-phone.ts'
import { toWallClock, toWrittenInstant } from '#core/time/local-time.ts'
import {
  amountHint,
  blankToNull,
  describeUnusableDate,
  getFilledCell,
  type ImportField,
  type LineCells,
  type LineProblem,
  parseReadAmount,
  parseSureNumber,
  parseYesNo,
  splitValues,
  toCellProblems,
  yesNoHint,
} from '#domains/imports/public.ts'
import { leadColumnTitles } from '#domains/leads/fields.ts'
import { leadProviders, leadTags, leadTypes, progressLabels } from '#domains/leads/labels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import {
  isCallKind,
  isVoicemail,
  parseAnswered,
  parseLeadType,
  parseSeconds,
} from '#domains/leads/model/provider-words.ts'
import { hasWord, isPhone, personNames } from '../../intake/server/person-fields.ts'
import { cellSynonyms } from './cell-synonyms.ts'

/** The cells of a lead's line. Empty cells are null; common words are accepted for values. */

const optionalCell = <T extends z.ZodType>(schema: T) => z.preprocess(blankToNull, schema.nullable())
const textCell = (max = 255) => optionalCell(textField(max))
/** A line break within a name or place is a space. */
const lineCell = (max = 255) =>
  z.preprocess((value) => (typeof value === 'string' ? value.replace(/\s*[\r\n]+\s*/g, ' ') : value), textCell(max))
const maxLocation = 255
const flagCell = z.preprocess(
  (value) => (blankToNull(value) === null ? false : parseYesNo(value)),
  z.boolean('Must be 1 or 0'),
)
const amountCell = optionalCell(z.preprocess(parseReadAmount, moneyField))
/** `0x10` is no number of seconds. */
function readSeconds(value: unknown): unknown {
  const seconds = parseSeconds(value)
  return typeof seconds === 'number' ? seconds : parseSureNumber(seconds)
}
const progressByLabel = Object.fromEntries(
  Object.entries(progressLabels).map(([value, word]) => [word.toLowerCase(), Number(value)]),
)
const capitalizeWord = (value: unknown) =>
  typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1).toLowerCase() : value
const spellTag = (word: string) => leadTags.find((tag) => foldText(tag) === foldText(word)) ?? word

const providerList = leadProviders.join(', ').replace(/, (\w+)$/, ' or $1')

const leadCellsSchema = z.object({
  lead_id: optionalCell(
    z
      .string()
      .trim()
      .max(200, 'At most 200 characters')
      .refine((id) => !isShortenedId(id), shortenedNumberMessage),
  ),
  lead_type: z.preprocess(parseLeadType, z.enum(leadTypes, 'Must be Form or Call')),
  lead_s: optionalCell(z.preprocess(capitalizeWord, z.enum(leadProviders, `Must be ${providerList}`))),
  lead_date: dateField('The date is missing'),
  lead_time: z.preprocess(
    (value) => blankToNull(value) ?? '00:00',
    z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'Not a time, such as 14:30 or 2:30 PM'),
  ),
  lead_name: lineCell(),
  lead_location: lineCell(maxLocation),
  lead_email: textCell(254),
  lead_phone: textCell().refine(isWholePhone, shortenedPhone),
  message: textCell(20_000),
  notes: textCell(10_000),
  duration: optionalCell(
    z.preprocess(
      readSeconds,
      z.coerce
        .number('Must be seconds')
        .int('Must be seconds')
        .min(0, 'Must be seconds')
        .max(2_147_483_647, 'Must be seconds'),
    ),
  ),
  answered: z.preprocess(
    (value) => (blankToNull(value) === null ? null : parseYesNo(parseAnswered(value))),
    z.boolean('Must be 1 or 0').nullable(),
  ),
  voicemail: flagCell,
  call_type: textCell(50).transform((word) => word?.toLowerCase() ?? null), // as CallRail's webhooks write it
  recording: optionalCell(z.httpUrl('Not a web address')),
  tags: z.preprocess(
    (value) => (typeof value === 'string' ? splitValues(value, /[,;|]/).map(spellTag) : value),
    z.array(z.enum(leadTags, 'Not a tag here: choose one for it, or leave the column out')).optional(),
  ),
  confirmed: flagCell,
  hide: flagCell,
  archived: flagCell,
  spam: flagCell,
  client_progress: optionalCell(
    z.preprocess(
      (value) => progressByLabel[String(value).toLowerCase()] ?? parseSureNumber(value),
      z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5'),
    ),
  ),
  company_name: lineCell(),
  client_notes: textCell(10_000),
  client_value: amountCell,
  client_profit: amountCell,
  rating: optionalCell(
    z.preprocess(parseSureNumber, z.int('Must be 1 to 5').min(1, 'Must be 1 to 5').max(5, 'Must be 1 to 5')),
  ),
  last_url: textCell(2048),
  referrer: textCell(2048),
  source: lineCell(),
  keywords: textCell(500),
  gclid: textCell(),
  tracking_phone_number: textCell(50).refine(isWholePhone, shortenedPhone),
  tracking_source: lineCell(),
})

/** The parsed cells of a line, before its campaign and site are looked up. */
export type LeadCells = z.output<typeof leadCellsSchema>

const { campaign_name: _, related: __, changers: ___, action: ____, ...leadCellTitles } = leadColumnTitles
const cellLabels: Record<keyof LeadCells, string> = {
  ...leadCellTitles,
  lead_id: 'Lead ID',
  lead_s: 'Lead Source',
  lead_time: 'Time',
  duration: 'Duration',
  answered: 'Answered',
  voicemail: 'Voicemail',
  call_type: 'Call Type',
  recording: 'Recording',
  archived: 'Archived',
  spam: 'Spam',
}
const cellHints: Partial<Record<keyof LeadCells, string>> = {
  lead_id:
    'The id from CallRail or the form; without one it is made from date, campaign and contact, or what else the line says',
  lead_type: 'Form or Call; without this column, a lead with a duration or a recording is a call',
  lead_s: `${providerList}; otherwise it follows from the type. Any other word is read as the source`,
  lead_date: '2026-03-16, 03/16/2026 or 16.3.2026, with or without a time; in the agency’s time zone if it names none',
  lead_time: '14:30, 14:30:00 or 2:30 PM',
  duration: 'Seconds, 1:23 or 1m 23s',
  answered: `${yesNoHint}, Answered or Missed`,
  voicemail: yesNoHint,
  tags: 'Separated by commas; a file without tags leaves them to the rules for incoming leads',
  confirmed: yesNoHint,
  hide: yesNoHint,
  archived: yesNoHint,
  spam: `${yesNoHint}; tags the lead Spam and hides it`,
  client_progress: `${Object.values(progressLabels).join(', ')}, or 1 to 5`,
  client_value: amountHint,
  client_profit: amountHint,
  rating: '1 to 5',
  recording: 'A web address',
}
const cellReaders: Partial<Record<keyof LeadCells, ImportField['reads']>> = {
  lead_date: 'moment',
  client_value: 'amount',
  client_profit: 'amount',
}
/** Also with a zone: `1:05 PM CST`. */
export const isTimeOfDay = (value: string): boolean =>
  typeof readMoment(`2000-01-01 ${value}`, 'ymd')?.time === 'string'
const cellFits: Partial<Record<keyof LeadCells, ImportField['fits']>> = {
  lead_date: (value) => !isTimeOfDay(value),
  lead_name: (value) => value !== '',
  lead_email: (value) => value.includes('@'),
  lead_phone: (value) => (isWithheldPhone(value) ? null : isPhone(value) || isShortenedNumber(value)),
}
const otherColumns: Partial<Record<keyof LeadCells, readonly string[]>> = {
  lead_name: ['name'],
  lead_email: ['email', 'email address', 'work email', 'personal email', 'home email', 'email 2', 'secondary email'],
  lead_phone: [
    ...'phone, telephone, mobile, mobile phone, mobile phone number, mobile number, cell'.split(', '),
    ...'cell phone, cell phone number, cell number, home phone, home phone number, work phone'.split(', '),
    ...['work phone number', 'phone 2'],
  ],
}
const proseCells: ReadonlySet<keyof LeadCells> = new Set(['message', 'notes', 'client_notes'])
const yesNo = ['Yes', 'No']
const cellChoices: Partial<Record<keyof LeadCells, readonly string[]>> = {
  lead_type: leadTypes,
  lead_s: leadProviders,
  answered: yesNo,
  voicemail: yesNo,
  confirmed: yesNo,
  hide: yesNo,
  archived: yesNo,
  spam: yesNo,
  tags: leadTags,
  client_progress: Object.values(progressLabels),
}
/** Cells that hold a part of another field. */
const partFields: ImportField[] = [
  {
    name: 'first_name',
    label: 'First Name',
    also: ['contact first name', 'invitee first name', 'your name (first)', 'first', ...personNames.first],
    about: 'Used if there is no whole name',
  },
  {
    name: 'last_name',
    label: 'Last Name',
    also: ['contact last name', 'invitee last name', 'your name (last)', 'last', ...personNames.last],
    about: 'Used if there is no whole name',
  },
  {
    name: 'city',
    label: 'City',
    also: ['caller city', 'customer city', 'town', 'ciudad', 'stadt', 'ville', 'città', 'cidade'],
    about: 'Added to a location that is a street alone',
  },
  {
    name: 'state',
    label: 'State',
    also: ['caller state', 'customer state', 'region'],
    about: 'Added, with the city, to a location that is a street alone',
  },
]

const cellNames = Object.keys(leadCellsSchema.shape) as (keyof LeadCells)[]
export const leadImportFields = [
  ...cellNames.map((name): ImportField => {
    const [about, choices, also, fits] = [cellHints[name], cellChoices[name], cellSynonyms[name], cellFits[name]]
    const instead = otherColumns[name]
    const required = name === 'lead_date'
    return {
      name,
      label: cellLabels[name],
      required,
      ...(about && { about }),
      ...(choices && { choices }),
      ...(also && { also }),
      ...(fits && { fits }),
      ...(instead && { instead }),
      ...(proseCells.has(name) && { isProse: true }),
      ...(cellReaders[name] && { reads: cellReaders[name] }),
      ...(name === 'lead_time' && { timeOf: 'lead_date' }),
      ...(name === 'tags' && { isNoneIfEmpty: true }), // an empty cell beside tags says that there are none
    }
  }),
  ...partFields,
]

type ParsedLeadLine = { cells: LeadCells; occurred_at: Date }

/** Parses a line whose date and amounts have been read. A time without a zone is a local time in `zone`. */
export function parseLeadLine(cells: LineCells, zone: string, now: Date): ParsedLeadLine | { wrong: LineProblem[] } {
  const occurred_at = readOccurredAt(cells, zone)
  const says = occurred_at && describeUnusableDate(occurred_at, now)
  const unusable = says ? { field: 'lead_date', says } : null
  const parsed = leadCellsSchema.safeParse({
    ...moveOwnDuration(splitSource(decodeTexts(cells))),
    ...(occurred_at ? formatLocalTime(occurred_at, zone) : { lead_date: cells.lead_date?.slice(0, 10) ?? '' }),
    ...joinParts(decodeTexts(cells)),
    answered: readAnswered(cells),
    voicemail: readVoicemail({ ...cells, answered: readAnswered(cells) }),
  })
  if (parsed.success && occurred_at && !unusable) return { cells: cleanContact(parsed.data), occurred_at }
  const wrong = parsed.error ? toCellProblems(parsed.error) : []
  return { wrong: unusable ? [unusable, ...wrong.filter(({ field }) => field !== unusable.field)] : wrong }
}

const textFields = ['lead_name', 'first_name', 'last_name', 'lead_location', 'city', 'message', 'company_name', 'notes']

/** Some programs write text as HTML: `O&#039;Brien`. Its entities are decoded, once, as those of hooks are. */
const decodeTexts = (cells: LineCells): LineCells => ({
  ...cells,
  ...Object.fromEntries(
    textFields.flatMap((name) => (cells[name]?.includes('&') ? [[name, decodeHTMLStrict(cells[name])]] : [])),
  ),
})

/** Null if date or time is no such thing; the schema then says so. The time of a cell of its own goes before that of the date. */
function readOccurredAt({ lead_date = '', lead_time = '' }: LineCells, zone: string): Date | null {
  const moment = readMoment(lead_date, 'ymd')
  if (moment === null || lead_time === '') return moment && toWrittenInstant(moment, zone)
  const timed = readMoment(`${moment.day} ${lead_time}`, 'ymd')
  if (!timed?.time) return null
  const { day } = moment.zone === null ? moment : toWallClock(toWrittenInstant(moment, zone), timed.zone ?? zone)
  return toWrittenInstant({ ...timed, day }, zone)
}

function formatLocalTime(instant: Date, zone: string): LineCells {
  const { day, time } = toWallClock(instant, zone)
  return { lead_date: day, lead_time: time }
}

/** Some have only a kind of call that says how it ended: Answered, Missed or Voicemail. */
const readAnswered = ({ answered = '', call_type = '' }: LineCells): string =>
  answered === '' && typeof parseAnswered(call_type) === 'boolean' ? call_type : answered

/** A call whose status is Voicemail has one, and so has a call with the address of one. */
function readVoicemail({ voicemail = '', answered = '' }: LineCells): string {
  if (voicemail === '') return isVoicemail(answered) ? 'yes' : ''
  return URL.canParse(voicemail) ? 'yes' : voicemail
}

/** Our own file has the duration of a call in the column of its message, as the list does. */
function moveOwnDuration(cells: LineCells): LineCells {
  const { lead_type, duration, message = '' } = cells
  const isOwn =
    duration === undefined &&
    parseLeadType(lead_type) === 'Call' &&
    /^(?:\d{1,3}:[0-5]\d|\d{1,2}):[0-5]\d$/.test(message)
  return isOwn ? { ...cells, duration: message, message: '' } : cells
}

/** Reads an unknown Lead Source as the traffic source, as WhatConverts calls it. */
function splitSource(cells: LineCells): LineCells {
  const { lead_s = '', source = '' } = cells
  const isProvider = leadProviders.some((provider) => provider.toLowerCase() === lead_s.toLowerCase())
  return isProvider || lead_s === '' || source !== '' ? cells : { ...cells, lead_s: '', source: lead_s }
}

function joinParts(cells: LineCells): LineCells {
  const kind = getFilledCell(cells, 'call_type') ?? ''
  const isCall = ['duration', 'answered', 'recording'].some((name) => getFilledCell(cells, name)) || isCallKind(kind)
  return {
    lead_type: cells.lead_type ?? (isCall ? 'Call' : 'Form'),
    ...readNumberAsName(joinName(cells), getFilledCell(cells, 'lead_phone')),
    lead_location: joinLocation(getFilledCell(cells, 'lead_location') ?? '', cells),
  }
}

/** A `Name` of one word is a first name beside a last name, and a last one beside a first name alone. */
function joinName(cells: LineCells): string {
  const [name, first, last] = ['lead_name', 'first_name', 'last_name'].map((part) => getFilledCell(cells, part))
  if (name === undefined) return [first, last].filter(Boolean).join(' ')
  if (!oneWord.test(name)) return name
  const isMissing = (part = '') =>
    namePart.test(part) && !hasWord(name.replaceAll('-', ' '), part) && !hasWord(part, name)
  if (isMissing(first)) return cells.last_name === undefined || (last && !isMissing(last)) ? `${first} ${name}` : name
  return isMissing(last) ? `${name} ${last}` : name
}
/** In letters that have capitals: other scripts write a whole name as one word. */
const oneWord = /^(?!(?:unknown|anonymous|none)$)[\p{Lu}\p{Ll}\p{M}'’-]+\.?$/iu
const namePart = /^(?![[(<]|.*@|(?:unknown|none|null|not?|n\/?a|xx+)(?![\p{L}\d])).*\p{L}.*\p{L}/iu

/** A street alone is told where it is. Every other location says so itself, or is left as it is. */
function joinLocation(location: string, { city = '', state = '' }: LineCells): string {
  const place = city.includes(',') && hasWord(city, state) ? city : [city, state].filter(Boolean).join(', ')
  if (location === '') return place
  const isWhole = city === '' || [city, state].every((one) => hasWord(location, one))
  const joined = `${location}, ${place}`
  return streetAlone.test(location) && !isWhole && joined.length <= maxLocation ? joined : location
}
const streetAlone =
  /^\d[^,]*\s(?:st|street|ave?|avenue|rd|road|dr|drive|ln|lane|blvd|boulevard|ct|court|way|pl|place|cir|circle|ter|terrace|pkwy|hwy|trl|trail|loop)\.?$/i

/** Telephone systems write the number of a stranger as the name, also where no column is the phone. */
function readNumberAsName(lead_name: string, lead_phone: string | undefined): LineCells {
  const { number, before, after } = readPhone(lead_name)
  const isNumber = number?.startsWith('+') && before + after === '' && !isWordNumber(lead_name) // 888 Holdings
  if (isNumber && lead_phone === undefined) return { lead_name: '', lead_phone: lead_name }
  return isNumber && toDialedPhone(lead_name) === toDialedPhone(lead_phone ?? '') ? { lead_name: '' } : { lead_name }
}
