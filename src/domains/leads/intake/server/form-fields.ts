import { isUnfilled } from '#contract/empty-text.ts'
import { joinLabel, toText } from '../../custom-sources/body-paths.ts'
import { isEnvelopeKey } from '../../custom-sources/envelope.ts'
import { type EventBody, getOwnField, isBodyObject } from './parse-body.ts'

/**
 * The answers of a web form. Every website spells its fields differently (`Your Name`, `your-name`, `fields[name]`), so a
 * field is matched by its letters and digits only, under any of its common names.
 */
export class FormFields {
  readonly #values = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #read = new Set<string>()
  readonly #sent = new Set<string>()

  constructor(body: EventBody) {
    this.#collect(body, 0)
  }

  /** Returns whether one of these fields was sent, filled in or not. */
  has(...names: string[]): boolean {
    return names.some((name) => this.#sent.has(name))
  }

  /** Returns the value of the first of these names that was filled in. */
  get(...names: string[]): string | null {
    const found = names.find((name) => this.#values.has(name))
    if (found === undefined) return null
    this.#read.add(found)
    return this.#values.get(found)!
  }

  /** Returns the fields that were not read, one per line, for the message. */
  rest(): string | null {
    const lines = [...this.#values]
      .filter(
        ([name]) => !this.#read.has(name) && !pluginKeys.test(name) && !isEnvelopeKey(this.#labels.get(name) ?? name),
      )
      .map(([name, value]) => joinLabel(this.#labels.get(name) ?? name, value))
    return lines.length > 0 ? lines.join('\n') : null
  }

  #collect(body: EventBody, depth: number) {
    const inner: EventBody[] = []
    for (const key of Object.keys(body)) {
      this.#sent.add(normalizeKey(key))
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
    if (name === '' || text.trim() === '' || isUnfilled(text) || this.#values.has(name)) return
    this.#values.set(name, text)
    this.#labels.set(name, key)
  }
}

const wrapperKeys = /^(fields|meta|itemmeta|formdata|data|entry)$/
/** Keys that the form plugin adds about itself. */
const pluginKeys =
  /^(id|key|itemkey|formid|formkey|postid|createdat|updatedat|submittedat|isdraft|userid|parentitemid|updatedby|ip|site|test|event|action|trigger|token|nonce|utm\w*|fbclid|msclkid|first|last|\d+)$/

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

/** The names that forms use for the contact and the message, the most telling first. */
export const personNames = {
  first: ['firstname', 'fname', 'namefirst', 'givenname', 'nombre', 'nombres', 'prenom', 'vorname', 'nome', 'voornaam'],
  last: [
    'lastname',
    'lname',
    'surname',
    'namelast',
    'familyname',
    'apellido',
    'apellidos',
    'nachname',
    'nomdefamille',
    'nom',
    ...['cognome', 'sobrenome', 'apelido', 'achternaam'],
  ],
  name: [
    'name',
    'fullname',
    'yourname',
    'contactname',
    'customername',
    'leadname',
    'names',
    'clientname',
    'membername',
    'nombrecompleto',
    ...['nomcomplet', 'votrenom', 'nometprenom', 'nombreyapellidos', 'tunombre', 'sunombre', 'ihrname'],
    ...['vorundnachname', 'nomecompleto', 'seunome', 'nomeecognome', 'naam', 'uwnaam', 'volledigenaam'],
  ],
  email: [
    'email',
    'emailaddress',
    'youremail',
    'mail',
    'customeremail',
    'leademail',
    'workemail',
    'useremail',
    'contactemail',
    'contactemailaddress',
    'clientemail',
    'memberemail',
    'correo',
    'correoelectronico',
    ...['courriel', 'adresseemail', 'emailadresse', 'indirizzoemail', 'emailadres'],
  ],
  phone: [
    ...['phone', 'phonenumber', 'yourphone', 'telephone', 'tel', 'mobile', 'cell', 'cellphone', 'mobilephone'],
    ...[
      'contactnumber',
      'customerphonenumber',
      'customerphone',
      'leadphone',
      'workphonenumber',
      'workphone',
      'userphone',
      'phoneprimary',
      'primaryphone',
      ...['mobilenumber', 'mobilephonenumber', 'mobileno', 'cellnumber', 'cellphonenumber', 'contactphone'],
      ...[
        'contactphonenumber',
        'contactno',
        'clientphone',
        'phoneno',
        'phones',
        'phonenumbers',
        'homephone',
        'dayphone',
      ],
      'telefono',
      'celular',
      'telefon',
      ...['telefonnummer', 'handynummer', 'mobilnummer', 'telefone', 'seutelefone', 'cellulare', 'movil'],
      ...['numerodetelefono', 'numerodetelephone', 'numeroditelefono', 'telefoon', 'telefoonnummer'],
    ],
  ],
  location: ['location', 'formattedcustomerlocation'],
  message: [
    ...['message', 'yourmessage', 'comments', 'comment', 'details', 'description', 'question', 'questions', 'inquiry'],
    ...[
      'howcanwehelp',
      'howcanwehelpyou',
      'notes',
      'projectdetails',
      'mensaje',
      'comentarios',
      'nachricht',
      ...['ihrenachricht', 'votremessage', 'mensagem', 'suamensagem', 'tumensaje', 'messaggio', 'bericht'],
      ...['commentsquestions', 'questionscomments', 'anythingelse'],
      'textarea',
      ...[
        'multiline',
        'messagetext',
        'messagebody',
        'additionalinfo',
        'additionalinformation',
        'additionalcomments',
        'body',
      ],
    ],
  ],
} as const

/** Parses the contact and the message, under the names that forms use. What else the visitor wrote stands in the message. */
export function parsePerson(fields: FormFields) {
  const name = fields.get(...personNames.name)
  const parts = [fields.get(...personNames.first), fields.get(...personNames.last)]
  const location = fields.get(...personNames.location)
  const place = [
    fields.get('city', 'town'),
    fields.get('state', 'region', 'province'),
    fields.get('zip', 'zipcode', 'postcode'),
  ]
  return {
    name: name ?? (parts.filter(Boolean).join(' ') || null),
    email: fields.get(...personNames.email),
    phone: fields.get(...personNames.phone),
    location: location ?? (place.filter(Boolean).join(', ') || null),
    message: fields.get(...personNames.message),
  }
}

/** Puts what is left over under the visitor's own message. */
export const joinMessage = (...parts: (string | null)[]): string | null => parts.filter(Boolean).join('\n\n') || null
