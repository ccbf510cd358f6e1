import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { noCampaignId } from '../labels.ts'
import { lockKeys } from './lock-keys.ts'

/** The leads of one phone in one campaign. A lead without either is in no group. */
type FirstCallGroup = { campaign_id: number; phone_key: string | null }

/**
 * Sets `first_call` right for every lead of these groups: true for the earliest call, false for the rest. Call it after the write
 * that may have changed it, in the same transaction. Two calls that come in together take turns.
 */
export async function refreshFirstCalls(tx: Tx, groups: FirstCallGroup[]): Promise<void> {
  const whole = groups.filter(isFirstCallGroup).map(({ campaign_id, phone_key }) => ({ campaign_id, phone_key }))
  if (whole.length === 0) return
  await lockFirstCalls(tx, whole)
  // Separate statements: they must see what was committed during the wait.
  const wrong = await tx.execute<{ id: number }>(sql`
    with named as materialized (
      select distinct campaign_id, phone_key from json_to_recordset(${JSON.stringify(whole)}) one (campaign_id int, phone_key text)
    ), earliest as materialized (
      select distinct on (lead.campaign_id, lead.phone_key) lead.id
      from leads lead join named on named.campaign_id = lead.campaign_id and named.phone_key = lead.phone_key
      where lead.lead_type = 'Call'
      order by lead.campaign_id, lead.phone_key, lead.occurred_at, lead.id
    )
    select lead.id from leads lead
      join named on named.campaign_id = lead.campaign_id and named.phone_key = lead.phone_key
      left join earliest on earliest.id = lead.id
    where lead.first_call <> (earliest.id is not null)`)
  const ids = wrong.rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx.execute(sql`update leads set first_call = not first_call where id = any(${sql.param(ids)}::int[])`)
}

/** Locks these groups until the transaction ends. The lock order is in store.ts. */
export const lockFirstCalls = (tx: Tx, groups: FirstCallGroup[]): Promise<void> =>
  lockKeys(
    tx,
    groups.filter(isFirstCallGroup).map(({ campaign_id, phone_key }) => `first call ${campaign_id} ${phone_key}`),
  )

const isFirstCallGroup = ({ campaign_id, phone_key }: FirstCallGroup) =>
  campaign_id !== noCampaignId && phone_key !== null
