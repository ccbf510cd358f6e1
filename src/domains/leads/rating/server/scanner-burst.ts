import type { ratingSavesTable } from '../schema.ts'

export type LinkSave = Pick<
  typeof ratingSavesTable.$inferSelect,
  'id' | 'choice' | 'outcome' | 'at' | 'rating_before' | 'unconfirmed_before' | 'progress_before' | 'via_before'
>
/** A star, the not-a-lead link, or the link that is invisible to people. */
export type LinkChoice = '1' | '2' | '3' | '4' | '5' | 'not_lead' | 'trap'

const burstPauseMs = 10_000

/**
 * Detects whether a scanner opened a mail's link. Scanners open all links within moments, in any order; a person opens one,
 * perhaps twice. `undo` lists the saves of the same burst that were counted, the earliest first.
 */
export function detectScanner(
  before: LinkSave[],
  choice: LinkChoice,
  now: Date,
): { byScanner: boolean; undo: LinkSave[] } {
  const burst = findBurst(before, now)
  const byScanner = choice === 'trap' || burst.some((save) => save.choice !== choice || save.outcome !== 'counted')
  return { byScanner, undo: byScanner ? burst.filter(({ outcome }) => outcome === 'counted') : [] }
}

/** Returns the latest saves without a pause between them, the earliest first. */
function findBurst(saves: LinkSave[], now: Date): LinkSave[] {
  const latestFirst = [...saves].sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
  const end = latestFirst.findIndex((save, index) => {
    const next = latestFirst[index - 1]?.at ?? now
    return next.getTime() - save.at.getTime() > burstPauseMs
  })
  return latestFirst.slice(0, end === -1 ? undefined : end).reverse()
}
