import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db.ts'

/** The leads that one phone left with one campaign; where either is missing there is no such group. */
type Group = { campaign_id: number | null; phone_key: string | null }

/**
 * Sets `first_call` right for every lead of this phone in this campaign: true for its earliest call, false for the rest.
 * Call it after the write that may have changed it, in the same transaction. Two calls that come in together take turns.
 */
export function refreshFirstCalls(tx: Tx, campaignId: number | null, phoneKey: string | null): Promise<void> {
  return refreshAllFirstCalls(tx, [{ campaign_id: campaignId, phone_key: phoneKey }])
}

/** The same for many at once, each named as often as it likes. */
export async function refreshAllFirstCalls(tx: Tx, groups: Group[]): Promise<void> {
  const whole = groups.filter(exists)
  if (whole.length === 0) return
  await hold(tx, whole)
  // A statement of its own: it must see what was committed while we waited.
  await tx.execute(sql`
    update leads set first_call = not first_call
    from (select distinct * from json_to_recordset(${JSON.stringify(whole)}) named (campaign_id int, phone_key text)) one
    where leads.campaign_id = one.campaign_id and leads.phone_key = one.phone_key and first_call <> coalesce(leads.id = (
      select earliest.id from leads earliest
      where earliest.campaign_id = one.campaign_id and earliest.phone_key = one.phone_key and earliest.lead_type = 'Call'
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
  const inOrder = [...new Set(names)].sort()
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sql.param(inOrder)}::text[]) name`,
  )
}

const exists = ({ campaign_id, phone_key }: Group) => campaign_id !== null && phone_key !== null
