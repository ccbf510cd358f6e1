import { type ListingField, listingFields, type Told } from '#integrations/public-listing/public-listing.ts'

export type Difference = { field: ListingField; old: string | null; new: string | null }

/** The fields that are told now and were told before, and not alike. One that was never told is news, not a change. */
export function differences(before: Told, now: Told): Difference[] {
  return listingFields.flatMap((field) => {
    const [was, is] = [before[field], now[field]]
    if (was === undefined || is === undefined || sameness[field](was ?? '') === sameness[field](is ?? '')) return []
    return [{ field, old: was, new: is }]
  })
}

/** The same thing written in another way is no difference. */
const words = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,]+/g, ' ')
    .trim()
const sameness: Record<ListingField, (text: string) => string> = {
  title: (text) => text.normalize('NFC'),
  address: (text) => words(text).replace(/ (usa?|united states)$/, ''),
  phone: (text) => text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, ''),
  website: (text) => {
    if (!URL.canParse(text)) return text
    const url = new URL(text)
    for (const name of [...url.searchParams.keys()]) if (/^utm_/i.test(name)) url.searchParams.delete(name)
    return url.href.replace(/^https?:\/\/(www\.)?/i, '').replace(/[/?#]+$/, '')
  },
  category: words,
  closed: words,
}
