import { hasCountry, isWordNumber, readPhone } from '#contract/read-phone.ts'
import { isAmerican, isCountryOf } from '#domains/leads/model/phone-key.ts'
import { parseAnswered, parseSeconds, readYesNo } from '#domains/leads/model/provider-words.ts'
import { isTelephoneEvent, isTextEvent } from '../../intake/server/outbound-call.ts'
import {
  anyEmailPattern,
  countryNames,
  dialCodeNames,
  formalNames,
  hasWord,
  isDialCode,
  isPhone,
  isSurelyEmail,
  isSurelyPhone,
  otherNames,
  otherNumbers,
  otherWords,
  personNames,
  personWords,
  toBareName,
  toName,
  toPlainWords,
  toWords,
} from '../../intake/server/person-fields.ts'
import { listSampleFields, type SampleField } from '../body-paths.ts'
import type { FieldMapping } from '../contract.ts'
import type { MappedField } from '../labels.ts'

type ValueTest = RegExp | ((text: string) => boolean)
/** How a field of a lead is recognized: by what providers call it, by the type or the words of the question, and by its value. */
type Hints = {
  names: readonly string[]
  type?: RegExp
  words?: RegExp
  accepts?: ValueTest
  ofProvider?: boolean
  isAt?: (path: string, phone: string, isTelephone: boolean) => boolean
  /** What else the sample must have, where the name alone does not tell. */
  beside?: RegExp
}

/** What only calls have. */
const ofCall =
  /(?:^|\.)(?:call_?(?:id|sid|uuid|status|type|duration|length|direction|answered)|call_?(?:start|end|transcript)\w*|direction|caller(?:_?(?:number|phone|id|name))?|callee|called_?number|call(?:er)?\.\w+)$/i

/** A call may have a voicemail, whose length is another; an event of a voicemail has the caller in it. */
const ofVoicemail = /(?:^|\.)voice_?mail\./i

const fieldHints: [MappedField, Hints][] = [
  ['lead_email', { names: personNames.email, type: /e-?mail/i, words: personWords.email, accepts: anyEmailPattern }],
  [
    'lead_email',
    { names: ['from', 'sender'], accepts: anyEmailPattern, beside: /(?:^|\.)(?:subject|envelope)(?:\.|$)/i },
  ],
  [
    'lead_phone',
    {
      names: [
        ...personNames.phone,
        ...'callernumber callerdidnumber callerphone callerid callingnumber fromnumber'.split(' '),
        ...'rawdigits externalnumber senderidentifier from caller msisdn waid remotejid senderpn'.split(' '),
      ],
      type: /phone|\btel\b/i,
      words: personWords.phone,
      accepts: isPhone,
    },
  ],
  ['lead_phone', { names: ['external'], accepts: isPhone, isAt: (path) => path.endsWith('participants.external') }],
  ['lead_phone', { names: ['src'], accepts: isPhone, beside: /^dst$/ }],
  [
    'lead_phone',
    { names: ['number'], accepts: isPhone, isAt: (path) => /^number$/i.test(path), beside: /^call_?type$/i },
  ],
  [
    'lead_name',
    {
      names: [...personNames.name, 'nickname'],
      type: /full_?name|^name\b/i,
      words: personWords.name,
      accepts: /\p{L}/u,
    },
  ],
  [
    'message',
    {
      names: [...personNames.message, 'textbody', 'bodyplain', 'text', 'plain', 'content'],
      type: /long_?text|text_?area|paragraph/i,
      words: personWords.message,
    },
  ],
  [
    'lead_location',
    {
      names: [...personNames.location, 'address', 'fulladdress', 'city', 'zip', 'zipcode', 'postalcode'],
      type: /^address/i,
      words: /(?<!\b(?:e ?mail|web|(?:web ?)?site|internet|page|url|ip|mac) )\baddress\b/i,
      accepts: isPlace,
    },
  ],
  // Beside its own id, an event has that of what it tells of, which comes again with the next event of it.
  ['lead_id', { ofProvider: true, names: ['id'], isAt: (path) => path === 'data.object.id' }],
  [
    'lead_id',
    {
      ofProvider: true,
      names: ['callid', 'id'],
      isAt: (path) => path.startsWith('data.resource.'),
      beside: /^data\.context\.(?:participants|sender)/,
    },
  ],
  [
    'lead_id',
    {
      ofProvider: true,
      names: [
        ...'leadid leadoid negotiationid leadgenid submissionid responseid entryid itemid callsid'.split(' '),
        ...'telephonysessionid callsessionid completecallid inboundcallid callid calluuid messagesid'.split(' '),
        ...'submissionuuid uniqueid'.split(' '),
      ],
      isAt: isLeadsOwn,
    },
  ],
  // RingCentral's message, in a notification with an id of its own.
  ['lead_id', { ofProvider: true, names: ['id'], isAt: (path) => path === 'body.id', beside: /^body\.direction$/ }],
  ['lead_id', { ofProvider: true, names: ['token', 'uuid', 'eventid', 'id'], isAt: isLeadsOwn }],
  // The event of a call is of its end, and what it tells of has the start.
  [
    'lead_date',
    {
      ofProvider: true,
      names: ['createdat'],
      isAt: (path) => /^data\.(?:object|resource)\.createdAt$/.test(path),
      beside: ofCall,
    },
  ],
  [
    'lead_date',
    {
      ofProvider: true,
      names: [
        ...'submittedat leadsubmittime submissiontime submissiondate createdat createdtime datecreated'.split(' '),
        ...'timestamp created submittedon calledat callstart callstarttime callstartedat calltime'.split(' '),
        ...'calldatetime calldt starttimeutc creationdatetime creationdate addedtime dateadded startedat'.split(' '),
        ...'unixtime starttimeunixsecs'.split(' '),
      ],
      accepts: /^(?!\s*\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?\s*$)/i, // a time without its day
    },
  ],
  // An appointment has a start too. Telephone systems write other clocks than the agency's without a zone.
  [
    'lead_date',
    {
      ofProvider: true,
      names: ['starttime', 'startdatetime', 'datestarted', 'starttimestamp', 'ringingstarttime', 'calldate'],
      accepts: /\d[\d:.]*\s*(?:Z|[+-]\d\d:?\d\d)$|^\d{10}(?:\d{3})?$/,
      beside: ofCall,
    },
  ],
  ['source', { names: ['source', 'leadsource', 'trafficsource'] }],
  [
    'last_url',
    {
      ofProvider: true,
      names: ['pageurl', 'formurl', 'sourceurl', 'landingpage', 'landingpageurl', 'landingurl', 'location'],
      accepts: /^\s*https?:/i,
    },
  ],
  ['referrer', { ofProvider: true, names: ['referrer', 'referer', 'referringurl', 'referrerurl'] }],
  ['gclid', { ofProvider: true, names: ['gclid', 'gclidfield'] }],
  ['gbraid', { ofProvider: true, names: ['gbraid'] }],
  ['wbraid', { ofProvider: true, names: ['wbraid'] }],
  ['msclkid', { ofProvider: true, names: ['msclkid'] }],
  ['fbclid', { ofProvider: true, names: ['fbclid'] }],
  ['keywords', { ofProvider: true, names: ['keywords', 'keyword', 'utmterm'] }],
  [
    'duration',
    {
      names: [
        ...'callduration calldurationseconds calldurationsecs calldurationinseconds'.split(' '),
        ...'calllengthinseconds calllengthseconds'.split(' '),
      ],
      accepts: isSurelySeconds,
    },
  ],
  [
    'duration',
    {
      names: ['durationms', 'durationmilliseconds', 'durationmillis', 'calldurationms', 'calldurationmillis'],
      accepts: /^\s*\d+(?:\.\d+)?\s*$/,
    },
  ],
  ['duration', { names: ['calllength'], accepts: (text) => isSurelySeconds(text) && !/^\s*\d+\.\d/.test(text) }], // Bland’s are minutes
  // An appointment has a duration too, in minutes.
  [
    'duration',
    {
      names: ['duration', 'durationseconds', 'durationinseconds', 'totalduration', 'billsec'],
      accepts: isSurelySeconds,
      isAt: (path, phone, isTelephone) => !isTelephone || !ofVoicemail.test(path) || ofVoicemail.test(phone),
      beside: new RegExp(
        `${ofCall.source}|(?:^|\\.)(?:(?:call_?)?recordings?(?:_?(?:url|link|s?id|duration))?|voicemail(?:_?url)?|answered|transcription|billsec)$`,
        'i',
      ),
    },
  ],
  [
    'answered',
    { names: ['dialcallstatus', 'callstatus', 'dialstatus', 'answered', 'answerstatus'], accepts: isSurelyAnswered },
  ],
  [
    'answered',
    {
      ofProvider: true,
      names: ['status', 'state', 'result'],
      accepts: (text) => typeof parseAnswered(text) === 'boolean' && !/^\s*completed/i.test(text), // which may be an event's
      beside: /(?:^|\.)(?:call_?(?:id|sid|type|duration)|direction)$/i,
    },
  ],
  ['answered', { names: ['type'], accepts: isSurelyAnswered, isAt: (path) => /(?:^|\.)call_?info\.type$/i.test(path) }],
  [
    'recording',
    {
      names: 'recordingurl recording callrecording callrecordingurl recordinglink audio audiourl'.split(' '),
      accepts: /^\s*https?:/i,
    },
  ],
  [
    'recording',
    {
      names: ['voicemail', 'voicemailurl', 'voicemaillink', 'url'],
      accepts: /^\s*https?:/i,
      isAt: isCallsVoicemail,
    },
  ],
  ['tracking_phone_number', { names: ['trackingnumber', 'trackingphonenumber'] }],
]

/** The person whose phone it is may have a greeting in the event, which is no voicemail. */
function isCallsVoicemail(path: string): boolean {
  const [, start] = /^((?:\w+\.)*)voice_?mail(?:[._]?(?:url|link))?$/i.exec(path) ?? []
  return start?.split('.').every((step) => step === '' || eventParts.test(step)) ?? false
}

/** Some call the page a location, Cal.com the program in which they meet. */
function isPlace(text: string): boolean {
  return !/^\s*(?:(?:https?|integrations):|(?:yes|no|true|false|on|off)\s*$)/i.test(text) && !isSurelyEmail(text)
}

/** A number as large as hours, such as Dialpad's 95000.5, may be thousandths of a second. */
function isSurelySeconds(text: string): boolean {
  const seconds = parseSeconds(text)
  return typeof seconds === 'number' || Number(seconds) < 10_000
}

/** `ended` only tells that the call is over, not whether it was answered. */
function isSurelyAnswered(text: string): boolean {
  return typeof parseAnswered(text) === 'boolean' || readYesNo(text) !== null
}

/** Returns the mapping by keys that a sample suggests, as far as its names, questions and values are surely understood. */
export function suggestMapping(sample: unknown): FieldMapping {
  const free = new Set(listSampleFields(sample))
  const isTelephone = isTelephoneEvent(sample)
  const isText = isTextEvent(sample)
  const isOther = findOthers([...free], isTelephone)
  const own = [...free].flatMap((one) => (!isOther(one) && isOwnNameOrPhone(one) ? [one.value] : []))
  const hasCustomersPhone = [...free].some(isCustomersPhone)
  const mapping: FieldMapping = {}
  const contactAts: Position[] = []
  const take = (field: MappedField, ...found: SampleField[]) => {
    mapping[field] = { from: found.map(({ path }) => path).join(' + ') }
    for (const one of found) free.delete(one)
  }
  const paths = [...free].map(({ path }) => path)
  const ofEvent = isTelephone && !isText ? ['direction'] : [] // what an event of a call has, also where only its name says that it is one
  const isAddressed = [...free].some(({ path, value }) => recipient.test(path) && value.includes('@'))
  // Headers and an envelope are no fields; a relay passes its own headers on.
  const top = Object.keys(Object(sample))
  const isMail = top.includes('headers') && top.includes('subject')
  const isNotice = isAddressed || isMail || [...paths, ...top].some((path) => ofNotice.test(path))
  for (const [field, hints] of fieldHints) {
    const { beside } = hints
    const phone = mapping.lead_phone && 'from' in mapping.lead_phone ? mapping.lead_phone.from : ''
    if (isText && field === 'answered' && beside) continue // the status of a text
    if (mapping[field] || (beside && ![...paths, ...ofEvent].some((path) => beside.test(path)))) continue
    const isPerson = personFields.has(field)
    const candidates = [...free].filter(
      (one) =>
        (one.isWritten || hints.ofProvider) &&
        !(isPerson && isOther(one)) &&
        !(field === 'lead_date' && isPersonsDate(one.path, paths)) &&
        !(field === 'lead_phone' && hasCustomersPhone && !customers.test(one.path) && !isCustomersPhone(one)) &&
        (hints.isAt?.(one.path, phone, isTelephone) ?? true),
    )
    const tiers = field === 'lead_email' && own.length > 0 ? putSendersLast(candidates, own, isNotice) : [candidates]
    const pools =
      field === 'lead_name' || field === 'lead_email'
        ? tiers.flatMap((tier) => groupByPerson(tier, contactAts))
        : [candidates]
    const parts = pools.map((pool) => findWithParts(field, hints, pool)).find(({ length }) => length > 0) ?? []
    if (parts.length > 0) take(field, ...parts)
    if (field === 'lead_phone' || field === 'lead_email') contactAts.push(...parts.map(({ at }) => at))
  }
  return mapping
}

function findWithParts(field: MappedField, hints: Hints, fields: readonly SampleField[]): readonly SampleField[] {
  const found = findField(fields, hints)
  return found ? (completeField[field]?.(found, fields) ?? [found]) : (findParts[field]?.(fields) ?? [])
}

/**
 * Returns what is the customer's, and behind that everything: of two fields with one name, the one that stands nearer to the phone and
 * the email that were found, then the one that is nested less deep. A project, a form and a file have names too.
 */
function groupByPerson(fields: readonly SampleField[], contactAts: readonly Position[]): SampleField[][] {
  const countShared = ({ at }: SampleField) =>
    Math.max(
      0,
      ...contactAts
        .filter(({ length }) => at.length <= length)
        .map((other) => [...other, ''].findIndex((step, index) => step !== at[index])),
    )
  const sorted = fields.toSorted(
    (one, other) => countShared(other) - countShared(one) || one.at.length - other.at.length,
  )
  const ofPeople = sorted.filter(({ path }) => people.test(path))
  return [ofPeople, sorted.filter(({ path }) => customers.test(path)), sorted]
}
type Position = SampleField['at']

/** An email of a visitor has only its sender; a form, and a notice of one, have the visitor's name or phone in fields of their own. */
const senders = /(?:^|\.)(?:from|sender)(?:_?(?:e?mail|address))?(?:\.|$)/i
const isOwnNameOrPhone = ({ path, names, value, isWritten }: SampleField) => {
  const { name, first, phone } = personNames
  const isNamed = (known: readonly string[]) =>
    names.some((one) => known.includes(toName(one)) || known.includes(toBareName(one)))
  return (
    isWritten &&
    !/(?:^|\.)(?:from|sender|reply_?to|b?cc)/i.test(path) &&
    (isNamed([...name, ...first]) || (isNamed(phone) && isPhone(value)))
  )
}

/** Returns the fields with those of a sender behind the others, and without the sender of a notice, which is a service or a website. */
function putSendersLast(fields: readonly SampleField[], own: readonly string[], isNotice: boolean) {
  const names = own.filter((one) => /\p{L}/u.test(one))
  const isOfNotice = ({ value }: SampleField) =>
    serviceAddress.test(value) || (value.includes('<') && names.length > 0 && !names.some((one) => hasWord(value, one)))
  const { true: ofSender = [], false: others = [] } = Object.groupBy(fields, ({ path }) => String(senders.test(path)))
  return [others, isNotice ? [] : ofSender.filter((one) => !isOfNotice(one))]
}
const recipient = /(?:^|\.)to(?:\.|\[|$)/i // a mover's has no address
/** What a mail has beside its subject, which a form may ask for. */
const ofNotice = /(?:^|\.)(?:cc|recipients?|delivered-?to|envelope|message-?headers|message[-_]?id)(?:\.|\[|$)/i
const serviceAddress =
  /(?:^|[\s<"._+-])(?:new)?(?:leads?|forms?|web(?:site|form|master)?|wordpress|notif\w*|alerts?|mailer|system|no-?reply)(?![a-z])[\w.+-]{0,64}@/i

/** When a person was first known, who may be back with another request; in GoHighLevel's events beside the request itself. */
const isPersonsDate = (path: string, paths: readonly string[]) =>
  /(?:^|\.)(?:customer|contact|client|person|user)\./i.test(path) ||
  (path === 'date_created' && paths.includes('contact_id'))

const personFields: ReadonlySet<MappedField> = new Set([
  'lead_name',
  'lead_email',
  'lead_phone',
  'lead_location',
  'lead_id',
])

/** What an event is about. The `id` of another thing in it, such as its form, its page or the visitor, is the same in many leads. */
const eventParts =
  /^(?:data|payload|body|record|object|current|attributes|_*(?:lead|entry|submission|response|form_?response|event|message|call|ticket|booking|order|item))$/i
/** Returns whether an id at a path is of this lead alone. A `token` is what the sender shows to be let in, but for Typeform. */
function isLeadsOwn(path: string): boolean {
  const steps = path.split('.')
  const name = steps.pop()!.toLowerCase()
  if (name === 'token') return /^form_?response$/i.test(steps.at(-1) ?? '')
  return !/^(?:id|uuid)$/.test(name) || steps.every((step) => eventParts.test(step))
}

/** Who stands beside the visitor in an event: those who are visited, what they own, and where they meet. */
const otherParts =
  /(?:^|\.)(?:to|called|callee|target|recipient|organi[sz]er|hosts?|scheduled_?event|\w*agent|\w*rep|owner|assignee|assigned_?\w*|\w*(?:created|modified|updated|answered)_?by|\w*forwarded_?(?:by|to|from)|dispatcher|employees|business|company|account|agency|workflow|property|source(?!\.author\b)|campaign)(?:\[[^\]]*\])?\.|(?:^|\.)(?:calendar\.address|participants\.workspace|recipient_?identifiers)$/i
const otherRoles = /\[(?:type|role)=(?:agent|admin|operator|bot|organi[sz]er|host|owner|staff|employee|teammate)\]/i
/** What has a name as well; with an address of its own it is a person. */
const otherNamed =
  /(?:^|\.)(?:page|form|site|website|list|funnel|pipeline|stage|survey|product|service|category|plan|project|team|department|office|store|branch|widget|(?:in|mail)box|channel|queue|(?:phone_?)?number|(?:line_?)?items?|packages?|files?|attachments?|images?|photos?|documents?)(?:\[[^\]]*\])?\.name$/i
const customers = /(?:^|\.)(?:contact|customer|visitor|lead|caller|consumer|requester|invitee)\./i
/** A lead may be a record of work, with a name and a contact of its own. */
const people = /(?:^|\.)(?:contact|customer|visitor|caller|consumer|requester|invitee)\./i
/** A customer's number is a phone if it is written as one, not the number under which a business keeps them. */
const isCustomersPhone = ({ path, value }: SampleField) =>
  (/(?:^|\.)(?:customer|client)_?number$/i.test(path) && /^\s*\+/.test(value) && isPhone(value)) ||
  (customers.test(path) &&
    /(?:number|phone|tel|mobile|cell)$/i.test(path) &&
    readPhone(value).number?.startsWith('+') === true)
const staff = /(?:^|\.)(?:user|staff|operator|employee|technicians?|provider)(?:\[[^\]]*\])?\./i
/** Beside a visitor who is known by name they are the agency's; else they may be the visitor. */
const helpers =
  /(?:^|\.)(?:\w*agents|\w*reps|owners|assignees|dispatchers|users|operators|members|followers|staff_?members?|teams?|crews?|closers?|estimators?|receptionists?|csrs?|\w*account_?managers?|\w*(?:booked|taken|handled|entered|scheduled|sold|closed|referred)_?by)(?:\[[^\]]*\])?\./i
const visitors = /(?:^|\.)(?:contact|customer|client|lead|person|visitor|caller|consumer|requester|invitee|patient)\./i
const submitters = /(?:^|\.)submitter\./i
const ownContact = /(?:\.|full_?|first_?|last_?)name$|(?:mail|phone|mobile)\w*$/i
const clients = /(?:^|\.)client\./i
/** What is the agent's in an event of a telephone system, by what stands beside it: of CallHippo, and of Kixie. */
const agents = [
  { beside: /^adminEmail$/, own: /^(?:email|callerName)$/ },
  { beside: /^businessid$/, own: /^(?:email|fname|lname)$/ },
]

/** Returns the test for the addresses of others. A location that has a name is the agency's, as GoHighLevel sends it. */
function findOthers(fields: readonly SampleField[], isTelephone: boolean): (field: SampleField) => boolean {
  const paths = fields.map(({ path }) => path)
  const places = paths
    .filter((path) => /(?:^|\.)location\.name$/.test(path))
    .map((path) => path.slice(0, -'name'.length))
  const isPerson = (start: string) =>
    paths.some((path) => path.startsWith(start) && /mail|phone/i.test(path.slice(start.length)))
  const things = paths.filter((path) => otherNamed.test(path) && !isPerson(path.slice(0, -'name'.length)))
  const hasCustomer = paths.some((path) => customers.test(path))
  const ofVisitor = fields.filter(
    ({ path }) =>
      !helpers.test(path) &&
      !otherParts.test(path) &&
      (visitors.test(path) ||
        path.split('.').every((step, index, { length }) => index === length - 1 || eventParts.test(step))),
  )
  const startOf = (path: string) => path.slice(0, path.lastIndexOf('.') + 1)
  // A thing has a name as well, and a contact, but seldom two capitals, or a phone and an email.
  const isPersons = ({ path, value }: SampleField) => {
    if (startOf(path) === '' && /^\p{Lu}\S+\s+\p{Lu}/u.test(value)) return true
    const near = ofVisitor.filter((one) => isContact(one) && startOf(one.path) === startOf(path))
    return new Set(near.map((one) => one.value.includes('@'))).size === 2
  }
  const isVisitorsName = (one: SampleField) =>
    isName(one) && (visitors.test(one.path) || !/(?:^|\.)name$/i.test(one.path) || isPersons(one))
  const hasVisitor = ofVisitor.some(isVisitorsName) && ofVisitor.some(isContact)
  const names = ofVisitor.flatMap((one) => (isName(one) ? [one.value] : []))
  const own = fields.flatMap((one) =>
    isName(one) && helpers.test(one.path) && names.some((name) => hasWord(one.value, name)) ? [startOf(one.path)] : [],
  )
  const isHelpers = (path: string) => helpers.test(path) && !own.some((start) => path.startsWith(start))
  const hasNamedCustomer = paths.some((path) => customers.test(path) && ownContact.test(path))
  // Whose lead it is, beside a contact with a name; else the person.
  const isAgencys = paths.some((path) => people.test(path) && /name/i.test(path) && !clients.test(path))
  const split = (path: string) => [startOf(path), path.slice(startOf(path).length)] as const
  const isAgents = (path: string) => {
    const [start, name] = split(path)
    const near = paths.map(split).flatMap(([its, one]) => (its === start ? [one] : []))
    return agents.some(({ beside, own }) => own.test(name) && near.some((one) => beside.test(one)))
  }
  const keys = new Set(fields.flatMap(({ path, value }) => (/(?:^|\.)key$/.test(path) ? [value] : [])))
  return ({ path, label, value }) =>
    keys.has(`user:${value}`) || // ManyChat's contact, who comes again with the next request
    otherParts.test(path) ||
    otherRoles.test(path) ||
    otherWords.test(toWords(label)) ||
    ((hasCustomer || isTelephone) && staff.test(path)) ||
    ((hasVisitor || isTelephone) && isHelpers(path)) ||
    ((hasNamedCustomer || isTelephone) && submitters.test(path)) ||
    (isAgencys && clients.test(path)) ||
    (isTelephone && isAgents(path)) ||
    things.includes(path) ||
    places.some((place) => path.startsWith(place))
}

const nameParts = (['first', 'last'] as const).map(
  (part): Hints => ({ names: personNames[part], words: personWords[part], accepts: /\p{L}/u }),
)

const contactNames: ReadonlySet<string> = new Set([...personNames.email, ...personNames.phone])
const isContact = ({ path, names, value }: SampleField) =>
  names.some((one) => contactNames.has(toName(one))) || (/(?:^|\.)(?:from|caller)\w*$/i.test(path) && isPhone(value))
const wholeOrFirst: ReadonlySet<string> = new Set([...personNames.name, ...personNames.first])
const isName = ({ names }: SampleField) => names.some((one) => wholeOrFirst.has(toName(one)))

/** What belongs to a field although it is asked by itself. */
const completeField: Partial<
  Record<MappedField, (found: SampleField, fields: readonly SampleField[]) => SampleField[]>
> = {
  lead_phone: (phone, fields) => {
    const digits = phone.value.replace(/\D/g, '')
    const code = hasCountry(phone.value)
      ? undefined
      : (findField(fields, dialCode) ??
        findCountry(phone, fields) ??
        (digits.length === 7 ? findField(fields, areaCode) : undefined))
    return code ? [code, phone] : [phone]
  },
  // Of `Name` and `Surname`, the first is a first name; beside `Joan O.`, the parts say more.
  lead_name: (name, fields) => {
    const isFull = /\S\s+\S/.test(name.value)
    const [first, last] = nameParts.map(({ names, ...more }) =>
      findField(fields, isFull ? { names } : { names, ...more }),
    )
    // Only by the words of its question, it may be a child's.
    if (first && last && !findField([name], { names: personNames.name })) return [first, last]
    // Kixie sends the customer's whole name, and the agent's in parts.
    const isWhole = isFull && name.names.every((one) => toName(one) !== 'name')
    if (first && isWhole && !hasWord(name.value, first.value)) return [name]
    return !last || hasWord(name.value, last.value) ? [name] : [first ?? name, last]
  },
}
/** Returns the country of a number: what stands beside it, or beside what it stands in, is its own. */
function findCountry(phone: SampleField, fields: readonly SampleField[]): SampleField | undefined {
  const near = fields.filter(({ at }) => at.slice(0, -1).every((step, index) => step === phone.at[index]))
  const isItsCountry = (text: string) => isCountryOf(text, phone.value)
  // Of where the visitor lives; a number that is written as an American one is none of there.
  const names = isSurelyPhone(phone.value) ? [] : countryNames
  return (
    findField(near, { names: dialCodeNames, accepts: isItsCountry }) ??
    findField(near, { names, accepts: (text) => !isAmerican(text) && isItsCountry(text) })
  )
}

const dialCode: Hints = { names: dialCodeNames, accepts: isDialCode }
const areaCode: Hints = { names: ['areacode', 'phoneareacode', 'phonearea'], accepts: /^\s*\(?\d{3}\)?\s*$/ }

/** Fields that may be recognized by several values, or by what was said alone. */
const findParts: Partial<Record<MappedField, (fields: readonly SampleField[]) => SampleField[]>> = {
  lead_phone: findUnnamedPhone,
  lead_name: (fields) => {
    const parts = nameParts.flatMap((hints) => findField(fields, hints) ?? [])
    if (parts.length > 0) return parts
    const formal = formalNames
      .map((asked) => asked.map((words) => findField(fields, { names: [], words, accepts: /\p{L}/u })))
      .find(([start]) => start !== undefined)
      ?.flatMap((part) => part ?? [])
    if (formal) return formal
    const inputs = findInputs(fields, ['3', '6'], ['1', '5'])
    const bare = ['first', 'last'].flatMap((name) => findField(fields, { names: [name], accepts: /\p{L}/u }) ?? [])
    return inputs.length === 0 && bare.length === 2 ? bare : inputs
  },
  lead_location: (fields) => findInputs(fields, ['1', '3', '4', '5'], []),
}

const numberedName = /^(?:input_)?(\d{1,4})(?:[._](\d))?$/
/** `4`, `Field4` and `r3` say nothing of what they are. */
const unnamed =
  /^(?:(?:field|input|question|answer|item|column|text|[a-z])?[-_ ]?\d{1,4}(?:\.\d)?|form-field-[\da-f]+)$/i

/**
 * Of fields that have numbers instead of names, as Gravity Forms and Wufoo send them, or are a customer's number, the only phone; else the
 * only one that is written as a phone, whatever its name.
 */
function findUnnamedPhone(fields: readonly SampleField[]): SampleField[] {
  const phones = fields.filter(({ value }) => {
    const { number, before, after } = readPhone(value)
    return number?.startsWith('+') && before + after === '' && !isWordNumber(value) // 850 Oak Lane
  })
  const unnamedPhones = phones.filter(
    (field) =>
      (field.names.every((name) => unnamed.test(name)) && readPhone(field.value).number?.startsWith('+1')) ||
      isCustomersPhone(field),
  )
  const written = phones.filter(({ value, label }) => isSurelyPhone(value) && !otherNumbers.test(toPlainWords(label)))
  const found = unnamedPhones.length > 0 ? unnamedPhones : written
  return new Set(found.map(({ value }) => readPhone(value).number)).size === 1 ? found.slice(0, 1) : []
}

/**
 * Finds the inputs of one field of Gravity Forms, named by its number and theirs: a name has a first (.3) and a last one (.6), an address
 * a street (.1), city (.3), state (.4) and ZIP code (.5), and may have a country (.6).
 */
function findInputs(fields: readonly SampleField[], inputs: string[], othersThan: string[]): SampleField[] {
  const numbered = fields.flatMap((field) => {
    const [, number, input] = numberedName.exec(field.names[0] ?? '') ?? []
    return number !== undefined && input !== undefined ? [{ field, number, input }] : []
  })
  const groups = [...Map.groupBy(numbered, ({ number }) => number).values()].filter((group) => {
    const has = (input: string) => group.some((one) => one.input === input)
    return inputs.every(has) && !othersThan.some(has)
  })
  if (groups.length !== 1) return []
  return inputs.map((input) => groups[0]!.find((one) => one.input === input)!.field)
}

function findField(
  fields: readonly SampleField[],
  { names, type, words, accepts, ofProvider }: Hints,
): SampleField | undefined {
  const fitting = accepts
    ? fields.filter((field) => (accepts instanceof RegExp ? accepts.test(field.value) : accepts(field.value)))
    : fields
  const findCalled = (read: (key: string) => string) => {
    const called = fitting.map((field) => ({ field, names: field.names.map(read) }))
    return names
      .map((name) => called.find((one) => one.names.includes(name))?.field)
      .find((field) => field !== undefined)
  }
  return (
    findCalled(toName) ??
    (ofProvider ? undefined : findCalled(toBareName)) ??
    fitting.find((field) => type && field.type !== null && type.test(field.type)) ??
    fitting.find(({ label }) => isAsked(words, toPlainWords(label))) ??
    (accepts === anyEmailPattern ? findOnlyEmail(fitting) : undefined)
  )
}

const isAsked = (words: RegExp | undefined, label: string) =>
  words?.test(label) === true && !otherNames.test(label.replace(words, ''))

/** The receiver of an email is the agency, not the lead. */
const receivers = /^(?:to|cc|bcc|envelope|mailbox)\b/i

/** Of fields whose names say nothing of an email, the only one that is an address. */
function findOnlyEmail(fields: readonly SampleField[]): SampleField | undefined {
  const emails = fields.filter(({ value, label }) => isSurelyEmail(value) && !receivers.test(toPlainWords(label)))
  return new Set(emails.map(({ value }) => value.trim().toLowerCase())).size === 1 ? emails[0] : undefined
}
