const maxSeconds = 86_400

/** Returns the seconds that a Retry-After header asks for, as a number or as a date: at least 0, at most a day; null if it says nothing. */
export function parseRetryAfter(header: string | undefined): number | null {
  if (!header) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), maxSeconds)
}
