import { isUnfilled } from '#contract/empty-text.ts'
import { isObject } from '#contract/is-object.ts'
import { isTooDeep } from '#contract/json-depth.ts'
import { findDialCode, hasCountry, joinCountry } from '#contract/read-phone.ts'
import { isFormDescription, listWrittenKeys } from './envelope.ts'

/** Paths in the bodies of lead sources, for both sides: how a mapping addresses a value, and which addresses a sample offers. */

type BodyObject = Record<string, unknown>
/** A value and where it stands: the keys and positions from the top. */
type Located = { value: unknown; at: readonly string[] }

const isScalar = (value: unknown) => value !== null && value !== undefined && typeof value !== 'object'
const getOwn = (value: BodyObject, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined)

/** A number, so after a sign of JSON or a space, of sixteen digits or with an exponent. */
const longNumber = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]+e[+-]?\d)/i

/**
 * Parses JSON. A number that would lose digits, such as an id of twenty, stays the text that it is, and so does one with an exponent:
 * a spreadsheet has shortened it.
 */
export function parseJson(text: string): unknown {
  // Most bodies have none, and looking at each value bounds how deep a body may be. The digits of an id stand within quotes.
  if (!longNumber.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && (/e/i.test(source) || Math.abs(value) > Number.MAX_SAFE_INTEGER) ? source : value,
  )
}

/** Returns the value of a text that is a JSON object or list; anything else as it is, also one that is nested too deep to be a value. */
export function openJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (!/^\s*[[{]/.test(value)) return openLines(value)
  if (isTooDeep(value)) return value
  try {
    return parseJson(value)
  } catch {
    return value
  }
}

/** Formstack sends the parts of an answer a line each: `first = Joan`, `last = Otter`. */
function openLines(text: string): unknown {
  if (!text.includes('\n')) return text // almost always
  const lines = text.split('\n').map((line) => /^(\w{2,20}) = (.*?)\r?$/.exec(line)?.slice(1) ?? [])
  const isPart = ([key = '']: string[]) =>
    /^(?:value|field_type)$/.test(key) || partOrders.some(([, part]) => part.test(key))
  return lines.every(isPart) ? Object.fromEntries(lines) : text
}

// ——— reading a path ———

/**
 * Returns the value at a path such as `lead.answers[field.ref=email].email`. An element of a list is addressed by a value in it, by its
 * position (`answers.0.text`), or in a list of named answers by its name (`field_data.email`). A text that is JSON is read as JSON.
 * Names may contain dots and brackets. `first + last` puts two values together.
 */
export function findByPath(body: unknown, path: string): unknown {
  const found = locateAll(body, path)
  if (found.length <= 1) return found[0]?.value
  return found.flatMap(({ value }) => (value === false ? [] : (toText(value) ?? []))).join(' ')
}

/** Returns where the values of a path stand; empty if there is none. */
export function locateAll(body: unknown, path: string): Located[] {
  const whole = locate(body, path, [])
  if (whole) return [whole]
  const parts = path.split(' + ')
  return parts.length === 1 ? [] : parts.flatMap((part) => locate(body, part, []) ?? [])
}

function locate(raw: unknown, rest: string, at: readonly string[]): Located | undefined {
  if (rest === '') return unwrapAnswer(raw, at)
  const value = openJson(raw)
  if (Array.isArray(value)) return locateElement(value, rest, at)
  if (!isObject(value)) return undefined
  // A body that is a list of one object is read as this object.
  if (at.length === 0 && /^0(?=[.[])/.test(rest) && !Object.hasOwn(value, '0'))
    return locate(value, skipStep(rest, 1), at)
  const [step, name = ''] = /^\[([^\]]+)\]/.exec(rest) ?? []
  if (step !== undefined && Object.hasOwn(value, name))
    return locate(value[name], skipStep(rest, step.length), [...at, name])
  const keys = Object.keys(value).filter((key) => isStep(rest, key))
  for (const key of keys.toSorted((one, other) => other.length - one.length)) {
    const inner = value[key]
    const found = inner === undefined ? undefined : locate(inner, skipStep(rest, key.length), [...at, key])
    if (found?.value !== undefined) return found
  }
  return undefined
}

const isStep = (rest: string, key: string) =>
  key !== '' && rest.startsWith(key) && /^(?:$|[.[])/.test(rest.slice(key.length))
const skipStep = (rest: string, length: number) => rest.slice(length).replace(/^\./, '')

const selectorPattern = /^\[([\w.$-]+)=("(?:[^"\\]|\\.)*"|[^\]]*)\]/

function locateElement(list: unknown[], rest: string, at: readonly string[]): Located | undefined {
  const [selector, name = '', text = ''] = selectorPattern.exec(rest) ?? []
  if (selector !== undefined) {
    const wanted = text.startsWith('"') ? String(openText(text)) : text
    const index = findElement(list, name, wanted, at)
    return index === -1 ? undefined : locate(list[index], skipStep(rest, selector.length), [...at, String(index)])
  }
  const [position] = /^\d+(?=$|[.[])/.exec(rest) ?? []
  if (position !== undefined) return locate(list[Number(position)], skipStep(rest, position.length), [...at, position])
  const named = list.flatMap((item, index) =>
    answerNames(item).flatMap((key) => {
      if (!isStep(rest.toLowerCase(), key)) return []
      const found = locate(item, skipStep(rest, key.length), [...at, String(index)])
      return found?.value === undefined ? [] : [found]
    }),
  )
  // An empty answer hides no other of the same name.
  return named.find(({ value }) => toText(value) !== null) ?? named[0]
}

/**
 * The one party of a call or message of a chat has another id in each event, and the one person another name, and a phone another label;
 * an answer has those of its question. Of several people, which one wrote is not known.
 */
function findElement(list: readonly unknown[], name: string, wanted: string, at: readonly string[]): number {
  const index = list.findIndex((item) => readScalar(item, name) === wanted)
  if (index !== -1) return index
  if (contactList.test(findParent(at) ?? '')) {
    const reached = list.filter((item) => !isFax(item))
    return list.indexOf(reached.find(isPrimary) ?? reached[0])
  }
  const [only] = list
  return list.length === 1 && !isAnswer(only) && (name === 'id' || isPerson(only)) ? 0 : -1
}

const contactList = /(?:phone|mobile|e-?mail)(?:_?(?:number|address))?(?:e?s)?$/i
const isPrimary = (item: unknown) =>
  ['primary', 'isPrimary', 'is_primary'].some((key) => readScalar(item, key) === 'true')
const isFax = (item: unknown) => ['type', 'label'].some((key) => /fax/i.test(readScalar(item, key) ?? ''))

const isAnswer = (item: unknown) =>
  isObject(item) &&
  (isObject(item.field) || isObject(item.question) || keysOf(item, valueKeys).some((key) => isScalar(item[key])))
const isPerson = (item: unknown) =>
  isObject(item) && !isAnswer(item) && Object.keys(item).some((key) => /e-?mail|phone/i.test(key))

/**
 * Returns whether a list is what was said by turns: each element says whose words it has, some a robot's or the agency's, and none how
 * to reach a visitor.
 */
export const isConversation = (list: readonly unknown[]): boolean =>
  list.every(
    (item) => isObject(item) && (isOtherSide(item) || visitorRoles.test(readRole(item))) && !isReached(item),
  ) &&
  list.some((item) => isOtherSide(item)) &&
  list.some((item) => Object.keys(Object(item)).some((key) => /^(?:content|message|text|words)$/i.test(key)))
const readRole = (item: unknown) => readScalar(item, 'role') ?? ''
const isOtherSide = (item: unknown) =>
  /^(?:system|assistant|agent|bot|ai|model|tool\w*)$/i.test(readRole(item)) ||
  (readScalar(item, 'identifier') ?? '').startsWith('+') || // of Quo
  Object.keys(Object(item)).some((key) => /^speaker/i.test(key))
const visitorRoles = /^(?:user|human|customer|caller)$/i
/** Whose words they are may be said in an object of its own. */
const isReached = (item: BodyObject, isInner = false): boolean =>
  Object.entries(item).some(([key, value]) =>
    isObject(value)
      ? !isInner && isReached(value, true)
      : /mail|phone|mobile|^(?:tel|cell|number)$/i.test(key) ||
        (/(?:^from|^wa_?id|contact)$/i.test(key) && /^\s*(?:\+?[\d\s().-]{7,}|\S+@\S+)\s*$/.test(String(value))),
  )

function openText(quoted: string): unknown {
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted
  }
}

/** Returns a value inside an element as text: `email` for `field.ref`. HeyForm puts a title into a list of one. */
function readScalar(item: unknown, path: string): string | undefined {
  const found = path.split('.').reduce<unknown>((now, key) => (isObject(now) ? getOwn(now, key) : undefined), item)
  const value = Array.isArray(found) && found.length === 1 ? found[0] : found
  return isScalar(value) && value !== '' ? String(value) : undefined
}

// ——— answers ———

const nameKeys = [
  ...'name column_id column_name columnId columnName key label Attribute attributeName'.split(' '),
  ...'Name Key Label Title Question fieldname'.split(' '),
]
const valueKeys = [
  ...'values string_value stringValue value field_value fieldValue answer answer_text answerText'.split(' '),
  ...'response text val a Value Answer fieldvalue attributeValue'.split(' '),
]

/** Keys of answers that records have as well: `{ Name: 'Ann', Phone: '…', Value: 500 }` is none. */
const recordKeys = new Set('Name Key Label Title Question Answer fieldname fieldvalue'.split(' '))
const ofAnswers = /^(?:id|order|type|required|name|key|label|title|question|fieldname|value|answer|fieldvalue)$/i
const isAnswerAlone = (item: unknown) => isObject(item) && Object.keys(item).every((key) => ofAnswers.test(key))
const keysOf = (item: unknown, keys: readonly string[]) =>
  isAnswerAlone(item) ? keys : keys.filter((key) => !recordKeys.has(key))

const answerNames = (item: unknown): string[] =>
  isObject(item)
    ? keysOf(item, nameKeys)
        .map((key) => String(getOwn(item, key) ?? '').toLowerCase())
        .filter(Boolean)
    : []

/** Returns the value of a named answer: `['a@b.c']` for `{ name: 'email', values: ['a@b.c'] }`. */
function unwrapAnswer(value: unknown, at: readonly string[]): Located {
  if (answerNames(value).length === 0 || !isObject(value)) return { value, at }
  const key = keysOf(value, valueKeys).find((one) => Object.hasOwn(value, one))
  return key === undefined ? { value, at } : { value: value[key], at: [...at, key] }
}

/** What tells the elements of a list apart, the most lasting first; `id` may be new in every event. */
const elementKeys = [
  ...'ref key name column_id columnId slug field label question title column_name columnName'.split(' '),
  ...'fieldType field_label field_name fieldLabel fieldName question_text questionText q Attribute'.split(' '),
  ...'attributeName predefinedField Name Key Label Title Question fieldname id'.split(' '),
]
/** What a question is called, the most readable first. */
const labelKeys = [
  ...'title label field_label field_name fieldLabel fieldName question question_text questionText'.split(' '),
  ...'q column_name columnName name Title Label Question fieldname Name'.split(' '),
]
const elementPaths = [
  ...['ref', 'key', 'name', 'id', 'title'].flatMap((key) => [`field.${key}`, `question.${key}`]),
  ...elementKeys,
  'questionId',
  'type',
]

/** The ways to reach a person are told apart by what they are: their ids are new with every person. */
const contactType = /phone|mobile|\bcell|\bfax|e-?mail/i

/** Returns the path of a value that all elements have, and each of its own; null if there is none. */
export function findElementKey(list: readonly unknown[]): string | null {
  const isReached = list.every((item) => contactType.test(readScalar(item, 'type') ?? ''))
  const paths = isReached
    ? elementPaths.with(elementPaths.indexOf('id'), 'type')
    : // People are told apart by what they are here: another event is of others.
      list.every(isPerson)
      ? ['type', 'role', ...elementPaths]
      : elementPaths
  const areAnswers = list.every(isAnswerAlone)
  const found = paths.find((path) => {
    if (recordKeys.has(path) && !areAnswers) return false
    const values = list.map((item) => readScalar(item, path))
    return values.every((value) => value !== undefined && value.length <= 200) && new Set(values).size === list.length
  })
  return found ?? null
}

type Answer = { label: string; names: string[]; type: string | null; value: unknown; valueKey: string }

/** Reads an element of a list as an answer to a question: its value, and what the question is called. */
export function readAnswer(item: unknown, titles: ReadonlyMap<string, string>): Answer | null {
  if (!isObject(item)) return null
  const about = [item, item.field, item.question].filter(isObject)
  const own = readScalar(item, 'type')
  const called = about.flatMap((one) => keysOf(item, elementKeys).flatMap((key) => readScalar(one, key) ?? []))
  // The ways to reach a person may have nothing but their type: `{ type: 'MobilePhone', value: '…' }`.
  const names = called.length === 0 && own ? [own] : called
  if (names.length === 0) return null
  const types = about.map((one) => readScalar(one, 'type') ?? readScalar(one, 'field_type'))
  const type = types.find((one) => one !== undefined) ?? null
  const valueKey = [...keysOf(item, valueKeys), 'answerDetails', ...(own ? [own] : [])].find((key) =>
    Object.hasOwn(item, key),
  )
  if (valueKey === undefined) return null
  const title =
    names.map((name) => titles.get(name)).find((one) => one !== undefined) ??
    keysOf(item, [...labelKeys, ...elementKeys])
      .flatMap((key) => about.map((one) => readScalar(one, key)))
      .find((one) => one !== undefined) ??
    names[0]!
  return {
    label: title,
    names: [title, ...names],
    type: [type, own].filter(Boolean).join(' ') || null,
    value: item[valueKey],
    valueKey,
  }
}

/** Reads a field that holds its own answer beside its title or type. */
export function readField(key: string, raw: unknown, titles: ReadonlyMap<string, string>): Answer | null {
  const value = openJson(raw)
  if (
    !isObject(value) ||
    !['value', 'answer'].some((one) => Object.hasOwn(value, one)) ||
    (Object.keys(value).length < 2 && !Object.values(value).every(isScalar))
  )
    return null
  const answer = readAnswer({ key, ...value }, titles)
  return answer && { ...answer, names: [key, ...answer.names] }
}

/** Returns the titles of questions by their ids and refs, from a definition of the form inside the body. */
export function collectTitles(body: unknown, titles = new Map<string, string>(), depth = 0): Map<string, string> {
  if (depth > 12 || typeof body !== 'object' || body === null) return titles
  if (isObject(body)) {
    const title = readScalar(body, 'title') ?? readScalar(body, 'label')
    for (const key of ['id', 'ref']) {
      const name = readScalar(body, key)
      if (name !== undefined && title !== undefined && readScalar(body, 'type') !== undefined) titles.set(name, title)
    }
    collectWufooTitles(body, titles)
  }
  for (const inner of Object.values(body)) collectTitles(openJson(inner), titles, depth + 1)
  return titles
}

/** Wufoo sends its answers as `Field1`, and what they are called beside them; a name and an address have a field for each part. */
function collectWufooTitles(field: BodyObject, titles: Map<string, string>): void {
  const [id, title] = [readScalar(field, 'ID'), readScalar(field, 'Title')]
  if (id === undefined || title === undefined) return
  titles.set(id, title)
  for (const part of Array.isArray(field.SubFields) ? field.SubFields : []) {
    const [partId, label] = [readScalar(part, 'ID'), readScalar(part, 'Label')]
    if (partId !== undefined && label !== undefined) titles.set(partId, `${title} ${label}`)
  }
}

// ——— the fields of a sample ———

/** A value of a sample: its path in a mapping, its text, and what it is called. */
export type SampleField = {
  path: string
  value: string
  at: readonly string[]
  label: string
  names: string[]
  type: string | null
  /** Whether a visitor may have written it, rather than the provider. */
  isWritten: boolean
}

const maxFields = 200
const maxDepth = 20

/** Lists the values of a sample with their paths. An answer is listed once, whatever its position. */
export const listSampleFields = (sample: unknown): SampleField[] => {
  const fields: SampleField[] = []
  collect(fields, { titles: collectTitles(sample) }, openJson(sample), {
    path: '',
    at: [],
    label: '',
    names: [],
    type: null,
    isWritten: true,
  })
  return fields.slice(0, maxFields)
}

type Place = Omit<SampleField, 'value'>

function collect(fields: SampleField[], by: { titles: ReadonlyMap<string, string> }, raw: unknown, place: Place): void {
  if (place.at.length > maxDepth || fields.length >= maxFields) return
  const value = openJson(raw)
  const isBody = place.path === '' && isObject(value)
  if (isOneValue(value) && !isBody) {
    const text = toText(value)
    if (text !== null && place.path !== '') fields.push({ ...place, value: text })
    return
  }
  if (Array.isArray(value)) {
    collectElements(fields, by, value, place)
    return
  }
  const body = value as BodyObject // neither one value nor a list
  const written = new Set(listWrittenKeys(body))
  for (const [key, inner] of Object.entries(body))
    if (key !== '' && !isFormDescription(key))
      collectField(
        fields,
        by,
        key,
        inner,
        stepInto(place, key, by.titles.get(key), place.isWritten && written.has(key)),
      )
}

/** A field may be an answer itself: `{ title: 'Your phone', type: 'tel', value: '…' }`. */
function collectField(
  fields: SampleField[],
  by: { titles: ReadonlyMap<string, string> },
  key: string,
  value: unknown,
  place: Place,
): void {
  const answer = readField(key, value, by.titles)
  if (!answer) {
    collect(fields, by, value, place)
    return
  }
  const { valueKey, label, names, type } = answer
  collect(fields, by, answer.value, {
    ...place,
    ...{ label, names, type },
    path: joinPath(place.path, valueKey),
    at: [...place.at, valueKey],
  })
}

/** A text, a list of texts, or a name, phone or address in parts. */
const isOneValue = (value: unknown): boolean =>
  !(typeof value === 'object' && value !== null) ||
  (Array.isArray(value)
    ? value.every((item) => typeof item !== 'object' || item === null)
    : joinParts(value as BodyObject) !== null)

function collectElements(
  fields: SampleField[],
  by: { titles: ReadonlyMap<string, string> },
  list: unknown[],
  place: Place,
): void {
  if (isConversation(list)) return
  const elementKey = findElementKey(list)
  for (const [index, item] of list.entries()) {
    const name = elementKey === null ? undefined : readScalar(item, elementKey)
    const step = name === undefined ? null : `[${elementKey}=${/[\]"]|^$/.test(name) ? JSON.stringify(name) : name}]`
    const path = step === null ? joinPath(place.path, String(index)) : `${place.path}${step}`
    const at = [...place.at, String(index)]
    const answer = readAnswer(item, by.titles)
    const inner = { ...place, path, at, names: name === undefined ? place.names : [name] }
    if (answer && step !== null) {
      const { value, valueKey, label, names, type } = answer
      const [chosen, choice] = pickChoice(value)
      const keys = [valueKey, ...choice]
      const here = {
        path: keys.reduce(joinPath, path),
        at: [...at, ...keys],
        label,
        names: [...names, ...nameByContacts(place.at)],
        type,
        isWritten: place.isWritten,
      }
      collect(fields, by, chosen, here)
    } else collect(fields, by, item, inner)
  }
}

/**
 * Returns what was chosen, and its keys inside the answer: a choice of Typeform has a label, several, or the visitor's own words; LinkedIn
 * names the kind of the answer first: `{ textQuestionAnswer: { answer } }`.
 */
export function pickChoice(value: unknown): [chosen: unknown, keys: string[]] {
  if (Array.isArray(value) && value.length === 1 && isObject(value[0]) && Object.hasOwn(value[0], 'answer'))
    return [value[0].answer, ['0', 'answer']]
  const [kind, ...others] = isObject(value) ? Object.keys(value) : []
  const inner = kind !== undefined && others.length === 0 ? (value as BodyObject)[kind] : undefined
  if (kind !== undefined && isObject(inner) && Object.hasOwn(inner, 'answer')) return [inner.answer, [kind, 'answer']]
  const key = isObject(value) ? ['labels', 'label', 'other'].find((one) => Object.hasOwn(value, one)) : undefined
  return key === undefined ? [value, []] : [(value as BodyObject)[key], [key]]
}

/** Returns what was chosen in words: an answer of Tally names its options by their ids. */
export function nameOptions(answer: unknown, chosen: unknown): unknown {
  const options = isObject(answer) && Array.isArray(answer.options) ? answer.options : []
  const texts = new Map(
    options.map((one) => [readScalar(one, 'id'), readScalar(one, 'text') ?? readScalar(one, 'label')]),
  )
  const name = (one: unknown) => (typeof one === 'string' ? (texts.get(one) ?? one) : one)
  return Array.isArray(chosen) ? chosen.map(name) : name(chosen)
}

const joinPath = (path: string, step: string) => (path === '' ? step : `${path}.${step}`)
const stepInto = (place: Place, key: string, title: string | undefined, isWritten: boolean): Place => ({
  path: joinPath(place.path, key),
  at: [...place.at, key],
  label: title ?? key,
  names: [key, ...(title === undefined ? [] : [title]), ...nameByParent(place.at, key)],
  type: null,
  isWritten,
})

/** `phones: [{ number }]` and `phoneNumbers: [{ value }]` are phone numbers, `emails: [{ address }]` email addresses. */
function nameByParent(at: readonly string[], key: string): string[] {
  const parent = findParent(at)?.replace(/s$/, '')
  return parent !== undefined && /^(?:number|address|value)$/i.test(key) ? [`${parent} ${key}`, parent] : []
}

/** In `phone: [{ label: 'work', value }]`, the list says what is reached, the label only where. */
function nameByContacts(at: readonly string[]): string[] {
  const parent = findParent(at)
  return parent !== undefined && /phone|mobile|e-?mail/i.test(parent) ? [parent] : []
}

const findParent = (at: readonly string[]) => at.findLast((step) => !/^\d+$/.test(step))

// ——— values as text ———

const phoneParts =
  /^(?:(?:phone_?)?(?:country|dial|calling)\w*|iso_?2|area|phone|(?:phone_?|national_?)?number|extension)$/i
/** The parts of a name, a phone and an address, and what the whole is called beside them. */
const partOrders: [separator: string, parts: RegExp, wholes: string[]][] = [
  [
    ' ',
    /^(?:prefix|title|first|first_?name|given_?name|middle|middle_?name|middle_?initial|last|last_?name|family_?name|suffix)$/i,
    ['full', 'full_name', 'fullName', 'FirstAndLast', 'formatted'],
  ],
  [' ', phoneParts, ['full', 'formatted', 'e164', 'e164Phone', 'formattedPhone']],
  [
    ', ',
    /^(?:addr(?:ess)?_?(?:line_?)?[12]?|street\w*|line_?[12]|unit|suite|city|town|state|province|region|zip\w*|postal\w*|country\w*)$/i,
    ['full', 'FullAddress', 'formatted'],
  ],
]

/** Returns a name, phone or address that is sent in parts, as one text; null for any other object. */
export function joinParts(value: BodyObject): string | null {
  const keys = Object.keys(value).filter((key) => key !== 'field_type')
  if (keys.length === 0 || !Object.values(value).every((part) => part === null || isScalar(part))) return null
  if (keys.length > 1 && keys.every((key) => isTimePart(key, String(value[key] ?? '')))) return joinTimeParts(value)
  const order = partOrders.find(([, part, wholes]) => keys.every((key) => part.test(key) || wholes.includes(key)))
  if (!order) return null
  const [separator, parts, wholes] = order
  const whole = wholes.map((key) => readScalar(value, key)).find((text) => text !== undefined)
  if (keys.length === 1 && whole === undefined) return null
  const read = (some: string[]) => some.flatMap((key) => readScalar(value, key)?.trim() || [])
  if (whole !== undefined || parts !== phoneParts) return whole ?? read(keys).join(separator)
  const countries = read(keys.filter((key) => countryPart.test(key)))
  const numbers = read(keys.filter((key) => !countryPart.test(key) && !extensionPart.test(key)))
  const [extension] = read(keys.filter((key) => extensionPart.test(key)))
  // Beside the whole number, some send it once more without its country.
  const number = [numbers.find(hasCountry) ?? numbers.join(separator), extension].filter(Boolean).join(' ext. ')
  const country = countries.find((one) => findDialCode(one) !== undefined) ?? countries[0]
  return country === undefined || numbers.length === 0 ? (country ?? number) : joinCountry(country, number)
}

/** JotForm sends a day, a time and both in parts. */
const isTimePart = (key: string, text: string) =>
  /^(?:year|month|day|timeInput|hour|hourSelect|min|minuteSelect|ampm)$/.test(key) &&
  /^\s*(?:[\d:]*|[ap]m)\s*$/i.test(text)

function joinTimeParts(value: BodyObject): string {
  const find = (...keys: string[]) => keys.map((key) => readScalar(value, key)?.trim()).find(Boolean)
  const day = [find('year'), find('month'), find('day')].filter(Boolean).join('-')
  const time = find('timeInput') ?? [find('hour', 'hourSelect'), find('min', 'minuteSelect')].filter(Boolean).join(':')
  return [day, time, time && find('ampm')].filter(Boolean).join(' ')
}

const countryPart = /country|dial|calling|iso/i
const extensionPart = /^extension$/i

/** Puts what a question is called before its answer. A question mark is mark enough, and the star of a required field says nothing here. */
export function joinLabel(label: string, text: string): string {
  const bare = label.replace(/(?<![\s:*])[\s:*]+$/, '')
  if (bare === '') return text
  return /[?!.…？]$/.test(bare) ? `${bare} ${text}` : `${bare}: ${text}`
}

/**
 * Returns a value as text: a list on one line, an object as its names and values; null if it is empty, a word for no value, such as
 * `N/A`, or a template that was not filled in.
 */
export function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) {
    const separator = value.some((item) => typeof item === 'object' && item !== null) ? '; ' : ', '
    return value.flatMap((item) => toText(item) ?? []).join(separator) || null
  }
  if (isObject(value)) {
    const whole = joinParts(value)
    if (whole !== null) return whole.trim() === '' ? null : whole
    if (Object.hasOwn(value, 'answer') && Object.keys(value).length === 1) return toText(value.answer)
    const fields = Object.entries(value).flatMap(([key, inner]) => {
      const text = toText(inner)
      return text === null ? [] : [joinLabel(key, text)]
    })
    return fields.join(', ') || null
  }
  const text = String(value)
  const parts = openLines(text)
  if (isObject(parts)) return toText(parts)
  return text.trim() === '' || isUnfilled(text) ? null : text
}
