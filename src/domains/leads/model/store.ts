import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit, writeAudits } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { insertRows } from '#core/db/insert-rows.ts'
import { statementLinesTable } from '#domains/billing/statements/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { noCampaignId } from '../labels.ts'
import { mailsTable } from '../mail/schema.ts'
import { ratingKeysTable, ratingSavesTable } from '../rating/schema.ts'
import { ruleHitsTable } from '../spam/schema.ts'
import { recordLeadChanges, type SummedLeadWrite, summedLeadColumns } from '../sums/server/lead-changes.ts'
import { announceChanges } from './announce-changes.ts'
import type { StoredLead } from './dto.ts'
import {
  clearDuplicateFlags,
  duplicateKeyColumns,
  lockDuplicates,
  refreshChangedDuplicates,
  refreshDuplicates,
} from './duplicates.ts'
import { lockFirstCalls, refreshFirstCalls } from './first-call.ts'
import { findLeadEvents, recordLeadEvents } from './lead-events.ts'
import { lockLeadRows, matchesLeadKey, matchesLeadKeys } from './lead-key.ts'
import { type LeadReach, lockMoves } from './lock-moves.ts'
import { deriveNewLeads, type NewLead } from './new-lead-row.ts'
import { toPhoneKey } from './phone-key.ts'
import {
  assertProviderIdFree,
  findKnownLeads,
  type LeadNumber,
  lockProviderIds,
  numberKey,
  providerIdKey,
} from './provider-ids.ts'
import { leadsTable, searchTextSql } from './schema.ts'

/**
 * The only writer of leads.
 *
 * What sums and lists count is recorded in the same transaction as the write (`recordLeadChanges`).
 *
 * The lock order: provider ids, then the lead's move (`lockMoves`), then groups of first calls, then phones and emails, then
 * rows by campaign and id (`lockLeadRows`). Writers that keep to it cannot deadlock.
 */

// ——— new leads ———

export type CreatedLead = Pick<
  StoredLead,
  'id' | 'lead_s' | 'lead_id' | 'origin' | 'campaign_id' | 'phone_key' | 'email_key' | 'hide'
>

/**
 * Inserts the leads whose provider id is free, in one statement, and returns them by `providerIdKey`. A lead that is missing
 * from the result existed before or is listed twice. `zone` is the agency's, for the times in webhook events. `announce` puts
 * emails into the outbox before the events are recorded.
 */
export async function insertLeads(
  tx: Tx,
  zone: string,
  leads: NewLead[],
  announce?: (created: CreatedLead[]) => Promise<void>,
): Promise<Map<string, CreatedLead>> {
  await lockProviderIds(tx, leads)
  const known = await findKnownLeads(tx, leads.map(toLeadNumber))
  const taken = new Set(known.keys())
  const fresh = leads.filter((lead) => {
    const key = providerIdKey(lead)
    return taken.has(key) ? false : taken.add(key)
  })
  if (fresh.length === 0) return new Map()
  const { lead_s, lead_id, origin, phone_key, email_key, hide } = leadsTable
  const derived = await deriveNewLeads(tx, fresh)
  const rows = derived.map(({ row }) => row)
  const returned = { lead_s, lead_id, origin, phone_key, email_key, hide, ...summedLeadColumns }
  const created = await recordLeadChanges(tx, async () => {
    const result = await insertRows(tx, leadsTable, rows, returned)
    return { writes: [{ before: [], after: result }, await refreshFirstCalls(tx, result)], result }
  })
  await refreshDuplicates(tx, created)
  const byKey = new Map(created.map((lead) => [providerIdKey(lead), lead]))
  const hits = derived.flatMap(({ row, rules }) =>
    rules.map((rule_id) => ({ rule_id, lead_id: byKey.get(providerIdKey(row))!.id })),
  )
  if (hits.length > 0) await tx.insert(ruleHitsTable).values(hits)
  for (const { audit, ...lead } of fresh)
    if (audit)
      await writeAudit(tx, audit.actor, {
        kind: 'lead',
        rowId: byKey.get(providerIdKey(lead))!.id,
        before: null,
        after: audit.after,
        version: 1,
      })
  await announce?.([...byKey.values()])
  const events = derived.flatMap(({ row }, index) => {
    if (fresh[index]!.is_past) return []
    const lead = byKey.get(providerIdKey(row))!
    const { confirmed = false, rating = null, tags = [] } = row
    return findLeadEvents(lead.id, null, { campaign_id: lead.campaign_id, confirmed, rating, tags })
  })
  await recordLeadEvents(tx, zone, [...byKey.values()], events)
  return byKey
}

const toLeadNumber = ({
  lead_s,
  lead_id,
  origin = '',
  company,
  campaign_id,
  clientsite_id = null,
}: NewLead): LeadNumber => ({
  company,
  lead_s,
  lead_id,
  origin,
  campaign_id: campaign_id ?? noCampaignId,
  clientsite_id,
})

// ——— changes ———

/** A lead that is locked until the transaction ends, and how far a change of it may go. */
export type LockedLead = { readonly row: StoredLead; readonly reach: LeadReach }
/** Columns to set, and the audit entry in the caller's words. */
type LeadChange = {
  actor: AuditActor
  /** The agency's time zone. */
  zone: string
  set: Partial<StoredLead>
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Locks a lead for a change as far as `reach`, in the lock order. Returns null if there is no such lead. */
export async function lockLead(tx: Tx, id: number, reach: LeadReach = {}): Promise<LockedLead | null> {
  if (reach.lead_s !== undefined || reach.lead_id !== undefined) await lockNewProviderId(tx, id, reach)
  return (await lockLeads(tx, [[id, reach]])).get(id) ?? null
}

/** Locks several leads, each for its own change, in the lock order, and returns those that exist. Provider ids must not change. */
export async function lockLeads(tx: Tx, leads: [id: number, reach: LeadReach][]): Promise<Map<number, LockedLead>> {
  await lockMoves(tx, leads)
  const reaches = new Map(leads)
  const rows = await lockLeadRows(tx, [...reaches.keys()])
  return new Map(rows.map((row) => [row.id, { row, reach: reaches.get(row.id)! }]))
}

async function lockNewProviderId(tx: Tx, id: number, { lead_s, lead_id }: LeadReach): Promise<void> {
  const [now] = await tx
    .select({ lead_s: leadsTable.lead_s, lead_id: leadsTable.lead_id })
    .from(leadsTable)
    .where(eq(leadsTable.id, id))
  if (now) await lockProviderIds(tx, [{ lead_s: lead_s ?? now.lead_s, lead_id: lead_id ?? now.lead_id }])
}

/** Writes a change of a locked lead with its new version and audit entry. Throws 409 if its provider id is taken. */
export const updateLead = (tx: Tx, lead: LockedLead, { actor, zone, ...change }: LeadChange): Promise<void> =>
  updateLeads(tx, { actor, zone }, [{ lead, ...change }])

type LeadEdit = Omit<LeadChange, 'actor' | 'zone'> & { lead: LockedLead }

/** Writes changes of different leads: one statement per distinct change, one for all audit entries, one for all events. */
export async function updateLeads(
  tx: Tx,
  { actor, zone }: Pick<LeadChange, 'actor' | 'zone'>,
  edits: readonly LeadEdit[],
): Promise<void> {
  const writes: LeadWrite[] = []
  for (const { lead, set } of edits) writes.push(await prepareWrite(tx, lead, set))
  await recordLeadChanges(tx, () => writeAll(tx, writes))
  const entries = edits.map(({ lead: { row }, before, after }) => {
    return { kind: 'lead', rowId: row.id, before, after, version: row.version + 1 }
  })
  await writeAudits(tx, actor, entries)
  const events = writes.flatMap(({ before, after }) => findLeadEvents(before.id, before, after))
  const changed = writes.map(({ after }) => after)
  await recordLeadEvents(tx, zone, changed, events)
  await announceChanges(tx, actor, zone, writes)
}

async function writeAll(tx: Tx, writes: readonly LeadWrite[]) {
  const summed: SummedLeadWrite[] = []
  const alone = writes.filter(isRegrouped)
  for (const write of alone) summed.push(...(await writeRegroupedLead(tx, write)))
  const alike = Map.groupBy(
    writes.filter((write) => !isRegrouped(write)),
    ({ set }) => JSON.stringify(set),
  )
  for (const same of alike.values()) summed.push(await writeLeads(tx, same))
  return { writes: summed, result: undefined }
}

type LeadWrite = { before: StoredLead; after: StoredLead; set: Partial<StoredLead> }

async function prepareWrite(tx: Tx, { row, reach }: LockedLead, given: Partial<StoredLead>): Promise<LeadWrite> {
  const { lead_phone } = given
  const set = { ...given, ...(lead_phone !== undefined && { phone_key: toPhoneKey(lead_phone) }) }
  const after = { ...row, ...set, version: row.version + 1 }
  assertWithinReach(row, after, reach)
  if (numberKey(after) !== numberKey(row)) await assertProviderIdFree(tx, after, row.id)
  return { before: row, after, set }
}

/** A change beyond its reach would lock groups after the row, and could deadlock with a writer that waits for the row. */
function assertWithinReach(row: StoredLead, changed: StoredLead, reach: LeadReach): void {
  const fields = ['lead_s', 'lead_id', 'campaign_id', 'lead_phone', 'lead_email'] as const
  const beyond = fields.filter((field) => changed[field] !== row[field] && changed[field] !== reach[field])
  if (beyond.length > 0 || (isReordered(row, changed) && !reach.reorders))
    throw new Error(`Lead ${row.id} was not locked for a change of ${beyond.join(', ') || 'its type or time'}`)
}

const isReordered = (before: StoredLead, after: StoredLead) =>
  after.lead_type !== before.lead_type || after.occurred_at.getTime() !== before.occurred_at.getTime()

/** Flags of other leads depend on these columns. */
const isRegrouped = ({ before, after }: LeadWrite) =>
  isInOtherFirstCalls(before, after) || after.lead_email !== before.lead_email

const isInOtherFirstCalls = (before: StoredLead, after: StoredLead) =>
  after.campaign_id !== before.campaign_id || after.phone_key !== before.phone_key || isReordered(before, after)

async function writeRegroupedLead(tx: Tx, { before, after, set: given }: LeadWrite): Promise<SummedLeadWrite[]> {
  const isReset = isInOtherFirstCalls(before, after)
  const set = { ...given, ...(isReset && { first_call: false }), ...clearDuplicateFlags(after) }
  const written =
    after.campaign_id === before.campaign_id
      ? (await updateRows(tx, [before], set))[0]!
      : await transferLead(tx, before, { ...after, ...set })
  const firstCalls = isReset ? [await refreshFirstCalls(tx, [before, after])] : []
  await refreshChangedDuplicates(tx, before, written)
  return [{ before: [before], after: [written] }, ...firstCalls]
}

async function writeLeads(tx: Tx, writes: LeadWrite[]): Promise<SummedLeadWrite> {
  const before = writes.map((write) => write.before)
  return { before, after: await updateRows(tx, before, writes[0]!.set) }
}

/** Sets the same columns in all rows, except the campaign: a lead that changes it is transferred. */
const updateRows = (tx: Tx, rows: StoredLead[], { campaign_id: _, ...set }: Partial<StoredLead>) =>
  tx
    .update(leadsTable)
    .set({ ...set, version: sql`${leadsTable.version} + 1` })
    .where(matchesLeadKeys(rows))
    .returning({ ...duplicateKeyColumns, ...summedLeadColumns })

/** Derives the search text of locked leads again, where it is not what the database would derive now. */
export const refreshSearchTexts = (tx: Tx, ids: number[]): Promise<void> =>
  recordLeadChanges(tx, async () => {
    await tx.execute(sql`
      update ${leadsTable} set lead_name = lead_name
      where ${inArray(leadsTable.id, ids)} and search_text is distinct from ${searchTextSql}`)
    return { writes: [], result: undefined }
  })

type LeadChildTable = typeof mailsTable | typeof ratingKeysTable | typeof ratingSavesTable

/**
 * Moves a lead to another campaign. The lead and its children are deleted and inserted again, because the campaigns may be
 * stored on different machines. The ids stay. The caller has locked the lead and its groups.
 */
async function transferLead(tx: Tx, from: StoredLead, to: StoredLead): Promise<StoredLead> {
  const isChild = (table: LeadChildTable) => and(eq(table.lead_id, from.id), eq(table.campaign_id, from.campaign_id))
  const there = <Child extends object>(rows: Child[]) => rows.map((row) => ({ ...row, campaign_id: to.campaign_id }))
  const mails = there(await tx.select().from(mailsTable).where(isChild(mailsTable)).for('update')) // one may be being sent
  const keys = there(
    await nameKeyClients(tx, from, mails, await tx.select().from(ratingKeysTable).where(isChild(ratingKeysTable))),
  )
  const saves = there(await tx.select().from(ratingSavesTable).where(isChild(ratingSavesTable)))
  await tx.delete(leadsTable).where(matchesLeadKey(from)) // deletes its children too
  const [moved] = await tx.insert(leadsTable).overridingSystemValue().values(to).returning()
  if (mails.length > 0) await tx.insert(mailsTable).overridingSystemValue().values(mails)
  if (keys.length > 0) await tx.insert(ratingKeysTable).overridingSystemValue().values(keys)
  if (saves.length > 0) await tx.insert(ratingSavesTable).overridingSystemValue().values(saves)
  return moved!
}

type StoredMail = typeof mailsTable.$inferSelect
type StoredKey = typeof ratingKeysTable.$inferSelect

/** Keys stay with the client who got them: of a key that does not name its client, its mail does, or else the campaign that it leaves. */
async function nameKeyClients(tx: Tx, from: StoredLead, mails: StoredMail[], keys: StoredKey[]): Promise<StoredKey[]> {
  if (keys.every(({ client_id }) => client_id !== null)) return keys
  const { id, client_id } = campaignsTable
  const [campaign] = await tx.select({ client_id }).from(campaignsTable).where(eq(id, from.campaign_id))
  const byMail = new Map(mails.map((mail) => [mail.id, mail.client_id]))
  return keys.map((key) => ({
    ...key,
    client_id: key.client_id ?? byMail.get(key.mail_id ?? 0) ?? campaign?.client_id ?? null,
  }))
}

// ——— deletion ———

/**
 * Deletes the leads that were never changed, have no emails and are on no sent statement, and returns their ids. Only the undo of an import,
 * a move or a history uses it.
 */
export async function deleteUntouchedLeads(tx: Tx, ids: number[]): Promise<number[]> {
  const untouched = and(
    inArray(leadsTable.id, ids),
    eq(leadsTable.version, 1),
    notExists(leadMailsQuery(tx)),
    notExists(statementLinesQuery(tx)),
  )
  const groupColumns = { campaign_id: leadsTable.campaign_id, ...duplicateKeyColumns }
  const groups = await tx.select(groupColumns).from(leadsTable).where(untouched)
  await lockFirstCalls(tx, groups)
  await lockDuplicates(tx, groups)
  // A lead that was changed or billed during the wait stays.
  const deleted = await recordLeadChanges(tx, async () => {
    const result = await tx
      .delete(leadsTable)
      .where(untouched)
      .returning({ ...duplicateKeyColumns, ...summedLeadColumns })
    return { writes: [{ before: result, after: [] }, await refreshFirstCalls(tx, result)], result }
  })
  await refreshDuplicates(tx, deleted)
  const deletedIds = deleted.map(({ id }) => id)
  await tx.delete(ruleHitsTable).where(inArray(ruleHitsTable.lead_id, deletedIds))
  return deletedIds
}

/** Returns which of these leads are on a sent statement. */
export async function findBilledLeads(tx: Tx, ids: number[]): Promise<Set<number | null>> {
  const { lead_id } = statementLinesTable
  const lines = await tx.selectDistinct({ lead_id }).from(statementLinesTable).where(inArray(lead_id, ids))
  return new Set(lines.map((line) => line.lead_id))
}

const statementLinesQuery = (tx: Tx) =>
  tx
    .select({ lead: statementLinesTable.lead_id })
    .from(statementLinesTable)
    .where(eq(statementLinesTable.lead_id, leadsTable.id))

const leadMailsQuery = (tx: Tx) =>
  tx
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(and(eq(mailsTable.lead_id, leadsTable.id), eq(mailsTable.campaign_id, leadsTable.campaign_id)))
