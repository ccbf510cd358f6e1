import { isShortenedId } from '#contract/column-reading.ts'

/** Maps links: the address of a listing on Google Maps with its `cid`, 15 to 20 digits. */

export const mapsLinkPrefix = 'https://maps.google.com/maps?cid='
const googleHostPattern = /^(www\.|maps\.)?google\.(com|[a-z]{2}|com?\.[a-z]{2})$/

export function isMapsLink(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol) || !googleHostPattern.test(url.hostname) || url.username || url.password)
    return false
  const isSearch = url.pathname === '/search' && url.searchParams.has('ludocid')
  if (!url.hostname.startsWith('maps.') && !/^\/(maps|local)(\/|$)/.test(url.pathname) && !isSearch) return false
  return isCid(getCid(value) ?? '')
}

/** Whether this is the decimal form that Google writes: 15 to 20 digits of a 64-bit number, without leading zeros. */
const isCid = (digits: string) => /^[1-9]\d{14,19}$/.test(digits) && BigInt(digits) < 2n ** 64n

/**
 * Returns the id of a listing from a link of any form: its `cid`, which a search calls `ludocid`, or the second hexadecimal number of the
 * place's id in a link that was copied from the address bar (`…!1s0x8644b599a0cc032f:0x5d9b464bd469d57a…`, or `ftid=…`). A way between two
 * places has none.
 */
export function getCid(link: string): string | null {
  const { searchParams, pathname } = new URL(link)
  const cid = searchParams.get('cid') ?? searchParams.get('ludocid')
  if (cid !== null) return cid
  const placeIds = [...['ftid', 'data', 'pb'].map((name) => searchParams.get(name)), pathname.replaceAll(/%3a/gi, ':')]
  const found = new Set(placeIds.flatMap((text) => [...(text ?? '').matchAll(placeIdPattern)].map(([, hex]) => hex)))
  const [hex] = found
  return hex === undefined || found.size > 1 ? null : String(BigInt(hex))
}
const placeIdPattern = /0x[\da-f]{1,16}:(0x[\da-f]{1,16})(?![\da-f])/gi

/** Whether a spreadsheet has shortened a listing's number: it keeps fifteen digits, and writes zeros for the others. */
export const isShortenedCid = (text: string): boolean => isShortenedId(text) || /^\d{15}0{3,5}$/.test(text)

/** Turns typed or pasted text into a maps link: digits are completed, and a longer link is shortened. */
export function normalizeMapsLink(typed: string): string {
  const text = typed.trim()
  if (isShortenedCid(text)) return text
  if (/^\d+$/.test(text)) return mapsLinkPrefix + text
  // Browsers show it without its beginning.
  const link = /^(?:www\.|maps\.)?google\./i.test(text) ? `https://${text}` : text
  // Without digits the prefix is deleted too.
  return isMapsLink(link) ? mapsLinkPrefix + getCid(link) : text
}

/** Returns the link as it is stored: with its `cid`, which an index reads from it. */
export const getStoredMapsLink = (link: string) =>
  link === '' || new URL(link).searchParams.has('cid') ? link : normalizeMapsLink(link)
