import { readPhone } from '#contract/read-phone.ts'
import { personNames } from '../../intake/server/form-fields.ts'
import { listSampleFields, type SampleField } from '../body-paths.ts'
import type { FieldMapping } from '../contract.ts'
import { dropWrappers } from '../envelope.ts'
import type { MappedField } from '../labels.ts'

type Says = RegExp | ((text: string) => boolean)
/** How a field of a lead is recognized: by what providers call it, by the type or the words of the question, and by what was said. */
type Hints = { names: readonly string[]; type?: RegExp; words?: RegExp; says?: Says; ofProvider?: boolean }

const emailPattern = /^\s*(?!(?:no|do-?not)-?_?reply)[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+\s*$/
/** In a field for one, an address may stand beside a name, in a link, or with others. */
const anyEmailPattern = /^(?!\s*(?:no|do-?not)-?_?reply@)[^]*[^\s@,;<>]@[^\s@,;<>]+\.[^\s@,;<>]/
/** Any spelling of a number, also where the caller withheld it. */
const isPhone = (text: string) => {
  const { number, isWithheld } = readPhone(text)
  return isWithheld || (number?.replace(/\D/g, '').length ?? 0) >= 7
}

const fieldHints: [MappedField, Hints][] = [
  ['lead_email', { names: personNames.email, type: /e-?mail/i, words: /\be ?mail\b|\bcorreo\b/i, says: anyEmailPattern }],
  [
    'lead_phone',
    {
      names: [
        ...[...personNames.phone, 'callernumber', 'callerphone', 'callerid', 'callingnumber', 'fromnumber'],
        ...['rawdigits', 'from', 'caller'],
      ],
      type: /phone|\btel\b/i,
      words: /\b(?:tele)?phone\b|\bmobile\b|\bcell\b|\btel\b|\btelefo\w+|\bcell?ulare?\b|\bmovil\b|\bhandy\w*/i,
      says: isPhone,
    },
  ],
  [
    'lead_name',
    {
      names: personNames.name,
      type: /full_?name|^name\b/i,
      words: /\b(?:your|full|contact|ihr) name\b|^name\b|\bnom(?:bre)? (?:complet[eo]?|y apellidos?|et prenom)\b|\bnome (?:completo|e cognome)\b/i,
      says: /\p{L}/u,
    },
  ],
  [
    'message',
    {
      names: personNames.message,
      type: /long_?text|text_?area|paragraph/i,
      words: /\bmessage\b|\bcomments?\b|\bhow can we help\b|\bdescribe\b|\bdetails\b/i,
    },
  ],
  [
    'lead_location',
    {
      names: [...personNames.location, 'address', 'fulladdress', 'city', 'zip', 'zipcode', 'postalcode'],
      type: /^address/i,
      words: /\baddress\b/i,
      says: /^(?!\s*https?:)/i, // some call the page so
    },
  ],
  [
    'lead_id',
    {
      ofProvider: true,
      names: [
        'leadid',
        'submissionid',
        'responseid',
        'entryid',
        'itemid',
        'callsid',
        'messagesid',
        'submissionuuid',
        'token',
        'uuid',
        'eventid',
        'id',
      ],
    },
  ],
  [
    'lead_date',
    {
      ofProvider: true,
      names: [
        'submittedat',
        'leadsubmittime',
        'submissiontime',
        'submissiondate',
        'createdat',
        'createdtime',
        'datecreated',
        'timestamp',
        'created',
        'submittedon',
        ...['calledat', 'callstart', 'callstarttime', 'callstartedat', 'calltime', 'calldatetime', 'starttimeutc'],
        ...['creationdatetime', 'creationdate', 'addedtime', 'dateadded', 'startedat', 'unixtime'],
      ],
    },
  ],
  ['source', { names: ['source', 'leadsource', 'trafficsource'] }],
  [
    'last_url',
    {
      ofProvider: true,
      names: ['pageurl', 'formurl', 'sourceurl', 'landingpage', 'landingpageurl', 'landingurl', 'location'],
      says: /^\s*https?:/i,
    },
  ],
  ['referrer', { ofProvider: true, names: ['referrer', 'referer', 'referringurl', 'referrerurl'] }],
  ['gclid', { ofProvider: true, names: ['gclid', 'gclidfield'] }],
  ['gbraid', { ofProvider: true, names: ['gbraid'] }],
  ['wbraid', { ofProvider: true, names: ['wbraid'] }],
  ['msclkid', { ofProvider: true, names: ['msclkid'] }],
  ['fbclid', { ofProvider: true, names: ['fbclid'] }],
  ['keywords', { ofProvider: true, names: ['keywords', 'keyword', 'utmterm'] }],
  ['duration', { names: ['callduration', 'duration', 'calldurationseconds'] }],
  ['answered', { names: ['callstatus', 'dialstatus', 'answered', 'answerstatus'] }],
  [
    'recording',
    {
      names: ['recordingurl', 'recording', 'callrecording', 'callrecordingurl', 'audio', 'audiourl'],
      says: /^\s*https?:/i,
    },
  ],
  ['tracking_phone_number', { names: ['trackingnumber', 'trackingphonenumber'] }],
]

/** Returns the mapping by keys that a sample suggests, as far as its names, questions and values are surely understood. */
export function suggestMapping(sample: unknown): FieldMapping {
  const free = new Set(listSampleFields(sample))
  const isOther = findOthers([...free])
  const mapping: FieldMapping = {}
  const take = (field: MappedField, ...found: SampleField[]) => {
    mapping[field] = { from: found.map(({ path }) => path).join(' + ') }
    for (const one of found) free.delete(one)
  }
  for (const [field, hints] of fieldHints) {
    const isPerson = personFields.has(field)
    const candidates = [...free].filter((one) => (one.isWritten || hints.ofProvider) && !(isPerson && isOther(one)))
    const found = findField(candidates, hints)
    const parts = found ? [found] : (findParts[field]?.(candidates) ?? [])
    if (parts.length > 0) take(field, ...parts)
  }
  return mapping
}

const personFields: ReadonlySet<MappedField> = new Set([
  'lead_name',
  'lead_email',
  'lead_phone',
  'lead_location',
  'lead_id',
])

/** Who stands beside the visitor in an event: those who are visited, and what they own. */
const otherParts =
  /(?:^|\.)(?:organi[sz]er|host|agent|rep|owner|assignee|assigned_?to|business|company|account|agency|workflow|property|source|campaign)\./i
/** Questions about them, and about those who are not called back. */
const otherWords =
  /\b(?:agent|owner|rep|representative|assigned|assignee|organi[sz]er|host|notification|notify|admin|manager|staff|realtor|technician|spouse|partner|emergency|b?cc)\b/i
/** What has a name as well; with an address of its own it is a person. */
const otherNamed =
  /(?:^|\.)(?:page|form|site|website|list|funnel|pipeline|stage|survey|product|service|category|plan|project|team|department|office|store|branch|widget|inbox|channel|queue|number)\.name$/i
const customers = /(?:^|\.)(?:contact|customer|visitor|lead|caller|consumer|requester)\./i
const staff = /(?:^|\.)(?:user|staff|operator|employee|technician)\./i

/** Returns the test for the addresses of others. A location that has a name is the agency's, as GoHighLevel sends it. */
function findOthers(fields: readonly SampleField[]): (field: SampleField) => boolean {
  const paths = fields.map(({ path }) => path)
  const places = paths
    .filter((path) => /(?:^|\.)location\.name$/.test(path))
    .map((path) => path.slice(0, -'name'.length))
  const isPerson = (start: string) => paths.some((path) => path.startsWith(start) && /mail|phone/i.test(path))
  const things = paths.filter((path) => otherNamed.test(path) && !isPerson(path.slice(0, -'name'.length)))
  const hasCustomer = paths.some((path) => customers.test(path))
  return ({ path, label }) =>
    otherParts.test(path) ||
    otherWords.test(toWords(label)) ||
    (hasCustomer && staff.test(path)) ||
    things.includes(path) ||
    places.some((place) => path.startsWith(place))
}

/** `agentEmail` and `agent_email` are an agent's email. */
const toWords = (label: string) => label.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[^\p{L}]+/gu, ' ')

/** Fields that may be recognized by several values, or by what was said alone. */
const findParts: Partial<Record<MappedField, (fields: readonly SampleField[]) => SampleField[]>> = {
  lead_phone: findUnnamedPhone,
  lead_name: (fields) => {
    const parts = [personNames.first, personNames.last].flatMap((names) => findField(fields, { names }) ?? [])
    if (parts.length > 0) return parts
    const inputs = findInputs(fields, ['3', '6'], ['1', '5'])
    const bare = ['first', 'last'].flatMap((name) => findField(fields, { names: [name], says: /\p{L}/u }) ?? [])
    return inputs.length === 0 && bare.length === 2 ? bare : inputs
  },
  lead_location: (fields) => findInputs(fields, ['1', '3', '4', '5'], []),
}

const numberedName = /^(\d{1,4})(?:\.(\d))?$/
/** `4`, `Field4` and `r3` say nothing of what they are. */
const unnamed =
  /^(?:(?:field|input|question|answer|item|column|text|[a-z])?[-_ ]?\d{1,4}(?:\.\d)?|form-field-[\da-f]+)$/i

/** Of fields that have numbers instead of names, as Gravity Forms and Wufoo send them, the only one that is one whole phone number. */
function findUnnamedPhone(fields: readonly SampleField[]): SampleField[] {
  const phones = fields.filter(({ names, says }) => {
    const { number, before, after } = readPhone(says)
    return names.every((name) => unnamed.test(name)) && number?.startsWith('+1') && before + after === ''
  })
  return phones.length === 1 ? phones : []
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
  { names, type, words, says, ofProvider }: Hints,
): SampleField | undefined {
  const fitting = says
    ? fields.filter((field) => (says instanceof RegExp ? says.test(field.says) : says(field.says)))
    : fields
  const findCalled = (read: (key: string) => string) =>
    names
      .map((name) => fitting.find((field) => field.names.some((one) => read(one) === name)))
      .find((field) => field !== undefined)
  return (
    findCalled(toName) ??
    (ofProvider ? undefined : findCalled(toBareName)) ??
    fitting.find((field) => type && field.type !== null && type.test(field.type)) ??
    fitting.find(({ label }) => words?.test(toPlainWords(label)) && !otherNames.test(toPlainWords(label))) ??
    (says === anyEmailPattern ? findOnlyEmail(fitting) : undefined)
  )
}

/** Of fields whose names say nothing of an email, the only one that is an address. */
function findOnlyEmail(fields: readonly SampleField[]): SampleField | undefined {
  const emails = fields.filter((field) => emailPattern.test(field.says))
  return new Set(emails.map(({ says }) => says.trim().toLowerCase())).size === 1 ? emails[0] : undefined
}

/** Names that are not the visitor's. */
const otherNames =
  /\b(?:company|business|form|first|last|user|file|pet|street|site|domain|campaign|empresa|entreprise|societe|firma|azienda|bedrijf|tracking|called|destination|forwarding|store|support|sender|from|reply)\b|^to\b/i

/** `data__best_phone_number` and `q5_bestPhoneNumber` are `best phone number`. */
const toPlainWords = (label: string) =>
  toWords(label.replace(/^q\d+_(?=\S)|^.*__(?=\p{L})/gu, '').normalize('NFD').replace(/\p{M}/gu, '')).trim()

/**
 * Form builders number their fields (`name_1`, `tel-123`, `q3_fullName3`, `1) Name`), Elementor says `No Label name`, Wix `field:name`,
 * Zapier `data__name`, Divi `et_pb_contact_name_0`.
 */
const toBareName = (key: string) =>
  toName(key.replace(/^(?:no label\s+|fields?:|et_pb_contact_|\d{1,3}[.)]\s+)/i, '').replace(/^.*__(?=\p{L})/u, ''))
    .replace(/(?<!^question)\d{1,5}$/, '')
    .replace(personBefore, '')

/** Who the visitor is to the sender: `caller_name`, `consumer_phone_number`, `visitorEmail`. */
const personBefore =
  /^(?:caller|calling|consumer|visitor|guest|applicant|homeowner|requester|requestor|respondent|subscriber|buyer|prospect|sender|patient|attendee|invitee|display|best|main|lead|contact|customer|client|member)(?=(?:full|first|last)?name$|e?mail(?:address)?$|(?:tele|cell|mobile)?(?:phone)(?:number)?$|message$)/

/** `q5_phoneNumber`, `Phone Number` and `fields[phone_number][value]` are all `phonenumber`. */
export const toName = (key: string): string =>
  (/\[([^[\]]+)\](?:\[value\])?$/.exec(key)?.[1] ?? dropWrappers(key))
    .replace(/^q\d+_(?=\S)/, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
