import { type Logger, pino } from 'pino'
import { toSourceStack } from './source-stack.ts'

export type AppLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Creates a logger of JSON lines on standard output. Callers never pass secrets; `maskUrl` removes them from addresses. */
export const createLogger = (level: string): AppLogger & Logger =>
  pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: pino.stdSerializers.wrapErrorSerializer(({ stack, ...rest }) => ({ ...rest, stack: toSourceStack(stack) })),
    },
  })

const secretParameters = new Set(['token', 'api_token', 'auth_key', 'code', 'key', 'signature'])
const parameterPattern = /([?&])([^=&#]+)=[^&#]*/g
/** Keys of client reports and lead sources are in the path. */
const keyInPathPattern = /\/(report|report-unsubscribe|hooks\/in)\/[^/?#.]+/
/** Replaces secret query values, whatever the case or encoding of their names, and keys in paths with `***`. */
export const maskUrl = (address: string) =>
  address
    .replace(keyInPathPattern, '/$1/***')
    .replace(parameterPattern, (all, mark: string, name: string) =>
      secretParameters.has(decodeName(name)) ? `${mark}${name}=***` : all,
    )

/** Returns the name as an endpoint reads it: decoded, without the brackets of a list. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
      .toLowerCase()
      .replace(/\[\d*\]$/, '')
  } catch {
    return name.toLowerCase()
  }
}
