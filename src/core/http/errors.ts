import type { ZodError } from 'zod'
import type { ConflictRow, Endpoint } from '#contract/endpoint.ts'
import { getErrorCode } from '../error-code.ts'

export type FieldErrors = Record<string, string[]>

/** An answer that a person may read. Anything else that is thrown is a bug: logged once, answered 500. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  /** What else the answer carries: the row of a 409. */
  readonly more: Record<string, unknown> | undefined
  /** In how many seconds another try makes sense. */
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
/** 403 until they prove once more who they are. */
export const reauthenticationError = () =>
  new HttpError(403, 'Please confirm that it is you', undefined, { reauthenticate: true })
/** 403 until they have set up a second factor. */
export const enrolmentError = () =>
  new HttpError(403, 'Please set up a second factor first', undefined, { must_enrol: true })
/** No such thing, or not theirs to see: the same words for both. */
export const notFoundError = () => new HttpError(404, 'Not found')
export const conflictError = (message: string) => new HttpError(409, message)
/** 409 for a stale version, with the row as it is now under the name that the contract gives it. */
export function staleVersionError<E extends Endpoint & Required<Pick<Endpoint, 'conflict'>>>(
  { conflict }: E,
  message: string,
  now: ConflictRow<E>,
  errors?: FieldErrors,
) {
  const [name = ''] = Object.keys(conflict)
  return new HttpError(409, message, errors, { [name]: now })
}
export const validationError = (errors: FieldErrors) => new HttpError(422, 'Please check what you entered', errors)
export const tooManyRequestsError = (message: string, retryAfter?: number) =>
  Object.assign(new HttpError(429, message), { retryAfter })

/** One list of sentences a field, named as on the wire; a nested one as `schedule.3.endTime`. */
export function toFieldErrors(error: ZodError): FieldErrors {
  const errors = new Map<string, string[]>() // a field may be called `constructor`
  const say = (field: string, line: string) => {
    const lines = errors.get(field) ?? []
    if (!lines.includes(line)) errors.set(field, [...lines, line])
  }
  for (const issue of error.issues) {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) say([...issue.path, key].join('.'), 'This field is not accepted')
    else say(field || 'body', issue.message)
  }
  return Object.fromEntries(errors)
}

/** The database is away, restarting, out of connections, or its disk is full: worth another try in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = getErrorCode(error)
  return (
    /^(08...|57P0[1-3]|53...|25006)$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    (error instanceof Error &&
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not currently accepting connections/.test(
        `${error.message} ${error.cause}`,
      ))
  )
}

/** A deadlock that PostgreSQL ended at our cost, or a lock that somebody held too long: nothing was done, and it can be done again. */
export const isSerializationFailure = (error: unknown): boolean =>
  ['40P01', '40001', '55P03'].includes(getErrorCode(error))

/** A Citus cluster names the shard too: `leads_provider_102011`. */
const withoutShard = (constraint: unknown) => String(constraint).replace(/_\d{6,}$/, '')

/** A unique index refused the row. */
export const isUniqueViolation = (error: unknown, index?: string) => {
  if (getErrorCode(error) !== '23505') return false
  if (index === undefined) return true
  const named = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (('constraint' in value && withoutShard(value.constraint) === index) || ('cause' in value && named(value.cause)))
  return named(error)
}
