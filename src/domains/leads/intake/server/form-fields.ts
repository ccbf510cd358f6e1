import { type EventBody, getOwnField, isBodyObject } from './parse-body.ts'

/**
 * The answers of a web form. Every website spells its fields differently (`Your Name`, `your-name`, `fields[name]`), so a
 * field is matched by its letters and digits only, under any of its common names.
 */
export class FormFields {
  readonly #values = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #asked = new Set<string>()

  constructor(body: EventBody) {
    this.#collect(body, 0)
  }

  /** Returns the value of the first of these names that was filled in. */
  get(...names: string[]): string | null {
    for (const name of names) this.#asked.add(name)
    return names.map((name) => this.#values.get(name)).find((value) => value !== undefined) ?? null
  }

  /** Returns the fields that were never read, one per line, as the message of a form without a message field. */
  rest(): string | null {
    const lines = [...this.#values]
      .filter(([name]) => !this.#asked.has(name) && !pluginKeys.test(name))
      .map(([name, value]) => `${this.#labels.get(name) ?? name}: ${value}`)
    return lines.length > 0 ? lines.join('\n') : null
  }

  #collect(body: EventBody, depth: number) {
    const inner: EventBody[] = []
    for (const key of Object.keys(body)) {
      const value = getOwnField(body, key)
      const text = toFieldText(value)
      if (text !== null) this.#keep(key, text)
      else if (isBodyObject(value) && depth < 3) {
        inner.push(value)
        // A name in parts: { name: { first, last } }.
        if (!wrapperKeys.test(normalizeKey(key)))
          this.#keep(key, Object.values(value).map(toFieldText).filter(Boolean).join(' '))
      }
    }
    // Outer values win over inner ones.
    for (const value of inner) this.#collect(value, depth + 1)
  }

  #keep(key: string, text: string) {
    const name = normalizeKey(key)
    if (name === '' || text.trim() === '' || this.#values.has(name)) return
    this.#values.set(name, text)
    this.#labels.set(name, key)
  }
}

const wrapperKeys = /^(fields|meta|itemmeta|formdata|data|entry)$/
/** Keys that the form plugin adds about itself. */
const pluginKeys =
  /^(id|key|itemkey|formid|formkey|postid|createdat|updatedat|submittedat|isdraft|userid|parentitemid|updatedby|ip|site|test|event|action|trigger|token|nonce|utm\w*|fbclid|msclkid|first|last|\d+)$/

const normalizeKey = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
function toFieldText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return value
      .map((part) => (isBodyObject(part) ? '' : (toFieldText(part) ?? '')))
      .filter(Boolean)
      .join(', ')
  return null
}

/** Parses the contact and the message, under the names that forms use. */
export function parsePerson(fields: FormFields) {
  const parts = [fields.get('firstname', 'fname', 'namefirst'), fields.get('lastname', 'lname', 'surname', 'namelast')]
  const place = [
    fields.get('city', 'town'),
    fields.get('state', 'region', 'province'),
    fields.get('zip', 'zipcode', 'postcode'),
  ]
  return {
    name:
      fields.get('name', 'fullname', 'yourname', 'contactname', 'customername', 'leadname') ??
      (parts.filter(Boolean).join(' ') || null),
    email: fields.get('email', 'emailaddress', 'youremail', 'mail', 'customeremail', 'leademail'),
    phone: fields.get(
      'phone',
      'phonenumber',
      'yourphone',
      'telephone',
      'tel',
      'mobile',
      'cell',
      'cellphone',
      'mobilephone',
      'contactnumber',
      'customerphonenumber',
      'customerphone',
      'leadphone',
    ),
    location: fields.get('location', 'formattedcustomerlocation') ?? (place.filter(Boolean).join(', ') || null),
    message: fields.get(
      'message',
      'yourmessage',
      'comments',
      'comment',
      'details',
      'description',
      'question',
      'questions',
      'inquiry',
      'howcanwehelp',
      'howcanwehelpyou',
      'notes',
      'projectdetails',
    ),
  }
}
