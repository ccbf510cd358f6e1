import { type CountryCode, getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { foldText } from '#contract/fold-text.ts'
import { findDialCode, hasCountry, readPhone, tidyPhone, withheldCaller } from '#contract/read-phone.ts'

/**
 * Returns what "the same phone" compares: E.164 (`+12125550123`) for any spelling, the bare digits of an incomplete number,
 * null without a number and for a withheld one. Extensions are no part of it.
 */
export function toPhoneKey(text: string | null): string | null {
  const tidy = tidyPhone(text ?? '')
  const { number, before } = readPhone(tidy)
  if (number === null) return null
  return findInPlan(number, tidy.slice(before.length))?.number ?? number.replace(/\D/g, '').slice(0, maxKeyLength)
}

/**
 * Returns a phone as it is stored, null if the text is empty. A number that only its country's plan reads right, such as
 * +44 020 7946 0958, is written as other countries dial it, so that readers without the plans read it alike.
 */
export function cleanPhone(text: string): string | null {
  const tidy = tidyPhone(text)
  const [, named = '', rest = ''] = /^\(([^()]+)\) (.+)$/.exec(tidy) ?? []
  if (rest !== '' && isCountryOf(named, rest)) return cleanPhone(addCountry(named, rest))
  const { number, extension, before, after, isWithheld } = readPhone(tidy)
  if (isWithheld) return withheldCaller
  const planned = number === null ? null : findInPlan(number, tidy.slice(before.length))
  if (!planned || planned.number === number) return tidy === '' ? null : tidy
  return `${before}${planned.formatInternational()}${extension === null ? '' : ` ext. ${extension}`}${after}`
}

/**
 * Possible, not valid: an unassigned number still equals itself. `+512-555-0144` is American without its 1, unless another country has
 * that number and may write it so, such as Belize `+501-223-0144`.
 */
function findInPlan(number: string, written: string) {
  const planned = number.startsWith('+') ? parsePhoneNumberFromString(number.replace(mexicanMobile, '+52')) : undefined
  const [, ...parts] = planned?.isValid() ? [] : (americanWithoutOne.exec(written) ?? [])
  const american = parts.length > 0 ? parsePhoneNumberFromString(`+1${parts.join('')}`) : undefined
  if (american?.isPossible()) return american
  return planned?.isPossible() ? planned : null
}

const americanWithoutOne = /^\+\(?([2-9]\d\d)(?:\) ?|[ .-])([2-9]\d\d)[ .-](\d{4})(?!\d)/

// ——— countries ———

/**
 * Puts a country that was asked by itself before its number, as other countries dial it, unless the number begins with it. A number without a
 * country is an American one.
 */
export function addCountry(country: string, number: string): string {
  if (hasCountry(number) || isAmerican(country)) return number
  const code = findDialCode(country)
  if (code !== undefined && !callingCodes.has(code)) return number // ISO's number of a country, 840 of the US
  if (code === undefined) return readForeign(country, number) ?? `${country} ${number}`
  return isWhole(code, number) ? `+${number}` : `+${code} ${number}`
}

/** Numbers without their country may begin with its digits: in Italy, those of mobiles with 391. What is a number there has none. */
function isWhole(code: string, number: string): boolean {
  const digits = number.replace(/\D/g, '')
  if (!/^\d/.test(number) || !digits.startsWith(code) || digits.length <= 8) return false
  const [whole, national] = [`+${digits}`, `+${code}${digits}`].map((text) => parsePhoneNumberFromString(text))
  if (digits.length > 10 && whole?.isValid()) return true
  return whole?.isPossible() === true && national?.isValid() !== true
}

const callingCodes: ReadonlySet<string> = new Set(getCountries().map((code) => getCountryCallingCode(code)))

/** Returns whether a text names a country, and the number may be one of there. */
export const isCountryOf = (country: string, number: string): boolean =>
  isAmerican(country) || readForeign(country, number) !== null

function readForeign(country: string, number: string): string | null {
  const named = findCountry(country)
  const planned = named && parsePhoneNumberFromString(number, named)
  return planned?.isValid() ? planned.formatInternational() : null
}

/** Whether its numbers are read like American ones. */
export function isAmerican(country: string): boolean {
  const named = findCountry(country)
  return named !== undefined && getCountryCallingCode(named) === '1'
}

/** Finds a country by its two letters or its English name. */
const findCountry = (text: string): CountryCode | undefined =>
  countriesByName.get(foldText(text).replace(/[^\p{L}]/gu, ''))

const englishNames = new Intl.DisplayNames('en', { type: 'region' })
const otherNames: [string, CountryCode][] = [
  ...['uk', 'gbr', 'england', 'scotland', 'wales', 'greatbritain'].map((name): [string, CountryCode] => [name, 'GB']),
  ...['usa', 'unitedstatesofamerica', 'america'].map((name): [string, CountryCode] => [name, 'US']),
]
const countriesByName = new Map<string, CountryCode>([
  ...getCountries().flatMap((code): [string, CountryCode][] =>
    [code, englishNames.of(code) ?? code].map((name) => [foldText(name).replace(/[^\p{L}]/gu, ''), code]),
  ),
  ...otherNames,
])

/** Mexico dropped the 1 of mobile numbers in 2019; WhatsApp still writes it. */
const mexicanMobile = /^\+521(?=\d{10}$)/

/** No number has more digits; longer keys might not fit into an index. */
const maxKeyLength = 32
