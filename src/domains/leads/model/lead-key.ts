import { eq, type SQL, sql } from 'drizzle-orm'
import type { Queries, Tx } from '#core/db/db.ts'
import { noCampaign } from '../labels.ts'
import { leads } from './schema.ts'

type Row = typeof leads.$inferSelect
type Place = Pick<Row, 'id' | 'campaign_id'>

/** This lead where it lives. With its campaign the row is one of one machine's, also where leads are spread over several. */
export const livesAt = ({ id, campaign_id }: Place): SQL =>
  sql`(${leads.id} = ${id} and ${leads.campaign_id} = ${campaign_id})`

/** Spelt with the number, so that the planner sees it. */
export const hasCampaign: SQL = sql`${leads.campaign_id} <> ${sql.raw(String(noCampaign))}`

/** Where a lead lives now; null where there is none. */
export async function placeOf(db: Queries, id: number): Promise<Place | null> {
  const [place] = await db.select({ id: leads.id, campaign_id: leads.campaign_id }).from(leads).where(eq(leads.id, id))
  return place ?? null
}

/** Locks a lead and answers it; null where there is none. One that moves while we wait for it is looked for again. */
export async function lockLead(tx: Tx, id: number): Promise<Row | null> {
  for (;;) {
    const place = await placeOf(tx, id)
    if (!place) return null
    const [row] = await tx.select().from(leads).where(livesAt(place)).for('update')
    if (row) return row
  }
}
