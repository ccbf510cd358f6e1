import { isObject } from '#contract/is-object.ts'
import { isInbound, isVoicemail, parseLeadType, readYesNo } from '#domains/leads/model/provider-words.ts'
import { toText } from '../../custom-sources/body-paths.ts'
import { openOnlyField } from '../../custom-sources/server/read-body.ts'
import type { IncomingLead } from './incoming-lead.ts'
import { innerKeys } from './outbound-call.ts'
import { getOwnField, wrapperKeys } from './parse-body.ts'

/** Returns what a telephone system says of a call beside its status: that no one answered it, or that the caller left a message. */
export function readCallOutcome(body: unknown): Pick<IncomingLead, 'answered' | 'voicemail'> {
  const fields = listCallFields(openOnlyField(body))
  const said = fields.flatMap(([key, value]) => (kindKey.test(key) && typeof value === 'string' ? [value] : []))
  const find = (key: RegExp) => fields.flatMap(([name, value]) => (key.test(name) ? [value] : []))
  const voicemail = said.some(isVoicemail) || find(voicemailKey).some(isFilled)
  // Of several who were called, one may have missed what another has answered.
  const [missed, answeredAt] = [find(missedKey), find(answeredAtKey)]
  const isMissed =
    said.some((text) => missedWord.test(text)) ||
    (missed.length > 0 && missed.every(isFilled)) ||
    (answeredAt.length > 0 && !answeredAt.some(isFilled) && said.some((text) => overWord.test(text)))
  return { answered: voicemail || isMissed ? false : null, voicemail: voicemail || null }
}

/** Returns whether the type of a lead says that it is a call: `PHONE_CALL`. `Inbound` alone may be said of any lead that came by itself. */
export const isTypedCall = (body: unknown): boolean =>
  listCallFields(openOnlyField(body)).some(
    ([key, value]) =>
      /^lead[_ -]?type$/i.test(key) &&
      parseLeadType(value) === 'Call' &&
      (/call/i.test(String(value)) || !isInbound(String(value))),
  )

/** What is said of another call, of the lead or of where a call waits is not said of this one. */
const kindKey =
  /^(?!last|prev|lead_?(?:status|state)|queue|voice_?mail_?box).*(?:event|type|status|state|result|disposition|outcome|media)$/i
const voicemailKey = /^(?:has_?)?voice_?mail(?:_?(?:url|link|recording(?:_?(?:url|link|id))?|transcription))?$/i
const missedKey = /^(?:is_?)?missed(?:_?call(?:_?reason)?)?$/i
const answeredAtKey = /^answer(?:ed)?_?(?:at|time)$/i
/** `phone.callee_missed`, `call.missed`, `Missed Call`. */
const missedWord = /(?<!dis)missed(?:[ ._-]?call)?$/i
const overWord = /(?<![a-z])(?:ended|completed|finished|hang_?up|done)$/i

function isFilled(value: unknown): boolean {
  if (isObject(value)) return Object.entries(value).some(([key, inner]) => key !== 'enabled' && isFilled(inner))
  const text = (toText(value) ?? '').trim()
  return !/^(?:none|null|n\/a|off|(?:dis|en)abled|[0 :.-]*)$/i.test(text) && readYesNo(text) !== false
}

const maxWrappers = 3

/** Returns the fields of a call, and not those of whose phone it is, which may have the greeting of a voicemail. */
function listCallFields(body: unknown, depth = 0): [string, unknown][] {
  if (Array.isArray(body)) return body.flatMap((one) => listCallFields(one, depth))
  if (!isObject(body)) return []
  const inner = depth === maxWrappers ? [] : [...wrapperKeys, ...innerKeys]
  return [...Object.entries(body), ...inner.flatMap((key) => listCallFields(getOwnField(body, key), depth + 1))]
}
