/** Wall clocks: a day `yyyy-MM-dd` and a time `HH:mm` or `HH:mm:ss` in a named zone. */
export type WallClock = { day: string; time: string }

const aDay = 86_400_000

/** The instant of a wall clock. A time that does not exist moves forward; of one that exists twice it is the first. */
export function instantOf(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}Z`)
  const before = wall - offset(wall - aDay, zone)
  const after = wall - offset(wall + aDay, zone)
  const fitting = [before, after].filter((instant) => instant + offset(instant, zone) === wall)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : before)
}

/** What the clock on the wall says at an instant, with seconds. */
export function wallClockOf(instant: Date, zone: string): WallClock {
  const [day = '', time = ''] = new Date(instant.getTime() + offset(instant.getTime(), zone)).toISOString().split('T')
  return { day, time: time.slice(0, 8) }
}

/** The first instants of a day and of the day after it. */
export const startOf = (day: string, zone: string) => instantOf(day, '00:00', zone)
export const endOf = (day: string, zone: string) =>
  startOf(new Date(Date.parse(`${day}T00:00Z`) + aDay).toISOString().slice(0, 10), zone)

const clocks = new Map<string, Intl.DateTimeFormat>()

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offset(instant: number, zone: string): number {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...wallFields, timeZone: zone })
  clocks.set(zone, clock)
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

const wallFields = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
