import { and, eq } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { mails } from '../mail/schema.ts'
import { ratingKeys, ratingSaves } from '../rating/schema.ts'
import { livesAt } from './lead-key.ts'
import { leads } from './schema.ts'

type Row = typeof leads.$inferSelect
type Hanging = typeof mails | typeof ratingKeys | typeof ratingSaves

/**
 * Gives a lead to another campaign: it and what hangs on it are taken away here and written there, because the machine of one
 * campaign need not be that of another. The ids stay. The caller has locked the lead, and holds what its phone and its email
 * share, so that nobody changes a row that is about to go.
 */
export async function moveLead(tx: Tx, from: Row, to: Row): Promise<Row> {
  const hangsOnIt = (table: Hanging) => and(eq(table.lead_id, from.id), eq(table.campaign_id, from.campaign_id))
  const there = <Hung extends object>(rows: Hung[]) => rows.map((row) => ({ ...row, campaign_id: to.campaign_id }))
  const mailed = there(await tx.select().from(mails).where(hangsOnIt(mails)).for('update')) // one may be on its way out
  const keys = there(await tx.select().from(ratingKeys).where(hangsOnIt(ratingKeys)))
  const saves = there(await tx.select().from(ratingSaves).where(hangsOnIt(ratingSaves)))
  await tx.delete(leads).where(livesAt(from)) // and with it what hangs on it
  const [moved] = await tx.insert(leads).overridingSystemValue().values(to).returning()
  if (mailed.length > 0) await tx.insert(mails).overridingSystemValue().values(mailed)
  if (keys.length > 0) await tx.insert(ratingKeys).overridingSystemValue().values(keys)
  if (saves.length > 0) await tx.insert(ratingSaves).overridingSystemValue().values(saves)
  return moved!
}
