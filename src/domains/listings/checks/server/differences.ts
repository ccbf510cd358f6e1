import { type ListingField, type ListingSnapshot, listingFields } from '#integrations/public-listing/public-listing.ts'

type ListingDifference = { field: ListingField; old: string | null; new: string | null }

/** Returns the fields that differ. A field that was not read before is new, not changed. */
export function compareListings(before: ListingSnapshot, now: ListingSnapshot): ListingDifference[] {
  return listingFields.flatMap((field) => {
    const [was, is] = [before[field], now[field]]
    if (
      was === undefined ||
      is === undefined ||
      fieldNormalizers[field](was ?? '') === fieldNormalizers[field](is ?? '')
    )
      return []
    return [{ field, old: was, new: is }]
  })
}

/** Normalizes formatting, which is not a difference. */
const normalizeText = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,]+/g, ' ')
    .trim()
const fieldNormalizers: Record<ListingField, (text: string) => string> = {
  title: (text) => text.normalize('NFC'),
  address: (text) => normalizeText(text).replace(/ (usa?|united states)$/, ''),
  phone: (text) => text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, ''),
  website: (text) => {
    if (!URL.canParse(text)) return text
    const url = new URL(text)
    for (const name of [...url.searchParams.keys()]) if (/^utm_/i.test(name)) url.searchParams.delete(name)
    return url.href.replace(/^https?:\/\/(www\.)?/i, '').replace(/[/?#]+$/, '')
  },
  category: normalizeText,
  closed: normalizeText,
}
