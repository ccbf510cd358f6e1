import { getOwnField } from '../../intake/server/parse-body.ts'

/** What a source sent, as JSON would have it. */
export type SourceBody = unknown

/** A body of a content type that is not read (415), or one that is broken (400). */
export class UnreadableBodyError extends Error {
  readonly status: 400 | 415

  constructor(status: 400 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** Reads JSON, a URL-encoded form or a multipart form. A field that a form has several times is a list; a file is its name. */
export function readSourceBody(bytes: Buffer, contentType: string): SourceBody {
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded':
      return toFields(new URLSearchParams(bytes.toString('utf8')))
    case 'multipart/form-data':
      return toFields(readMultipart(bytes, contentType))
    default:
      if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type.trim()))
        throw new UnreadableBodyError(415, 'Please send JSON or a form')
      return parseJson(bytes)
  }
}

function parseJson(bytes: Buffer): SourceBody {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new UnreadableBodyError(400, 'The body is not valid JSON')
  }
}

function toFields(pairs: Iterable<[string, string]>): Record<string, string | string[]> {
  const byName = Map.groupBy(pairs, ([name]) => name)
  const fields = [...byName].map(([name, all]) => {
    const values = all.map(([, value]) => value)
    return [name, values.length === 1 ? values[0]! : values] as const
  })
  return Object.fromEntries(fields)
}

function readMultipart(bytes: Buffer, contentType: string): [string, string][] {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  // Latin 1 keeps each byte a character, so that the parts can be cut out of any text.
  const [head, ...parts] = boundary ? `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`) : []
  if (head === undefined || !parts.at(-1)?.startsWith('--')) throw new UnreadableBodyError(400, 'The form is broken')
  return parts.slice(0, -1).map((part) => {
    const at = part.indexOf('\r\n\r\n')
    const headers = Buffer.from(part.slice(0, at), 'latin1').toString('utf8')
    const name = /[; ]name="([^"]*)"/i.exec(headers)?.[1]
    if (at === -1 || name === undefined) throw new UnreadableBodyError(400, 'The form is broken')
    const file = /[; ]filename="([^"]*)"/i.exec(headers)?.[1]
    return [name, file ?? Buffer.from(part.slice(at + 4), 'latin1').toString('utf8')]
  })
}

/**
 * Finds what a path such as `lead.answers.0.value` names. In a list of answers that have names, a step may also be the name: `field_data.email`
 * is the value of the answer `email`. A name that holds dots itself is found as well.
 */
export function findByPath(body: SourceBody, path: string): unknown {
  return findStep(body, path.split('.'))
}

function findStep(value: unknown, steps: string[]): unknown {
  if (steps.length === 0) return unwrapAnswer(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (let length = steps.length; length > 0; length -= 1) {
    const found = getStep(value, steps.slice(0, length).join('.'))
    const inner = found === undefined ? undefined : findStep(found, steps.slice(length))
    if (inner !== undefined) return inner
  }
  return undefined
}

function getStep(value: object, step: string): unknown {
  if (!Array.isArray(value)) return getOwnField(value as Record<string, unknown>, step) // an object of JSON
  if (/^\d+$/.test(step)) return value[Number(step)]
  return value.find((item) => answerNames(item).includes(step.toLowerCase()))
}

const nameKeys = ['name', 'column_id', 'column_name', 'key', 'label']
const valueKeys = ['values', 'string_value', 'value', 'answer']

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const answerNames = (item: unknown): string[] =>
  isRecord(item) ? nameKeys.map((key) => String(getOwnField(item, key) ?? '').toLowerCase()).filter(Boolean) : []

/** `{ name: 'email', values: ['a@b.c'] }` says a@b.c. */
function unwrapAnswer(value: unknown): unknown {
  if (answerNames(value).length === 0 || !isRecord(value)) return value
  const key = valueKeys.find((one) => Object.hasOwn(value, one))
  return key === undefined ? value : value[key]
}

/** A found value as text: a list on one line, an object as JSON; null for nothing. */
export function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.flatMap((item) => toText(item) ?? []).join(', ') || null
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.trim() === '' ? null : text
}
