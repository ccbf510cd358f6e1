import { readPhone } from '#contract/read-phone.ts'
import { personNames } from '../../intake/server/form-fields.ts'
import { listSampleFields, type SampleField } from '../body-paths.ts'
import type { FieldMapping } from '../contract.ts'
import type { MappedField } from '../labels.ts'

/** How a field of a lead is recognized: by what providers call it, by the type or the words of the question, and by what was said. */
type Hints = { names: readonly string[]; type?: RegExp; words?: RegExp; says?: RegExp; ofProvider?: boolean }

const emailPattern = /^\s*[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+\s*$/
const phonePattern = /(?:\d[\s().+-]*){7,}/

const fieldHints: [MappedField, Hints][] = [
  ['lead_email', { names: personNames.email, type: /e-?mail/i, words: /\be-?mail\b/i, says: emailPattern }],
  [
    'lead_phone',
    {
      names: [...personNames.phone, 'from', 'caller'],
      type: /phone|\btel\b/i,
      words: /\b(?:tele)?phone\b|\bmobile\b|\bcell\b/i,
      says: phonePattern,
    },
  ],
  [
    'lead_name',
    {
      names: personNames.name,
      type: /full_?name|^name\b/i,
      words: /\b(?:your|full|contact) name\b|^name\b/i,
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
      ],
    },
  ],
  ['source', { names: ['source', 'leadsource', 'trafficsource'] }],
  [
    'last_url',
    {
      ofProvider: true,
      names: ['pageurl', 'formurl', 'sourceurl', 'landingpage', 'landingpageurl', 'landingurl'],
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
  ['answered', { names: ['callstatus', 'answered', 'answerstatus'] }],
  ['recording', { names: ['recordingurl', 'recording'], says: /^\s*https?:/i }],
  ['tracking_phone_number', { names: ['trackingnumber', 'trackingphonenumber'] }],
]

/** Returns the mapping by keys that a sample suggests, as far as its names, questions and values are surely understood. */
export function suggestMapping(sample: unknown): FieldMapping {
  const free = new Set(listSampleFields(sample))
  const isOther = findOthers([...free].map(({ path }) => path))
  const mapping: FieldMapping = {}
  const take = (field: MappedField, ...found: SampleField[]) => {
    mapping[field] = { from: found.map(({ path }) => path).join(' + ') }
    for (const one of found) free.delete(one)
  }
  for (const [field, hints] of fieldHints) {
    const isPerson = personFields.has(field)
    const candidates = [...free].filter(
      (one) => (one.isWritten || hints.ofProvider) && !(isPerson && isOther(one.path)),
    )
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

/** Returns the test for the addresses of others. A location that has a name is the agency's, as GoHighLevel sends it. */
function findOthers(paths: readonly string[]): (path: string) => boolean {
  const places = paths
    .filter((path) => /(?:^|\.)location\.name$/.test(path))
    .map((path) => path.slice(0, -'name'.length))
  return (path) => otherParts.test(path) || places.some((place) => path.startsWith(place))
}

/** Fields that may be recognized by several values, or by what was said alone. */
const findParts: Partial<Record<MappedField, (fields: readonly SampleField[]) => SampleField[]>> = {
  lead_phone: findUnnamedPhone,
  lead_name: (fields) => {
    const parts = [personNames.first, personNames.last].flatMap((names) => findField(fields, { names }) ?? [])
    return parts.length > 0 ? parts : findInputs(fields, ['3', '6'], ['1', '5'])
  },
  lead_location: (fields) => findInputs(fields, ['1', '3', '4', '5'], []),
}

const numberedName = /^(\d{1,4})(?:\.(\d))?$/

/** Of fields that have numbers instead of names, as Gravity Forms sends them, the only one that is one whole phone number. */
function findUnnamedPhone(fields: readonly SampleField[]): SampleField[] {
  const phones = fields.filter(({ names, says }) => {
    const { number, before, after } = readPhone(says)
    return names.every((name) => numberedName.test(name)) && number?.startsWith('+1') && before + after === ''
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
  const fitting = says ? fields.filter((field) => says.test(field.says)) : fields
  const findCalled = (read: (key: string) => string) =>
    names
      .map((name) => fitting.find((field) => field.names.some((one) => read(one) === name)))
      .find((field) => field !== undefined)
  return (
    findCalled(toName) ??
    (ofProvider ? undefined : findCalled(toBareName)) ??
    fitting.find((field) => type && field.type !== null && type.test(field.type)) ??
    fitting.find((field) => words?.test(field.label) && !otherNames.test(field.label)) ??
    (says === emailPattern ? fitting[0] : undefined)
  )
}

/** Names that are not the visitor's. */
const otherNames = /\b(?:company|business|form|first|last|user|file|pet|street|site|domain|campaign)\b/i

/**
 * Form builders number their fields (`name_1`, `tel-123`, `q3_fullName3`, `1) Name`), Elementor says `No Label name`, Wix `field:name`,
 * Zapier `data__name`.
 */
const toBareName = (key: string) =>
  toName(key.replace(/^(?:no label\s+|fields?:|\d{1,3}[.)]\s+)/i, '').replace(/^.*__(?=\p{L})/u, '')).replace(
    /(?<!^question)\d{1,5}$/,
    '',
  )

/** `q5_phoneNumber`, `Phone Number` and `fields[phone_number][value]` are all `phonenumber`. */
const toName = (key: string) =>
  (/\[([^[\]]+)\](?:\[value\])?$/.exec(key)?.[1] ?? key)
    .replace(/^q\d+_(?=\S)/, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
