import { and, eq, gt, isNull } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { forbiddenError, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { getWritableFields, leadsContract } from '../contract.ts'
import { type LeadUpdate, type StoredLead, toLeadColumns, toLeadDto } from './dto.ts'
import { clearDuplicateFlags, duplicateKeyColumns, lockDuplicates, refreshChangedDuplicates } from './duplicates.ts'
import { lockFirstCalls, refreshFirstCalls } from './first-call.ts'
import { lockLead, matchesLeadKey } from './lead-key.ts'
import { toPhoneKey } from './phone-key.ts'
import { assertProviderIdFree, type LeadProviderId, lockProviderIds } from './provider-ids.ts'
import { leadsTable } from './schema.ts'
import { type LeadReader, readLeadJson } from './serializer.ts'
import { transferLead } from './transfer.ts'
import { canSeeLead } from './visibility.ts'

type LeadMutation = {
  id: number
  wanted: LeadUpdate
  /** The version that the editor saw; without it the last writer wins. */
  seen?: number | undefined
  /** Refuses before anything is written. */
  check?: () => void
}

/**
 * Changes a lead that this person may see, with its trail, and answers it as they read it. Two people who change
 * different fields both win; the same field answers 409 with the newer lead. What changes nothing leaves no trace.
 */
export async function updateLead(db: Db, reader: LeadReader, actor: AuditActor, change: LeadMutation): Promise<string> {
  const { me, zone } = reader
  const { id, wanted } = change
  return runTransaction(db, async (tx) => {
    const name = await findNewProviderId(tx, id, wanted)
    if (name) await lockProviderIds(tx, [name])
    if (affectsFirstCall(wanted)) await lockFirstCalls(tx, id, (from) => toFirstCallGroup(from, wanted))
    await lockDuplicates(tx, id, toDuplicateKeys(wanted), wanted.campaign_id)
    const row = await lockLead(tx, id)
    if (!row || !canSeeLead(me, row)) throw notFoundError()
    change.check?.()
    if (name) await assertProviderIdFree(tx, name, id)
    const stored = toLeadColumns(row, wanted, zone)
    const changed = { ...row, ...stored, version: row.version + 1 }
    await assertValidReferences(tx, me, row, changed)
    const [before, after] = [toLeadDto(row, zone), toLeadDto(changed, zone)]
    const fields = Object.keys(diffFields(before, after).after)
    if (fields.length > 0) {
      if (change.seen !== undefined && change.seen < row.version)
        await assertNoConflict(tx, reader, id, change.seen, fields)
      await writeLeadChange(tx, row, changed, stored)
      await writeAudit(tx, actor, { kind: 'lead', rowId: id, before, after, version: changed.version })
    }
    return readLeadJson(tx, reader, id)
  })
}

/** What the lead would be called by its provider; null where that is not asked to change. */
async function findNewProviderId(tx: Tx, id: number, { lead_s, lead_id }: LeadUpdate): Promise<LeadProviderId | null> {
  if (lead_s === undefined && lead_id === undefined) return null
  const [now] = await tx
    .select({ lead_s: leadsTable.lead_s, lead_id: leadsTable.lead_id })
    .from(leadsTable)
    .where(eq(leadsTable.id, id))
  return now ? { lead_s: lead_s ?? now.lead_s, lead_id: lead_id ?? now.lead_id } : null
}

/** 403 for what this person may not write, by name; also for what nobody may. */
export function assertWritableFields(me: CurrentUser, fields: string[]) {
  const writable = getWritableFields(me)
  const refused = fields.filter((field) => !writable.has(field))
  if (refused.length > 0)
    throw forbiddenError(Object.fromEntries(refused.map((field) => [field, ['You are not allowed to change this']])))
}

/** Whether it may become, or cease to be, the first call of a phone. */
const affectsFirstCall = ({ campaign_id, lead_phone, lead_type, lead_date, lead_time }: LeadUpdate) =>
  [campaign_id, lead_phone, lead_type, lead_date, lead_time].some((field) => field !== undefined)
const toFirstCallGroup = (
  from: Pick<StoredLead, 'campaign_id' | 'phone_key'>,
  { campaign_id, lead_phone }: LeadUpdate,
) => ({
  campaign_id: campaign_id ?? from.campaign_id,
  phone_key: lead_phone === undefined ? from.phone_key : toPhoneKey(lead_phone),
})

const toDuplicateKeys = ({ lead_phone, lead_email }: LeadUpdate) => ({
  ...(lead_phone !== undefined && { phone_key: toPhoneKey(lead_phone) }),
  ...(lead_email !== undefined && { lead_email }),
})

type LeadReferences = Pick<StoredLead, 'campaign_id' | 'clientsite_id'>

/** Ids in a body are checked like the one in the path: the new campaign is one of theirs, the site is the campaign's. */
export async function assertValidReferences(
  tx: Tx,
  me: CurrentUser,
  before: LeadReferences,
  { campaign_id, clientsite_id }: LeadReferences,
) {
  const newCampaign = campaign_id !== before.campaign_id
  if (newCampaign) {
    const [found] = await tx
      .select({ id: campaignsTable.id })
      .from(campaignsTable)
      .where(and(eq(campaignsTable.id, campaign_id), inVisibleCampaigns(me, campaignsTable.id)))
      .for('key share') // it stays for as long as we write
    if (!found) throw notFoundError()
  }
  if (clientsite_id === null || (!newCampaign && clientsite_id === before.clientsite_id)) return
  const [site] = await tx
    .select({ campaign_id: clientSitesTable.campaign_id })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, clientsite_id), isNull(clientSitesTable.deleted_at)))
  if (!site || site.campaign_id !== campaign_id)
    throw validationError({ clientsite_id: ['This client site does not belong to the campaign'] })
}

async function assertNoConflict(tx: Tx, reader: LeadReader, id: number, seen: number, fields: string[]) {
  const since = await tx
    .select({ after: auditTable.after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, id), gt(auditTable.version, seen)))
  const changed = new Set(since.flatMap(({ after }) => Object.keys(after ?? {})))
  const lost = fields.filter((field) => changed.has(field))
  if (lost.length === 0) return
  const now = JSON.parse(await readLeadJson(tx, reader, id))
  const errors = Object.fromEntries(lost.map((field) => [field, ['Somebody else has changed this meanwhile']]))
  throw staleVersionError(leadsContract.update, 'Somebody else has changed this lead meanwhile', now, errors)
}

async function writeLeadChange(tx: Tx, before: StoredLead, after: StoredLead, stored: Partial<StoredLead>) {
  const isGiven = after.campaign_id !== before.campaign_id
  const regrouped =
    isGiven ||
    after.phone_key !== before.phone_key ||
    after.lead_type !== before.lead_type ||
    after.occurred_at.getTime() !== before.occurred_at.getTime()
  const set = {
    ...stored,
    version: after.version,
    ...(regrouped && { first_call: false }),
    ...clearDuplicateFlags(after),
  }
  const written = isGiven ? await transferLead(tx, before, { ...after, ...set }) : await updateLeadRow(tx, before, set)
  if (regrouped) {
    await refreshFirstCalls(tx, before.campaign_id, before.phone_key)
    await refreshFirstCalls(tx, after.campaign_id, after.phone_key)
  }
  await refreshChangedDuplicates(tx, before, written)
}

/** Where it lives is not written again: a lead whose campaign differs moves. */
async function updateLeadRow(tx: Tx, before: StoredLead, { campaign_id: _, ...set }: Partial<StoredLead>) {
  const [written] = await tx.update(leadsTable).set(set).where(matchesLeadKey(before)).returning(duplicateKeyColumns)
  return written!
}
