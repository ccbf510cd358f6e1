import { z } from 'zod'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { UpstreamStatusError } from '../outbound/upstream.ts'

/** Google refused a request, with its own message; `fields` has the messages about fields, by Google's names (`phoneNumbers`). */
export class GoogleApiError extends Error {
  readonly status: number
  readonly fields: Record<string, string[]>
  /** The OAuth error code, such as `invalid_grant`. */
  readonly word: string | null

  constructor(status: number, message: string, fields: Record<string, string[]> = {}, word: string | null = null) {
    super(message)
    this.status = status
    this.fields = fields
    this.word = word
  }
}

/** The access was revoked, has expired or is another client's: the account must be linked again. */
export class GrantRevokedError extends Error {
  readonly isOfAnotherClient: boolean

  constructor({ isOfAnotherClient = false } = {}) {
    super('Google does not accept the stored access anymore: the account must be linked again')
    this.isOfAnotherClient = isOfAnotherClient
  }
}

/** Returns Google's parsed answer; throws `UnexpectedAnswerError` if it does not have this shape. */
export const parseGoogleAnswer = <Schema extends z.ZodType>(schema: Schema, answer: unknown) =>
  parseAnswer('Google', schema, answer)

/**
 * Converts a response other than 2xx into an error. Transient ones (busy, broken) can be retried. A project whose quota is zero is
 * refused for good, although Google sends the status of a busy service.
 */
export function toGoogleError(status: number, body: unknown, retryAfter: string | undefined): Error {
  const oauth = oauthErrorSchema.safeParse(body)
  if (oauth.success && status < 500 && status !== 429) {
    const { error: word, error_description } = oauth.data
    return new GoogleApiError(status, toPlainText(error_description, 300) ?? `Google says ${word}`, {}, word)
  }
  const { error } = rpcErrorSchema.parse(body)
  const message = toPlainText(error.message, 300) ?? `Google answered ${status}`
  if (error.details.some(({ metadata }) => metadata?.quota_limit_value === '0'))
    return new GoogleApiError(
      status,
      'Google has not approved this project for its Business Profile APIs: its quota is 0',
    )
  if (status === 429 || status >= 500) return new UpstreamStatusError('Google', status, retryAfter)
  return new GoogleApiError(status, message, readFieldErrors(error))
}

/** Returns the messages by field. A violation names its field; an ErrorInfo names the field mask of its reason. */
function readFieldErrors({ message, details }: z.infer<typeof rpcErrorSchema>['error']): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  const say = (field: string, words: string | null) => {
    if (words) fields[field] = [...(fields[field] ?? []), words]
  }
  for (const { fieldViolations } of details)
    for (const { field, description } of fieldViolations) say(toTopLevelField(field), toPlainText(description, 300))
  for (const { reason, metadata } of details)
    for (const field of reason ? (metadata?.field_mask ?? '').split(',').filter(Boolean) : [])
      if (!(toTopLevelField(field) in fields))
        say(toTopLevelField(field), formatErrorReason(reason) ?? toPlainText(message, 300))
  return fields
}

/** Returns the top-level field of a path: `location.phone_numbers.primary_phone` is `phoneNumbers`. */
const toTopLevelField = (field: string) =>
  (field.replace(/^location\./, '').split(/[.[]/)[0] ?? field).replace(/_([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  )

/** Formats a reason such as PO_BOX_IN_ADDRESS_NOT_ALLOWED as text. */
const formatErrorReason = (reason: string | undefined) => {
  const words = reason?.toLowerCase().replaceAll('_', ' ')
  return words ? `Google refuses it: ${words}` : null
}

/** OAuth errors have their own format: `{ "error": "invalid_grant" }`. */
const oauthErrorSchema = z.looseObject({ error: z.string(), error_description: z.string().optional().catch(undefined) })
const errorDetailSchema = z.looseObject({
  fieldViolations: z.array(z.looseObject({ field: z.string().catch(''), description: z.string().catch('') })).catch([]),
  reason: z.string().optional().catch(undefined),
  metadata: z.record(z.string(), z.string()).optional().catch(undefined),
})
const emptyError = { message: undefined, details: [] }
const rpcErrorSchema = z
  .object({
    error: z
      .looseObject({ message: z.string().optional().catch(undefined), details: z.array(errorDetailSchema).catch([]) })
      .catch(emptyError),
  })
  .catch({ error: emptyError })
