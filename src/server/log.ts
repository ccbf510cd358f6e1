import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Structured lines on standard output. Nothing that opens a door is ever passed in; `maskUrl` sees to addresses. */
export const createLog = (level: string): Log & Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

const secretParameters = /([?&](?:token|api_token|auth_key|code)=)[^&#]*/gi
/** Query values that open something (`token`, `api_token`, `auth_key`, `code`) read `***`. */
export const maskUrl = (address: string) => address.replace(secretParameters, '$1***')
