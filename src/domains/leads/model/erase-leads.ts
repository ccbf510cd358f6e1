import { and, inArray, or, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import {
  type ErasedPerson,
  erasedText,
  eraseMentions,
  findRecordIds,
  mentionsPerson,
  type PersonMentions,
} from '#core/erasure/personal-data.ts'
import { liveChannels } from '../live-channels.ts'
import { recordLeadChanges, type SummedLead, summedLeadColumns } from '../sums/server/lead-changes.ts'
import { emailAsSent, phoneAsSent } from './clean-contact.ts'
import { refreshDuplicates } from './duplicates.ts'
import { matchesLeadKey } from './lead-key.ts'
import { leadsTable } from './schema.ts'
import { lockLeads } from './store.ts'

/** The fields of a lead, as the audit log names them, that say who the person is or what they said. */
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
  'gbraid',
  'wbraid',
  'msclkid',
  'fbclid',
] as const

type PersonKeys = { phones: string[]; emails: string[] }

/** A condition: the message has a line with what an email or phone field held. */
const keepsContactAsSent = sql`(strpos(${leadsTable.message}, ${emailAsSent}) > 0 or strpos(${leadsTable.message}, ${phoneAsSent}) > 0)`

/**
 * Returns a person's leads: by phone and email, in the form of `phone_key` and `email_key`, and those whose phone or email holds more than
 * one, or is spelled in a way that has another key.
 */
export const findLeadsOfPerson = (db: DbOrTx, { phones, emails }: PersonKeys, person: PersonMentions) =>
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
    .where(
      or(
        inArray(leadsTable.phone_key, phones),
        inArray(leadsTable.email_key, emails),
        mentionsPerson(leadsTable, ['lead_phone', 'lead_email'], person),
        and(keepsContactAsSent, mentionsPerson(leadsTable, ['message'], person)),
      ),
    )
    .orderBy(leadsTable.id)

/**
 * Clears the personal fields of the person's leads. The leads stay and count as before: day, campaign, tags, verdict and rating
 * are not personal. Mentions in other leads are cleared as well. The audit log records the erasure, not the values.
 */
export async function eraseLeads(tx: Tx, person: ErasedPerson): Promise<number> {
  const ids = findRecordIds(person, 'lead')
  const locked = await lockLeads(
    tx,
    ids.map((id) => [id, { lead_phone: null, lead_email: null }]),
  )
  const emptied = Object.fromEntries(personalLeadFields.map((field) => [field, null]))
  const before = [...locked.values()].map(({ row }) => row)
  const emptyRows = async () => {
    const after: SummedLead[] = []
    for (const row of before) {
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
    return { writes: [{ before, after }], result: undefined }
  }
  await recordLeadChanges(tx, emptyRows) // losing company and notes may leave a lead without feedback
  await refreshDuplicates(tx, before)
  const erased = locked.size + (await eraseMentions(tx, leadsTable, mentioningColumns, person, true))
  // Open pages read again: what they show of the person must not stay there.
  if (erased > 0) await tx.execute(sql`select pg_notify(${liveChannels.lead}, '')`)
  return erased
}

/** `phone_key` is left out: it is the same phone as `lead_phone`. */
export const mentioningColumns = personalLeadFields.filter(
  (field) => field !== 'phone_key' && field !== 'recording_url',
)
