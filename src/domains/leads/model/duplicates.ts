import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** What "the same phone" and "the same email" compare; a lead without one shares it with nobody. */
type DuplicateKeys = { phone_key: string | null; email_key: string | null }

/** What a write returns so that `refreshShared` can be called with it. */
export const duplicateKeyColumns = { phone_key: leadsTable.phone_key, email_key: leadsTable.email_key }

/** Spelt as the index `leads_shared` spells it. */
export const duplicateLeadCondition: SQL = sql`(${leadsTable.phone_shared} or ${leadsTable.email_shared})`

/**
 * Sets `phone_shared` and `email_shared` right for every lead that has a phone or an email of these, in whatever campaign. Call
 * it after leads were made, in the same transaction. Two that make leads of the same phone take turns.
 */
export function refreshDuplicates(tx: Tx, made: DuplicateKeys[]): Promise<void> {
  return refreshDuplicateKeys(
    tx,
    made.map(({ phone_key }) => phone_key),
    made.map(({ email_key }) => email_key),
  )
}

/** The same after a lead was changed. Only what `holdShared` has held is asked for: what stayed as it was concerns nobody. */
export function refreshChangedDuplicates(tx: Tx, before: DuplicateKeys, after: DuplicateKeys): Promise<void> {
  const differing = (key: keyof DuplicateKeys) => (before[key] === after[key] ? [] : [before[key], after[key]])
  return refreshDuplicateKeys(tx, differing('phone_key'), differing('email_key'))
}

async function refreshDuplicateKeys(tx: Tx, phoneKeys: (string | null)[], emailKeys: (string | null)[]): Promise<void> {
  const [phones, emails] = [distinctKeys(phoneKeys), distinctKeys(emailKeys)]
  if (phones.length + emails.length === 0) return
  await lockKeys(tx, [...phones.map(phoneLockKey), ...emails.map(emailLockKey)])
  // Statements of their own: they must see what was committed while we waited.
  if (phones.length > 0) await refreshDuplicateFlag(tx, 'phone', phones)
  if (emails.length > 0) await refreshDuplicateFlag(tx, 'email', emails)
}

/**
 * For a change that may give an existing lead another phone or email, or give it to another campaign, where its row is written
 * anew: call it before the lead's row is locked, and after `holdFirstCalls` where both are called, so that everybody waits for
 * these in one order.
 */
export async function lockDuplicates(
  tx: Tx,
  leadId: number,
  to: { phone_key?: string | null; lead_email?: string | null },
  campaignId?: number,
): Promise<void> {
  if (to.phone_key === undefined && to.lead_email === undefined && campaignId === undefined) return
  await lockKeys(tx, [`moving lead ${leadId}`])
  const found = await tx.execute<DuplicateKeys & { campaign_id: number; new_email: string | null }>(sql`
    select campaign_id, phone_key, email_key, lower(${to.lead_email ?? null}::text) as new_email from leads where id = ${leadId}`)
  const from = found.rows[0]
  if (!from) return
  const moves = campaignId !== undefined && campaignId !== from.campaign_id
  const changed = <Key>(is: Key, next: Key | undefined) =>
    next !== undefined && next !== is ? [is, next] : moves ? [is] : []
  const phones = distinctKeys(changed(from.phone_key, to.phone_key))
  const emails = distinctKeys(changed(from.email_key, to.lead_email === undefined ? undefined : from.new_email))
  await lockKeys(tx, [...phones.map(phoneLockKey), ...emails.map(emailLockKey)])
}

/** What a write sets for a lead that has no phone or no email any more. */
export const clearDuplicateFlags = ({
  phone_key,
  lead_email,
}: {
  phone_key: string | null
  lead_email: string | null
}) => ({
  ...(phone_key === null && { phone_shared: false }),
  ...(lead_email === null && { email_shared: false }),
})

/**
 * All leads anew: after a seed, which writes them past everything else. So many ids a statement, because what one changes is
 * held until its triggers have run.
 */
export async function recountDuplicates(db: DbOrTx): Promise<void> {
  const { rows } = await db.execute<{ last: number }>(sql`select coalesce(max(id), 0) as last from leads`)
  for (let from = 0; from <= rows[0]!.last; from += idsPerStatement)
    await db.execute(sql`
      update leads set phone_shared = same.phone, email_shared = same.email from (
        select lead.id, lead.campaign_id, phones.key is not null as phone, emails.key is not null as email from leads lead
        left join (select phone_key as key from leads group by 1 having count(*) > 1) phones on phones.key = lead.phone_key
        left join (select email_key as key from leads group by 1 having count(*) > 1) emails on emails.key = lead.email_key
        where lead.id >= ${from} and lead.id < ${from + idsPerStatement}
      ) same where same.id = leads.id and same.campaign_id = leads.campaign_id
        and (leads.phone_shared, leads.email_shared) is distinct from (same.phone, same.email)`)
}
const idsPerStatement = 500_000

const distinctKeys = (keys: (string | null)[]) => [...new Set(keys)].filter((key) => key !== null)
const phoneLockKey = (key: string) => `shared phone ${key}`
const emailLockKey = (key: string) => `shared email ${key}`

/**
 * Phone and email are kept apart, each under locks of its own: a lead may share its phone with some and its email with others.
 * The rows are written in the order of their ids, so that two that write several do not wait for each other.
 */
async function refreshDuplicateFlag(tx: Tx, what: 'phone' | 'email', keys: string[]) {
  const key = sql.identifier(`${what}_key`)
  const shared = sql.identifier(`${what}_shared`)
  const wrong = await tx.execute<{ id: number }>(sql`
    with held as materialized (
      select ${key}, count(*) > 1 as shared from leads where ${key} = any(${sql.param(keys)}::text[]) group by ${key}
    )
    select lead.id from leads lead join held on held.${key} = lead.${key} where lead.${shared} <> held.shared order by lead.id`)
  const ids = wrong.rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx.execute(sql`update leads set ${shared} = not ${shared} where id = any(${sql.param(ids)}::int[])`)
}
