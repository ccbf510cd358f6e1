import { z } from 'zod'
import { plainText } from '../outbound/plain-text.ts'
import { UpstreamAnswer } from '../outbound/upstream.ts'

/** Google understood and said no, in its own words; `fields` are those about fields, by Google's name of each (`phoneNumbers`). */
export class GoogleRefusal extends Error {
  readonly status: number
  readonly fields: Record<string, string[]>
  /** The word that OAuth has for it, such as `invalid_grant`. */
  readonly word: string | null

  constructor(status: number, message: string, fields: Record<string, string[]> = {}, word: string | null = null) {
    super(message)
    this.status = status
    this.fields = fields
    this.word = word
  }
}

/** The account's owner took the access back, or it ended by itself: only linking it again helps. */
export class GrantGone extends Error {
  constructor(message = 'Google does not accept the stored access any more: the account must be linked again') {
    super(message)
  }
}

/**
 * An answer that is no 2xx, as an error. One that may pass (busy, broken) is the upstream's to try again; a project whose quota
 * is zero is refused for good, although Google says it with the status of a busy one.
 */
export function problemOf(status: number, body: unknown, retryAfter: string | undefined): Error {
  const oauth = oauthError.safeParse(body)
  if (oauth.success && status < 500 && status !== 429) {
    const { error: word, error_description } = oauth.data
    return new GoogleRefusal(status, plainText(error_description, 300) ?? `Google says ${word}`, {}, word)
  }
  const { error } = rpc.parse(body)
  const message = plainText(error.message, 300) ?? `Google answered ${status}`
  if (error.details.some(({ metadata }) => metadata?.quota_limit_value === '0'))
    return new GoogleRefusal(
      status,
      'Google has not approved this project for its Business Profile APIs: its quota is 0',
    )
  if (status === 429 || status >= 500) return new UpstreamAnswer('Google', status, retryAfter)
  return new GoogleRefusal(status, message, fieldsOf(error))
}

/** Violations name a field each; an ErrorInfo names the mask that its reason is about. */
function fieldsOf({ message, details }: z.infer<typeof rpc>['error']): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  const say = (field: string, words: string | null) => {
    if (words) fields[field] = [...(fields[field] ?? []), words]
  }
  for (const { fieldViolations } of details)
    for (const { field, description } of fieldViolations) say(topOf(field), plainText(description, 300))
  for (const { reason, metadata } of details)
    for (const field of reason ? (metadata?.field_mask ?? '').split(',').filter(Boolean) : [])
      if (!(topOf(field) in fields)) say(topOf(field), sentenceOf(reason) ?? plainText(message, 300))
  return fields
}

/** `location.phone_numbers.primary_phone` is about `phoneNumbers`. */
const topOf = (field: string) =>
  (field.replace(/^location\./, '').split(/[.[]/)[0] ?? field).replace(/_([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  )

/** PO_BOX_IN_ADDRESS_NOT_ALLOWED as people read it. */
const sentenceOf = (reason: string | undefined) => {
  const words = reason?.toLowerCase().replaceAll('_', ' ')
  return words ? `Google refuses it: ${words}` : null
}

/** OAuth says its errors in a form of its own: `{ "error": "invalid_grant" }`. */
const oauthError = z.looseObject({ error: z.string(), error_description: z.string().optional().catch(undefined) })
const detail = z.looseObject({
  fieldViolations: z.array(z.looseObject({ field: z.string().catch(''), description: z.string().catch('') })).catch([]),
  reason: z.string().optional().catch(undefined),
  metadata: z.record(z.string(), z.string()).optional().catch(undefined),
})
const nothing = { message: undefined, details: [] }
const rpc = z
  .object({
    error: z
      .looseObject({ message: z.string().optional().catch(undefined), details: z.array(detail).catch([]) })
      .catch(nothing),
  })
  .catch({ error: nothing })
