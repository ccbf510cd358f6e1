import { type Logger, pino } from 'pino'
import { toSourceStack } from './source-stack.ts'

export type AppLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Structured lines on standard output. Nothing that opens a door is ever passed in; `maskUrl` sees to addresses. */
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
/** The keys of a client's report and of a lead source are part of the path. */
const keyInPathPattern = /\/(report|report-unsubscribe|hooks\/in)\/[^/?#.]+/
/** Query values that open something and keys in paths read `***`, however the name is written. */
export const maskUrl = (address: string) =>
  address
    .replace(keyInPathPattern, '/$1/***')
    .replace(parameterPattern, (all, mark: string, name: string) =>
      secretParameters.has(decodeName(name)) ? `${mark}${name}=***` : all,
    )

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}
