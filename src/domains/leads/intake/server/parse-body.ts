import { isObject } from '#contract/is-object.ts'
import { cutDeepValues } from '#contract/json-depth.ts'
import { decodeBytes, parseUrlEncoded, readCharset } from '#core/http/decode-bytes.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import {
  nestFields,
  openListOfOne,
  openOnlyField,
  parseSentJson,
  readMultipart,
  UnreadableBodyError,
} from '../../custom-sources/server/read-body.ts'

/** A body as the provider sent it. It is never assigned to, so `__proto__` is a key like any other. */
export type EventBody = Record<string, unknown>

/** An event that cannot be used, with the reason to show. */
export class UnusableEventError extends Error {}

/**
 * Parses a body as an object: JSON, also as Formidable's raw mode breaks it, or a form. The content type says only in which charset it is
 * written.
 */
export function parseEventBody(bytes: Buffer, contentType = ''): EventBody {
  const charset = readCharset(contentType)
  const text = decodeBytes(bytes, charset).trim()
  if (text === '') throw new UnusableEventError('The body is empty')
  if (!/^[[{"]|^(null|true|false|-?\d+(\.\d+)?)$/.test(text)) {
    if (/^multipart\/form-data\b/i.test(contentType)) return openForm(nestFields(readParts(bytes, contentType)))
    if (text.includes('=')) return openForm(nestFields(parseUrlEncoded(bytes, charset)))
    throw new UnusableEventError('The body is neither JSON nor a form')
  }
  const value = openListOfOne(parseJsonBody(cutDeepValues(text)))
  assertBodyObject(value)
  return value
}

function openForm(fields: EventBody): EventBody {
  const opened = openOnlyField(fields)
  return isObject(opened) ? opened : fields
}

export function assertBodyObject(value: unknown): asserts value is EventBody {
  if (!isObject(value)) throw new UnusableEventError('The body is not a JSON object')
}

/** Returns an own property, never an inherited one. */
export const getOwnField = (body: EventBody, key: string): unknown => (Object.hasOwn(body, key) ? body[key] : undefined)

const eventKeys = ['event', 'type', 'event_type', 'eventType', 'trigger', 'triggerEvent', 'trigger_event']
/** Returns whether the name of an event is of a kind. */
export const saysEvent = (body: unknown, kind: RegExp): boolean =>
  isObject(body) && eventKeys.some((key) => kind.test(toText(getOwnField(body, key)) ?? ''))

/** What stands around the lead in the events of some providers. */
export const wrapperKeys = [
  ...'data lead payload body event record call object resource form_submission submission'.split(' '),
]

function parseJsonBody(text: string): unknown {
  try {
    return parseSentJson(text)
  } catch (error) {
    throw new UnusableEventError(
      `The body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : error}`,
    )
  }
}

function readParts(bytes: Buffer, contentType: string): [string, string][] {
  try {
    return readMultipart(bytes, contentType)
  } catch (error) {
    throw error instanceof UnreadableBodyError ? new UnusableEventError(error.message) : error
  }
}

/** Names the answers of a form. One that is repeated hides no other: several texts are one, with commas between. */
export const nameValues = (pairs: readonly (readonly [string, unknown])[]): EventBody =>
  Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, group]) => {
      const [, first] = group[0]!
      return [
        name,
        group.length === 1 ? first : toText([...new Set(group.flatMap(([, value]) => toText(value) ?? []))]),
      ]
    }),
  )
