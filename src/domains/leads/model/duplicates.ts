import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** What "the same phone" and "the same email" compare; null matches no other lead. */
type DuplicateKeys = { phone_key: string | null; email_key: string | null }

export const duplicateKeyColumns = { phone_key: leadsTable.phone_key, email_key: leadsTable.email_key }

/** Spelled as in the index `leads_shared`. */
export const duplicateLeadCondition: SQL = sql`(${leadsTable.phone_shared} or ${leadsTable.email_shared})`

/**
 * Updates `phone_shared` and `email_shared` of every lead with one of these phones or emails, in any campaign. Call it after
 * inserting or deleting leads, in the same transaction. Transactions that insert leads with the same phone take turns.
 */
export async function refreshDuplicates(tx: Tx, leads: DuplicateKeys[]): Promise<void> {
  const { phones, emails } = toDistinctKeys(leads)
  if (phones.length + emails.length === 0) return
  await lockDuplicates(tx, leads)
  // Separate statements, to see what was committed during the wait.
  if (phones.length > 0) await refreshDuplicateFlag(tx, 'phone', phones)
  if (emails.length > 0) await refreshDuplicateFlag(tx, 'email', emails)
}

/** Returns the flags of leads that are about to be inserted, so that their rows are right from the start, and locks their keys. */
export async function findNewDuplicates(tx: Tx, leads: NewKeyedLead[]): Promise<DuplicateFlags[]> {
  const keys = leads.map(({ phone_key, lead_email }) => ({ phone_key, email_key: lead_email?.toLowerCase() ?? null }))
  await lockDuplicates(tx, keys)
  const isPhoneShared = await findNewShared(tx, 'phone', keys)
  const isEmailShared = await findNewShared(tx, 'email', keys)
  return keys.map((lead) => ({ phone_shared: isPhoneShared(lead), email_shared: isEmailShared(lead) }))
}
type NewKeyedLead = { phone_key: string | null; lead_email?: string | null }
type DuplicateFlags = { phone_shared: boolean; email_shared: boolean }

async function findNewShared(tx: Tx, what: 'phone' | 'email', leads: DuplicateKeys[]) {
  const name = `${what}_key` as const
  const given = leads.flatMap((lead) => lead[name] ?? [])
  if (given.length === 0) return () => false
  const key = leadsTable[name]
  const stored = await tx
    .selectDistinct({ key })
    .from(leadsTable)
    .where(sql`${key} = any(${sql.param([...new Set(given)])}::text[])`)
  const holders = Map.groupBy([...given, ...stored.map((row) => row.key)], (one) => one)
  return (lead: DuplicateKeys) => lead[name] !== null && holders.get(lead[name])!.length > 1
}

/** Does the same after a change of a lead, only for the phones and emails that it left or took. */
export const refreshChangedDuplicates = (tx: Tx, before: DuplicateKeys, after: DuplicateKeys): Promise<void> =>
  refreshDuplicates(tx, findTouchedKeys(before, after))

/** Returns the phones and emails that a change leaves or takes; null means unchanged. */
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

/** Returns the flags to clear for a lead that no longer has a phone or an email. */
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
 * Recounts all leads, after a seed that inserts them without the store. Takes a range of ids per statement, because PostgreSQL
 * keeps the rows that a statement changes until its triggers have run.
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
 * Phones and emails are locked separately: a lead may share its phone with some leads and its email with others. Rows are
 * locked in the order of their ids, so that two transactions cannot deadlock.
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
