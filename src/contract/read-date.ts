import {
  askReading,
  type ColumnReading,
  type DateOrder,
  dateExamples,
  dateOrders,
  decideReading,
  isShortenedNumber,
  shortenedNumberMessage,
  toPlainSigns,
} from './column-reading.ts'
import { isCalendarDay, shortMonthNames, toUtcDay } from './days.ts'
import { isTimeZone } from './zoned-time.ts'

/**
 * A date as it is written. `zone` is what the text says of it: minutes east of UTC, or the name of a time zone; null if it says
 * nothing. `time` is null for a day alone.
 */
export type WrittenMoment = { day: string; time: string | null; zone: number | string | null }

/**
 * Reads a date in the forms that programs and people write: ISO 8601 with any offset, RFC 2822, JavaScript's and the command line's
 * own, figures in this order, names of months, the letters of US zones, seconds and milliseconds since 1970. Null for anything else,
 * and for a day that does not exist.
 */
export function readMoment(text: string, order: DateOrder): WrittenMoment | null {
  const written = text.length > 100 ? null : splitMoment(tidyMoment(text))
  if (written === null || !('date' in written)) return written
  const day = readDay(written.date, order)
  return day !== null && isCalendarDay(day) ? { day, time: written.time, zone: written.zone } : null
}

/**
 * Reads a date that stands alone; null unless it has only one meaning, as 11/25/2026 has, and 11/05/2026 01:05 PM -05:00: with slashes,
 * a clock of twelve hours and a zone of the United States, months stand first.
 */
export function readSureMoment(text: string): WrittenMoment | null {
  const { as, asked } = decideDates([text])
  if (!asked) return readMoment(text, as)
  const american = /^\d\d?\/\d\d?\/\d{4},? \d\d?:\d\d(:\d\d)? ?[ap]\.?m\b/i.test(text.trim())
    ? readMoment(text, 'mdy')
    : null
  return american && isAmericanZone(american.zone) ? american : null
}

/** From Hawaii (-10:00) to the East in summer (-04:00). */
const isAmericanZone = (zone: number | string | null) =>
  typeof zone === 'string' ? zone.startsWith('America/') : zone !== null && zone >= -600 && zone <= -240

/** Reads a time of day: `2:30 PM` is 14:30:00. Returns null if it is not a time. */
export function readClock(text: string): string | null {
  const [, ...parts] = new RegExp(`^${clockPattern}$`, 'i').exec(toPlainSigns(text)) ?? []
  return toClock(parts)
}

/**
 * Decides how the days of a column are written: a first figure above 12 is a day, a second one too. Where no value shows it, or both
 * are shown, months stand first until a person says otherwise; a figure above 12 may also be a year of two digits, before dashes.
 */
export function decideDates(values: Iterable<string>): ColumnReading<DateOrder> {
  const column = new DateColumn()
  for (const value of values) column.add(value)
  return column.decide()
}

/** The same for a column whose values come one by one. */
export class DateColumn {
  readonly #found = { mdy: 0, dmy: 0, open: 0, openYear: 0, ymd: 0 }

  add(value: string): void {
    const [, one, , two] = /(?<!\d)(\d\d?)([-/.])(\d\d?)\2(?:\d{4}|\d\d)(?!\d)/.exec(tidyMoment(value)) ?? []
    if (one === undefined) {
      if (/^\D?\d{4}[-/.]?\d/.test(value)) this.#found.ymd += 1
      return
    }
    const [first, second] = [Number(one), Number(two)]
    const [isMonthFirst, isDayFirst] = [isMonthAndDay(first, second), isMonthAndDay(second, first)]
    if (isMonthFirst && isDayFirst) this.#found.open += first === second ? 0 : 1
    else if (isMonthFirst) this.#found.mdy += 1
    else if (hasOpenYear(value)) this.#found.openYear += 1
    else if (isDayFirst) this.#found.dmy += 1
  }

  decide(): ColumnReading<DateOrder> {
    const { mdy, dmy, open, openYear, ymd } = this.#found
    if (mdy > 0 && dmy > 0) return askReading('mdy', true)
    if (dmy > 0) return decideReading('dmy')
    if (openYear > 0 && mdy === 0 && ymd === 0) return askReading('ymd', true)
    if (open > 0 && mdy === 0) return askReading('mdy')
    return decideReading(mdy === 0 && ymd > 0 ? 'ymd' : 'mdy')
  }
}

const isMonthAndDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31

/** Returns whether the year may stand first or last: 26-11-15 is of 2026 or of 2015. */
const hasOpenYear = (text: string): boolean => {
  const [, month = 0, day = 0] = /^\d\d-(\d\d)-(\d\d)(?!\d)/.exec(tidyMoment(text)) ?? []
  return isMonthAndDay(Number(month), Number(day))
}

/** Says why a text is no date, in the form that its column is read in. */
export function describeDateProblem(text: string, order: DateOrder): string {
  const plain = toPlainSigns(text)
  if (isShortenedNumber(plain)) return `Not a date: ${shortenedNumberMessage}`
  if (excelDay.test(plain))
    return 'Not a date: this is how Excel counts days. Format the column as a date in Excel, and save the file again'
  const tidy = tidyMoment(text.slice(0, 100))
  if (hasOpenYear(tidy)) return `Not a date (${dateExamples[order]}): write the year with four digits`
  if (hasNoSuchDay(tidy, order)) return `Not a date (${dateExamples[order]}): there is no such day`
  if (hasOddTime(tidy, order)) return `Not a date (${dateExamples[order]} 13:05): the time cannot be read`
  return `Not a date (${dateExamples[order]})`
}

/** The days of 1954 to 2091. */
const excelDay = /^[2-6]\d(?:\d{3}(?:[.,]\d+)?|,\d{3}(?:\.\d+)?)$/

/** Returns whether a text is a date like others, of a day that its month does not have: 02/30/2026. */
function hasNoSuchDay(text: string, order: DateOrder): boolean {
  const written = splitMoment(text)
  const day = written && 'date' in written ? readDay(written.date, order) : null
  return day !== null && !isCalendarDay(day) && /-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(day)
}

/** Returns whether a text begins with a whole date. */
const hasOddTime = (text: string, order: DateOrder) =>
  [...text.matchAll(/[ T,]/g)].some(({ index }) => {
    const day = readDay(text.slice(0, index), order)
    return day !== null && isCalendarDay(day)
  })

/**
 * Takes off quotes, Excel's mark of a text, the spaces of masks, the end of a sentence and a second encoding; in a form that was not
 * encoded, an offset's plus sign has become a space. A time is written as in English: 13:05 for `13h05`, `13.05` and `13:05 Uhr`.
 */
const tidyMoment = (text: string) => (usualMoment.test(text) ? text : tidyOther(text))

/** Most dates need no more than this one look. */
const usualMoment = /^\d[\d/-]*(?:(?:T|,? )\d\d?:[\d:.]*\d(?: ?[AP]M)?(?:Z| ?[-+]\d\d:?\d\d)?)?$/

const tidyOther = (text: string) =>
  toPlainSigns(text.replace(/%(?:2[bcf]|3a|20)/gi, decodeURIComponent))
    .replace(/^"(.*)"$|^'(?=\d)/, '$1')
    .replace(/(T\d\d:\d\d:\d\d(?:\.\d+)?) (?=\d\d:?\d\d$)/, '$1+')
    .replace(/(\d) \/ (?=\d)/g, '$1/')
    .replace(/^(\d\d?)\. (\d\d?)\. (?=\d{4})/, '$1.$2.') // 25. 11. 2026
    .replace(/^(\d{4})(?:\. ?|年)(\d\d?)(?:\. ?|月)(\d\d?)(?:\.|日)(?= |$)/, '$1-$2-$3')
    .replace(/(\d)[.,;]+$/, '$1')
    .replace(clockOfOthers, (_, hours, minutes, seconds = '00', half = '') => `${hours}:${minutes}:${seconds}${half}`)
    .replace(/(:\d\d) ?(?:uhr|hrs?\.?|h)$/i, '$1')

/** Behind a year, or a date in figures: `13.05`, `13h05`, `13 h 05 min 09 s`, `1.05 pm`. */
const clockOfOthers =
  /(?<=(?:\d{4}(?:[-/.]\d\d?[-/.]\d\d?)?|\d\d?[-/.]\d\d?[-/.]\d\d)[ ,]\D{0,12})(\d\d(?=\.)|\d\d?(?=\.[\d.]+ ?[ap]| ?h))(?:\.| ?h ?)(\d\d)(?:(?:\.| min )(\d\d)(?: s)?)?( ?[ap]\.? ?m\.?)?$/i

type SplitMoment = { date: string; time: string | null; zone: number | string | null }

const clockPattern = '(\\d\\d?)(?::(\\d\\d))?(?::(\\d\\d)(?:[.,:]\\d+)?)?(?: ?([ap])\\.?(?: ?m\\.?)?(?![a-z]))?'
const halfPattern = ' ?[ap]\\.?(?: ?m\\.?)?(?![a-z])'
const bareClockPattern = `(?:\\d\\d?:\\d\\d(?::\\d\\d(?:[.,:]\\d+)?)?(?:${halfPattern})?|\\d\\d?${halfPattern})`
/** What may be a zone: `readZone` refuses what is none. */
const zonePattern = '(?:[-+A-Z([].*)?'

/** What stands between a date and its time. */
const timeWords = 'at|@|um|à|a las?|às|alle(?: ore)?|om|kl\\.?|klo'
const timeWordAtEnd = new RegExp(`(?:,| -| (?:${timeWords}))$`, 'i')
const dateWords = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun', ...shortMonthNames].join('|')
const momentPatterns = [
  // 2026-11-25T13:05:09-05:00, 11/25/2026 1:05 PM EST
  `(?<date>.*[\\p{L}\\d.])(?:,? (?:${timeWords}) ?|, ?| [-|] |[T ]|(?<=\\d{4}):)(?<clock>${bareClockPattern})(?<gap> ?)(?<zone>${zonePattern})`,
  // Wed Nov 25 13:05:09 EST 2026
  `(?<date>.*[\\p{L}\\d]) (?<clock>${bareClockPattern}) ?(?<zone>${zonePattern}) (?<year>\\d{4})`,
  // 1:05 PM EST on 11/25/2026, 1:05 PM Nov 25, 2026
  `(?<clock>${bareClockPattern})(?:(?<gap> ?)(?<zone>[-+A-Z([].*?))??(?:,? on |, ?| [-|] | )(?<date>(?=\\d|${dateWords}).*\\d)`,
].map((pattern) => new RegExp(`^${pattern}$`, 'iu'))

/** Separates date, time and zone. What is an instant already comes back as one. */
function splitMoment(text: string): SplitMoment | WrittenMoment | null {
  const since1970 = /^(?:\/Date\((\d{13})(?:[-+]\d{4})?\)\/|(\d{10}|\d{13})(?:[.,]\d+)?)$/
    .exec(text)
    ?.slice(1)
    .find(Boolean)
  if (since1970) return fromUnixTime(Number(since1970) * (since1970.length === 10 ? 1000 : 1))
  const basic = /^(\d{8})[T ]?(\d\d)(\d\d)(\d\d)?(?:[.,]\d+)?(Z|[-+]\d\d(?:\d\d)?)?$/.exec(text)
  if (basic) {
    const [, date = '', hours, minutes, seconds, zone = ''] = basic
    return finishSplit(date, toClock([hours, minutes, seconds]), zone)
  }
  for (const pattern of momentPatterns) {
    const { date = '', clock = '', gap = '', zone = '', year = '' } = pattern.exec(text)?.groups ?? {}
    const bareDate = date.replace(timeWordAtEnd, '')
    const isRange = gap === '' && !/\dT$/i.test(text.slice(0, text.indexOf(clock))) && isEndOfRange(clock, zone, text)
    const split = clock === '' || isRange ? null : finishSplit(`${bareDate} ${year}`.trim(), readClock(clock), zone)
    if (split && isDateText(split.date)) return split
  }
  return { date: text.replace(/(\d)Z$/, '$1'), time: null, zone: null }
}

/**
 * Right behind a time without seconds, `-10:00` may be the end of a range, unless it is earlier: `08:00-10:00` is no zone, `13:05-05:00` is.
 * A program writes the year first: behind it, an offset of the Americas with its zero is a zone, as in `2026-11-25 04:05-05:00`, but people
 * meet from 08:00 to 09:00.
 */
function isEndOfRange(clock: string, zone: string, text: string): boolean {
  const [, hours = '', minutes = '00'] = /^-(\d\d?)(?::(\d\d))?(?!\d)/.exec(zone) ?? []
  if (hours === '' || /:\d\d:/.test(clock)) return false
  const start = readClock(clock) ?? ''
  const isOfProgram = /^\d{4}/.test(text) && !/:(?:00|30):00$/.test(start)
  if (isOfProgram && /^0[2-9]:00$|^0[23]:30$/.test(`${hours}:${minutes}`)) return false
  return hours.length === 1 || `${hours}:${minutes}:00` > start
}

function finishSplit(date: string, time: string | null, zoneText: string): SplitMoment | null {
  const zone = readZone(zoneText)
  return time === null || zone === undefined ? null : { date, time, zone }
}

const fromUnixTime = (ms: number): WrittenMoment => {
  const [, time = ''] = new Date(ms).toISOString().split('T')
  return { day: toUtcDay(ms), time: time.slice(0, 8), zone: 0 }
}

/** An hour alone is a time only with its half of the day. */
function toClock([hours, minutes, seconds = '00', half]: (string | undefined)[]): string | null {
  if (hours === undefined || (minutes === undefined && half === undefined)) return null
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half && (Number(hours) > 12 || (isAfternoon && Number(hours) === 0))) return null
  const hour = half ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours)
  const isTime = hour < 24 && Number(minutes ?? 0) < 60 && Number(seconds) < 60
  return isTime ? `${String(hour).padStart(2, '0')}:${minutes ?? '00'}:${seconds}` : null
}

const americanZones = {
  ...{ Eastern: 'America/New_York', Central: 'America/Chicago', Mountain: 'America/Denver' },
  ...{ Pacific: 'America/Los_Angeles', Alaska: 'America/Anchorage', Hawaii: 'Pacific/Honolulu' },
}

/** The letters and names of US zones, in hours; `ET` and `Eastern Time` are whichever of the two holds that day. */
const zoneNames: Readonly<Record<string, number | string>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, AST: -4, ADT: -3, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8 },
  ...{ PDT: -7, AKST: -9, AKDT: -8, HST: -10, ET: americanZones.Eastern, CT: americanZones.Central },
  ...{ MT: americanZones.Mountain, PT: americanZones.Pacific, 'COORDINATED UNIVERSAL TIME': 0 },
  ...Object.fromEntries(
    Object.entries(americanZones).flatMap(([name, zone], at) => [
      ...['', ' Time'].map((end) => [`${name}${end}`.toUpperCase(), zone]),
      [`${name} Standard Time`.toUpperCase(), -5 - at],
      [`${name} Daylight Time`.toUpperCase(), -4 - at],
    ]),
  ),
}

/** As CallRail and others list them, beside those of the four hours. */
const listedZones: Readonly<Record<string, string>> = {
  ...{ ARIZONA: 'America/Phoenix', 'INDIANA (EAST)': 'America/Indiana/Indianapolis' },
  ...{ 'ATLANTIC TIME (CANADA)': 'America/Halifax', NEWFOUNDLAND: 'America/St_Johns' },
  ...{ SASKATCHEWAN: 'America/Regina', 'PUERTO RICO': 'America/Puerto_Rico' },
}

/**
 * Returns minutes east of UTC, or the name of a zone; null if there is none, undefined if it cannot be read. An offset decides, whatever
 * letters or name in brackets stand beside it; a name beside letters must not be another zone's: `CST (China Standard Time)`.
 */
export function readZone(text: string): number | string | null | undefined {
  const listed = listedZones[text.toUpperCase()]
  if (listed !== undefined) return listed
  const [, bare = '', round = '', square = ''] =
    /^(.*?) ?(?:\(([^()]*)\)|\[([^[\]]*)\])?$/.exec(text.replace(/ \(US & Canada\)$/i, '')) ?? []
  const bracket = round || square
  if (bare === '') return bracket === '' ? null : readZone(bracket)
  const [, sign, hours = '', minutes = '0', letters = ''] =
    /^(?:GMT|UTC?)? ?([-+])(\d\d?)(?::?(\d\d))?(?: (?![AP]M)([A-Z]{2,4}))?$/i.exec(bare) ?? []
  if (sign) {
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    const named = zoneNames[letters.toUpperCase()]
    // In summer EST is written beside -04:00, too; 10:00 AM -11:00 EST is a range.
    const isRange = letters !== '' && sign === '-' && typeof named === 'number' && Math.abs(named * 60 - offset) > 60
    return isOffset(offset) && Number(minutes) < 60 && !isRange ? offset : undefined
  }
  // Lists of zones write the offset of the winter before a zone's name.
  const name = bare.replace(/^\((?:GMT|UTC)[-+]\d\d?:\d\d\) /i, '')
  const zone = readZoneName(name)
  return bracket === '' || zone === undefined || readZone(bracket) !== undefined ? zone : undefined
}

/** From Baker Island (-12:00) to Kiribati (+14:00). */
const isOffset = (minutes: number) => minutes >= -12 * 60 && minutes <= 14 * 60 && minutes % 15 === 0

function readZoneName(name: string): number | string | undefined {
  const known = zoneNames[name.toUpperCase()]
  if (known !== undefined) return typeof known === 'number' ? known * 60 : known
  const listed = name.replaceAll(' ', '_') // America/New York
  return listed.includes('/') && isTimeZone(listed) ? listed : undefined
}

const isDateText = (date: string) => dateOrders.some((order) => readDay(date, order) !== null)

/** The languages in which forms and spreadsheets name months and days. None has the name of another one's month for a different one. */
const languages = ['en', 'de', 'de-AT', 'es', 'es-PE', 'fr', 'it', 'nl', 'pt']
const nameStyles = ['long', 'short'] as const

/** Returns a name as it is compared: in small letters without accents and dots. */
const toPlainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()

/** Returns the names of the month or weekday of each of these days. */
function listNames(part: 'month' | 'weekday', days: number, toDay: (at: number) => number): string[][] {
  const formats = languages.flatMap((language) =>
    nameStyles.map((style) => new Intl.DateTimeFormat(language, { day: 'numeric', [part]: style, timeZone: 'UTC' })),
  )
  const readNames = (day: number) =>
    formats.flatMap((format) =>
      format.formatToParts(day).flatMap(({ type, value }) => (type === part ? toPlainName(value) : [])),
    )
  return Array.from({ length: days }, (_, at) => readNames(toDay(at)))
}

const monthNames: ReadonlyMap<string, number> = new Map([
  ...listNames('month', 12, (at) => Date.UTC(2026, at)).flatMap((names, at) =>
    names.map((name) => [name, at + 1] as const),
  ),
  ...([
    ['sept', 9],
    ['mrz', 3],
    ['maerz', 3],
  ] as const), // as others write them
])
const weekdayNames = [
  ...new Set(listNames('weekday', 7, (at) => Date.UTC(2026, 0, 1 + at)).flat()),
  ...['tues', 'thur', 'thurs', 'wednes', 'satur'],
]

const weekday = `(?:(?:${weekdayNames.join('|')})\\.?(?:, ?| ))?`
const yearPattern = "'?(?<year>\\d{4}|\\d\\d)"
const monthPattern = '(?<month>[a-z]{3,10})'
const namedDays = [
  `${monthPattern}(?:\\.[ /-]?|[ /-])(?<day>\\d\\d?)(?:st|nd|rd|th)?(?:, ?|[ /-])${yearPattern}`,
  `(?<day>\\d\\d?)(?:st|nd|rd|th|er|\\.?[oº°]|\\.)?(?: (?:of|de)(?= ))?[ /-]?${monthPattern}\\.?,?(?: del?)?[ /-]?${yearPattern}`,
  `(?<year>\\d{4})(?:, ?|[ /-])${monthPattern}\\.?[ /-](?<day>\\d\\d?)`,
].map((pattern) => new RegExp(`^${weekday}${pattern}$`, 'i'))
const figuresPattern = new RegExp(`^${weekday}(\\d\\d?)([-/.])(\\d\\d?)\\2(\\d{4}|\\d\\d)$`, 'i')

/** Returns yyyy-MM-dd, of a day that may not exist. */
function readDay(text: string, order: DateOrder): string | null {
  const iso = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(text) ?? /^(\d{4})()(\d\d)(\d\d)$/.exec(text)
  if (iso) return formatDay(iso[1]!, iso[3]!, iso[4]!)
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  const figures = figuresPattern.exec(plain)
  if (figures) {
    const [, first = '', sign, second = '', year = ''] = figures
    if (order === 'ymd' && sign === '-' && year.length === 2) return formatDay(first, second, year)
    return order === 'dmy' ? formatDay(year, second, first) : formatDay(year, first, second)
  }
  for (const pattern of namedDays) {
    const { year = '', month = '', day = '' } = pattern.exec(plain)?.groups ?? {}
    const number = monthNames.get(month.toLowerCase())
    if (number !== undefined) return formatDay(year, String(number), day)
  }
  return null
}

/** A year of two digits is in 1969 to 2068, as POSIX has it: 85 is 1985, and 35 is ahead, so that imports refuse it. */
const formatDay = (year: string, month: string, day: string) =>
  `${year.padStart(4, Number(year) < 69 ? '20' : '19')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
