import { getYearRoundZoneName, isTimeZone } from '#contract/zoned-time.ts'

/** Returns a tag's cause in words: the stored `Thu 08:00-17:00 America/New_York` is `open Thu 8–5 ET`. Other causes are words already. */
export function describeTagCause(because: string): string {
  const [, day, from, to, zone = ''] = /^(\w{3}) (?:closed|(\d\d:\d\d)-(\d\d:\d\d)) (\S+)$/.exec(because) ?? []
  if (!isTimeZone(zone)) return because
  const name = getYearRoundZoneName(zone)
  return from && to
    ? `open ${day} ${formatHours(toMinutes(from), toMinutes(to))} ${name}`
    : `closed on ${day} (${name})`
}

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const noon = 720

/** Numbers alone only where they cannot be another time of day: `8–5`, but `7 AM–9 PM`. */
function formatHours(from: number, to: number): string {
  if (from === 0 && to === 2 * noon) return 'all day'
  const isPlain = from < noon && to > noon && to - noon < from
  const [start, end] = [from, to].map((minutes) => {
    const past = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
    return `${Math.floor(minutes / 60) % 12 || 12}${past}${isPlain ? '' : minutes % (2 * noon) < noon ? ' AM' : ' PM'}`
  })
  return `${start}–${end}`
}
