import { and, eq, gt, isNull } from 'drizzle-orm'
import { type AuditActor, diffFields } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { erasedText } from '#core/erasure/personal-data.ts'
import { forbiddenError, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { requireCampaign, requireUnarchived } from '#domains/campaigns/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { getWritableFields, leadsContract } from '../contract.ts'
import { followSpamTags } from '../spam/server/follow-spam-tags.ts'
import { appendLines, splitContact } from './clean-contact.ts'
import {
  describeMove,
  dropWords,
  findClientMove,
  followMoves,
  lockCampaignClient,
  readCampaignClients,
  readLeftWords,
} from './client-moves.ts'
import { type LeadUpdate, type StoredLead, toLeadColumns, toLeadDto } from './dto.ts'
import { personalLeadFields } from './erase-leads.ts'
import { type LeadReader, readLeadJson } from './serializer.ts'
import { lockLead, updateLead } from './store.ts'
import { canSeeLead } from './visibility.ts'

export type LeadEditRequest = {
  id: number
  context: AppContext
  wanted: LeadUpdate
  /** The version that the editor saw; without it the last writer wins. */
  seen?: number | undefined
  /** Throws to refuse before anything is written. */
  check?: () => void
  /** Puts a lead back: with the campaign, what the client to whom it returns said about it. */
  putBack?: boolean
  /** Runs in the same transaction if the lead moved to the campaign of another client. */
  moved?: (tx: Tx, lead: Pick<StoredLead, 'id' | 'hide'>) => Promise<unknown>
  /** Runs in the same transaction, also if nothing changed. */
  edited?: (tx: Tx, before: StoredLead, after: StoredLead) => Promise<unknown>
}

/**
 * Changes a lead that this person may see, and returns it as JSON for them. Two people who change different fields both win; a
 * stale change of the same field throws 409 with the newer lead. An edit that changes nothing writes nothing.
 */
export async function editLead(db: Db, reader: LeadReader, actor: AuditActor, edit: LeadEditRequest): Promise<string> {
  const { me, zone } = reader
  const { id, seen } = edit
  const { contact: wanted, beside } = splitContact(edit.wanted)
  return runTransaction(db, async (tx) => {
    const lead = await lockLead(tx, id, toReach(wanted))
    if (!lead || !canSeeLead(me, lead.row)) throw notFoundError()
    // The campaign may have been given to another client since this request was authenticated.
    if (me.isCustomer && (await lockCampaignClient(tx, lead.row.campaign_id)) !== me.clientId) throw notFoundError()
    edit.check?.()
    const { row } = lead
    const { message = row.message } = wanted
    const requested = toLeadColumns(
      row,
      beside.length === 0 ? wanted : { ...wanted, message: appendLines(message, beside) },
      zone,
    )
    await assertValidReferences(tx, me, row, { ...row, ...requested }, edit)
    const { set, move, isNewClient } = await planMove(
      tx,
      row,
      await followSpamTags(tx, { context: edit.context, actor }, row, requested),
      edit,
    )
    const changed = { ...row, ...set }
    const moved = move && describeMove(move, row, changed)
    const [before, after] = [
      { ...toLeadDto(row, zone), ...moved?.before },
      { ...toLeadDto(changed, zone), ...moved?.after },
    ]
    if (Object.keys(diffFields(before, after).after).length > 0) {
      const fields = Object.keys(diffFields(before, toLeadDto({ ...row, ...requested }, zone)).after)
      if (seen !== undefined && seen < row.version) await assertNoConflict(tx, reader, row, seen, fields)
      await updateLead(tx, lead, { actor, zone, set, before, after })
      await followMoves(tx, actor, [{ before: row, after: changed, move, putBack: edit.putBack ?? false }])
      if (isNewClient) await edit.moved?.(tx, changed)
    }
    await edit.edited?.(tx, row, changed)
    return readLeadJson(tx, reader, changed)
  })
}

/** Adds to the columns of a change what a move to another client takes off the lead, or puts back. */
async function planMove(
  tx: Tx,
  row: StoredLead,
  set: Partial<StoredLead>,
  { putBack }: Pick<LeadEditRequest, 'putBack'>,
) {
  const { campaign_id = row.campaign_id } = set
  if (campaign_id === row.campaign_id) return { set, move: null, isNewClient: false }
  const clients = await readCampaignClients(tx, [row.campaign_id, campaign_id])
  const isNewClient = clients.get(row.campaign_id) !== clients.get(campaign_id)
  const move = findClientMove(clients, row, { campaign_id })
  if (!move) return { set, move, isNewClient }
  const words = putBack ? await readLeftWords(tx, row, move.to) : {}
  return { set: { ...dropWords(row, set), ...words }, move, isNewClient }
}

const toReach = ({ lead_date, lead_time, lead_type, ...wanted }: LeadUpdate) => ({
  ...wanted,
  reorders: [lead_date, lead_time, lead_type].some((field) => field !== undefined),
})

/** Throws 403 that names the fields this person may not write. */
export function assertWritableFields(me: CurrentUser, fields: string[]) {
  const writable = getWritableFields(me)
  const refused = fields.filter((field) => !writable.has(field))
  if (refused.length > 0)
    throw forbiddenError(Object.fromEntries(refused.map((field) => [field, ['You are not allowed to change this']])))
}

type LeadReferences = Pick<StoredLead, 'campaign_id' | 'clientsite_id'>

/**
 * Checks the ids in a body: the new campaign must be one of the person's and not archived, the site one of the campaign's. A lead is put
 * back where it was.
 */
export async function assertValidReferences(
  tx: Tx,
  me: CurrentUser,
  before: LeadReferences,
  { campaign_id, clientsite_id }: LeadReferences,
  { putBack }: Pick<LeadEditRequest, 'putBack'> = {},
) {
  const newCampaign = campaign_id !== before.campaign_id
  if (newCampaign) {
    const campaign = await requireCampaign(tx, me, campaign_id, { lock: 'key share' })
    if (!putBack) requireUnarchived(campaign, 'campaign_id')
  }
  if (clientsite_id === null || (!newCampaign && clientsite_id === before.clientsite_id)) return
  const [site] = await tx
    .select({ campaign_id: clientSitesTable.campaign_id })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, clientsite_id), isNull(clientSitesTable.deleted_at)))
  if (!site || site.campaign_id !== campaign_id)
    throw validationError({ clientsite_id: ['This client site does not belong to the campaign'] })
}

async function assertNoConflict(tx: Tx, reader: LeadReader, row: StoredLead, seen: number, fields: string[]) {
  const since = await tx
    .select({ version: auditTable.version, after: auditTable.after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, row.id), gt(auditTable.version, seen)))
  // An erasure raises the version without an entry: the log keeps nothing of what it clears.
  const isErased = row.erased_at !== null || personalLeadFields.some((field) => row[field]?.includes(erasedText))
  const isErasedSince = isErased && new Set(since.map(({ version }) => version)).size < row.version - seen
  const logged = since.flatMap(({ after }) => Object.keys(after ?? {}))
  const changed = new Set([...logged, ...(isErasedSince ? personalLeadFields : [])])
  const lost = fields.filter((field) => changed.has(field))
  if (lost.length === 0) return
  const now = JSON.parse(await readLeadJson(tx, reader, row))
  const errors = Object.fromEntries(lost.map((field) => [field, ['Someone else has changed this']]))
  throw staleVersionError(leadsContract.update, 'Someone else has changed this lead', now, errors)
}
