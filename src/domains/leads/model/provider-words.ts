import { type leadTypes, missedCallTags } from '../labels.ts'

/** The words that other tools and spreadsheets use for the values of a lead. */

type LeadType = (typeof leadTypes)[number]

const leadTypeWords: Record<LeadType, readonly string[]> = {
  Call: [
    'call',
    'phone',
    'phone call',
    'phone lead',
    'telephone',
    'inbound call',
    'inbound',
    'incoming call',
    'incoming',
    'voice',
    ...['missed call', 'answered call', 'voicemail'],
  ],
  Form: [
    'form',
    'web form',
    'webform',
    'website form',
    'contact form',
    'online form',
    'lead form',
    'form submission',
    'form lead',
    'web lead',
    'web',
    'website',
  ],
}

const normalizeWord = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** Reads `Phone Call` as Call and `Web Form` as Form; returns other words unchanged, to be refused. */
export function parseLeadType(value: unknown): unknown {
  const word = normalizeWord(String(value))
  const types = Object.keys(leadTypeWords) as LeadType[] // the keys of the record above
  return types.find((type) => leadTypeWords[type].some((one) => one === word || `${one}s` === word)) ?? value
}

/** Reads what programs write for yes and no; null for other values. */
export function readYesNo(value: unknown): boolean | null {
  const text = String(value).trim()
  if (/^(?:true|1|yes|y)$/i.test(text)) return true
  return /^(?:false|0|no|n)$/i.test(text) ? false : null
}

const answeredWords = ['answered', 'answer', 'answered call', 'completed', 'connected', 'accepted', 'call connected']
const unansweredWords = [
  ...missedCallTags.map(normalizeWord),
  'missed',
  'unanswered',
  'not answered',
  'no answer',
  'abandoned',
  'abandoned call',
  'busy',
  'failed',
  'canceled',
  'cancelled',
  'voicemail',
  ...['noanswer', 'cancel', 'congestion', 'chanunavail'], // Asterisk's
  ...['left voicemail', 'voicemail left', 'not connected', 'rejected', 'declined'],
]

/** Reads whether a call was answered, in the words of call trackers; returns other words unchanged. */
export function parseAnswered(value: unknown): unknown {
  const word = normalizeWord(String(value))
  if (answeredWords.includes(word)) return true
  return unansweredWords.includes(word) ? false : value
}

/** Returns whether a word for how a call went says that its caller left a message: `Voicemail`, `left voice mail`. */
export function isVoicemail(text: string): boolean {
  const word = normalizeWord(text)
  return /voice ?mail/.test(word) && !noVoicemail.test(word)
}
/** `No agent available - voicemail` denies another thing. */
const noVoicemail =
  /\b(?:no|without|before|(?:not|never|didn['’]?t)(?: leave| left)?|abandoned (?:before|in))(?: (?:an?|the|any|new|leaving|reaching))* voice ?mail|voice ?mail\W*(?:(?:was )?not left|no message|abandoned)/

/** Returns whether a word is a kind of call, such as `Voicemail`, `Outbound` or `First Call`. */
export const isCallKind = (value: string): boolean =>
  parseLeadType(value) === 'Call' ||
  typeof parseAnswered(value) === 'boolean' ||
  isOutbound(value) ||
  /\bcalls?$/.test(normalizeWord(value))

const sentKinds = '(?:calls?|phone calls?|sms|texts?|messages?|api|dial|reply)'
/** `outboundPhoneCall` and `msg_outbound` are words too. */
const toDirection = (value: string) => normalizeWord(value.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).replace(/^msg /, '')

/** Returns whether a word says that a call or text was made, not received: `Outbound`, `outgoing call`, `outbound-api`. */
export const isOutbound = (value: string): boolean =>
  new RegExp(`^(?:outbound|outgoing|out)(?: ${sentKinds})?$`).test(toDirection(value))

/** Returns whether a word says that a call or text was received: `Inbound`, `incoming call`. */
export const isInbound = (value: string): boolean =>
  new RegExp(`^(?:inbound|incoming|in)(?: ${sentKinds})?$`).test(toDirection(value))

const countOf = (unit: string) => String.raw`(?:(\d+(?:\.\d+)?) ?${unit}\.?,?(?: and)? ?)?`
/** `ms` are a thousandth of a second, and `mon` is a month: both begin like a minute. */
const spokenDuration = new RegExp(
  `^(?:pt)?${countOf('h\\p{L}*')}${countOf('m(?!s|il|on)\\p{L}*')}${countOf('s\\p{L}*')}${countOf('(?:ms|msecs?|milli\\p{L}+)')}$`,
  'u',
)

/**
 * Reads seconds: `83`, `1:23`, `1:23 min`, `00:01:23`, `1m 23s`, `1'23"`, `1m23s`, `83 seconds`, `PT1M23S`, `83000 ms`; returns other text unchanged, to be
 * refused.
 */
export function parseSeconds(value: unknown): unknown {
  const text = String(value).trim().toLowerCase()
  const clock =
    /^(?:(\d+):)?(\d+):(\d\d)(?:\.\d+)?$/.exec(text) ??
    /^()(\d+)(?::(\d\d) ?m(?:in(?:ute)?s?)?\.?|['’′] ?(\d\d?)["”″])$/.exec(text)
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? clock[4])
  const [, ...spoken] = spokenDuration.exec(text) ?? []
  if (spoken.every((count) => count === undefined)) return value
  const [hours, minutes, seconds, thousandths] = spoken.map((count) => Number(count ?? 0)) as [
    number,
    number,
    number,
    number,
  ] // its four groups
  return Math.round(hours * 3600 + minutes * 60 + seconds + thousandths / 1000)
}
