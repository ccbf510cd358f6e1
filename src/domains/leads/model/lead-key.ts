import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { noCampaignId } from '../labels.ts'
import type { StoredLead } from './dto.ts'
import { leadsTable } from './schema.ts'

export type LeadKey = Pick<StoredLead, 'id' | 'campaign_id'>

/** Matches a lead by its whole key. With the campaign only one machine is queried where leads are sharded. */
export const matchesLeadKey = ({ id, campaign_id }: LeadKey): SQL =>
  sql`(${leadsTable.id} = ${id} and ${leadsTable.campaign_id} = ${campaign_id})`

/** Matches these leads; a single one by its whole key, several also by their campaigns, which limits the machines in the same way. */
export const matchesLeadKeys = (keys: readonly LeadKey[]): SQL =>
  keys.length === 1
    ? matchesLeadKey(keys[0]!)
    : sql`(${isOneOf(keys.map(({ id }) => id))} and ${leadsTable.campaign_id} = any(${sql.param(distinctCampaigns(keys))}::int[]))`

export const distinctCampaigns = (keys: readonly LeadKey[]): number[] => [
  ...new Set(keys.map(({ campaign_id }) => campaign_id)),
]

/** The number of no campaign, as a literal, so that the planner sees it. */
export const noCampaignSql: SQL = sql.raw(String(noCampaignId))
export const hasCampaignSql: SQL = sql`${leadsTable.campaign_id} <> ${noCampaignSql}`

export const lacksCampaignSql: SQL = sql`${leadsTable.campaign_id} = ${noCampaignSql}`

/** Matches the leads that wait for a campaign: what was archived, or hidden as spam, does not. */
export const unassignedLeadCondition: SQL = sql`(${lacksCampaignSql}
  and not ${leadsTable.archived} and not ${leadsTable.hide})`

/** Matches no lead. Citus refuses `false` beside an outer join. */
export const noLeadCondition: SQL = sql`${leadsTable.id} = any('{}'::int[])`

/**
 * Locks the rows of these leads until the transaction ends, and returns those that exist. Runs a statement per campaign, because
 * sharded rows can only be locked on one machine at a time. Retries for a lead that is transferred during the wait.
 */
export async function lockLeadRows(tx: Tx, ids: readonly number[]): Promise<StoredLead[]> {
  const locked: StoredLead[] = []
  for (let missing = [...ids]; missing.length > 0; ) {
    const keys = await tx
      .select({ id: leadsTable.id, campaign_id: leadsTable.campaign_id })
      .from(leadsTable)
      .where(isOneOf(missing))
      .orderBy(leadsTable.campaign_id)
    for (const [campaignId, group] of Map.groupBy(keys, ({ campaign_id }) => campaign_id))
      locked.push(
        ...(await tx
          .select()
          .from(leadsTable)
          .where(and(eq(leadsTable.campaign_id, campaignId), isOneOf(group.map(({ id }) => id))))
          .orderBy(leadsTable.id)
          .for('update')),
      )
    const found = new Set(locked.map(({ id }) => id))
    missing = keys.map(({ id }) => id).filter((id) => !found.has(id))
  }
  return locked
}

/** Does the same for one lead; returns null if there is none. */
export const lockLeadRow = async (tx: Tx, id: number): Promise<StoredLead | null> =>
  (await lockLeadRows(tx, [id]))[0] ?? null

const isOneOf = (ids: number[]): SQL => sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`
