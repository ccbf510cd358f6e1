import type { ratingSavesTable } from '../schema.ts'

export type LinkSave = Pick<
  typeof ratingSavesTable.$inferSelect,
  'id' | 'choice' | 'outcome' | 'at' | 'rating_before' | 'unconfirmed_before' | 'progress_before' | 'via_before'
>
/** A star, the not-a-lead link, or the link that is invisible to people. */
export type LinkChoice = '1' | '2' | '3' | '4' | '5' | 'not_lead' | 'trap'

const burstPauseMs = 10_000
/** Stars of one mail that are opened within this time belong together. */
export const choosingMs = 600_000
/** A person may choose twice; a visitor who opens this many different stars is a scanner. */
const scannedStars = 3

export type LinkJudgment = {
  byScanner: boolean
  /** The counted saves of the same scanner, the earliest first. */
  undo: LinkSave[]
  /** The stars that were opened a moment ago and that no person has confirmed, the earliest first. */
  recent: LinkSave[]
  /** Whether another star was among them: none counts until a person confirms one. */
  isDoubtful: boolean
}

/**
 * Judges the opening of a mail's link. Scanners open all links within moments or slowly, in any order; a person opens one, perhaps twice, and
 * perhaps another one. `confirmedAt` is when a person last confirmed a star on the page.
 */
export function judgeLink(
  before: LinkSave[],
  choice: LinkChoice,
  { now, confirmedAt }: { now: Date; confirmedAt: Date | null },
): LinkJudgment {
  const burst = findBurst(before, now)
  const opened = before
    .filter(({ at }) => now.getTime() - at.getTime() <= choosingMs && (confirmedAt === null || at > confirmedAt))
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id)
  const recent = opened.filter((save) => isStar(save.choice))
  const stars = new Set([...recent.map((save) => save.choice), ...(isStar(choice) ? [choice] : [])])
  const byScanner =
    choice === 'trap' ||
    stars.size >= scannedStars ||
    burst.some(
      (save) => save.outcome !== 'counted' || (save.choice !== choice && !(isStar(save.choice) && isStar(choice))),
    )
  const suspects = new Map([...burst, ...(stars.size >= scannedStars ? opened : [])].map((save) => [save.id, save]))
  const undo = byScanner
    ? [...suspects.values()].filter(({ outcome }) => outcome === 'counted').sort((a, b) => a.id - b.id)
    : []
  return { byScanner, undo, recent, isDoubtful: isStar(choice) && stars.size > 1 }
}

const isStar = (choice: string | null) => choice !== null && /^[1-5]$/.test(choice)

/** Returns the latest saves without a pause between them, the earliest first. */
function findBurst(saves: LinkSave[], now: Date): LinkSave[] {
  const latestFirst = [...saves].sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
  const end = latestFirst.findIndex((save, index) => {
    const next = latestFirst[index - 1]?.at ?? now
    return next.getTime() - save.at.getTime() > burstPauseMs
  })
  return latestFirst.slice(0, end === -1 ? undefined : end).reverse()
}
