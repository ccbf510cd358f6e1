import { decodeBytes, parseUrlEncoded, readCharset } from '#core/http/decode-bytes.ts'
import { getOwnField, isBodyObject } from '../../intake/server/parse-body.ts'

/** The body that a source sent, as a JSON value. */
export type SourceBody = unknown

/** A body with an unsupported content type (415), or a broken one (400). */
export class UnreadableBodyError extends Error {
  readonly status: 400 | 415

  constructor(status: 400 | 415, message: string) {
    super(message)
    this.status = status
  }
}

/** Reads JSON, a URL-encoded form or a multipart form. A repeated form field becomes a list, a file its name. */
export function readSourceBody(bytes: Buffer, contentType: string): SourceBody {
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded':
      return toFields(parseUrlEncoded(bytes, readCharset(contentType)))
    case 'multipart/form-data':
      return toFields(readMultipart(bytes, contentType))
    default:
      if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type.trim()))
        throw new UnreadableBodyError(415, 'Please send JSON or a form')
      return parseJson(bytes, readCharset(contentType))
  }
}

function parseJson(bytes: Buffer, charset: string | null): SourceBody {
  try {
    return JSON.parse(decodeBytes(bytes, charset))
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
  // Latin-1 maps each byte to one character, so that parts can be split whatever their encoding.
  const [head, ...parts] = boundary ? `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`) : []
  if (head === undefined || !parts.at(-1)?.startsWith('--')) throw new UnreadableBodyError(400, 'The form is broken')
  return parts.slice(0, -1).map((part) => {
    const at = part.indexOf('\r\n\r\n')
    const headers = decodeBytes(Buffer.from(part.slice(0, at), 'latin1'))
    const name = /[; ]name="([^"]*)"/i.exec(headers)?.[1]
    if (at === -1 || name === undefined) throw new UnreadableBodyError(400, 'The form is broken')
    const file = /[; ]filename="([^"]*)"/i.exec(headers)?.[1]
    const charset = readCharset(/^content-type:.*/im.exec(headers)?.[0] ?? '') ?? readCharset(contentType)
    return [name, file ?? decodeBytes(Buffer.from(part.slice(at + 4), 'latin1'), charset)]
  })
}

/**
 * Returns the value at a path such as `lead.answers.0.value`. In a list of named answers a step may also be a name:
 * `field_data.email` is the value of the answer `email`. Names may contain dots.
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
  if (!Array.isArray(value)) return getOwnField(value as Record<string, unknown>, step) // a JSON object
  if (/^\d+$/.test(step)) return value[Number(step)]
  return value.find((item) => answerNames(item).includes(step.toLowerCase()))
}

const nameKeys = ['name', 'column_id', 'column_name', 'key', 'label']
const valueKeys = ['values', 'string_value', 'value', 'answer']

const answerNames = (item: unknown): string[] =>
  isBodyObject(item) ? nameKeys.map((key) => String(getOwnField(item, key) ?? '').toLowerCase()).filter(Boolean) : []

/** Returns the value of an answer: `['a@b.c']` for `{ name: 'email', values: ['a@b.c'] }`. */
function unwrapAnswer(value: unknown): unknown {
  if (answerNames(value).length === 0 || !isBodyObject(value)) return value
  const key = valueKeys.find((one) => Object.hasOwn(value, one))
  return key === undefined ? value : value[key]
}

/** Returns a value as text: a list on one line, an object as JSON; null if it is empty. */
export function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.flatMap((item) => toText(item) ?? []).join(', ') || null
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.trim() === '' ? null : text
}
