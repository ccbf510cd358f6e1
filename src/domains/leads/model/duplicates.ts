import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** What "the same phone" and "the same email" compare; a lead without one shares it with no other. */
type DuplicateKeys = { phone_key: string | null; email_key: string | null }

export const duplicateKeyColumns = { phone_key: leadsTable.phone_key, email_key: leadsTable.email_key }

/** Spelled as the index `leads_shared` spells it. */
export const duplicateLeadCondition: SQL = sql`(${leadsTable.phone_shared} or ${leadsTable.email_shared})`

/**
 * Sets `phone_shared` and `email_shared` right for every lead that has a phone or an email of these, in any campaign. Call it
 * after leads were inserted or deleted, in the same transaction. Two that insert leads of the same phone take turns.
 */
export async function refreshDuplicates(tx: Tx, leads: DuplicateKeys[]): Promise<void> {
  const { phones, emails } = toDistinctKeys(leads)
  if (phones.length + emails.length === 0) return
  await lockDuplicates(tx, leads)
  // Separate statements: they must see what was committed during the wait.
  if (phones.length > 0) await refreshDuplicateFlag(tx, 'phone', phones)
  if (emails.length > 0) await refreshDuplicateFlag(tx, 'email', emails)
}

/** The same after a lead was changed. Looks only at the phones and emails that it left or took. */
export const refreshChangedDuplicates = (tx: Tx, before: DuplicateKeys, after: DuplicateKeys): Promise<void> =>
  refreshDuplicates(tx, findTouchedKeys(before, after))

/** Returns the phones and emails that a change leaves or takes; null stands for those that stay. */
export function findTouchedKeys(before: DuplicateKeys, after: DuplicateKeys): DuplicateKeys[] {
  const touches = { phone_key: before.phone_key !== after.phone_key, email_key: before.email_key !== after.email_key }
  return [before, after].map(({ phone_key, email_key }) => ({
    phone_key: touches.phone_key ? phone_key : null,
    email_key: touches.email_key ? email_key : null,
  }))
}

/** Locks these phones and emails until the transaction ends. The lock order is in store.ts. */
export function lockDuplicates(tx: Tx, leads: DuplicateKeys[]): Promise<void> {
  const { phones, emails } = toDistinctKeys(leads)
  return lockKeys(tx, [...phones.map((key) => `shared phone ${key}`), ...emails.map((key) => `shared email ${key}`)])
}

/** What a write sets for a lead that has no phone or no email anymore. */
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
 * Counts all leads again, after a seed that inserts them without the store. It takes a range of ids per statement, because the
 * rows that a statement changes are kept until its triggers have run.
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

const toDistinctKeys = (leads: DuplicateKeys[]) => ({
  phones: [...new Set(leads.flatMap(({ phone_key }) => phone_key ?? []))],
  emails: [...new Set(leads.flatMap(({ email_key }) => email_key ?? []))],
})

/**
 * Phones and emails have locks of their own: a lead may share its phone with some leads and its email with others. The rows are
 * written in the order of their ids, so that two that write several do not wait for each other.
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
