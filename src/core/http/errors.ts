import type { ZodError } from 'zod'
import type { ConflictRow, Endpoint } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { getErrorCode } from '../error-code.ts'

export type FieldErrors = Record<string, string[]>

/** An error response for people to read. Anything else that is thrown is a bug: logged once, answered with 500. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  /** Further fields of the response, such as the row of a 409. */
  more: Record<string, unknown> | undefined
  /** Seconds after which a retry makes sense. */
  retryAfter: number | undefined

  constructor(status: number, message: string, errors?: FieldErrors, more?: Record<string, unknown>) {
    super(message)
    this.status = status
    this.errors = errors
    this.more = more
  }
}

export const unauthorizedError = () => new HttpError(401, 'Please sign in')
export const forbiddenError = (errors?: FieldErrors) => new HttpError(403, 'You are not allowed to do this', errors)
/** 403 until the user confirms their identity again. */
export const reauthenticationError = () =>
  new HttpError(403, 'Please confirm that it is you', undefined, { reauthenticate: true })
/** 403 until the user has set up a second factor. */
export const enrolmentError = () =>
  new HttpError(403, 'Please set up a second factor first', undefined, { must_enrol: true })
/** 404, for what does not exist and for what the user may not see alike. */
export const notFoundError = () => new HttpError(404, 'This no longer exists, or you don’t have access to it')
export const conflictError = (message: string) => new HttpError(409, message)
/**
 * Returns whether the caller has seen another version than the stored one: an earlier one, or a later one, from before an older backup was
 * restored. A caller that sends none overwrites.
 */
export const isStale = <V>(seen: V | undefined, stored: V) => seen !== undefined && seen !== stored
/** 409 for a stale version, with the current row under its name in the contract. */
export function staleVersionError<E extends Endpoint & Required<Pick<Endpoint, 'conflict'>>>(
  { conflict }: E,
  message: string,
  now: BeforeJson<ConflictRow<E>>,
  errors?: FieldErrors,
) {
  const [name = ''] = Object.keys(conflict)
  return new HttpError(409, message, errors, { [name]: now })
}
export const validationError = (errors: FieldErrors) => new HttpError(422, 'Please check what you entered', errors)
export const tooManyRequestsError = (message: string, retryAfter: number) =>
  Object.assign(new HttpError(429, message), { retryAfter })

/**
 * Returns the messages of each field, named as on the wire; nested ones as `schedule.3.endTime`, an unusable value in a list under the
 * name of the list.
 */
export function toFieldErrors(error: ZodError): FieldErrors {
  const errors = new Map<string, string[]>() // a field may be called `constructor`
  const say = (field: string, line: string) => {
    const lines = errors.get(field) ?? []
    if (!lines.includes(line)) errors.set(field, [...lines, line])
  }
  for (const issue of error.issues) {
    const field = (typeof issue.path.at(-1) === 'number' ? issue.path.slice(0, -1) : issue.path).join('.')
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) say([...issue.path, key].join('.'), 'This field is not accepted')
    else say(field || 'body', issue.message)
  }
  return Object.fromEntries(errors)
}

/** Returns whether the database is down, restarting, out of connections, or its disk is full: a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getErrorCode(error)
  return (
    /^(08...|57P0[1-3]|53...|25006)$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    (code === 'ENOENT' && isConnecting(error)) ||
    (error instanceof Error &&
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not currently accepting connections/.test(
        `${error.message} ${error.cause}`,
      ))
  )
}

/** Returns whether a connection was lost while it was in use: a commit that was on its way may have arrived. */
export function isConnectionLost(error: unknown): boolean {
  const code = getErrorCode(error)
  return (
    /^(08(?!001|004)...|57P0[12])$/.test(code) ||
    ['ECONNRESET', 'EPIPE'].includes(code) ||
    (error instanceof Error &&
      /Connection terminated|Client has encountered a connection error/.test(`${error.message} ${error.cause}`))
  )
}

/** Returns whether a connection failed, such as to the socket of a PostgreSQL that is down; any other missing file is no outage. */
const isConnecting = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('syscall' in error && error.syscall === 'connect') || ('cause' in error && isConnecting(error.cause)))

/** Returns whether PostgreSQL rolled back for a deadlock, a serialization conflict or a lock timeout: the transaction can be retried. */
export const isSerializationFailure = (error: unknown): boolean =>
  ['40P01', '40001', '55P03'].includes(getErrorCode(error))

/** Returns whether a unique index, or this one, refused the row. */
export const isUniqueViolation = (error: unknown, index?: string) => {
  if (getErrorCode(error) !== '23505') return false
  if (index === undefined) return true
  const named = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (('constraint' in value && value.constraint === index) || ('cause' in value && named(value.cause)))
  return named(error)
}
