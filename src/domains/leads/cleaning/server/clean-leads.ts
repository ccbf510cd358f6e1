import { eq, gt, sql } from 'drizzle-orm'
import { cleanText as cleanStoredText } from '#contract/clean-text.ts'
import { readEmail } from '#contract/read-email.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { cleanText } from '#domains/leads/intake/server/incoming-lead.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { leadsTable, searchTextSql } from '#domains/leads/model/schema.ts'
import { type LockedLead, lockLeads, refreshSearchTexts, updateLeads } from '#domains/leads/model/store.ts'
import { spammersTable } from '#domains/leads/spam/schema.ts'
import { leadCleaningTable } from '../schema.ts'

/** So few that people who change one of them hardly wait. */
const leadsAtOnce = 500
/** The program: no person has changed these leads. */
const actor: AuditActor = { me: null }

/** Looks at the next leads, in one transaction, and returns whether there may be more. Two processes never look at the same ones. */
export function cleanNextLeads(db: Db, zone: string): Promise<boolean> {
  return runTransaction(db, async (tx) => {
    const [state] = await tx.select().from(leadCleaningTable).for('update', { skipLocked: true })
    if (!state || state.is_done) return false
    const found = await tx
      .select({ lead: leadsTable, isStale: sql<boolean>`${leadsTable.search_text} is distinct from ${searchTextSql}` })
      .from(leadsTable)
      .where(gt(leadsTable.id, state.last_id))
      .orderBy(leadsTable.id)
      .limit(leadsAtOnce)
    const last = found.at(-1)
    if (last)
      await cleanLeads(
        tx,
        zone,
        found.filter(({ lead, isStale }) => isStale || findChanges(lead) !== null).map(({ lead }) => lead.id),
      )
    else await cleanSpammers(tx)
    await tx.update(leadCleaningTable).set(last ? { last_id: last.lead.id } : { is_done: true })
    return last !== undefined
  })
}

async function cleanLeads(tx: Tx, zone: string, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  // Taking its own phone and email locks the groups that a lead may leave.
  const rows = await tx
    .select()
    .from(leadsTable)
    .where(sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`)
  const locked = await lockLeads(
    tx,
    rows.map((row) => {
      const { lead_phone, lead_email } = { ...row, ...findChanges(row) }
      return [row.id, findChanges(row) === null ? {} : { lead_phone, lead_email }]
    }),
  )
  const edits = [...locked.values()].flatMap((lead) => toEdit(lead) ?? [])
  if (edits.length > 0) await updateLeads(tx, { actor, zone }, edits)
  await refreshSearchTexts(tx, [...locked.keys()])
}

function toEdit(lead: LockedLead) {
  const set = findChanges(lead.row)
  if (set === null) return null
  const { phone_key, ...before } = Object.fromEntries(
    Object.keys({ ...set, phone_key: null }).map((field) => [field, lead.row[field as keyof StoredLead]]),
  )
  return {
    lead,
    set,
    before: { ...before, phone_key },
    after: { ...set, phone_key: toPhoneKey(set.lead_phone ?? null) },
  }
}

/** What an earlier version has stored in another form; null if nothing. An erased lead has nothing to bring to it. */
function findChanges(row: StoredLead): (Partial<StoredLead> & Pick<StoredLead, 'lead_phone'>) | null {
  if (row.erased_at) return null
  // A provider's text may hold entities; a person's is what they typed.
  const clean = (text: string | null) =>
    text === null ? null : row.origin === '' ? cleanStoredText(text) || null : cleanText(text, text.length)
  const { lead_name, lead_location, lead_email, lead_phone, message } = row
  const now = cleanContact({
    lead_name: clean(lead_name),
    lead_location: clean(lead_location),
    message: clean(message),
    lead_email,
    lead_phone,
  })
  const fields = Object.keys(now) as (keyof typeof now)[] // the literal above
  const changed = Object.fromEntries(
    fields.filter((field) => now[field] !== row[field]).map((field) => [field, now[field]]),
  )
  const hasOtherKey = toPhoneKey(now.lead_phone) !== row.phone_key
  return Object.keys(changed).length === 0 && !hasOtherKey ? null : { ...changed, lead_phone: now.lead_phone }
}

async function cleanSpammers(tx: Tx): Promise<void> {
  for (const { id, phone, email, phone_key } of await tx.select().from(spammersTable).for('update')) {
    const before = { email, phone_key }
    const after = { email: email && (readEmail(email).only ?? email), phone_key: toPhoneKey(phone) }
    if (after.email === email && after.phone_key === phone_key) continue
    await tx.update(spammersTable).set(after).where(eq(spammersTable.id, id))
    await writeAudit(tx, actor, { kind: 'spammer', rowId: id, before, after })
  }
}
