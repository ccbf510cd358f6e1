import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { noCampaignId } from '../labels.ts'
import type { StoredLead } from './dto.ts'
import { leadsTable } from './schema.ts'

type LeadKey = Pick<StoredLead, 'id' | 'campaign_id'>

/** Matches a lead by its whole key. With the campaign it is found on one machine, also where leads are sharded over several. */
export const matchesLeadKey = ({ id, campaign_id }: LeadKey): SQL =>
  sql`(${leadsTable.id} = ${id} and ${leadsTable.campaign_id} = ${campaign_id})`

/** Spelled with the number, so that the planner sees it. */
export const hasCampaignSql: SQL = sql`${leadsTable.campaign_id} <> ${sql.raw(String(noCampaignId))}`

/** Returns where these leads are; an id without a lead has no key. */
export async function findLeadKeys(db: DbOrTx, ids: number[]): Promise<Map<number, LeadKey>> {
  const keys = await db
    .select({ id: leadsTable.id, campaign_id: leadsTable.campaign_id })
    .from(leadsTable)
    .where(inArray(leadsTable.id, ids))
  return new Map(keys.map((key) => [key.id, key]))
}

async function findLeadKey(db: DbOrTx, id: number): Promise<LeadKey | null> {
  const [key] = await db
    .select({ id: leadsTable.id, campaign_id: leadsTable.campaign_id })
    .from(leadsTable)
    .where(eq(leadsTable.id, id))
  return key ?? null
}

/**
 * Locks the row of a lead and returns it; null where there is none. Looks again for a lead that is transferred during the wait.
 * `known` is its key, where that was read already.
 */
export async function lockLeadRow(tx: Tx, id: number, known?: LeadKey): Promise<StoredLead | null> {
  for (let key = known ?? (await findLeadKey(tx, id)); ; key = await findLeadKey(tx, id)) {
    if (!key) return null
    const [row] = await tx.select().from(leadsTable).where(matchesLeadKey(key)).for('update')
    if (row) return row
  }
}
