import { and, eq } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { mailsTable } from '../mail/schema.ts'
import { ratingKeysTable, ratingSavesTable } from '../rating/schema.ts'
import { matchesLeadKey } from './lead-key.ts'
import { leadsTable } from './schema.ts'

type LeadRow = typeof leadsTable.$inferSelect
type LeadChildTable = typeof mailsTable | typeof ratingKeysTable | typeof ratingSavesTable

/**
 * Gives a lead to another campaign: it and what hangs on it are taken away here and written there, because the machine of one
 * campaign need not be that of another. The ids stay. The caller has locked the lead, and holds what its phone and its email
 * share, so that nobody changes a row that is about to go.
 */
export async function transferLead(tx: Tx, from: LeadRow, to: LeadRow): Promise<LeadRow> {
  const hangsOnIt = (table: LeadChildTable) => and(eq(table.lead_id, from.id), eq(table.campaign_id, from.campaign_id))
  const there = <Hung extends object>(rows: Hung[]) => rows.map((row) => ({ ...row, campaign_id: to.campaign_id }))
  const mailed = there(await tx.select().from(mailsTable).where(hangsOnIt(mailsTable)).for('update')) // one may be on its way out
  const keys = there(await tx.select().from(ratingKeysTable).where(hangsOnIt(ratingKeysTable)))
  const saves = there(await tx.select().from(ratingSavesTable).where(hangsOnIt(ratingSavesTable)))
  await tx.delete(leadsTable).where(matchesLeadKey(from)) // and with it what hangs on it
  const [moved] = await tx.insert(leadsTable).overridingSystemValue().values(to).returning()
  if (mailed.length > 0) await tx.insert(mailsTable).overridingSystemValue().values(mailed)
  if (keys.length > 0) await tx.insert(ratingKeysTable).overridingSystemValue().values(keys)
  if (saves.length > 0) await tx.insert(ratingSavesTable).overridingSystemValue().values(saves)
  return moved!
}
