/** Maps links: the address of a listing on Google Maps with its `cid`, 15 to 20 digits. */

export const mapsLinkPrefix = 'https://maps.google.com/maps?cid='
const googleHostPattern = /^(www\.|maps\.)?google\.(com|[a-z]{2}|com?\.[a-z]{2})$/

export function isMapsLink(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol) || !googleHostPattern.test(url.hostname) || url.username || url.password)
    return false
  if (!url.hostname.startsWith('maps.') && !/^\/(maps|local)(\/|$)/.test(url.pathname)) return false
  return /^\d{15,20}$/.test(getCid(value) ?? '')
}

/** Returns the id of a listing from a link of any form. */
export const getCid = (link: string): string | null => new URL(link).searchParams.get('cid')

/** Turns typed or pasted text into a maps link: digits are completed, and a longer link is shortened. */
export function normalizeMapsLink(typed: string): string {
  const text = typed.trim()
  if (/^\d+$/.test(text)) return mapsLinkPrefix + text
  const cid = /[?&]cid=(\d*)/.exec(text)?.[1]
  // Without digits the prefix is deleted too.
  return cid && isMapsLink(text) ? mapsLinkPrefix + cid : text
}
