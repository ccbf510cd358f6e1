import { createHmac } from 'node:crypto'
import { sameBytes } from '#core/secrets/secrets.ts'

/** CallRail's webhooks: how they are signed, and what their bodies say. */

/** CallRail signs the raw body with the company's key: base64 of HMAC-SHA1, in the header `Signature`. */
export const signatureOf = (key: string, body: Buffer): string => createHmac('sha1', key).update(body).digest('base64')

/** Whether the header could be such a signature at all: 20 bytes in base64. */
export const looksSigned = (signature: string): boolean => /^[A-Za-z0-9+/]{27}=$/.test(signature)

export const isSignedWith = (key: string, body: Buffer, signature: string): boolean =>
  sameBytes(Buffer.from(signatureOf(key, body)), Buffer.from(signature))

type Body = Record<string, unknown>

/**
 * What an event is about. CallRail does not name the event, so its kind is read from its shape.
 * `call` has ended; `modified` is a call whose data changed afterwards; the rest make no lead, for the reason given.
 */
export type Kind =
  | { kind: 'call' | 'modified' | 'form'; id: string }
  | { kind: 'none'; reason: string }
  | { kind: 'unknown'; reason: string }

export function kindOf(body: Body): Kind {
  if (isText(body)) return { kind: 'none', reason: 'A text message, not a call or a form' }
  const isForm = 'form_data' in body || 'form_url' in body
  if (!isForm && !('call_type' in body) && !('duration' in body) && !('direction' in body))
    return { kind: 'unknown', reason: 'The event is neither a call nor a form' }
  if (written(body.direction).toLowerCase() === 'outbound') return { kind: 'none', reason: 'An outbound call' }
  if (!isForm && isBeforeTheEnd(body)) return { kind: 'none', reason: 'A call that has not ended yet (pre-call)' }
  // Newer events carry both a numeric id and CAL…; older ones the number only.
  const id = written(body.resource_id) || written(body.id)
  if (id === '') return { kind: 'unknown', reason: 'The event has no id (resource_id or id)' }
  if (isForm) return { kind: 'form', id }
  return { kind: Array.isArray(body.changes) ? 'modified' : 'call', id }
}

/**
 * Pre-Call and Call Routing Complete come while the phone rings, and look like a missed call: `call_type` missed, not
 * answered, no duration. What tells them from a Post-Call are the fields that CallRail only knows once the call is over.
 * In doubt a call counts as not ended: the Post-Call, which every call gets, has all of these fields.
 */
function isBeforeTheEnd(body: Body): boolean {
  const type = written(body.call_type).toLowerCase()
  const couldBe =
    ['', 'missed', 'in_progress', 'ringing'].includes(type) &&
    !isTrue(body.answered) &&
    !isTrue(body.voicemail) &&
    (whole(body.duration) ?? 0) === 0
  return couldBe && !knownAtTheEnd.some((field) => field in body)
}
const knownAtTheEnd = [
  'changes',
  'recording',
  'recording_duration',
  'recording_player',
  'formatted_duration',
  'business_phone_number',
  'transcription',
]

const isText = (body: Body) =>
  written(body.type).toLowerCase() === 'sms' || 'sms_thread' in body || 'thread_resource_id' in body

/** The company as either of its ids, the newer one first: COM…, and the number that older accounts know. */
export const companiesOf = (body: Body): string[] =>
  [written(body.company_resource_id), written(body.company_id)].filter((id) => id !== '')

/** The same from a body that is no JSON any more. */
export function companiesMentioned(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/"company_(?:resource_)?id"\s*:\s*"?([\w-]{1,100})"?/g)].map(([, id = '']) => id)
  return [...new Set(found)].slice(0, 4)
}

/** Values come as text, number, boolean or '' for none, sometimes all of them for one field. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
export const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^true$/i.test(value))
/** A whole number that may be written as text; null where it is none. */
export function whole(value: unknown): number | null {
  const number = Number(written(value) || Number.NaN)
  return Number.isFinite(number) && Math.abs(number) < 2_147_483_647 ? Math.round(number) : null
}
