import type { ratingSaves } from '../schema.ts'

export type LinkSave = Pick<
  typeof ratingSaves.$inferSelect,
  'id' | 'choice' | 'outcome' | 'at' | 'rating_before' | 'progress_before' | 'via_before'
>
/** A star, the not-a-lead link, or the link that no person can see. */
export type Choice = '1' | '2' | '3' | '4' | '5' | 'not_lead' | 'trap'

const pause = 10_000

/**
 * Whether a link of a mail was opened by a person. Mail scanners open all of its links within moments, in any order; a person
 * opens one, perhaps twice. `undo` is what the same burst has counted already, the earliest first.
 */
export function judge(before: LinkSave[], choice: Choice, now: Date): { byScanner: boolean; undo: LinkSave[] } {
  const burst = burstUpTo(before, now)
  const byScanner = choice === 'trap' || burst.some((save) => save.choice !== choice || save.outcome !== 'counted')
  return { byScanner, undo: byScanner ? burst.filter(({ outcome }) => outcome === 'counted') : [] }
}

/** The saves that led up to now without a pause, the earliest first. */
function burstUpTo(saves: LinkSave[], now: Date): LinkSave[] {
  const latestFirst = [...saves].sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
  const end = latestFirst.findIndex((save, index) => {
    const next = latestFirst[index - 1]?.at ?? now
    return next.getTime() - save.at.getTime() > pause
  })
  return latestFirst.slice(0, end === -1 ? undefined : end).reverse()
}
