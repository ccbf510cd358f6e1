import { isObject } from '#contract/is-object.ts'
import { isTimeZone } from '#contract/zoned-time.ts'

/** What providers add about themselves to what a visitor wrote: ids, times, and the envelope of the event. */

const toLetters = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const toWords = (key: string) =>
  key
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Parts of an event that hold nothing that the visitor wrote. */
const envelopeParts =
  /^(?:definition|calculated|calculations|variables|hidden|ending|outcome|thankyouscreen|schema|fieldstructure|formstructure|headers|urlparameters|versions|utm|identityprofiles)$/

const envelopeKeys =
  /^(?:key|token|nonce|hash|secret|signature|requesttoken|googlekey|apikey|ip|ipaddress|remoteip|clientip|useripaddress|useragent|browser|locale|timezone|timezoneoffset|event|eventname|eventtype|triggertype|triggername|objecttype|apiversion|isdraft|isorganic|istest|testlead|leadtype|sponsoredaccount|spam|unread|readonly|slug|pretty|customparams|webhookurl|customtitle|custombody|fromtable|issilent|jsexecutiontracker|submitsource|submitdate|builddate|uploadserverurl|eventobserver|timetosubmit|validatednewrequiredfieldids|poweredby|sitename|siteurl|sitedomain|formname|formtitle|formurl|formkey|formelement|itemkey|entrykey|pagename|pagetitle|pageurl|sourceurl|landingurl|landingpage|landingpageurl|referr?er|referringurl|referrerurl|adname|adsetname|adgroupname|campaignname|creativename|accountname|profilename|resultsurl|editurl|adminurl|entryurl|viewurl|submissionurl|responseurl|sequencenumber|status|grecaptcharesponse|hcaptcharesponse|cfturnstileresponse|handshakekey|accesskey|oid|returl|topicarn|subscription|seqnum|archived|livemode|eventkey|initiatedby|botcheck|hfformname|directlink|unixtime|numsegments|nummedia|triggerevent|variant|triggerdata|dataxml|utf8|authenticitytoken|csrf\w*|commit|submit|createdate|lastmodifieddate|isstarred|isread|isfulfilled|currency|payment\w*|transaction\w*|updatedby|createdby|submittedby|vid|canonicalvid|iscontact|signatureversion|signingcerturl|(?:un)?subscribeurl|executionmode)$/

/** Names of a provider's own that forms ask for as well. */
const askedNames =
  /^(?:event|site|test|status|timezone|(?:event|site|account)name|(?:event|lead|transaction)type|payment(?:method|type|option)?s?)$/

/** Returns whether a name is a question although a provider has such a name: in several words, or where only answers are. */
export const isAskedName = (key: string, areAnswers = false): boolean =>
  (areAnswers || /\s/.test(key.trim())) && askedNames.test(toLetters(key))

/** More of theirs that are a question where the value is plainly a visitor's: in several words, and only among answers. */
const askable = /^(?:eventname|(?:event|lead|transaction)type|payment(?:method|type|option|plan)s?)$/
const askableAmongAnswers = /^(?:subscription|signature|variant|referrer|submittedby|poweredby)$/

/** Returns whether a provider's name has an answer: `event-type: Wedding`, `Date Started: Last week`, `Test: Radon test`. */
export function isAnswered(key: string, value: unknown, areAnswers = false): boolean {
  if (typeof value !== 'string' || !isVisitorsWord(value)) return false
  const name = toLetters(key)
  if (name === 'test') return /\S\s+\S/.test(value)
  if (isTimeKey(key)) return (areAnswers || /\s/.test(key.trim())) && !/\d/.test(value)
  return areAnswers
    ? askable.test(name) || askableAmongAnswers.test(name)
    : /[\s-]/.test(key.trim()) && askable.test(name)
}

/** A visitor chooses or writes words; programs write their own in small letters or capitals only, without spaces. */
const isVisitorsWord = (text: string) =>
  /^\s*\p{L}[^@_:=<>{}|\\]*$/u.test(text) &&
  /\S\s+\S|^\s*\p{Lu}\p{Ll}+\s*$/u.test(text) &&
  !/\d{4}|\d[./-]\d/.test(text) &&
  !isProgramsWord(text) &&
  !toWords(text).every((word) => programVocabulary.test(word))
const programVocabulary =
  /^(?:anonymous|complete|control|default|elementor|false|forms?|gravity|guest|jotform|new|none|original|pending|standard|true|typeform|user|web|wix|wordpress|wpforms)$/

/** Returns whether a text is what a program says of an event or of itself, rather than an answer: `entry-created`, `America/Chicago`. */
export const isProgramsWord = (text: string): boolean =>
  programWords.test(toWords(text).join(' ')) || programNames.test(text.trim()) || (/\//.test(text) && isTimeZone(text))
const programWords =
  /^(?:\d+|(?:in)?active|utc|(?:(?:frm|after|on|new|(?:create|update|delete|save|submit)d?|web|contact|lead|form|entry|submission) )*(?:(?<= )(?:form|entry)|new|submission|draft|import|send|sent|completed?|manual|webhook|(?:create|update|delete|destroy|save)d?|(?:trash|add|edit|insert)(?:ed)?|submit(?:ted)?))$/
const programNames =
  /^(?:GET|POST|PUT|PATCH|DELETE|[A-Z]+(?:_[A-Z]+)+|(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/?#]\S*)?)$/

/** Returns whether a part of an event describes its form, so that no field of a lead is ever taken from it. */
export const isFormDescription = (key: string): boolean =>
  /^(?:definition|schema|headers|messageheaders|versions|fieldstructure|formstructure)$/.test(toLetters(key))

/** Names that are the provider's where a list of answers stands beside them, and may be a question elsewhere. */
const namesBesideAnswers =
  /^(?:name|title|description|label|number|code|type|language|lang|device|platform|url|subject|product|method|version|object|time|path|parent|site|page|action|trigger|test|preview|partial|draft|form|username|score|profile|account|workspace|entry|links|settings|tracking|quiz|scheduling|payments|meta)$/

const timeWords =
  /^(?:created|updated|submitted|modified|submission|landed|received|completed|started|edited|published|processed|sent|entry)$/
const providerWords =
  /^(?:form|entry|submission|event|response|lead|user|page|post|site|account|webhook|item|record|request|session|respondent|campaign|ad|adset|company|resource)$/

/** Zapier flattens a body with two underscores: `data__utm_source`. */
export const dropWrappers = (key: string): string =>
  key.replace(
    /^(?:(?:data|payload|body|lead|contact|submission|fields?|answers?|form_response|form_data|values|properties)__)+/i,
    '',
  )

/** Returns whether a name is one of the traces that a visit leaves in a form's hidden fields. */
export const isTraceName = (key: string): boolean =>
  /^(?:utm\w*|gclid|gclsrc|gbraid|wbraid|msclkid|fbclid|ttclid|dclid|fbp|fbc)$/.test(toLetters(dropWrappers(key)))

/** Returns whether a name in a body is one of the provider's. A question that a visitor reads, such as `Tax ID?`, is not. */
export function isEnvelopeKey(written: string): boolean {
  const key = dropWrappers(written)
  // Formspree's field for the visitor's email is _replyto, others' email_id; a caller's id, and WhatsApp's, is their number.
  if (/^(?:replyto|callerid|emailid|waid)$/.test(toLetters(key))) return false
  if (/^[_$]/.test(key) || isTraceName(key)) return true
  if (envelopeKeys.test(toLetters(key))) return !isAskedName(key)
  const words = toWords(key)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (/^(?:ids?|uuid|guid|sid|urn)$/.test(last)) return !/\s|\?/.test(key.trim()) || providerWords.test(first)
  if (/\?/.test(key) || words.length > 5) return false
  if (/^(?:timestamp|epoch)$/.test(last)) return true
  return words.length === 1 ? /^(?:created|updated|submitted|modified)$/.test(last) : isTimeKey(key)
}

/** `Date Started`, `submission_time` */
function isTimeKey(key: string): boolean {
  const words = toWords(key)
  const isTime = /^(?:at|on|date|time|datetime|gmt|utc)$/
  return words.some((word) => timeWords.test(word)) && words.some((word) => isTime.test(word))
}

const answerContainers =
  /^(?:data|fields|answers|fielddata|formdata|formfields|usercolumndata|rawrequest|questions|responses|values)$/

/** Returns the names in an object whose values a visitor may have written. */
export function listWrittenKeys(body: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(body)
  const isPerson = keys.some((key) => isContact(key, body[key]))
  // JotForm numbers its questions, and writes its own words beside them.
  if (keys.some((key) => /^q\d+_\w/.test(key))) return keys.filter((key) => /^q\d+_\w/.test(key))
  const hasAnswers = !isPerson && keys.some((key) => isAnswers(key, body[key]))
  const isRequest = keys.some((key) => isOfRequest(key, body[key]))
  const beside = findBeside(body)
  const ofNotice = notices.filter(({ beside, areObjects }) =>
    beside.every((key) => keys.includes(key) && (!areObjects || isObject(body[key]))),
  )
  return keys.filter((key) => {
    const value = body[key]
    if (ofNotice.some(({ own }) => own.test(key))) return false
    const isProviders = namesBesideAnswers.test(toLetters(key)) && !(isRequest && isRequestWord(key, value))
    if (hasAnswers && isProviders && !isAnswers(key, value)) return false
    const isText = typeof value !== 'object' || value === null || isValue(value)
    // Unbounce puts each text into a list of one.
    const isProgramsKey = isEnvelopeKey(key)
      ? !isAnswered(key, value)
      : isFormDescription(key) || isEventName(key, value)
    if ((isText || isTextList(value)) && isProgramsKey) return false
    return isText || (!/^[_$]/.test(key) && !envelopeParts.test(toLetters(key)) && !isAboutForm(key, value, beside))
  })
}

/** What a notice says of itself, and a form may ask: of HubSpot, Jobber, Yelp, SurveyMonkey, Acuity, Thumbtack and tawk.to; and the robot of Vapi's calls. */
const notices = [
  {
    beside: ['subscriptionType', 'objectId'],
    own: /^(?:subscriptionType|changeSource|changeFlag|occurredAt|attemptNumber|property(?:Name|Value))$/,
  },
  { beside: ['topic', 'itemId', 'occurredAt'], own: /^(?:topic|occurredAt)$/ },
  { beside: ['event_type', 'interaction_time'], own: /^(?:interaction_time|user_type)$/ },
  { beside: ['event_type', 'object_type', 'filter_type'], own: /^(?:name|filter_type|event_datetime)$/ },
  { beside: ['action', 'appointmentTypeID'], own: /^action$/ },
  { beside: ['messageID', 'negotiationID'], own: /^from$/ },
  { beside: ['event', 'chatId', 'property'], own: /^(?:time|property)$/ },
  { beside: ['event', 'chat', 'property'], own: /^(?:time|property)$/ },
  { beside: ['assistant', 'call'], areObjects: true, own: /^assistant$/ },
  { beside: ['assistant', 'artifact'], areObjects: true, own: /^assistant$/ },
]

/** Of a mobile, a form may only say whether it was filled in on one. */
const isContact = (key: string, value: unknown) =>
  /e-?mail|phone|^contacts$/i.test(key) ||
  (/^(?:mobile|tel|cell)(?:no|number)?$/.test(toLetters(key)) && /(?:\d\D*){7}/.test(JSON.stringify(value)))

/** A customer's request has its own words beside a list of answers; with a form stand the form's, and the agency's client by name. */
const isOfRequest = (key: string, value: unknown) =>
  /^(?:details|customfields)$/.test(toLetters(key)) ||
  (/^(?:contact|(?:primary)?customer|requester|consumer|client|caller)$/.test(toLetters(key)) &&
    Object.entries(Object(value)).some(
      ([name, inner]) =>
        isContact(name, inner) || (toLetters(key) === 'client' ? /^first/i : /name|^first$/i).test(name),
    ))
const isRequestWord = (key: string, value: unknown) =>
  /^(?:title|subject|description|preview)$/.test(toLetters(key)) && typeof value === 'string'

/** HubSpot puts each text into an object: `{ value, versions }`. Answers have the title or type of their field beside it. */
const isValue = (value: object) =>
  'value' in value &&
  (typeof value.value !== 'object' || value.value === null) &&
  Object.keys(value).every((key) => /^(?:value|versions|timestamp|source\w*|selected\w*)$/i.test(key))

const isTextList = (value: object) =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)

/** `type: contact.created` names the event, and so does `Event Name: form.submit`. */
const isEventName = (key: string, value: unknown) =>
  (/^(?:type|action|topic)$/.test(toLetters(key)) && /^\w+(?:[.:]\w+)+$/.test(String(value))) ||
  (isAskedName(key) && isProgramsWord(String(value)))

const isAnswers = (key: string, value: unknown) =>
  (answerContainers.test(toLetters(key)) && isFilled(value)) ||
  isAnswerList(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(isAnswerList))

const isAnswerList = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null && ('value' in item || 'answer' in item))

const isFilled = (value: unknown) =>
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0) ||
  (typeof value === 'string' && /^\s*[[{]/.test(value))

/** What stands of the visitor beside such an object, which is another's then. */
type Beside = { hasContact: boolean; hasName: boolean }

function findBeside(body: Readonly<Record<string, unknown>>): Beside {
  const fields = Object.entries(body)
    .filter(([key]) => !ofForm.test(toLetters(key)))
    .flatMap(([key, value]) => [[key, value] as const, ...(isObject(value) ? Object.entries(value) : [])])
    .filter(([, value]) =>
      typeof value === 'object' ? Object.values(value ?? {}).some(isFilledText) : isFilledText(value),
    )
  const hasContact = fields.some(([key, value]) => isContact(key, value))
  // A name alone may be the form's.
  const isName = (key: string) =>
    personName.test(toLetters(key)) || (hasContact && anyName.test(toLetters(key)) && !isEnvelopeKey(key))
  return { hasContact, hasName: fields.some(([key]) => isName(key)) }
}
const personName =
  /^(?:(?:f|l|first|last|full|given|family|sur|your|contact|customer|caller|lead)name|name(?:first|last))$/
const anyName = /^(?!.*(?:company|business|organi[sz]ation|brand|store|shop|team)).*(?:names?\d*|person)$/
const isFilledText = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')

const ofForm = /^(?:form|entry|page|site|account|profile|device)$/

/** Returns whether an object, such as `Form: { Id, Name }`, describes the form or the entry: it has an id, and no one's contact or words. */
const isAboutForm = (key: string, value: object, beside: Beside) =>
  ofForm.test(toLetters(key)) &&
  Object.keys(value).some(isEnvelopeKey) &&
  !Object.entries(value).some(([name, inner]) => isAnswers(name, inner)) &&
  !isOfVisitor(toLetters(key), JSON.stringify(value), beside)

/** A site, an account and a profile have the agency's name and phone, a form the message that it answers with. */
const isOfVisitor = (key: string, text: string, { hasContact, hasName }: Beside) =>
  text.includes('@') ||
  (/^(?:entry|profile)$/.test(key) && !hasName && /"(?:first|last|full)[_ ]?name":"[^"]/i.test(text)) ||
  (key === 'entry' && !hasContact && contactOrWords.test(text))
const contactOrWords = /"(?:(?:tele|cell|mobile)?[_ ]?phone(?:[_ ]?number)?|mobile|message|comments?)":(?:"[^"]|\d)/i
