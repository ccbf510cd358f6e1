import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db.ts'

/** The leads that one phone left with one campaign; where either is missing there is no such group. */
type Group = { campaign_id: number | null; phone_key: string | null }

/**
 * Sets `first_call` right for every lead of this phone in this campaign: true for its earliest call, false for the rest.
 * Call it after the write that may have changed it, in the same transaction. Two calls that come in together take turns.
 */
export async function refreshFirstCalls(tx: Tx, campaignId: number | null, phoneKey: string | null): Promise<void> {
  const group = { campaign_id: campaignId, phone_key: phoneKey }
  if (!exists(group)) return
  await hold(tx, [group])
  // A statement of its own: it must see what was committed while we waited.
  await tx.execute(sql`
    update leads set first_call = not first_call
    where campaign_id = ${campaignId} and phone_key = ${phoneKey} and first_call <> coalesce(id = (
      select earliest.id from leads earliest
      where earliest.campaign_id = ${campaignId} and earliest.phone_key = ${phoneKey} and earliest.lead_type = 'Call'
      order by earliest.occurred_at, earliest.id limit 1), false)`)
}

/**
 * For a change that may move an existing lead from one group to another: call it before the lead's row is locked, then
 * refresh both groups. Whoever locked the row first and waited for the group would wait for one who holds the group and
 * waits for the row.
 */
export async function holdFirstCalls(tx: Tx, leadId: number, to: (from: Group) => Group): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`moving lead ${leadId}`}, 0))`)
  const found = await tx.execute<Group>(sql`select campaign_id, phone_key from leads where id = ${leadId}`)
  const from = found.rows[0]
  if (from) await hold(tx, [from, to(from)])
}

/** Always in the same order, so that two that hold both do not wait for each other. */
async function hold(tx: Tx, groups: Group[]): Promise<void> {
  const names = groups.filter(exists).map(({ campaign_id, phone_key }) => `first call ${campaign_id} ${phone_key}`)
  for (const name of [...new Set(names)].sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

const exists = ({ campaign_id, phone_key }: Group) => campaign_id !== null && phone_key !== null
