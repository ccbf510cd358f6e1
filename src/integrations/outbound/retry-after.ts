const maxSeconds = 86_400

/** Returns the seconds that a Retry-After header asks for, as a number or as a date: at least 0, at most a day; null if it says nothing. */
export function parseRetryAfter(header: string | undefined): number | null {
  const text = header?.trim() ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? toSeconds(Number(text)) : secondsUntil(parseHttpDate(text))
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), maxSeconds)
}

const secondsUntil = (milliseconds: number) => (milliseconds - Date.now()) / 1000

/** Some servers send the Unix time at which to come back, in seconds or milliseconds. */
const toSeconds = (number: number) => (number < 1e9 ? number : secondsUntil(number < 1e11 ? number * 1000 : number))

/** Dates without a zone are in UTC. `Date.parse` would also take '-1' or '120, 120' for a date. */
const parseHttpDate = (text: string) =>
  /^[A-Z][a-z]{2,8},? .*\d\d:\d\d|^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
    ? Date.parse(/(GMT|UTC|Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}${/^\d/.test(text) ? 'Z' : ' GMT'}`)
    : Number.NaN
