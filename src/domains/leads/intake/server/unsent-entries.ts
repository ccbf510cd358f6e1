/** What form plugins call an entry that the visitor has not sent: Formidable's numbers in `is_draft`, and the words of all. */
const unsentStates = new Map(
  Object.entries({
    'A draft, not sent yet': ['1', 'true', 'yes', 'draft'],
    'In progress, not sent yet': ['2', 'in progress'],
    'Abandoned, never sent': ['3', 'abandoned', 'partial', 'incomplete'],
  }).flatMap(([reason, values]) => values.map((value) => [value, reason] as const)),
)

/** Returns why an entry is no lead, of what its plugin says of it; null if it was sent. */
export const describeUnsent = (state: string): string | null => unsentStates.get(toStateWord(state)) ?? null

/** `3.0`, `03` and ` 3 ` are 3. */
function toStateWord(text: string): string {
  const word = text.trim().toLowerCase()
  return /^\d+(\.0*)?$/.test(word) ? String(Number(word)) : word.replace(/[\s_-]+/g, ' ')
}
