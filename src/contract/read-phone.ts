import { arabicDigits, toPlainDigit } from './column-reading.ts'

/**
 * The one reader of phone numbers, for both sides. A text is read only as far as it is surely understood: the first complete number that is
 * not called a fax counts (American by default), what stands beside it stays readable. Number plans of other countries are known on the server only
 * (`toPhoneKey`, `cleanPhone`), which stores what this reader would read otherwise in a form that both read alike.
 */
type ReadPhone = {
  /** `+15125550144`, or the digits of an incomplete number; null without one. */
  number: string | null
  /** The digits of an extension. They are dialed, and are no part of what is compared. */
  extension: string | null
  /** What stands before and behind it. */
  before: string
  after: string
  /** As people write it: `+1 (512) 555-0144 ext. 7`. */
  shown: string
  isWithheld: boolean
  /** A spreadsheet has written it as `1.51256E+10` or, in a narrow column, as `####`: the rest of its digits is lost. */
  isShortened: boolean
}

export function readPhone(text: string): ReadPhone {
  const tidy = tidyPhone(text)
  const none = {
    number: null,
    extension: null,
    before: '',
    after: '',
    shown: tidy,
    isWithheld: false,
    isShortened: false,
  }
  if (isWithheldCaller(tidy)) return { ...none, shown: withheldCaller, isWithheld: true }
  if (/^(?:[+-]?\d+(?:[.,]\d+)?e[+-]?\d+|#{3,})$/i.test(tidy)) return { ...none, isShortened: true }
  const numbers = findNumbers(tidy)
  const found = numbers.find((one) => !isFax(tidy, one, numbers)) ?? numbers[0] ?? findIncompleteNumber(tidy)
  if (!found) return none
  const { number, extension, start, end } = found
  return {
    ...none,
    number,
    extension,
    before: tidy.slice(0, start),
    after: tidy.slice(end),
    shown: showNumbers(tidy, numbers.length > 0 ? numbers : [found]),
  }
}

/** Formats a US number as +1 (407) 555-5016 ext. 7, and a withheld one as Withheld; any other number stays as it is. */
export const formatPhone = (phone: string): string => readPhone(phone).shown

/** Returns the number to dial and to copy: `+14075555016;ext=7`; '' without one. */
export function toDialedPhone(phone: string): string {
  const { number, extension } = readPhone(phone)
  if (number === null) return ''
  return extension === null ? number : `${number};ext=${extension}`
}

/** Returns the URL that dials a number; null without one, or with more or fewer digits than a phone can dial. */
export function toTelUrl(phone: string | null): string | null {
  const digits = (phone === null ? null : readPhone(phone).number)?.replace(/\D/g, '').length ?? 0
  return phone !== null && digits >= 5 && digits <= maxDigits ? `tel:${toDialedPhone(phone)}` : null
}

/** Returns whether a number says of which country it is, as it is dialed or as `joinCountry` writes it. */
export const hasCountry = (phone: string): boolean => /^\s*(?:\+|00|011|\([^()\d]+\) )/.test(phone)

/** Returns what is dialed for a country, of `44`, `+44` or `United Kingdom (+44)`. */
export const findDialCode = (country: string): string | undefined =>
  /\+\s?(\d{1,3})(?!\d)/.exec(country)?.[1] ?? /^\s*(\d{1,3})\s*$/.exec(country)?.[1]

/**
 * Puts a country before its number: what is dialed for it, else its name in brackets, as in `(GB) 020 7946 0958`, which the server reads
 * (`cleanPhone`).
 */
export function joinCountry(country: string, number: string): string {
  if (hasCountry(number)) return number
  const code = findDialCode(country)
  return code === undefined ? `(${country.replace(/[()\d]+/g, ' ').trim()}) ${number}` : `+${code} ${number}`
}

export const isWithheldPhone = (phone: string): boolean => readPhone(phone).isWithheld

/** Returns whether a phone is only a country code or a mask that is not filled in: no one can be called by it. */
export function isUnfilledPhone(phone: string): boolean {
  const { number, isWithheld, isShortened } = readPhone(phone)
  const tidy = tidyPhone(phone)
  if (number !== null || isWithheld || isShortened || /[^\d\s+()._·•/#x-]/i.test(tidy)) return false
  if (isForeignMask(tidy)) return true
  return !hasEnoughDigits(tidy) && (tidy.replace(/\D/g, '').length < 7 || /[_x]|[·•] ?[·•]/i.test(tidy))
}

/** Returns whether a text is a word behind 8xx in small letters: a number where a phone was asked for, elsewhere 866 shingles. */
export const isWordNumber = (text: string): boolean => /^\s*8\d\d (?=[A-Za-z\d ]*[a-z])[A-Za-z\d ]+$/.test(text)

export const isWholePhone = (phone: string | null): boolean => phone === null || !readPhone(phone).isShortened
/** Why a phone that lost its digits is refused where a person can mend it. */
export const shortenedPhone = 'Excel has shortened this number'

/** E.164 */
const maxDigits = 15

/**
 * Returns the text as it is stored: in plain letters and digits on one line, without the marks that phones and browsers copy along, the
 * label that Facebook (`p:`) and Twilio (`whatsapp:`) write, and the `.0` that spreadsheets append.
 */
export function tidyPhone(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[\r\n]+/g, ' / ')
      .replace(/[^\P{C}\t]/gu, '')
      .replace(arabicDigits, toPlainDigit)
      .replace(/[\p{Pd}\u2212]/gu, '-')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^(?:p|tel|phone|telephone|callto|sms|whatsapp)\s*:\s*(?:\/\/)?/i, '')
      .replace(/^="(.*)"$/, '$1')
      // A link of Slack's, <tel:+15125550144|(512) 555-0144>, and of Markdown's, [(512) 555-0144](tel:+15125550144)
      .replace(/^<tel:([^|<>]+)(?:\|[^<>]*)?>$|^\[[^[\]]*\]\(tel:([^()]+)\)$/i, '$1$2')
      // How telephone systems and WhatsApp write a caller: "JOAN OTTER" <5125550144>, sip:+15125550144@10.0.0.1:5060, 15125550144@s.whatsapp.net
      // An id that WhatsApp gives a person who hides the number, 123456789012345@lid, is none.
      .replace(/^"([^"]*)" ?(?=<)/, '$1 ')
      .replace(/(?:\bsips?:|(?<=^|[\s<]))(\+?\d{7,15})@(?!lid\b)[\w.-]+(?::\d+)?(?:;[\w=.-]+)*/i, '$1')
      .replace(/^["'`]+|["'`]+$/g, '')
      // Of a whole number only: 512.555.0144 has no such end.
      .replace(/(\d{4})\.0+(?![\d.])/g, '$1')
      .replace(/^(\+?\d{10,}),0+$/, '$1')
      .replace(/^\d{1,2}(?:,\d{3}){3}(?:\.0+)?$/, (thousands) => thousands.replace(/,|\..*/g, '')) // 5,125,550,144
      .replace(/^(?:1[2-9]|[2-9])([ .'’])\d{3}\1[2-9]\d\d\1\d{3}$/, (thousands) => thousands.replace(/\D/g, '')) // as other countries group them
      .replace(/^(?:\+?1([^\d\s])(?=\d{3}\1))?([2-9]\d\d)([,;:=*|~∙⋅‧・])(\d{3})\3(\d{4})$/, '$2-$4-$5')
      .trim()
  )
}

// ——— withheld callers ———

export const withheldCaller = 'Withheld'

/**
 * How providers write a withheld number: ANONYMOUS, BLOCKED, RESTRICTED (in two spellings), UNAVAILABLE and UNKNOWN on a phone keypad, and the 464 that Twilio lists beside them; with and without `+` and a leading 1. Zeros stand for the same.
 */
const withheldDigits = /^0*1?(?:266696687|2562533|7378742833|7378742883|86282452253|8656696|464|0+)$/
const withheldWords =
  /^(?:the)?(?:phone|caller)?(?:n[uú]mero|numéro|number|id|callerid|name)?(?:is)?(?:anonymous|withheld|private|restricted|unknown|unavailable|blocked|suppressed|hidden|unlisted|masked|unidentified|undisclosed|an[oó]nimo|privado|descon(?:o|he)cid[oa]|anonyme|inconnue?|privée?|anonym|unbekannt|unterdrückt|onbekend|privat[oa]?|masqué|ocult[oa]|nascosto|sconosciuto|verborgen|notavailable|nocallerid|noid|nonumber|outofarea)(?:phone|caller|user)?(?:number|id|callerid|call|name)?$/

function isWithheldCaller(tidy: string): boolean {
  const digits = tidy.replace(/[\s().+-]/g, '')
  if (/^\d+$/.test(digits)) return withheldDigits.test(digits)
  const isWithheld = (word: string) => withheldWords.test(word) || withheldDigits.test(word) // Unavailable <0>
  return withheldBetween.some((between) => {
    const parts = tidy.split(between).filter((part) => /[\p{L}\p{N}]/u.test(part))
    return parts.length > 0 && parts.every((part) => isWithheld(toBareWord(part)))
  })
}

/** What stands between the name and the number of a caller: Anonymous <sip:anonymous@anonymous.invalid>, Restricted 7378742883. */
const withheldBetween = [/[/|,;<>]/, /[/|,;<>()]|(?<=\p{L}) (?=\d)|(?<=\d) (?=\p{L})/u]

const toBareWord = (text: string) =>
  text
    .trim()
    .replace(/^(?:sips?|client):/i, '')
    .replace(/@.*$/, '')
    .toLowerCase()
    .replace(/^(\S+) \1$/, '$1') // a first and a last name
    .replace(/[^\p{L}\p{N}]/gu, '')

// ——— numbers ———

type FoundNumber = { number: string; extension: string | null; start: number; end: number }

const between = String.raw`[\s().\-/_·•[\]]{0,5}`
/** Forms that put +1 before what a person has typed with it write it twice; no other number begins so. */
const americanNumber = new RegExp(
  String.raw`^[\s([]*(?:(?:\++|00|011)?${between}1${between}(?:\+?1?${between})?)?([2-9]\d\d)${between}(\d{3})${between}(\d{4})(?!\d)`,
)
/** A letter stands for its key: 512-555-ROOF, 1-800-GOT-JUNK. Letters that are left over are not dialed. */
const vanityNumber = new RegExp(
  String.raw`^[\s([]*(\+?1${between})?([2-9]\d\d)(${between})((?![01])(?=[-.\s\dA-Z]{0,17}[A-Z]{3})(?:[\dA-Z][-.\s]?){6}[\dA-Z])[A-Z]{0,6}(?![\dA-Z])`,
  'i',
)
const spelledDigit = '(?:zero|one|two|three|four|five|six|seven|eight|nine)'
const spelledDigits = new RegExp(
  String.raw`${spelledDigit}[-.\s]${spelledDigit}|\d[-.\s]?${spelledDigit}(?![A-Z])`,
  'i',
)
const internationalStart = /^[\s(]*(?:\++(?:00|011)?|00|011)[\s(]*(?=[1-9])/
/** An O or an l typed for a digit, or a digit in letters: what stands before it is a part of many numbers. */
const brokenBehind = new RegExp(String.raw`^(?:[-.]?[oil]+\d| [oil]+\d\d|[-.]?${spelledDigit}(?![a-z]))`, 'i')

/** Bounded, as each pattern here that may be tried at many places: a text of nothing but brackets would be read again from each. */
const gapBefore = String.raw`[\s().\-/_·•[\]]{0,30}`
/** A ZIP code, a day, round the clock, office hours, and what is dialed to hide or show one's own number: no part of the number behind them. */
const noPhone = String.raw`(?<!\d)(?:\*\d\d|\d{5}(?:-\d{4})?|\d\d?/\d\d?/(?:\d{4}|\d\d)|24\s?[/x]\s?7(?:\s?[/x]\s?365)?|(?:[1-9]|1[0-2])(?::[0-5]\d)?\s?-\s?(?:[1-9]|1[0-2])(?::[0-5]\d)?)\s${gapBefore}`
const numberStart = new RegExp(
  String.raw`(?=[+([]{0,5}\s?\d)(?<=^${gapBefore}|^${noPhone}|\s[-/]\s|[^\d\p{L}\s()+.\-/_·•[\]]${gapBefore}(?:${noPhone})?|\p{L}[\s().\-/_·•[\]]${gapBefore}(?:${noPhone})?)(?<!\d:)(?:[+([]{0,5}|\+\s?)\d`,
  'gu',
)

/** Returns the complete numbers in their order. */
function findNumbers(text: string): FoundNumber[] {
  const numbers: FoundNumber[] = []
  for (let from = 0; ; ) {
    const found = findNumber(text.slice(from))
    if (!found) return numbers
    numbers.push({ ...found, start: from + found.start, end: from + found.end })
    from += found.end
  }
}

/**
 * Returns the first complete number. A run of digits is read from its start: its middle may be a part of any number. The minutes of a
 * time, as in `17:00`, start none.
 */
function findNumber(text: string): FoundNumber | null {
  const first = text.search(/[\p{L}\d]/u)
  for (const { index } of text.matchAll(numberStart)) {
    const rest = text.slice(index)
    const isFirst = first >= index
    const american = americanNumber.exec(rest)
    const found = american
      ? { number: `+1${american.slice(1, 4).join('')}`, length: american[0].length }
      : (readVanity(rest, isFirst) ?? readInternational(rest))
    if (found) return withExtension(text, found.number, index, closeBracket(text, index, index + found.length))
  }
  return null
}

/** Returns where a number ends that stands in brackets, or whose last part does. */
function closeBracket(text: string, start: number, end: number): number {
  const written = text.slice(start, end)
  return text[end] === ')' && written.lastIndexOf('(') > written.lastIndexOf(')') ? end + 1 : end
}

const faxBefore =
  /(?<!(?:tel|telephone|phone|ph|office|t|p)\.?\s*[/&+]\s*)(?<!\p{L})(?:(?:tele)?fax|facsimile|f(?=\.?\s*:))(?: ?(?:no|number|nr|#))?[\s.:#-]*[+(]*$/iu
const faxBehind = /^[\s-]*(?:\(\s*f(?:ax)?\.?\s*\)|fax\s*(?=$|[,;/|&]))/i

/** `F 512-555-0199 / T 512-555-0144`: the letter alone may be an initial. */
const faxLetterBefore = /(?<!\p{L})f\.?\s*[+(]*$/iu
const phoneLetterBefore = /(?<!\p{L})(?:[tpmoc]|tel|ph|phone|cell|mobile|office)\.?:?\s*[+(]*$/iu

function isFax(text: string, { start, end }: FoundNumber, numbers: readonly FoundNumber[]): boolean {
  const before = cutBefore(text, start)
  if (faxBefore.test(before) || faxBehind.test(text.slice(end))) return true
  return faxLetterBefore.test(before) && numbers.some((other) => phoneLetterBefore.test(cutBefore(text, other.start)))
}

/** As much of what stands before as can say what the number is. */
const cutBefore = (text: string, start: number) => text.slice(Math.max(0, start - 40), start)

function readInternational(text: string): { number: string; length: number } | null {
  const start = internationalStart.exec(text)?.[0]
  if (start === undefined) return null
  const [run = ''] = /^[\d\s().\-/_·•[\]]{0,200}\d/.exec(text.slice(start.length)) ?? []
  if (brokenBehind.test(text.slice(start.length + run.length))) return null
  // A few digits behind a dash are of the same number: `+49 30 12345 - 67`.
  const first = cutSecondNumber(run, / - \d{1,4}$/.test(run) ? 10 : 8)
  if (isMasked(text.slice(0, start.length + first.length + 3))) return null
  // The trunk prefix in brackets is for callers in that country, except in Italy, where it is a part of the number.
  const digits = first
    .replace(/^39(\D*)\(0\)/, '39$10')
    .replace(/\(0\)/, '')
    .replace(/\D/g, '')
  return digits.length >= 7 && digits.length <= maxDigits
    ? { number: `+${digits}`, length: start.length + first.length }
    : null
}

/** Cuts at the first stroke between spaces that stands behind enough digits for a number. */
function cutSecondNumber(run: string, fewest: number): string {
  let digits = 0
  let from = 0
  for (const { index } of run.matchAll(/ [-/] /g)) {
    digits += run.slice(from, index).replace(/\D/g, '').length
    if (digits >= fewest) return run.slice(0, index)
    from = index
  }
  return run
}

function readVanity(text: string, isFirst: boolean): { number: string; length: number } | null {
  const [whole = '', one = '', area = '', gap = '', word = ''] = vanityNumber.exec(text) ?? []
  if (word === '' || spelledDigits.test(text.slice(0, 100)) || /x{4}/i.test(word)) return null
  const phrase = whole.slice(whole.indexOf(word))
  const isLast = !/\p{L}/u.test(text.slice(whole.length).replace(extensionPattern, ''))
  // A message, 1 800 number please; a phrase that is dialed ends with its seventh letter.
  if (/[a-z]/.test(word) && /[a-z] [a-z]/i.test(phrase) && !(isLast && phrase.length === word.length)) return null
  // Written like a street's address: 2200 Congress Ave, 500 Main Street, 855 4th Blvd.
  const isDialed = /^[A-Z]+$/.test(word) || (isFirst && !/^\d+(?:st|nd|rd|th)/i.test(word))
  const isWholeWord = /^8\d\d/.test(area) && whole.length === text.length && isDialed
  if (gap === '' ? /\W/.test(word) : !/[^\s]/.test(one + gap) && !/^\d{3}|[-.]/.test(word) && !isWholeWord) return null
  const digits = word
    .toUpperCase()
    .replace(/[^\dA-Z]/g, '')
    .replace(/[A-Z]/g, (letter) => keypad[letter.charCodeAt(0) - 65]!)
  return { number: `+1${area}${digits}`, length: whole.length }
}

/** The keys of A to Z. */
const keypad = '22233344455566677778889999'

/** An area code by itself, and the rest in groups as other countries write them: `(512) 555 01 44`. */
const oddGroups = new RegExp(String.raw`^(?:\+?1${between})?[([]*[2-9]\d\d(?!\d)`)

/** Signs of a mask, `(512) 555-____`, where digits are missing. Between two digits they are dashes; one point alone is a stray sign. */
const mask = /(?<![\d_·•])(?:_|[·•] ?[·•])|(?:_|[·•] ?[·•])(?![\d_·•])/
const isMasked = (written: string) => mask.test(written) && !(hasEnoughDigits(written) && !isForeignMask(written))
/** How long a number is differs by country: two signs in a row stand for missing digits, unless eleven are there. */
const isForeignMask = (written: string) =>
  isForeign(written) && /_ ?_|[·•] ?[·•]/.test(written) && written.replace(/\D/g, '').length < 11
const isForeign = (written: string) => hasCountry(written) && !/^\D*(?:00|011)?\D*1/.test(written)

/** Returns whether a text has the digits of a whole number: 10 of an American one, 8 of another. */
function hasEnoughDigits(written: string): boolean {
  const digits = written.replace(/\D/g, '').replace(/^(?:00|011)/, '')
  return isForeign(written) ? digits.length >= 8 : digits.replace(/^1/, '').length >= 10
}

/**
 * Returns the digits of a text that is nothing but one number, such as one without its area code. A country alone, also with an area code,
 * is no number: strangers share it.
 */
function findIncompleteNumber(text: string): FoundNumber | null {
  const [run = ''] = /^[+([]*\d[\d\s().\-/_·•[\]]*/.exec(cutSecondNumber(text, 7)) ?? []
  const number = run.replace(/\D/g, '')
  if (number === '' || isMasked(run) || number.length <= (hasCountry(run) ? 4 : 2)) return null
  const american = oddGroups.test(run) ? /^1?([2-9]\d\d[2-9]\d{6})$/.exec(number)?.[1] : undefined
  const found = withExtension(text, american === undefined ? number : `+1${american}`, 0, run.trimEnd().length)
  return /^(?: [-/] .*)?$/.test(text.slice(found.end)) ? found : null
}

/** Said in a word, or dialed after a pause: a phone writes that as `,,7` or `;7`, at the end. */
const extensionPattern =
  /^(?:(?!,\d{5}$)[,;pw]{1,5}(?=\d{1,6}#?$)|[\s,;:./([-]*(?:;ext=|ext(?:en[st]i[oó]n|en|n)?|xtn?|ex|local|loc|press|opt(?:ion)?|int(?:erno)?|anexo|ramal|poste|durchwahl|dw|doorkies(?:nr|nummer)?|wew|доб|вн|[x×#])(?:[\s.]*(?:no|nr|number)(?![a-z]))?[\s.:=#-]*)(\d{1,9})(?!\d|\p{L}|:\d| ?[ap]\.?m\b)(?:\s*[)\]]|#$)?/iu

function withExtension(text: string, number: string, start: number, end: number): FoundNumber {
  const [whole = '', extension = null] = extensionPattern.exec(text.slice(end)) ?? []
  return { number, extension, start, end: end + whole.length }
}

function showNumbers(text: string, numbers: FoundNumber[]): string {
  const shown = numbers.map((one, at) => `${text.slice(numbers[at - 1]?.end ?? 0, one.start)}${showNumber(text, one)}`)
  return `${shown.join('')}${text.slice(numbers.at(-1)?.end)}`
}

function showNumber(text: string, { number, extension, start, end }: FoundNumber): string {
  const digits = /^\+1([2-9]\d{9})$/.exec(number)?.[1]
  const written = extension === null ? text.slice(start, end) : text.slice(start, end).replace(extensionAtEnd, '')
  const shown = digits ? `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}` : written.trim()
  return `${shown}${extension === null ? '' : ` ext. ${extension}`}`
}

const extensionAtEnd = new RegExp(`${extensionPattern.source.slice(1)}$`, 'iu')
