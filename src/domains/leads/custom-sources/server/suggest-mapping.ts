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
  const mapping: FieldMapping = {}
  const take = (field: MappedField, ...found: SampleField[]) => {
    mapping[field] = { from: found.map(({ path }) => path).join(' + ') }
    for (const one of found) free.delete(one)
  }
  for (const [field, hints] of fieldHints) {
    const candidates = [...free].filter(({ isWritten }) => isWritten || hints.ofProvider)
    const found = findField(candidates, hints)
    if (found) take(field, found)
    else if (field === 'lead_name') {
      const parts = [personNames.first, personNames.last].flatMap((names) => findField(candidates, { names }) ?? [])
      if (parts.length > 0) take(field, ...parts)
    }
  }
  return mapping
}

function findField(fields: readonly SampleField[], { names, type, words, says }: Hints): SampleField | undefined {
  const fitting = says ? fields.filter((field) => says.test(field.says)) : fields
  const called = (field: SampleField, name: string) => field.names.some((one) => toName(one) === name)
  for (const name of names) {
    const found = fitting.find((field) => called(field, name))
    if (found) return found
  }
  return (
    fitting.find((field) => type && field.type !== null && type.test(field.type)) ??
    fitting.find((field) => words?.test(field.label) && !otherNames.test(field.label)) ??
    (says === emailPattern ? fitting[0] : undefined)
  )
}

/** Names that are not the visitor's. */
const otherNames = /\b(?:company|business|form|first|last|user|file|pet|street|site|domain|campaign)\b/i

/** `q5_phoneNumber`, `Phone Number` and `fields[phone_number][value]` are all `phonenumber`. */
const toName = (key: string) =>
  (/\[([^[\]]+)\](?:\[value\])?$/.exec(key)?.[1] ?? key)
    .replace(/^q\d+_(?=\S)/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
