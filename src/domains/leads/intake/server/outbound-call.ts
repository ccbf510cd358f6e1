import { isObject } from '#contract/is-object.ts'
import { isInbound, isOutbound, isVoicemail, readYesNo } from '#domains/leads/model/provider-words.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import { openListOfOne, openOnlyField } from '../../custom-sources/server/read-body.ts'
import { type EventBody, getOwnField, saysEvent, wrapperKeys } from './parse-body.ts'

export const outboundReason = 'An outbound call'

/** Returns that a telephone system reports a call or text that was made, as the reason why it makes no lead; null if it is none. */
export function findOutboundCall(body: unknown): string | null {
  const opened = openOnlyField(body)
  return readCall(opened)?.direction === 'out' || saysEvent(opened, madeEvent) ? outboundReason : null
}

/** Returns whether a telephone system reports a call or text, whoever made it. */
export const isTelephoneEvent = (body: unknown): boolean => isCallEvent(body) || readCall(openOnlyField(body)) !== null

/** Returns whether a telephone system reports a text, from either side. */
export function isTextEvent(body: unknown): boolean {
  const opened = openOnlyField(body)
  return readCall(opened)?.isText === true && !saysEvent(opened, callEvent)
}

/** Returns whether a telephone system reports a call that came in, also one that says nothing of its length or its answer. */
export function isCallEvent(body: unknown): boolean {
  const opened = openOnlyField(body)
  const call = readCall(opened)
  if (call !== null) return call.direction === 'in' && !isTextEvent(body)
  return saysEvent(opened, callEvent)
}

type Call = { direction: 'in' | 'out'; isText: boolean }

/** Who called whom is said of the call itself, of its details, or of each who took part. */
export const innerKeys = [
  ...['call_info', 'phone_call', 'metadata', 'message', 'parties', 'activeCalls', 'callDetails', 'key'],
  ...['call_logs', 'call_elements', 'recordings'],
]
const maxWrappers = 3

function readCall(body: unknown, isOfCall = false, depth = 0): Call | null {
  if (Array.isArray(body)) return mergeCalls(body.map((one) => readCall(one, isOfCall, depth)))
  if (!isObject(body)) return null
  if (isOwnAnswer(body)) return { direction: 'out', isText: true }
  const keys = Object.keys(body)
  const found = keys.map((key) => [key, readDirection(key, toText(body[key]) ?? '')] as const)
  const [directionKey, direction = null] = found.find(([, one]) => one !== null) ?? []
  if (direction !== null) {
    const isCall = isOfCall || keys.some((key) => key !== directionKey && callKey.test(key))
    return isCall ? { direction, isText: isTextMessage(body) } : null
  }
  if (depth === maxWrappers) return null
  const hasNumbers = Object.keys(Object(getOwnField(body, 'context'))).some((key) => quoNumbers.test(key))
  const inner = [...wrapperKeys, ...innerKeys].flatMap((key) => {
    const value = getOwnField(body, key)
    const opened = innerKeys.includes(key) ? value : openListOfOne(value)
    return readCall(opened, hasNumbers || /call/i.test(key), depth + 1) ?? []
  })
  return inner[0] ? { ...inner[0], isText: inner[0].isText || isTextMessage(body) } : null
}

/** A chat says without a number whose words they are: Chatwoot for each message, also a robot's, and Thumbtack in a negotiation. */
const isOwnAnswer = (body: EventBody): boolean =>
  (/^message_/.test(String(getOwnField(body, 'event'))) &&
    /^(?:outgoing|template|activity)$/.test(String(getOwnField(body, 'message_type'))) &&
    // What a visitor fills in is kept in the message that asked for it.
    !Object.keys(Object(getOwnField(body, 'content_attributes'))).some((key) => key.startsWith('submitted_'))) ||
  (getOwnField(body, 'from') === 'Business' && Object.hasOwn(body, 'negotiationID'))

/** Returns the id of the chat of which tawk.to sends the start, the end and the transcript; null for other events. */
export function readChatId(body: unknown): string | null {
  const opened = openOnlyField(body)
  if (!isObject(opened) || !saysEvent(opened, /^chat:(?:start|end|transcript_created)$/)) return null
  const chat = getOwnField(opened, 'chat')
  return toText(getOwnField(opened, 'chatId') ?? (isObject(chat) ? getOwnField(chat, 'id') : null))
}

/**
 * Returns whether an event is one message in the conversation of a lead, which has another number than the message: Thumbtack sends those of a
 * negotiation beside the enquiry.
 */
export function isLeadMessage(body: unknown, leadId: string | null, depth = 0): boolean {
  const opened = depth === 0 ? openOnlyField(body) : openListOfOne(body)
  if (!isObject(opened)) return false
  const find = (key: RegExp) => Object.keys(opened).find((one) => key.test(one))
  const message = find(/^message_?id$/i)
  if (depth === 0 && readChatId(opened) !== null) return true
  if (message && find(/^(?:negotiation|lead|conversation|thread|chat)_?id$/i)) return toText(opened[message]) !== leadId
  return depth < maxWrappers && wrapperKeys.some((key) => isLeadMessage(getOwnField(opened, key), leadId, depth + 1))
}

/** A call in which one side was called by us and another called us came in. */
function mergeCalls(calls: readonly (Call | null)[]): Call | null {
  const known = calls.filter((call) => call !== null)
  return known.find(({ direction }) => direction === 'in') ?? known[0] ?? null
}

/** A form may ask for a direction too: beside that of a call stands whose numbers it connects, how long, or its id. */
const callKey = /^(?:from|to|caller|callee|duration)$|call|(?:sid|jid)$/i

/** Reads `direction: outbound`, `CallType: Inbound`, `is_outgoing: 1`, `inbound: false`, `type: outboundPhoneCall` and `event: OutgoingCall`. */
function readDirection(key: string, value: string): Call['direction'] | null {
  const flag = /^(?:is_?)?(?:(out)(?:bound|going)|in(?:bound|coming))(?:_?call)?$/i.exec(key)
  if (flag) {
    const [, isOut] = flag
    const isSo = readYesNo(value)
    return isSo === null ? null : isSo === Boolean(isOut) ? 'out' : 'in'
  }
  if (/^from_?me$/i.test(key)) return /^(?:1|true)$/i.test(value) ? 'out' : null // WhatsApp
  const isNamed = /^(?:type|event(?:_?type)?)$/i.test(key) && /Call$/.test(value)
  if (!isNamed && !/^(?:(?:call|sms|message)_?)?direction$|^(?:call|sms|message)_?type$/i.test(key)) return null
  if (isOutbound(value)) return 'out'
  return isInbound(value) ? 'in' : null
}

/** Quo says whose numbers they are in a context beside the direction. */
const quoNumbers = /^(?:participants|senderIdentifier)$/

const textKey = /^(?:text|body|text_?content|message_?(?:body|id)|content|subject|num_?media|sms_?info)$/i
const textKind = /^(?:sms|mms|text|message|whatsapp|chat|email)\b|^msg_|^message/i
const kindKey = /^(?:type|kind|object|resource|(?:record|call|message)_?type|channel|direction|event(?:_?type)?)$/i
/** A call may have a subject or a text too. */
const callOnlyKey = /^call_?(?:id|sid|type|status|duration)$/i
const callKind = /^(?:call|phone|voice)/i
function isTextMessage(body: EventBody): boolean {
  const fields = Object.entries(body)
  const kinds = fields.flatMap(([key, value]) => (kindKey.test(key) ? [String(value)] : []))
  // RingCentral's voicemail has a subject, as its texts have.
  if (kinds.some(isVoicemail)) return false
  if (kinds.some((kind) => textKind.test(kind))) return true
  return (
    !kinds.some((kind) => callKind.test(kind)) &&
    !fields.some(([key]) => callOnlyKey.test(key)) &&
    fields.some(([key, value]) => textKey.test(key) && (!isObject(value) || /^sms/i.test(key)))
  )
}

/** `phone.callee_missed`, `call_ended`, `call.completed`, `VoiceAiCallEnd`; a form may call its event `call_back_request`. */
const callEvent =
  /^(?:jc\.|phone\.)?(?:call(?:er|ee)?[._](?:completed|ended|finished|hangup|missed|answered|created|started|initiated|incoming|received|analyzed|ringing|recording|voicemail)|voice_?mail[._](?:received|left|created|completed))(?![a-z])|CallEnd(?:ed)?$/i
/** For Zoom Phone, the caller of an event is one of the agency; who calls them is in the events of the callee. */
const madeEvent = /^phone\.caller_/i
