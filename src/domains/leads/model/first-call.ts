import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { noCampaignId } from '../labels.ts'
import { lockKeys } from './lock-keys.ts'

/** The leads that one phone left with one campaign; where either is missing there is no such group. */
type FirstCallGroup = { campaign_id: number; phone_key: string | null }

/**
 * Sets `first_call` right for every lead of this phone in this campaign: true for its earliest call, false for the rest.
 * Call it after the write that may have changed it, in the same transaction. Two calls that come in together take turns.
 */
export function refreshFirstCalls(tx: Tx, campaignId: number, phoneKey: string | null): Promise<void> {
  return refreshAllFirstCalls(tx, [{ campaign_id: campaignId, phone_key: phoneKey }])
}

/** The same for many at once, each named as often as it likes. */
export async function refreshAllFirstCalls(tx: Tx, groups: FirstCallGroup[]): Promise<void> {
  const whole = groups.filter(isFirstCallGroup)
  if (whole.length === 0) return
  await lockKeys(tx, firstCallLockKeys(whole))
  // Statements of their own: they must see what was committed while we waited.
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

/**
 * For a change that may move an existing lead from one group to another: call it before the lead's row is locked, then
 * refresh both groups. Whoever locked the row first and waited for the group would wait for one who holds the group and
 * waits for the row.
 */
export async function lockFirstCalls(
  tx: Tx,
  leadId: number,
  to: (from: FirstCallGroup) => FirstCallGroup,
): Promise<void> {
  await lockKeys(tx, [`moving lead ${leadId}`])
  const found = await tx.execute<FirstCallGroup>(sql`select campaign_id, phone_key from leads where id = ${leadId}`)
  const from = found.rows[0]
  if (from) await lockKeys(tx, firstCallLockKeys([from, to(from)]))
}

const firstCallLockKeys = (groups: FirstCallGroup[]) =>
  groups.filter(isFirstCallGroup).map(({ campaign_id, phone_key }) => `first call ${campaign_id} ${phone_key}`)

const isFirstCallGroup = ({ campaign_id, phone_key }: FirstCallGroup) =>
  campaign_id !== noCampaignId && phone_key !== null
