import { decodeBytes, parseUrlEncoded, readCharset } from '#core/http/decode-bytes.ts'

/** A body as the provider sent it. It is never assigned to, so `__proto__` is a key like any other. */
export type EventBody = Record<string, unknown>

/** An event that cannot be used, with the reason to show. */
export class UnusableEventError extends Error {}

/**
 * Parses a body as an object: JSON, JSON with raw line breaks inside strings (Formidable's raw mode), or a form. The content type says
 * only in which charset it is written.
 */
export function parseEventBody(bytes: Buffer, contentType = ''): EventBody {
  const charset = readCharset(contentType)
  const text = decodeBytes(bytes, charset).trim()
  if (text === '') throw new UnusableEventError('The body is empty')
  if (!/^[[{"]|^(null|true|false|-?\d+(\.\d+)?)$/.test(text)) {
    if (text.includes('=')) return parseFormBody(bytes, charset)
    throw new UnusableEventError('The body is neither JSON nor a form')
  }
  const value = parseJsonBody(text)
  assertBodyObject(value)
  return value
}

export const isBodyObject = (value: unknown): value is EventBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function assertBodyObject(value: unknown): asserts value is EventBody {
  if (!isBodyObject(value)) throw new UnusableEventError('The body is not a JSON object')
}

/** Returns an own property, never an inherited one. */
export const getOwnField = (body: EventBody, key: string): unknown => (Object.hasOwn(body, key) ? body[key] : undefined)

function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    try {
      return JSON.parse(escapeControlCharacters(text))
    } catch {
      throw new UnusableEventError(
        `The body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : error}`,
      )
    }
  }
}

/** Escapes raw line breaks and other control characters inside strings, which senders with plain templates leave in. */
function escapeControlCharacters(text: string): string {
  let inside = false
  return text.replace(/\\[\s\S]|"|\p{Cc}/gu, (found) => {
    if (found === '"') inside = !inside
    if (!inside || found.length > 1 || found === '"' || found > '\u001f') return found
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Parses a form body; `fields[email]=a@b.c` is the field `email`. */
function parseFormBody(bytes: Buffer, charset: string | null): EventBody {
  const pairs = parseUrlEncoded(bytes, charset).map(
    ([name, value]) => [/\[([^[\]]+)\]\s*$/.exec(name)?.[1] ?? name, value] as const,
  )
  return Object.fromEntries(pairs)
}
