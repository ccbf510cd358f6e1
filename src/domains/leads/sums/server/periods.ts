import { addDays, addMonths, type CalendarDay, startOfMonth, startOfWeek } from '#contract/days.ts'

/**
 * A span of days with sums, as the number in `lead_sums`: 2026, 202611, 20261122, and 120261116 for the week from that day. Weeks
 * are those of the leads table: from Monday, cut at the ends of months, so that weeks add up to months.
 */
type SumsPeriod = number

/** All leads; those before the calendar; those after it. */
export const allPeriod: SumsPeriod = 0
const [beforePeriod, afterPeriod]: [SumsPeriod, SumsPeriod] = [1, 9999]

/** The days outside are one period before and one after. */
const sumsCalendar: { from: CalendarDay; end: CalendarDay } = { from: '2000-01-01', end: '2100-01-01' }

/** Days from `from` until before `end`; undefined is unbounded. */
export type OpenDaySpan = { from: CalendarDay | undefined; end: CalendarDay | undefined }
/** Days with the sum `period`, or without a sum (null). */
export type SumsPiece = OpenDaySpan & { period: SumsPeriod | null }

type Level = 'year' | 'month' | 'week' | 'day'
const levels: Record<
  Level,
  {
    start(day: CalendarDay): CalendarDay
    next(start: CalendarDay): CalendarDay
    period(start: CalendarDay): SumsPeriod
  }
> = {
  year: {
    start: (day) => `${day.slice(0, 4)}-01-01`,
    next: (start) => addMonths(start, 12),
    period: (start) => toDayDigits(start, 4),
  },
  month: { start: startOfMonth, next: (start) => addMonths(start, 1), period: (start) => toDayDigits(start, 7) },
  week: { start: startOfCutWeek, next: nextCutWeek, period: (start) => 100_000_000 + toDayDigits(start, 10) },
  day: { start: (day) => day, next: (start) => addDays(start, 1), period: (start) => toDayDigits(start, 10) },
}
const levelNames = ['year', 'month', 'week', 'day'] as const satisfies Level[]

const toDayDigits = (day: CalendarDay, length: number) => Number(day.slice(0, length).replaceAll('-', ''))

function startOfCutWeek(day: CalendarDay): CalendarDay {
  const [monday, first] = [startOfWeek(day), startOfMonth(day)]
  return laterDay(monday, first)
}

function nextCutWeek(start: CalendarDay): CalendarDay {
  const [monday, first] = [addDays(startOfWeek(start), 7), addMonths(startOfMonth(start), 1)]
  return earlierDay(monday, first)
}

/** The days of a calendar year, each with its periods; the time before or after the calendar is one day without a month. */
export type CalendarChunk = {
  span: OpenDaySpan
  days: { day: CalendarDay; periods: Record<Level, SumsPeriod | null> }[]
}

/** The first days of the chunks: before the calendar, its years, after it. */
export const chunkStarts: readonly CalendarDay[] = [
  '-infinity',
  ...Array.from({ length: 100 }, (_, year) => `${2000 + year}-01-01`),
  sumsCalendar.end,
]

export function buildCalendarChunk(start: CalendarDay): CalendarChunk {
  const none = { month: null, week: null, day: null }
  const { from, end } = sumsCalendar
  if (start === '-infinity')
    return { span: { from: undefined, end: from }, days: [{ day: start, periods: { year: beforePeriod, ...none } }] }
  if (start === end)
    return { span: { from: end, end: undefined }, days: [{ day: end, periods: { year: afterPeriod, ...none } }] }
  const next = levels.year.next(start)
  const days: CalendarChunk['days'] = []
  for (let day = start; day < next; day = addDays(day, 1))
    days.push({ day, periods: mapLevels((level) => levels[level].period(levels[level].start(day))) })
  return { span: { from: start, end: next }, days }
}

const mapLevels = <Value>(of: (level: Level) => Value) =>
  Object.fromEntries(levelNames.map((level) => [level, of(level)])) as Record<Level, Value>

/**
 * Splits days into the fewest periods, in order. Days at the edges are pieces without a period if there are no sums per day
 * (`finest` is the week), as are days outside of the calendar.
 */
export function coverDays({ from, end }: OpenDaySpan, finest: 'week' | 'day'): SumsPiece[] {
  if (from === undefined && end === undefined) return [{ from, end, period: allPeriod }]
  const pieces: SumsPiece[] = []
  const { from: first, end: last } = sumsCalendar
  if (from === undefined && end! >= first) pieces.push({ from, end: first, period: beforePeriod })
  else if (from === undefined || from < first) pieces.push({ from, end: earlierDay(end, first), period: null })
  const stop = earlierDay(end, last)
  let day = from === undefined || from < first ? first : from
  while (day < stop) {
    const level = levelNames.find((one) => levels[one].start(day) === day && levels[one].next(day) <= stop)!
    const next = levels[level].next(day)
    const previous = pieces.at(-1)
    const isSummed = level !== 'day' || finest === 'day'
    if (isSummed) pieces.push({ from: day, end: next, period: levels[level].period(day) })
    else if (previous?.period === null && previous.end === day) previous.end = next
    else pieces.push({ from: day, end: next, period: null })
    day = next
  }
  if (end === undefined && (from === undefined || from <= last)) pieces.push({ from: last, end, period: afterPeriod })
  else if (end === undefined || end > last) pieces.push({ from: laterDay(from, last), end, period: null })
  return pieces
}

const earlierDay = (day: CalendarDay | undefined, other: CalendarDay) =>
  day !== undefined && day < other ? day : other
const laterDay = (day: CalendarDay | undefined, other: CalendarDay) => (day !== undefined && day > other ? day : other)

/** Returns the parts of a piece, one level finer; none for the finest level. */
export function splitPiece({ from, end, period }: SumsPiece, finest: 'week' | 'day'): SumsPiece[] {
  if (period === allPeriod)
    return coverDays({ from: undefined, end: sumsCalendar.end }, finest).concat({
      from: sumsCalendar.end,
      end: undefined,
      period: afterPeriod,
    })
  if (period === null || from === undefined || end === undefined) return []
  const own = levelNames.findIndex((level) => levels[level].period(from) === period)
  const level = levelNames[own + 1]
  if (own === -1 || level === undefined || (level === 'day' && finest === 'week')) return []
  const parts: SumsPiece[] = []
  for (let day = from; day < end; day = levels[level].next(day))
    parts.push({ from: day, end: levels[level].next(day), period: levels[level].period(day) })
  return parts
}
