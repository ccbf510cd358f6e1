import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Structured lines on standard output. Nothing that opens a door is ever passed in; `maskUrl` sees to addresses. */
export const createLog = (level: string): Log & Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

const secretNames = new Set(['token', 'api_token', 'auth_key', 'code'])
const parameter = /([?&])([^=&#]+)=[^&#]*/g
/** Query values that open something (`token`, `api_token`, `auth_key`, `code`) read `***`, however the name is written. */
export const maskUrl = (address: string) =>
  address.replace(parameter, (all, mark: string, name: string) =>
    secretNames.has(plain(name)) ? `${mark}${name}=***` : all,
  )

function plain(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}
