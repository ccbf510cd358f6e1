import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { missedCallTags } from '../../labels.ts'
import type { StoredLead } from '../../model/dto.ts'
import { leadsTable } from '../../model/schema.ts'
import { leadChangesTable } from '../schema.ts'

/** The columns that sums depend on. */
export const summedLeadColumns = {
  id: leadsTable.id,
  campaign_id: leadsTable.campaign_id,
  occurred_at: leadsTable.occurred_at,
  archived: leadsTable.archived,
  facets: leadsTable.facets,
  confirmed: leadsTable.confirmed,
  tags: leadsTable.tags,
  client_value: leadsTable.client_value,
  client_profit: leadsTable.client_profit,
}
export type SummedLead = Pick<StoredLead, keyof typeof summedLeadColumns>
/** Leads before and after a write; a new or deleted lead is on one side only. */
export type SummedLeadWrite = { before: readonly SummedLead[]; after: readonly SummedLead[] }

/**
 * Runs consecutive writes to leads, and records for the sums what they changed. A trigger records the writes of anyone else, such as a
 * person in psql, and leaves those of this transaction to it. Unchanged leads are left out; for a lead that was written more than once,
 * the first state before and the last state after count.
 */
export async function recordLeadChanges<Result>(
  tx: Tx,
  write: () => Promise<{ writes: readonly SummedLeadWrite[]; result: Result }>,
): Promise<Result> {
  await tx.execute(sql`select set_config('leadline.records_lead_changes', 'on', true)`)
  const { writes, result } = await write()
  await insertChanges(tx, writes)
  return result
}

async function insertChanges(tx: Tx, writes: readonly SummedLeadWrite[]): Promise<void> {
  const leads = new Map<number, { before: SummedLead | undefined; after: SummedLead | undefined }>()
  for (const { before, after } of writes) {
    const [was, is] = [before, after].map((side) => new Map(side.map((lead) => [lead.id, lead])))
    for (const id of new Set([...was!.keys(), ...is!.keys()])) {
      const known = leads.get(id)
      if (known) known.after = is!.get(id)
      else leads.set(id, { before: was!.get(id), after: is!.get(id) })
    }
  }
  const changes = new Map<string, LeadChangeInsert>()
  for (const { before, after } of leads.values()) {
    if (before) addChange(changes, before, -1)
    if (after) addChange(changes, after, 1)
  }
  const written = [...changes.values()].filter(({ number }) => number !== 0)
  if (written.length === 0) return
  // A single parameter, however many leads a batch changes.
  await tx.execute(sql`
    insert into ${leadChangesTable} (campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit)
    select * from json_to_recordset(${JSON.stringify(written.map(toSignedMoney))}) change (campaign_id int, occurred_at timestamptz,
      archived boolean, facets int, missed boolean, number int, client_value numeric, client_profit numeric)`)
}

type LeadChangeInsert = typeof leadChangesTable.$inferInsert

function addChange(changes: Map<string, LeadChangeInsert>, lead: SummedLead, number: 1 | -1) {
  const { campaign_id, occurred_at, archived, client_value, client_profit } = lead
  const facets = lead.facets ?? 0 // generated, and never null
  const missed = !lead.confirmed && lead.tags.some((tag) => missedTags.has(tag))
  const key = [campaign_id, occurred_at.getTime(), archived, facets, missed, client_value, client_profit].join()
  const same = changes.get(key)
  if (same) same.number += number
  else changes.set(key, { campaign_id, occurred_at, archived, facets, missed, number, client_value, client_profit })
}

const toSignedMoney = ({ client_value, client_profit, ...change }: LeadChangeInsert): LeadChangeInsert => ({
  ...change,
  client_value: client_value == null ? null : client_value * change.number,
  client_profit: client_profit == null ? null : client_profit * change.number,
})

const missedTags: ReadonlySet<string> = new Set(missedCallTags)
