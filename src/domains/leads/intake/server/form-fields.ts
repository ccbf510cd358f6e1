import { isUnfilled } from '#contract/empty-text.ts'
import { isObject } from '#contract/is-object.ts'
import { hasCountry } from '#contract/read-phone.ts'
import { addCountry, isAmerican, isCountryOf } from '#domains/leads/model/phone-key.ts'
import { joinLabel, joinParts, readAnswer, readField, toText } from '../../custom-sources/body-paths.ts'
import { isAnswered, isAskedName, isEnvelopeKey, isProgramsWord } from '../../custom-sources/envelope.ts'
import { type EventBody, getOwnField, nameValues } from './parse-body.ts'
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
  toPlainWords,
} from './person-fields.ts'

/**
 * The answers of a web form. Every website spells its fields differently (`Your Name`, `your-name`, `fields[name]`), so a
 * field is matched by its letters and digits only, under any of its common names.
 */
export class FormFields {
  readonly #values = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #read = new Set<string>()
  readonly #sent = new Set<string>()
  /** What other fields of the same name say. */
  readonly #others: { label: string; text: string }[] = []
  /** Of a field in parts, its parts by their names. */
  readonly #parts = new Map<string, ReadonlyMap<string, string>>()
  readonly #areAnswers: boolean

  /** `areAnswers`: the questions of a form, with nothing of a plugin or an event between them. */
  constructor(body: EventBody | readonly unknown[], { areAnswers = false } = {}) {
    this.#areAnswers = areAnswers
    this.#collect(isObject(body) ? body : (nameAnswers(body) ?? {}), 0)
  }

  /** Returns whether one of these fields was sent, filled in or not. */
  has(...names: string[]): boolean {
    return names.some((name) => this.#sent.has(name))
  }

  /** Returns the value of a field that stays among the fields that were not read. */
  peek(name: string): string | null {
    return this.#values.get(name) ?? null
  }

  /** Returns the value of the first of these names that was filled in. */
  get(...names: string[]): string | null {
    const found = names.find((name) => this.#values.has(name))
    if (found === undefined) return null
    this.#read.add(found)
    return this.#values.get(found)!
  }

  /** Returns the value of the first field that is called so, or else whose question is surely this one, as far as the value fits. */
  ask(names: readonly string[], words: RegExp, accepts: (value: string) => boolean): string | null {
    const fitting = [...this.#values].flatMap(([name, value]) => {
      const label = this.#labels.get(name) ?? name
      const plain = toPlainWords(label)
      const fits = !otherWords.test(plain) && !this.#isOfAddress(name, value) && accepts(value)
      return this.#read.has(name) || !fits ? [] : [{ name, label, plain }]
    })
    const found =
      fitting.find(({ label }) => names.includes(toBareName(label))) ??
      fitting.find(({ plain }) => words.test(plain) && !otherNames.test(plain.replace(words, '')))
    return found ? this.get(found.name) : null
  }

  /** Returns the only text that is surely such a value, in a field whose name says nothing: Formidable calls some `29yf4d`. */
  only(accepts: (value: string) => boolean, called?: RegExp): string | null {
    const found = [...this.#values].filter(([name, value]) => {
      const label = this.#labels.get(name) ?? name
      const plain = toPlainWords(label)
      const isOther = otherNumbers.test(plain) || otherWords.test(plain) || called?.test(label) === false
      return !this.#read.has(name) && accepts(value) && !isOther
    })
    return new Set(found.map(([, value]) => value.trim())).size === 1 ? this.get(found[0]![0]) : null
  }

  /** Returns the name in the parts of a field that Gravity Forms numbers: `input_1.3` and `input_1.6`; an address has a `.1` too. */
  numberedName(): string | null {
    const labels = new Map([...this.#labels].map(([name, label]) => [label, name] as const))
    const pairs = [...labels].flatMap(([label, first]) => {
      const [, start] = /^(input_\d+[._])3$/.exec(label) ?? []
      const last =
        start === undefined || this.#sent.has(normalizeKey(`${start}1`)) ? undefined : labels.get(`${start}6`)
      return last === undefined ? [] : [[first, last]]
    })
    return pairs.length === 1 ? pairs[0]!.map((name) => this.get(name)).join(' ') : null
  }

  /** Returns the fields that were not read, one per line, for the message. */
  rest(): string | null {
    const twice = this.#findRepeated()
    const named = new Set([...this.#values].flatMap(([name, text]) => (/^\d+$/.test(name) ? [] : [text.trim()])))
    const isAgain = (name: string, text: string) => /^\d+$/.test(name) && named.has(text.trim()) // by the field's number
    const left = [...this.#values]
      .filter(([name, text]) => !this.#read.has(name) && !twice.has(name) && !isAgain(name, text))
      .map(([name, text]) => ({ label: this.#labels.get(name) ?? name, text }))
    const others = this.#others.filter(({ label, text }) => !this.#isPart(normalizeKey(label), text))
    const lines = [...left, ...others]
      .filter(({ label, text }) => !this.#isPlugins(label, text))
      .map(({ label, text }) => joinLabel(label, text))
    return lines.length > 0 ? [...new Set(lines)].join('\n') : null
  }

  #isPlugins(label: string, text: string): boolean {
    const isEvent = eventKeys.test(normalizeKey(label))
    if (isEvent || isAskedName(label, this.#areAnswers))
      return isProgramsWord(text) || (isEvent && eventWords.test(text.trim()))
    return (pluginKeys.test(normalizeKey(label)) || isEnvelopeKey(label)) && !isAnswered(label, text, this.#areAnswers)
  }

  /** Returns what a field in parts says twice: the parts of one that was read, or of an address, which is one line; else the whole. */
  #findRepeated(): Set<string> {
    const repeated = [...this.#parts].flatMap(([whole, parts]) => {
      const own = [...parts].filter(([name, text]) => this.#values.get(name) === text).map(([name]) => name)
      if (this.#read.has(whole) || addressKeys.test(whole)) return own
      return own.length === parts.size ? [whole] : []
    })
    return new Set(repeated)
  }

  #isOfAddress(name: string, text: string): boolean {
    return [...this.#parts].some(([whole, parts]) => addressKeys.test(whole) && parts.get(name) === text)
  }

  #isPart(name: string, text: string): boolean {
    return [...this.#parts.values()].some((parts) => parts.get(name) === text)
  }

  #collect(body: EventBody, depth: number) {
    const inner: EventBody[] = []
    for (const key of Object.keys(body)) {
      this.#sent.add(normalizeKey(key))
      const value = toRows(getOwnField(body, key))
      const answer = readField(key, value, new Map())
      const answers = Array.isArray(value) ? nameAnswers(value) : null
      const text = toFieldText(value)
      if (answers !== null) inner.push(answers)
      else if (answer !== null && depth < 3) inner.push({ [nameAnswer(key, answer.label)]: answer.value })
      else if (text !== null) this.#keep(key, text)
      else if (isObject(value) && depth < 3) {
        inner.push(value)
        // A name in parts: { name: { first, last } }.
        if (!wrapperKeys.test(normalizeKey(key))) this.#keepWhole(key, value)
      }
    }
    // Outer values win over inner ones.
    for (const value of inner) this.#collect(value, depth + 1)
  }

  #keepWhole(key: string, value: EventBody) {
    const parts = Object.entries(value).flatMap(([part, inner]) => {
      const text = toFieldText(inner)
      return text ? [[normalizeKey(part), text] as const] : []
    })
    const whole = joinParts(value) ?? parts.map(([, text]) => text).join(' ')
    if (this.#keep(key, whole)) this.#parts.set(normalizeKey(key), new Map(parts))
  }

  #keep(key: string, text: string) {
    const name = normalizeKey(key)
    if (name === '' || text.trim() === '' || isUnfilled(text) || unfilledField.test(text)) return false
    const known = this.#values.get(name)
    if (known !== undefined) {
      if (known.trim() !== text.trim()) this.#others.push({ label: key, text })
      return false
    }
    this.#values.set(name, text)
    this.#labels.set(name, key)
    return true
  }
}

/** Returns the answers of a list by what they are called: `{ name: 'email', value: '…' }`; null for any other list. */
function nameAnswers(list: readonly unknown[]): EventBody | null {
  const answers = list.map((item) => readAnswer(item, new Map()))
  return answers.length > 0 && answers.every((answer) => answer !== null)
    ? nameValues(answers.map(({ label, value }) => [label, value] as const))
    : null
}

/** Of a field that holds its answer, returns its own name if it says who is asked for, else what it calls itself. */
const nameAnswer = (key: string, label: string) => (knownNames.has(toBareName(key)) ? key : label)
const knownNames: ReadonlySet<string> = new Set(Object.values(personNames).flat())

/** PHP sends the rows of a repeated part, and what was chosen of a list, by their numbers. */
const toRows = (value: unknown): unknown =>
  isObject(value) && Object.entries(value).length > 0 && Object.entries(value).every(isRow)
    ? Object.values(value)
    : value
const isRow = ([key, row]: [string, unknown], index: number) =>
  isObject(row) ? /^\d+$/.test(key) : key === String(index)

/** Formidable's shortcode of a field that is not in the form: `[25]`, `[26 show="label"]`. */
const unfilledField = /^\s*\[\d{1,6}(?: [\w-]+="[^"]*")*\]\s*$/

const addressKeys = /addres|adresse|location|direccion|indirizzo|endereco/
const wrapperKeys = /^(fields|meta|itemmeta|formdata|data|entry)$/
/** Of fields that have numbers for names, the only phone of an American needs no marks: `input_3`, `item_meta[9]`. */
const numberedField = /^(?:input_\d{1,4}|(?:item_meta|wpforms\[fields\])\[\d{1,4}\])$/
const isTenDigits = (value: string) => /^\s*1?[2-9]\d{2}[2-9]\d{6}\s*$/.test(value) && isPhone(value)

/** Keys that the form plugin adds about itself. */
const pluginKeys =
  /^(id|key|itemkey|formid|formkey|postid|createdat|updatedat|submittedat|isdraft|userid|parentitemid|updatedby|ip|site|test|token|nonce|utm\w*|fbclid|msclkid|first|last)$/

/** What a plugin says under them of an entry; a form may ask for an event or an action too. */
const eventKeys = /^(?:event|action|trigger)$/
/** `wpforms_submit`, the address that a form is sent to, `After entry is created`, and a form's own name. */
const eventWords = /^(?:\w{1,40}[_.:]\S{1,80}|\/.*|(?:[Aa]fter|[Bb]efore) (?:.* )?entry(?: is)? \w+|contact)$/

const normalizeKey = (key: string) =>
  key
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
function toFieldText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? (toText(value) ?? '') : null
}

const hasLetter = (text: string) => /\p{L}/u.test(text)

/** Parses the contact and the message, under the names that forms use. What else the visitor wrote stands in the message. */
export function parsePerson(fields: FormFields) {
  const find = (what: keyof typeof personWords, accepts: (value: string) => boolean) =>
    fields.get(...personNames[what]) ?? fields.ask(personNames[what], personWords[what], accepts)
  const whole = fields.get(...personNames.name)
  // An email that was asked and not given is not that of a friend.
  const only = (what: 'email' | 'phone', accepts: (value: string) => boolean) =>
    fields.has(...personNames[what]) ? null : fields.only(accepts)
  const called = (names: readonly string[], accepts: (value: string) => boolean) => fields.ask(names, /(?!)/, accepts)
  const any = () => true
  const findCountry = (number: string) =>
    called(dialCodeNames, isDialCode) ??
    called(dialCodeNames, (said) => isCountryOf(said, number)) ??
    // Of where the visitor lives; a number that is written as an American one is none of there.
    (isSurelyPhone(number) ? null : called(countryNames, (said) => !isAmerican(said) && isCountryOf(said, number)))
  const isBare = whole === null || !fields.has('first')
  const isPart = (one: string) => whole === null || (one === 'last' && !/\S\s+\S/.test(whole))
  const [first, last] = (['first', 'last'] as const).map(
    (one) =>
      called(personNames[one], any) ??
      (isBare ? (fields.get(one) ?? called([one], any)) : null) ??
      (isPart(one) ? fields.ask([], personWords[one], hasLetter) : null),
  ) as [string | null, string | null] // one for each
  const parts = [first ?? whole, last].filter(Boolean).join(' ')
  // Of `Name` and `Surname`, the first is a first name.
  const isWhole = whole !== null && (last === null || hasWord(whole, last))
  const findFormal = () => {
    for (const [asksFirst, asksLast] of formalNames) {
      const start = fields.ask([], asksFirst, hasLetter)
      if (start !== null) return [start, fields.ask([], asksLast, hasLetter)].filter(Boolean).join(' ')
    }
    return null
  }
  const name = isWhole ? whole : parts || find('name', hasLetter) || findFormal() || fields.numberedName()
  const email = find('email', (value) => anyEmailPattern.test(value)) ?? only('email', isSurelyEmail)
  const number = find('phone', isPhone) ?? only('phone', isSurelyPhone) ?? fields.only(isTenDigits, numberedField)
  const country = number === null || hasCountry(number) ? null : findCountry(number)
  const phone = number === null || country === null ? number : addCountry(country, number)
  const location = fields.get(...personNames.location)
  const place = [
    fields.get('city', 'town'),
    fields.get('state', 'region', 'province'),
    fields.get('zip', 'zipcode', 'postcode'),
  ]
  return {
    ...{ name, email, phone },
    location: location ?? (place.filter(Boolean).join(', ') || null),
    message: find('message', () => true),
  }
}

/** Puts what is left over under the visitor's own message. */
export const joinMessage = (...parts: (string | null)[]): string | null => parts.filter(Boolean).join('\n\n') || null
