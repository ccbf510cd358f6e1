import { eq } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { blacklistTable } from '../schema.ts'
import { readRecentLeads } from './rehearse.ts'
import { createSpamMatcher, readKeywords } from './spam-match.ts'

/** Logs once, after the upgrade to whole words, which keywords hit other leads of the last 12 months than before. */
export async function logChangedKeywords({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  const asked = await db
    .update(blacklistTable)
    .set({ lists_changed_keywords: false })
    .where(eq(blacklistTable.lists_changed_keywords, true))
    .returning({ id: blacklistTable.id })
  if (asked.length === 0) return
  const keywords = await readKeywords(db)
  const findSpam = createSpamMatcher({ keywords, spammers: [] })
  const counts = new Map(keywords.map(({ id, keyword }) => [id, { keyword, before: 0, now: 0 }]))
  const changed = new Set<number>()
  for await (const month of readRecentLeads(db))
    for (const lead of month) {
      const now = new Set(findSpam(lead).map(({ rule }) => rule))
      const texts = [lead.lead_name, lead.lead_email, lead.message, lead.last_url].map((text) =>
        foldAsBefore(text ?? ''),
      )
      for (const { id, keyword } of keywords) {
        const wasHit = texts.some((text) => text.includes(foldAsBefore(keyword)))
        if (wasHit) counts.get(id)!.before++
        if (now.has(id)) counts.get(id)!.now++
        if (wasHit !== now.has(id)) changed.add(id)
      }
    }
  if (changed.size > 0)
    log.warn(
      { keywords: [...changed].map((id) => counts.get(id)) },
      'keywords now match whole words: these hit other leads of the last 12 months than before',
    )
}

/** Keywords used to match any part of a text, ignoring case. */
const foldAsBefore = (text: string) => text.normalize('NFC').toLowerCase()
