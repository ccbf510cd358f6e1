/** Names that were found to be zones: asking again takes a seventh of a millisecond, and each lead has one. */
const knownZones = new Set<string>()
const mostKnownZones = 1000

/** Returns whether this names a time zone, such as America/New_York. */
export function isTimeZone(value: string): boolean {
  if (knownZones.has(value)) return true
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value })
  } catch {
    return false
  }
  if (knownZones.size < mostKnownZones) knownZones.add(value)
  return true
}

/** Formats an instant in a zone, with the zone's name: Sun, Nov 22, 2026, 12:05 AM MST. */
export const formatZonedTime = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)

/** Returns the short name of a zone at a local time (yyyy-MM-dd and HH:mm): MST. */
export function getWallClockZoneName(day: string, time: string, zone: string): string {
  const asUtc = new Date(`${day}T${time.slice(0, 5)}Z`)
  const offset = /GMT([+-])(\d\d):(\d\d)/.exec(formatZonePart(asUtc, zone, 'longOffset'))
  const minutes = offset ? Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3])) : 0
  return getZoneName(new Date(asUtc.getTime() - minutes * 60_000), zone)
}

/** Returns the short name of a zone at an instant: MST, or MDT in summer. */
export const getZoneName = (at: Date, zone: string): string => formatZonePart(at, zone, 'short')

/** Returns the short name of a zone in any season: MT. */
export const getYearRoundZoneName = (zone: string): string => formatZonePart(new Date(), zone, 'shortGeneric')

const formatZonePart = (at: Date, zone: string, timeZoneName: 'short' | 'shortGeneric' | 'longOffset'): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone
