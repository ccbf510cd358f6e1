/** A body in the provider's own words. Never touched by an assignment of ours, so `__proto__` is a key like any other. */
export type EventBody = Record<string, unknown>

/** An event that cannot be used, with the reason that is shown beside it. */
export class UnusableEventError extends Error {}

/**
 * Reads a body as the object it means: JSON, JSON with raw line breaks inside its texts (Formidable's raw mode), or a form.
 * Bytes that are no UTF-8 are read as Windows-1252, which is what old websites send.
 */
export function parseEventBody(bytes: Buffer): EventBody {
  const text = decodeText(bytes).trim()
  if (text === '') throw new UnusableEventError('The body is empty')
  if (!/^[[{"]|^(null|true|false|-?\d+(\.\d+)?)$/.test(text)) {
    if (text.includes('=')) return parseFormBody(text)
    throw new UnusableEventError('The body is neither JSON nor a form')
  }
  const value = parseJsonBody(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnusableEventError('The body is not a JSON object')
  return value as EventBody // an object that JSON made
}

/** A field of its own, never one that every object inherits. */
export const getOwnField = (body: EventBody, key: string): unknown => (Object.hasOwn(body, key) ? body[key] : undefined)

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) // drops a byte order mark
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

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

/** JSON forbids raw line breaks and other control characters inside a text; senders who paste values into a template forget. */
function escapeControlCharacters(text: string): string {
  let inside = false
  return text.replace(/\\[\s\S]|"|\p{Cc}/gu, (found) => {
    if (found === '"') inside = !inside
    if (!inside || found.length > 1 || found === '"' || found > '\u001f') return found
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** `fields[email]=a@b.c` counts as `email`. */
function parseFormBody(text: string): EventBody {
  const pairs = [...new URLSearchParams(text)].map(
    ([name, value]) => [/\[([^[\]]+)\]\s*$/.exec(name)?.[1] ?? name, value] as const,
  )
  return Object.fromEntries(pairs)
}
