import { z } from 'zod'
import { blankToUndefined, requiredLines, textField } from './fields.ts'

const addUrlScheme = (value: string) => {
  if (/^[a-z][a-z0-9+.-]*:(?!\d+($|\/))/i.test(value)) return value
  return value.startsWith('//') ? `https:${value}` : `https://${value}`
}
const isHttpUrl = (value: string) => {
  // A URL parser accepts any number of slashes; stored addresses must mean the same everywhere.
  if (!/^https?:\/\/[^/\\]/i.test(value) || !URL.canParse(value)) return false
  const { hostname } = new URL(value)
  return hostname.length <= 253 && hostPattern.test(hostname) && !isNumber(value, hostname)
}
/** A URL parser takes a number for an IP address: `12.50` is 12.0.0.50, and `16.3.2026` is 16.3.7.234. */
function isNumber(value: string, hostname: string): boolean {
  const [, written = ''] = /^https?:\/\/(?:[^/?#]*@)?([\d.]+)(?:[:/?#]|$)/i.exec(value) ?? []
  return /\d\.\d/.test(written) && !written.startsWith(hostname)
}
/** What a browser takes for an address, though no one means one: `shop`, `n/a`, an email, two cells or addresses, and one between curly quotes. */
const noAddress =
  /^[^\s./:?#。]+(?:[/?#]|$)|^[^\s/:@]+@[^\s/@]+$|^(?:https?:\/\/)?[^/?#]*[“”„«»‘’‚‹›]|^(?:https?:\/\/)?[^/?#]+https?:\/\/|\shttps?:\/\/|\t|^(?:https?:\/\/)?[^/?#]*[\r\n]/i
/** Links that these programs put around the address that a person copies from them. */
const wrappers =
  /^https?:\/\/(?:(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}\/url|l\.(?:facebook|instagram)\.com\/(?:l\.php)?|[\w.-]+\.safelinks\.protection\.outlook\.com\/)\?/i
function unwrapLink(value: string): string {
  if (!wrappers.test(value) || !URL.canParse(value)) return value
  const { searchParams } = new URL(value)
  const target = ['q', 'url', 'u'].map((name) => searchParams.get(name) ?? '').find((one) => /^https?:\/\//i.test(one))
  return target ?? value
}
const toWholeAddress = (value: string) => unwrapLink(addUrlScheme(value))
const isWebAddress = (value: string) => !noAddress.test(value) && isHttpUrl(toWholeAddress(value))
const hasNoPassword = (value: string) => {
  const { username = '', password = '' } = URL.parse(value) ?? {}
  return username === '' && password === ''
}
/** Programs take `http//shop.example`, `www,shop.example` and `http://http://shop.example` for hosts with other names. */
const hostPattern = /^(?:\[[\da-f:.]+\]|(?!(?:https?|www)\.?$)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?)$/
/** An address in which every program finds the same host: no backslash, line break, percent sign or letter beyond ASCII in it. */
const plainUrlPattern = /^https?:\/\/[\w.:[\]-]+(?:[/?#][ -[\]-~]*)?$/i
/** An http or https address. Adds https:// if the scheme is missing; one that programs may read differently is stored as browsers read it. */
export const httpUrlField = (sentence: string) =>
  requiredLines(sentence, 2048) // browsers leave out line breaks and tabs
    .pipe(z.string().refine(isWebAddress, 'Not a web address'))
    .transform(toWholeAddress)
    .refine(hasNoPassword, 'Addresses with a password are not allowed')
    .transform((value) => (plainUrlPattern.test(value) ? value : new URL(value).href))
/** A host name without `www.`, from a name or an address; blank means "not filtered". */
export const queryHost = z.preprocess(
  blankToUndefined,
  textField(2048)
    .transform((value) => parseHost(value))
    .optional(),
)
/** Returns the form of an address that is the same for all that a browser takes for one: `https://X.example` is https://x.example/. */
export const toSameAddress = (url: string): string => new URL(url).href
/** Returns the host of an address or a name: `https://www.shop.example/x` is shop.example. Other text is only lowercased. */
export function parseHost(value: string): string {
  const address = addUrlScheme(value)
  return (URL.canParse(address) ? new URL(address).hostname : value.toLowerCase()).replace(/^www\./, '')
}

/** Returns whether the host of a URL is the machine itself. */
export const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
