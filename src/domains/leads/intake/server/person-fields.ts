import { foldText } from '#contract/fold-text.ts'
import { findDialCode, readPhone } from '#contract/read-phone.ts'
import { dropWrappers } from '../../custom-sources/envelope.ts'

/** The names that forms use for the contact and the message, the most telling first. */
export const personNames = {
  first: [...'firstname fname namefirst givenname forename nombre nombres prenom vorname nome voornaam'.split(' ')],
  last: [
    ...'lastname lname surname namelast familyname apellido apellidos nachname nomdefamille nom'.split(' '),
    ...'cognome sobrenome apelido achternaam'.split(' '),
  ],
  // Before `name`, which beside these is the deal's in a CRM.
  name: [
    ...'fullname yourname contactname contactperson name customername leadname names clientname'.split(' '),
    ...'membername nombrecompleto calleridname displayname firstlastname firstandlastname'.split(' '),
    ...'namefirstlast namefirstandlast nomcomplet votrenom nometprenom nombreyapellidos tunombre'.split(' '),
    ...'sunombre ihrname vorundnachname nomecompleto seunome nomeecognome naam uwnaam volledigenaam'.split(' '),
  ],
  email: [
    ...'email emailaddress youremail mail customeremail leademail workemail useremail contactemail'.split(' '),
    ...'contactemailaddress emailid emails emailaddresses clientemail memberemail correo'.split(' '),
    ...'correoelectronico courriel adresseemail emailadresse indirizzoemail emailadres replyto'.split(' '),
  ],
  phone: [
    ...'phone phonenumber yourphone telephone tel mobile cell cellphone mobilephone contactnumber'.split(' '),
    ...'customerphonenumber customerphone leadphone workphonenumber workphone userphone'.split(' '),
    ...'userphonenumber phoneprimary primaryphone mobilenumber mobilephonenumber mobileno cellnumber'.split(' '),
    ...'cellphonenumber contactphone contactphonenumber contactno clientphone phoneno phones'.split(' '),
    ...'phonenumbers homephone dayphone telefono celular telefon telefonnummer handynummer'.split(' '),
    ...'mobilnummer telefone seutelefone cellulare movil calleridnumber callbacknumber whatsapp'.split(' '),
    ...'whatsappnumber numerodetelefono numerodetelephone numeroditelefono telefoon telefoonnummer'.split(' '),
  ],
  location: ['location', 'formattedcustomerlocation'],
  message: [
    ...'message yourmessage comments comment details description question questions inquiry'.split(' '),
    ...'howcanwehelp howcanwehelpyou notes projectdetails mensaje comentarios nachricht'.split(' '),
    ...'ihrenachricht votremessage mensagem suamensagem tumensaje messaggio bericht'.split(' '),
    ...'commentsquestions questionscomments anythingelse textarea multiline messagetext messagebody'.split(' '),
    ...'additionalinfo additionalinformation additionalcomments body'.split(' '),
  ],
} as const

/** A question for a part of the visitor's name: with any other word, it may ask for a child's. */
const askPart = (part: string, before = '') =>
  new RegExp(
    `^(?:(?:${before}and|please|enter|provide|type|whats?|s|is|your|my|the|full|txt|input) )*(?:(?:${part})(?: (?:or )?(?:${part}))? ?name|names? (?:${part}))(?: (?:required|optional|here|please))*$`,
    'i',
  )
const [firstNames, lastNames] = ['first|given|fore', 'last|family|sur'] as const

/** Names that a visitor may have beside the usual one: the words for their parts count where nothing else names anyone. */
export const formalNames = ['legal|', 'billing|'].map(
  (before) => [askPart(firstNames, before), askPart(lastNames, before)] as const,
)

/** The words of questions for them. */
export const personWords = {
  first: askPart(firstNames),
  last: askPart(lastNames),
  email: /\be ?mail\b|\bcorreo\b/i,
  phone:
    /\b(?:best|call ?back|whats ?app) (?:contact )?number\b|\bnumber (?:to|(?:where )?(?:we|you) can(?: be)?) (?:reach|call|text)|\b(?:tele)?phone\b|\bmobile\b|\bcell\b|\btel\b|\btelefo\w+|\bcell?ulare?\b|\bmovil\b|\bhandy\w*/i,
  name: /\b(?:your|full|contact|ihr) name\b|^name\b(?! (?:of|on)\b(?! (?:(?:the|your|main|primary) )?(?:contact|customer|person|client|caller|applicant|patient|homeowner|tenant|requester)\b))|\bnom(?:bre)? (?:complet[eo]?|y apellidos?|et prenom)\b|\bnome (?:completo|e cognome)\b/i,
  message:
    /\bmessage\b(?! (?:status|type|kind|count|id|code|direction|source|channel)\b)|\bcomments?\b|\bhow can we help\b|\bdescribe\b|\bdetails\b/i,
} as const

/** In a field for one, an address may stand beside a name, in a link, or with others. */
export const anyEmailPattern = /^(?!\s*(?:no|do-?not)-?_?reply@|.*\bsips?:)[\s\S]*[^\s@,;<>]@[^\s@,;<>]+\.[^\s@,;<>]/
/** Any spelling of a number, also where the caller withheld it, or its country stands before it. */
export const isPhone = (text: string) => {
  const { number, isWithheld } = readPhone(text.replace(/^\([^()\d]+\) /, ''))
  return isWithheld || (number?.replace(/\D/g, '').length ?? 0) >= 7
}

/** A country that is asked by itself: without it, a number from abroad is one of here. */
export const dialCodeNames = [
  ...'countrycode phonecountrycode countrycallingcode callingcode dialcode phonecode isdcode'.split(' '),
  ...'phonecountry countryiso countryiso2 countryisocode iso2 isocode countryshortname'.split(' '),
]
export const countryNames = ['country', 'countryname']
export const isDialCode = (text: string) => findDialCode(text) !== undefined

/** Returns whether a text is one address, or one number written as a phone, so surely that its field may be called as it likes. */
export function isSurelyEmail(text: string): boolean {
  const address = text.trim()
  const isOne = /^(?!(?:no|do-?not)-?_?reply|sips?:)[^\s@,;<>]+@(?!s\.whatsapp\.net|[cg]\.us)[^\s@,;<>]+\.[^\s@,;<>]+$/
  return address.length <= maxAddressLength && isOne.test(address)
}
const maxAddressLength = 254 // longer ones take the pattern ever longer, and no mail reaches them
export function isSurelyPhone(text: string): boolean {
  const { number, before, after } = readPhone(text)
  const isWritten = /^\s*(?:\+1|\(\d{3}\)|\d{3}[-.]\d{3}[-.]\d{4})/.test(text)
  return isWritten && number?.startsWith('+') === true && before + after === ''
}

/** Returns whether a text has a word, or words, however they are written. */
export const hasWord = (text: string, word: string): boolean =>
  ` ${foldText(text.trim())} `.includes(` ${foldText(word.trim())} `)

/** Questions about the agency's own people, and about those who are not called back. */
export const otherWords =
  /\b(?:landlord|friend|referr(?:ed|er|al)|sales ?(?:person|man|rep)|broker|support|recipient|web ?master|agent|owner|rep|representative|assigned|assignee|organi[sz]er|host|notification|notify|admin|manager|staff|realtor|technician|spouse|partner|emergency|b?cc)\b/i
/** `agentEmail` and `agent_email` are an agent's email. */
export const toWords = (label: string) => label.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[^\p{L}]+/gu, ' ')

/** Names that are not the visitor's. */
export const otherNames =
  /\b(?:company|business|form|first|last|user|file|pet|street|site|domain|campaign|display|empresa|entreprise|societe|firma|azienda|bedrijf|tracking|called|destination|forwarding|store|support|sender|from|reply)\b|^to\b/i

/** Names of numbers that are no one's, or not the visitor's. */
export const otherNumbers = new RegExp(
  `${otherNames.source}|\\b(?:fax|office|policy|account|order|invoice|licen[cs]e|serial)\\b`,
  'i',
)

/** `data__best_phone_number` and `q5_bestPhoneNumber` are `best phone number`; a `first & last name` is a full one. */
export const toPlainWords = (label: string) =>
  toWords(
    label
      .replace(/^q\d+_(?=\S)|^.*__(?=\p{L})/gu, '')
      .replace(/^(?:form_fields|form_data|fields)\[([^[\]]+)\]$/, '$1')
      .normalize('NFD')
      .replace(/\p{M}/gu, ''),
  )
    .trim()
    .replace(/\bfirst (?:and )?last(?= name\b)/i, 'full')

/**
 * Form builders number their fields (`name_1`, `tel-123`, `q3_fullName3`, `1) Name`), Elementor says `No Label name`, Wix `field:name_379d`,
 * Zapier `data__name`, Divi `et_pb_contact_name_0`, MetForm `mf-first-name`.
 */
export const toBareName = (key: string) =>
  toName(
    key
      .replace(/^(field:.*)_[\da-f]{4}$/, '$1')
      .replace(/^(?:no label\s+|name[-_]\d+[-_]|ticket_|fields?:|et_pb_contact_|mf-(?:listing-)?|\d{1,3}[.)]\s+)/i, '')
      .replace(/^.*__(?=\p{L})/u, ''),
  )
    .replace(/(?<!^question)\d{1,5}$/, '')
    .replace(personBefore, '')

/** Who the visitor is to the sender: `caller_name`, `consumer_phone_number`, `visitorEmail`, `What’s your first name?`. */
const personBefore =
  /^(?:(?:what(?:i?s|are))?(?:your|my)|(?:caller|calling|consumer|visitor|guest|applicant|homeowner|requester|requestor|respondent|subscriber|buyer|prospect|sender|patient|parent|guardian|person|attendee|invitee|best|main|lead|contact|customer|client|member)s?)(?=(?:full|first|last)?name$|e?mail(?:address)?$|(?:tele|cell|mobile)?(?:phone)(?:number)?$|message$)/

/** `q5_phoneNumber`, `Phone Number` and `fields[phone_number][value]` are all `phonenumber`. */
export const toName = (key: string): string =>
  (/\[([^[\]]+)\](?:\[value\])?$/.exec(key)?.[1] ?? dropWrappers(key))
    .replace(/^q\d+_(?=\S)/, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
