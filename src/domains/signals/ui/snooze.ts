import { addDays, getToday, startOfWeek } from '#contract/days.ts'
import { appConfig } from '#ui/data/environment.ts'

const morning = '08:00'

/** Returns the usual ends of a snooze: at 8:00 in the agency's time zone. */
export function getSnoozePresets(now = new Date()): { label: string; until: string }[] {
  const today = getToday(appConfig.timezone, now)
  const at = (day: string) => toAgencyInstant(day, morning).toISOString()
  return [
    { label: `Tomorrow ${morning.slice(1)}`, until: at(addDays(today, 1)) },
    { label: 'Monday', until: at(addDays(startOfWeek(today), 7)) },
    { label: '30 days', until: at(addDays(today, 30)) },
  ]
}

/** Returns the instant of a time of day in the agency's time zone. */
function toAgencyInstant(day: string, time: string): Date {
  const wanted = Date.parse(`${day}T${time}Z`)
  let instant = wanted
  // Twice, because the first guess may lie on the other side of a change of daylight saving time.
  for (let turn = 0; turn < 2; turn++) instant += wanted - readWallClock(instant)
  return new Date(instant)
}

const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: appConfig.timezone,
  dateStyle: 'short',
  timeStyle: 'medium',
})
const readWallClock = (instant: number): number => Date.parse(`${wallClock.format(instant).replace(' ', 'T')}Z`)
