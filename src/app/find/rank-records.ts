import { foldSearch } from '#contract/fold-text.ts'

type RankedRecord = { label: string; alias?: string | undefined; archived?: boolean | undefined }

/** Returns the records in their order, but those whose whole name was typed first, and archived ones last. */
export function rankRecords<T extends RankedRecord>(records: readonly T[], typed: string): T[] {
  const name = toName(typed)
  const rank = ({ label, alias, archived }: T) =>
    ([label, alias ?? ''].some((one) => toName(one) === name) ? 0 : 2) + (archived ? 1 : 0)
  return records.toSorted((a, b) => rank(a) - rank(b))
}

/** An address is typed without what stands around its host. */
const toName = (text: string) =>
  foldSearch(text.trim())
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/^#(?=\d)|\/$/g, '')
