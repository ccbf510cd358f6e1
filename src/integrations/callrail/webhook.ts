import { createHmac, timingSafeEqual } from 'node:crypto'

/** CallRail's webhooks: their signatures and their bodies. */

/** Returns the signature of a raw body with the company's key: base64 of HMAC-SHA1. CallRail sends it in the header `Signature`. */
export const computeCallRailSignature = (key: string, body: Buffer): string =>
  createHmac('sha1', key).update(body).digest('base64')

/** Returns whether the text has the format of a signature: 20 bytes in base64. */
export const isSignatureFormat = (signature: string): boolean => /^[A-Za-z0-9+/]{27}=$/.test(signature)

export function isCallRailSignatureValid(key: string, body: Buffer, signature: string): boolean {
  const [expected, given] = [computeCallRailSignature(key, body), signature].map((text) => Buffer.from(text))
  return expected!.length === given!.length && timingSafeEqual(expected!, given!)
}

type WebhookBody = Record<string, unknown>

/**
 * The kind of an event. CallRail does not name it, so it is derived from the event's shape.
 * `call` has ended; `modified` is a call whose data changed afterwards; `text` was received by a tracking number; `none` and `unknown` create no lead, for the given reason.
 */
type CallRailEventKind =
  | { kind: 'call' | 'modified' | 'form' | 'text'; id: string }
  | { kind: 'none'; reason: string }
  | { kind: 'unknown'; reason: string }

export function classifyCallRailEvent(body: WebhookBody): CallRailEventKind {
  if (isTextMessage(body)) return classifyText(body)
  const isForm = 'form_data' in body || 'form_url' in body
  if (!isForm && !('call_type' in body) && !('duration' in body) && !('direction' in body))
    return { kind: 'unknown', reason: 'The event is neither a call nor a form' }
  if (readText(body.direction).toLowerCase() === 'outbound') return { kind: 'none', reason: 'An outbound call' }
  if (!isForm && isOngoingCall(body)) return { kind: 'none', reason: 'A call that has not ended yet (pre-call)' }
  // Newer events have both a numeric id and CAL…; older ones only the number.
  const id = readText(body.resource_id) || readText(body.id)
  if (id === '') return { kind: 'unknown', reason: 'The event has no id (resource_id or id)' }
  if (isForm) return { kind: 'form', id }
  return { kind: isFilled(body.changes) ? 'modified' : 'call', id }
}

/**
 * Returns whether a call is still going on. Pre-Call and Call Routing Complete come while the phone rings, and look like a missed
 * call: `call_type` missed, not answered, no duration. They lack the fields that CallRail knows only once the call is over.
 * In doubt a call counts as ongoing: every call gets a Post-Call with all of these fields.
 */
function isOngoingCall(body: WebhookBody): boolean {
  const type = readText(body.call_type).toLowerCase()
  const couldBe =
    ['', 'missed', 'in_progress', 'ringing'].includes(type) &&
    !isTrueValue(body.answered) &&
    !isTrueValue(body.voicemail) &&
    (readWholeNumber(body.duration) ?? 0) === 0
  return couldBe && !postCallFields.some((field) => field in body)
}
const postCallFields = [
  'changes',
  'recording',
  'recording_duration',
  'recording_player',
  'formatted_duration',
  'business_phone_number',
  'transcription',
]

/** A list, also as a form has it: by numbers, or as one text. */
const isFilled = (value: unknown) => (typeof value === 'object' ? value !== null : readText(value) !== '')

const isTextMessage = (body: WebhookBody) =>
  /^(sms|mms)$/i.test(readText(body.type) || readText(body.message_type)) ||
  ['sms_thread', 'thread_resource_id', 'conversation_id', 'media_urls'].some((key) => key in body)

/** Whether a direction is that of a text that was received, as hooks and lists write it. */
export const isReceived = (direction: unknown): boolean => /^(incoming|inbound|received)$/i.test(readText(direction))

/** A text that was sent says so, or has an agent and no direction. Its fields are otherwise those of one that was received. */
function classifyText(body: WebhookBody): CallRailEventKind {
  const isSent = /^(outgoing|outbound|sent)$/i.test(readText(body.direction))
  if (isSent || ('agent' in body && !isReceived(body.direction)))
    return { kind: 'none', reason: 'A text message that was sent from a tracking number' }
  if (readText(body.source_number) === '') return { kind: 'none', reason: 'A text message without its sender’s number' }
  const id = readText(body.resource_id) || readText(body.id)
  return id === '' ? { kind: 'unknown', reason: 'The event has no id (resource_id or id)' } : { kind: 'text', id }
}

/** Returns both ids of the company, the newer one first: COM…, and the number of older accounts. */
export const readCompanyIds = (body: WebhookBody): string[] =>
  [readText(body.company_resource_id), readText(body.company_id)].filter((id) => id !== '')

/** Finds the company's ids in a body that is not valid JSON. */
export function scanCompanyIds(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/"company_(?:resource_)?id"\s*:\s*"?([\w-]{1,100})"?/g)].map(([, id = '']) => id)
  return [...new Set(found)].slice(0, 4)
}

/** Returns a text or number as text, else ''. CallRail sends the same field as text, number, boolean or '' for none. */
export const readText = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
/** Custom payloads write true in words. */
export const isTrueValue = (value: unknown): boolean => value === true || /^(?:true|yes|y|1)$/i.test(readText(value))
/** Returns a number, possibly written as text, rounded to an integer; null for anything else. */
export function readWholeNumber(value: unknown): number | null {
  const number = Number(readText(value) || Number.NaN)
  return Number.isFinite(number) && Math.abs(number) < 2_147_483_647 ? Math.round(number) : null
}
