import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import {
  describeMentions,
  type ErasedPerson,
  erasedText,
  eraseMentions,
  findRecordIds,
  mentionsPerson,
  type PersonalData,
  type PersonSearch,
} from '#core/erasure/personal-data.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../../batch/schema.ts'
import { inboundEventsTable } from '../../intake/schema.ts'
import { mailState } from '../../labels.ts'
import { mailsTable } from '../../mail/schema.ts'
import { eraseLeads, mentioningColumns, personalLeadFields } from '../../model/erase-leads.ts'
import { leadsTable } from '../../model/schema.ts'
import { keywordsTable, spammersTable } from '../../spam/schema.ts'
import { erasedEventColumns, notErasedCondition } from './erased-events.ts'

const batchRowColumns = ['before', 'after', 'reason', 'kept_reason']

/** Where leads, their events, mails and ratings hold personal data. */
export const leadsPersonalData: PersonalData[] = [
  {
    label: 'Leads',
    table: leadsTable,
    columns: [...personalLeadFields, 'email_key', 'search_text', 'tag_causes'],
    kept: [
      'lead_s',
      'lead_type',
      'lead_id', // the provider's number, which identifies repeated events
      'origin',
      'call_type',
      'tags',
      'spam_mark',
      'rating_via',
      'source',
      'source_stated',
      'tracking_phone_number',
      'tracking_source',
      'answering_status',
    ],
    mentioning: mentioningColumns,
    erase: eraseLeads,
  },
  {
    label: 'Raw events',
    table: inboundEventsTable,
    columns: ['body', 'headers', 'reason'],
    kept: ['provider', 'state', 'reconciled_as'],
    mentioning: ['body', 'headers', 'reason'],
    erase: eraseEvents,
  },
  {
    label: 'Emails',
    table: mailsTable,
    columns: ['error', 'relay_answer'],
    kept: ['kind', 'recipients', 'state'], // recipients are the client's addresses
    mentioning: ['error', 'relay_answer'],
    erase: eraseMails,
  },
  describeMentions('Batches of leads', leadBatchesTable, {
    columns: ['value', 'problem'],
    kept: ['action', 'state'],
  }),
  {
    label: 'Leads of batches',
    table: leadBatchRowsTable,
    columns: batchRowColumns,
    kept: [],
    mentioning: batchRowColumns,
    erase: eraseBatchRows,
  },
  {
    label: 'Spammers',
    table: spammersTable,
    columns: ['name', 'phone', 'phone_key', 'email'],
    kept: [],
    erase: (tx, person) => deleteMentioning(tx, spammersTable, ['phone', 'phone_key', 'email', 'name'], person),
  },
  {
    label: 'Blacklist keywords',
    table: keywordsTable,
    columns: ['keyword'],
    kept: [],
    erase: (tx, person) => deleteMentioning(tx, keywordsTable, ['keyword'], person),
  },
]

/** Clears the whole body of events, because they hold more about a person than phone and email. */
async function eraseEvents(tx: Tx, person: ErasedPerson): Promise<number> {
  const { state, processed_at, lead_id } = inboundEventsTable
  const { rowCount } = await tx
    .update(inboundEventsTable)
    .set({
      ...erasedEventColumns,
      reason: 'Erased',
      state: sql`case when ${state} = 'done' then 'done' else 'ignored' end`,
      processed_at: sql`coalesce(${processed_at}, now())`,
    })
    .where(
      and(
        notErasedCondition,
        or(
          inArray(lead_id, findRecordIds(person, 'lead')),
          mentionsPerson(inboundEventsTable, ['body', 'headers', 'reason'], person),
        ),
      ),
    )
  return rowCount ?? 0
}

/** Cancels mails that are not sent yet, and clears personal data in the others. */
async function eraseMails(tx: Tx, person: ErasedPerson): Promise<number> {
  const ofLeads = inArray(mailsTable.lead_id, findRecordIds(person, 'lead'))
  const { rowCount } = await tx
    .update(mailsTable)
    .set({ state: mailState.cancelled })
    .where(and(ofLeads, eq(mailsTable.state, mailState.queued)))
  return (rowCount ?? 0) + (await eraseMentions(tx, mailsTable, ['error', 'relay_answer'], person))
}

async function eraseBatchRows(tx: Tx, person: ErasedPerson): Promise<number> {
  const fields = sql`${sql.param([...personalLeadFields])}::text[]`
  const { before, after, lead_id } = leadBatchRowsTable
  // As in `eraseLeads`: a cause may name the spammer.
  const erase = (values: typeof before | typeof after) => sql`
    erase_fields(${values}, ${fields}, ${erasedText}) || case when ${values} ? 'tag_causes' then jsonb_build_object('tag_causes',
      (select coalesce(jsonb_agg(erase_fields(cause, '{because}', ${erasedText})), '[]')
        from jsonb_array_elements(${values} -> 'tag_causes') cause)) else '{}' end`
  const holds = (values: typeof before | typeof after) => sql`${values} ?| ${fields} or ${values} ? 'tag_causes'`
  const { rowCount } = await tx.execute(sql`
    update ${leadBatchRowsTable} set before = ${erase(before)}, after = ${erase(after)}
    where ${inArray(lead_id, findRecordIds(person, 'lead'))} and (${holds(before)} or ${holds(after)})`)
  const mentions = await eraseMentions(tx, leadBatchRowsTable, batchRowColumns, person)
  return (rowCount ?? 0) + mentions
}

type RuleTable = typeof spammersTable | typeof keywordsTable

/** Deletes rules about the person, which mean nothing without the phone or word. */
async function deleteMentioning(tx: Tx, table: RuleTable, columns: string[], person: ErasedPerson): Promise<number> {
  const { rowCount } = await tx.delete(table).where(mentionsPerson(table, columns, person))
  return rowCount ?? 0
}

/** Returns the spammer entries of this person, so that their audit log is erased too. */
export const findSpammersOfPerson = (tx: Tx, search: PersonSearch) =>
  tx
    .select({ id: spammersTable.id })
    .from(spammersTable)
    .where(mentionsPerson(spammersTable, ['phone', 'phone_key', 'email', 'name'], search))
