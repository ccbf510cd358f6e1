import { type Logger, pino } from 'pino'
import { toSourceStack } from './source-stack.ts'

export type AppLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Creates a logger of JSON lines on standard output. Callers never pass secrets or a person's data; `maskUrl` removes both from addresses. */
export const createLogger = (level: string): AppLogger & Logger =>
  pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  })

/** The values of a failed query may be a person's data, and so may what PostgreSQL says of a row. */
const queryValues = /\nparams: .*?(?=\n\s+at |$)/gs
export const serializeError = pino.stdSerializers.wrapErrorSerializer(
  ({ stack, raw, params: _params, detail: _detail, ...rest }) => ({
    ...rest,
    message: readMessage(raw),
    stack: toSourceStack(stack.replace(queryValues, '')),
  }),
)
function readMessage({ message, cause }: Error): string {
  const own = message.replace(queryValues, '')
  return cause instanceof Error ? `${own}: ${readMessage(cause)}` : own
}

/** What says how a list is read, and never what of it: the values of these are logged, if they look like it. */
const plainParameters = new Set(['page', 'per_page', 'sort', 'order', 'size'])
const plainValue = /^([a-z_.]{1,40}|\d{1,6})$/
const parameterPattern = /([?&])([^=&#]*)(?:=([^&#]*))?/g
/** Keys of statements, client reports and lead sources are in the path. */
const keyInPathPattern = /\/(statement|report|report-unsubscribe|hooks\/in)\/[^/?#]+?(?=\.pdf$|[/?#]|$)/
/** A name that an endpoint may have; anything else was typed by someone. */
const parameterName = /^[a-z][a-z_]{0,40}(\[\d{0,3}\])?$/i
/** Nothing but words, ids and file names of calls and pages is in a path; an email or a phone was typed by someone. */
const typedSegment = /(?<=\/)(?=[^/?#]*(@|%40|%20|\+|\d{10}))[^/?#]*/gi
/**
 * Replaces every query value that may be a secret or a person's data (searches, names, tokens) with `***`, and keys and typed words in
 * paths: an erasure does not reach the log.
 */
export function maskUrl(address: string): string {
  const [path = '', query] = address.split(/(?=\?)/s, 2)
  const masked = path.replace(keyInPathPattern, '/$1/***').replace(typedSegment, '***')
  const rest = query === undefined ? '' : address.slice(path.length)
  return (
    masked +
    rest.replace(parameterPattern, (_, mark: string, name: string, value?: string) => {
      const shown = parameterName.test(name) ? name : '***'
      if (value === undefined) return `${mark}${shown}`
      return `${mark}${shown}=${plainParameters.has(name) && plainValue.test(value) ? value : '***'}`
    })
  )
}
