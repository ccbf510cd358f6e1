import { eq, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { noCampaignId } from '../labels.ts'
import { leadsTable } from './schema.ts'

type LockedLead = typeof leadsTable.$inferSelect
type LeadKey = Pick<LockedLead, 'id' | 'campaign_id'>

/** This lead where it lives. With its campaign the row is one of one machine's, also where leads are spread over several. */
export const matchesLeadKey = ({ id, campaign_id }: LeadKey): SQL =>
  sql`(${leadsTable.id} = ${id} and ${leadsTable.campaign_id} = ${campaign_id})`

/** Spelt with the number, so that the planner sees it. */
export const hasCampaignSql: SQL = sql`${leadsTable.campaign_id} <> ${sql.raw(String(noCampaignId))}`

/** Where a lead lives now; null where there is none. */
export async function findLeadKey(db: DbOrTx, id: number): Promise<LeadKey | null> {
  const [place] = await db
    .select({ id: leadsTable.id, campaign_id: leadsTable.campaign_id })
    .from(leadsTable)
    .where(eq(leadsTable.id, id))
  return place ?? null
}

/** Locks a lead and answers it; null where there is none. One that moves while we wait for it is looked for again. */
export async function lockLead(tx: Tx, id: number): Promise<LockedLead | null> {
  for (;;) {
    const place = await findLeadKey(tx, id)
    if (!place) return null
    const [row] = await tx.select().from(leadsTable).where(matchesLeadKey(place)).for('update')
    if (row) return row
  }
}
