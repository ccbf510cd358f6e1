import { inArray, or, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { type ErasedPerson, erasedText, eraseMentions, findRecordIds } from '#core/erasure/personal-data.ts'
import { claimLeadChanges, recordLeadChanges, type SummedLead, summedLeadColumns } from '../sums/server/lead-changes.ts'
import { refreshDuplicates } from './duplicates.ts'
import { matchesLeadKey } from './lead-key.ts'
import { leadsTable } from './schema.ts'
import { lockLeads } from './store.ts'

/** What the audit log calls the fields of a lead that say who the person is, or what they said. */
export const personalLeadFields = [
  'lead_name',
  'lead_location',
  'lead_email',
  'lead_phone',
  'phone_key',
  'message',
  'notes',
  'client_notes',
  'company_name',
  'recording_url',
  'last_url',
  'referrer',
  'keywords',
  'gclid',
] as const

/** Returns the leads of a person by their phone and email, as `phone_key` and `email_key` spell them. */
export const findLeadsOfPerson = (db: DbOrTx, { phones, emails }: { phones: string[]; emails: string[] }) =>
  db
    .select({
      id: leadsTable.id,
      campaign_id: leadsTable.campaign_id,
      occurred_at: leadsTable.occurred_at,
      phone_key: leadsTable.phone_key,
      email_key: leadsTable.email_key,
      has_recording: sql<boolean>`${leadsTable.recording_url} is not null`,
    })
    .from(leadsTable)
    .where(or(inArray(leadsTable.phone_key, phones), inArray(leadsTable.email_key, emails)))
    .orderBy(leadsTable.id)

/**
 * Empties the person's leads, which stay and are counted as before: their day, campaign, tags, verdict and rating say nothing of a
 * person. Other leads lose the mention. Neither is written to the audit log value by value: the erasure itself is.
 */
export async function eraseLeads(tx: Tx, person: ErasedPerson): Promise<number> {
  const ids = findRecordIds(person, 'lead')
  const locked = await lockLeads(
    tx,
    ids.map((id) => [id, { lead_phone: null, lead_email: null }]),
  )
  const emptied = Object.fromEntries(personalLeadFields.map((field) => [field, null]))
  const after: SummedLead[] = []
  await claimLeadChanges(tx)
  for (const { row } of locked.values()) {
    const [written] = await tx
      .update(leadsTable)
      .set({
        ...emptied,
        lead_name: erasedText,
        tag_causes: row.tag_causes.map(({ tag }) => ({ tag, because: erasedText })),
        phone_shared: false,
        email_shared: false,
        erased_at: row.erased_at ?? new Date(),
        version: row.version + 1,
      })
      .where(matchesLeadKey(row))
      .returning(summedLeadColumns)
    after.push(written!)
  }
  const before = [...locked.values()].map(({ row }) => row)
  await recordLeadChanges(tx, [{ before, after }]) // without its company and notes a lead may have no feedback
  await refreshDuplicates(tx, before)
  return locked.size + (await eraseMentions(tx, leadsTable, mentioningColumns, person))
}

/** The same phone in these is the same lead's `phone_key`. */
export const mentioningColumns = personalLeadFields.filter(
  (field) => field !== 'phone_key' && field !== 'recording_url',
)
