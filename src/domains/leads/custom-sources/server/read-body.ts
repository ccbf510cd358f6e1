import { isTooDeep, tooDeepMessage } from '#contract/json-depth.ts'
import { decodeBytes, parseUrlEncoded, readCharset } from '#core/http/decode-bytes.ts'
import { openJson } from '../body-paths.ts'
import { parseRepeatedKeys } from './repeated-keys.ts'

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

const reasons = {
  type: 'Please send JSON or a form',
  json: 'The body is not valid JSON',
  form: 'The form is broken',
  depth: tooDeepMessage,
}
export const unreadableReasons = Object.values(reasons)

/**
 * Reads JSON, a URL-encoded form or a multipart form. What is surely JSON or a form is read as such, whatever its type: a page's beacons
 * and many scripts send it as plain text or without a type. A repeated form field becomes a list, a file its name.
 */
export function readSourceBody(bytes: Buffer, contentType: string): SourceBody {
  const type = contentType.toLowerCase().split(';')[0]!.trim()
  if (type === 'multipart/form-data') return nestFields(readMultipart(bytes, contentType))
  const charset = readCharset(contentType)
  const text = decodeBytes(bytes, charset)
  if (type === 'application/x-www-form-urlencoded' || surelyForm.test(text)) return readForm(bytes, charset, text)
  if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type) && !surelyJson.test(text))
    throw new UnreadableBodyError(415, reasons.type)
  return readJson(text)
}

/** Names and values without the characters that a form encodes. */
const surelyForm = /^[^\s&="'<>{}:/]+=[^\s&="'<>{}]*(?:&[^\s&="'<>{}:/]+=[^\s&="'<>{}]*)*$/
/** An object, a list of them, or an object that was made a text. */
const surelyJson = /^\s*(?:\[\s*)?"?\{/

/** Reads a form; curl and many scripts send JSON under its type, as it is or as the name of the only field. */
function readForm(bytes: Buffer, charset: string | null, text: string): SourceBody {
  const pairs = parseUrlEncoded(bytes, charset)
  const [name, value] = pairs.length === 1 ? pairs[0]! : []
  for (const json of [text, ...(value === '' ? [name] : [])]) {
    const opened = openJson(json)
    if (typeof opened !== 'string') return openListOfOne(opened)
  }
  return nestFields(pairs)
}

function readJson(text: string): SourceBody {
  if (isTooDeep(text)) throw new UnreadableBodyError(400, reasons.depth)
  try {
    return openListOfOne(parseSentJson(text))
  } catch {
    throw new UnreadableBodyError(400, reasons.json)
  }
}

/**
 * Parses JSON, also with the raw line breaks inside strings, the commas at the end of lists and the missing values that plain templates
 * leave in, and the NaN, Infinity and undefined that Python and JavaScript write.
 */
export function parseSentJson(text: string): unknown {
  try {
    return parseRepeatedKeys(text)
  } catch (error) {
    const repaired = repairJson(text)
    if (repaired === text) throw error
    return parseRepeatedKeys(repaired)
  }
}

function repairJson(text: string): string {
  let inside = false
  return text.replace(/\\[\s\S]|"|\p{Cc}|,(?=\s*[}\]])|:(?=\s*[,}])|-?\b(?:NaN|Infinity|undefined)\b/gu, (found) => {
    if (found === '"') inside = !inside
    if (found === ',' && !inside) return ''
    if (found === "\\'") return "'" // PHP escapes an apostrophe too
    if (found === ':' && !inside) return ':null'
    if (/^-?[NIu]/.test(found) && !inside) return 'null'
    if (!inside || found.length > 1 || /[",:]/.test(found) || found > '\u001f') return found
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Some senders put the one lead of an event into a list. */
export const openListOfOne = (body: unknown): unknown =>
  Array.isArray(body) && body.length === 1 && typeof body[0] === 'object' && body[0] !== null ? body[0] : body

/** Some senders put the JSON of a provider into the one field of a form: `payload={…}`. */
export function openOnlyField(body: unknown): unknown {
  const values = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.values(body) : []
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? openListOfOne(openJson(only)) : body
}

/** Returns the fields of a form: `form_data[name]` is the field `name` inside `form_data`. */
export function nestFields(pairs: Iterable<[string, string]>): FormNode {
  const fields: FormNode = {}
  const sent = new Set<string>()
  for (const [name, value] of pairs) {
    const pair = JSON.stringify([name, value])
    // A form for phones beside that for screens says the same again; in a list, two of a kind are two.
    if (name.includes('[') || !sent.has(pair)) addField(fields, splitName(name), value)
    sent.add(pair)
  }
  return fields
}

type FormNode = { [name: string]: string | string[] | FormNode }

/** Splits `fields[name][value]` into its steps; `services[]` is a field that may be repeated. */
const splitName = (name: string): string[] =>
  /^[^[\]]*[^[\]\s](?:\[[^[\]]*\])+$/.test(name) ? name.replace(/\]/g, '').split('[').filter(Boolean) : [name]

/** A field that is repeated becomes a list. A name under a field that has a value of its own is written with a dot. */
function addField(fields: FormNode, steps: string[], value: string): void {
  const inner = steps.slice(0, -1).reduce<FormNode | null>((node, step) => node && openField(node, step), fields)
  const [node, name] = inner ? [inner, steps.at(-1)!] : [fields, steps.join('.')]
  const known = Object.hasOwn(node, name) ? node[name] : undefined
  if (known === undefined) setOwn(node, name, value)
  else if (typeof known === 'string' || Array.isArray(known)) setOwn(node, name, [known, value].flat())
  else addField(known, [''], value)
}

/** Returns the fields under a name; null if it has a value of its own. */
function openField(node: FormNode, name: string): FormNode | null {
  const inner = Object.hasOwn(node, name) ? node[name] : undefined
  if (inner === undefined) return setOwn(node, name, {})
  return typeof inner === 'string' || Array.isArray(inner) ? null : inner
}

function setOwn<Value extends FormNode[string]>(node: FormNode, name: string, value: Value): Value {
  Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true }) // also `__proto__`
  return value
}

export function readMultipart(bytes: Buffer, contentType: string): [string, string][] {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  // Latin-1 maps each byte to one character, so that parts can be split whatever their encoding.
  const [head, ...parts] = boundary ? `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`) : []
  if (head === undefined || !parts.at(-1)?.startsWith('--')) throw new UnreadableBodyError(400, reasons.form)
  return parts.slice(0, -1).map((part) => {
    const at = part.indexOf('\r\n\r\n')
    const headers = decodeBytes(Buffer.from(part.slice(0, at), 'latin1'))
    const find = (header: string) => new RegExp(`^${header}:.*(?:\\r\\n[ \\t].*)*`, 'im').exec(headers)?.[0] ?? ''
    const disposition = find('content-disposition')
    const name = readParameter(disposition, 'name')
    if (at === -1 || name === undefined) throw new UnreadableBodyError(400, reasons.form)
    const charset = readCharset(find('content-type')) ?? readCharset(contentType)
    const value = undoTransferEncoding(part.slice(at + 4), find('content-transfer-encoding'))
    return [name, readParameter(disposition, 'filename') ?? decodeBytes(value, charset)]
  })
}

/** Returns a parameter of a header: encoded (RFC 5987), in quotes, in which browsers encode quotes, or bare, as .NET writes it. */
function readParameter(header: string, name: string): string | undefined {
  const encoded = new RegExp(`[;\\s]${name}\\*\\s*=\\s*utf-8'[^']*'([^\\s;]+)`, 'i').exec(header)?.[1]
  if (encoded !== undefined) return decodeBytes(Buffer.from(unescapeHex(encoded, '%'), 'latin1'))
  const [, quoted, bare] =
    new RegExp(`[;\\s]${name}\\s*=\\s*(?:"((?:\\\\"|[^"])*)"|([^\\s;"]+))`, 'i').exec(header) ?? []
  return quoted?.replace(/\\"|%22/g, '"') ?? bare
}

/** Libraries for email that are used for forms encode the values as there. */
function undoTransferEncoding(value: string, header: string): Buffer {
  if (/base64/i.test(header)) return Buffer.from(value, 'base64')
  return Buffer.from(/quoted-printable/i.test(header) ? unescapeHex(value.replace(/=\r\n/g, ''), '=') : value, 'latin1')
}

const unescapeHex = (text: string, sign: '%' | '=') =>
  text.replace(new RegExp(`${sign}([0-9a-f]{2})`, 'gi'), (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
