/** Times of day on screens: `03:04 PM` or `15:04`. */
type ClockFormat = '12h' | '24h'
let clock: ClockFormat = '24h'
/** Sets the signed-in user's time format. Call it before anything is rendered. */
export const setClockFormat = (format: ClockFormat) => {
  clock = format
}
export const getClockFormat = () => clock

/** Formats HH:mm or HH:mm:ss as a time of day; null for anything else. */
export function formatClock(value: string | null | undefined): string | null {
  const [time, hours, minutes] = value?.match(/^(\d\d):(\d\d)/) ?? []
  if (!time) return null
  if (clock === '24h') return time
  const hour = Number(hours)
  return `${String(hour % 12 || 12).padStart(2, '0')}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`
}
