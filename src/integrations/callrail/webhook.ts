import { createHmac, timingSafeEqual } from 'node:crypto'

/** CallRail's webhooks: how they are signed, and what their bodies say. */

/** CallRail signs the raw body with the company's key: base64 of HMAC-SHA1, in the header `Signature`. */
export const computeCallRailSignature = (key: string, body: Buffer): string =>
  createHmac('sha1', key).update(body).digest('base64')

/** Whether the header could be such a signature at all: 20 bytes in base64. */
export const isSignatureFormat = (signature: string): boolean => /^[A-Za-z0-9+/]{27}=$/.test(signature)

export function isCallRailSignatureValid(key: string, body: Buffer, signature: string): boolean {
  const [expected, given] = [computeCallRailSignature(key, body), signature].map((text) => Buffer.from(text))
  return expected!.length === given!.length && timingSafeEqual(expected!, given!)
}

type WebhookBody = Record<string, unknown>

/**
 * What an event is about. CallRail does not name the event, so its kind is read from its shape.
 * `call` has ended; `modified` is a call whose data changed afterwards; the rest make no lead, for the reason given.
 */
type CallRailEventKind =
  | { kind: 'call' | 'modified' | 'form'; id: string }
  | { kind: 'none'; reason: string }
  | { kind: 'unknown'; reason: string }

export function classifyCallRailEvent(body: WebhookBody): CallRailEventKind {
  if (isTextMessage(body)) return { kind: 'none', reason: 'A text message, not a call or a form' }
  const isForm = 'form_data' in body || 'form_url' in body
  if (!isForm && !('call_type' in body) && !('duration' in body) && !('direction' in body))
    return { kind: 'unknown', reason: 'The event is neither a call nor a form' }
  if (readText(body.direction).toLowerCase() === 'outbound') return { kind: 'none', reason: 'An outbound call' }
  if (!isForm && isOngoingCall(body)) return { kind: 'none', reason: 'A call that has not ended yet (pre-call)' }
  // Newer events carry both a numeric id and CAL…; older ones the number only.
  const id = readText(body.resource_id) || readText(body.id)
  if (id === '') return { kind: 'unknown', reason: 'The event has no id (resource_id or id)' }
  if (isForm) return { kind: 'form', id }
  return { kind: Array.isArray(body.changes) ? 'modified' : 'call', id }
}

/**
 * Pre-Call and Call Routing Complete come while the phone rings, and look like a missed call: `call_type` missed, not
 * answered, no duration. What tells them from a Post-Call are the fields that CallRail only knows once the call is over.
 * In doubt a call counts as not ended: the Post-Call, which every call gets, has all of these fields.
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

const isTextMessage = (body: WebhookBody) =>
  readText(body.type).toLowerCase() === 'sms' || 'sms_thread' in body || 'thread_resource_id' in body

/** The company as either of its ids, the newer one first: COM…, and the number that older accounts know. */
export const readCompanyIds = (body: WebhookBody): string[] =>
  [readText(body.company_resource_id), readText(body.company_id)].filter((id) => id !== '')

/** The same from a body that is no JSON any more. */
export function scanCompanyIds(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/"company_(?:resource_)?id"\s*:\s*"?([\w-]{1,100})"?/g)].map(([, id = '']) => id)
  return [...new Set(found)].slice(0, 4)
}

/** Values come as text, number, boolean or '' for none, sometimes all of them for one field. */
export const readText = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
export const isTrueValue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^true$/i.test(value))
/** A whole number that may be written as text; null where it is none. */
export function readWholeNumber(value: unknown): number | null {
  const number = Number(readText(value) || Number.NaN)
  return Number.isFinite(number) && Math.abs(number) < 2_147_483_647 ? Math.round(number) : null
}
