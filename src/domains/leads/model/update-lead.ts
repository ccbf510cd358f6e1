import { and, eq, gt, isNull } from 'drizzle-orm'
import { type Actor, difference, record } from '#core/audit/write-audit.ts'
import { type Db, type Tx, transaction } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { forbidden, invalid, notFound, Refusal } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { clientSites } from '#domains/sites/client/schema.ts'
import { writableFields } from '../contract.ts'
import { type Row, storedForm, type Wanted, wireForm } from './dto.ts'
import { holdShared, refreshSharedBy, sharedKeys, sharesNone } from './duplicates.ts'
import { holdFirstCalls, refreshFirstCalls } from './first-call.ts'
import { livesAt, lockLead } from './lead-key.ts'
import { phoneKey } from './phone-key.ts'
import { holdNames, type Name, refuseTaken } from './provider-ids.ts'
import { leads } from './schema.ts'
import { leadJson, type Reader } from './serializer.ts'
import { moveLead } from './transfer.ts'
import { sees } from './visibility.ts'

type Change = {
  id: number
  wanted: Wanted
  /** The version that the editor saw; without it the last writer wins. */
  seen?: number | undefined
  /** Refuses before anything is written. */
  check?: () => void
}

/**
 * Changes a lead that this person may see, with its trail, and answers it as they read it. Two people who change
 * different fields both win; the same field answers 409 with the newer lead. What changes nothing leaves no trace.
 */
export async function changeLead(db: Db, reader: Reader, actor: Actor, change: Change): Promise<string> {
  const { me, zone } = reader
  const { id, wanted } = change
  return transaction(db, async (tx) => {
    const name = await nameWanted(tx, id, wanted)
    if (name) await holdNames(tx, [name])
    if (regroups(wanted)) await holdFirstCalls(tx, id, (from) => destination(from, wanted))
    await holdShared(tx, id, newKeys(wanted), wanted.campaign_id)
    const row = await lockLead(tx, id)
    if (!row || !sees(me, row)) throw notFound()
    change.check?.()
    if (name) await refuseTaken(tx, name, id)
    const stored = storedForm(row, wanted, zone)
    const changed = { ...row, ...stored, version: row.version + 1 }
    await checkReferences(tx, me, row, changed)
    const [before, after] = [wireForm(row, zone), wireForm(changed, zone)]
    const fields = Object.keys(difference(before, after).after)
    if (fields.length > 0) {
      if (change.seen !== undefined && change.seen < row.version)
        await refuseChangedSince(tx, reader, id, change.seen, fields)
      await write(tx, row, changed, stored)
      await record(tx, actor, { kind: 'lead', rowId: id, before, after, version: changed.version })
    }
    return leadJson(tx, reader, id)
  })
}

/** What the lead would be called by its provider; null where that is not asked to change. */
async function nameWanted(tx: Tx, id: number, { lead_s, lead_id }: Wanted): Promise<Name | null> {
  if (lead_s === undefined && lead_id === undefined) return null
  const [now] = await tx.select({ lead_s: leads.lead_s, lead_id: leads.lead_id }).from(leads).where(eq(leads.id, id))
  return now ? { lead_s: lead_s ?? now.lead_s, lead_id: lead_id ?? now.lead_id } : null
}

/** 403 for what this person may not write, by name; also for what nobody may. */
export function checkFields(me: Me, fields: string[]) {
  const writable = writableFields(me)
  const refused = fields.filter((field) => !writable.has(field))
  if (refused.length > 0)
    throw forbidden(Object.fromEntries(refused.map((field) => [field, ['You are not allowed to change this']])))
}

/** Whether it may become, or cease to be, the first call of a phone. */
const regroups = ({ campaign_id, lead_phone, lead_type, lead_date, lead_time }: Wanted) =>
  [campaign_id, lead_phone, lead_type, lead_date, lead_time].some((field) => field !== undefined)
const destination = (from: Pick<Row, 'campaign_id' | 'phone_key'>, { campaign_id, lead_phone }: Wanted) => ({
  campaign_id: campaign_id ?? from.campaign_id,
  phone_key: lead_phone === undefined ? from.phone_key : phoneKey(lead_phone),
})

const newKeys = ({ lead_phone, lead_email }: Wanted) => ({
  ...(lead_phone !== undefined && { phone_key: phoneKey(lead_phone) }),
  ...(lead_email !== undefined && { lead_email }),
})

type Place = Pick<Row, 'campaign_id' | 'clientsite_id'>

/** Ids in a body are checked like the one in the path: the new campaign is one of theirs, the site is the campaign's. */
export async function checkReferences(tx: Tx, me: Me, before: Place, { campaign_id, clientsite_id }: Place) {
  const newCampaign = campaign_id !== before.campaign_id
  if (newCampaign) {
    const [found] = await tx
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(and(eq(campaigns.id, campaign_id), inTheirCampaigns(me, campaigns.id)))
      .for('key share') // it stays for as long as we write
    if (!found) throw notFound()
  }
  if (clientsite_id === null || (!newCampaign && clientsite_id === before.clientsite_id)) return
  const [site] = await tx
    .select({ campaign_id: clientSites.campaign_id })
    .from(clientSites)
    .where(and(eq(clientSites.id, clientsite_id), isNull(clientSites.deleted_at)))
  if (!site || site.campaign_id !== campaign_id)
    throw invalid({ clientsite_id: ['This client site does not belong to the campaign'] })
}

async function refuseChangedSince(tx: Tx, reader: Reader, id: number, seen: number, fields: string[]) {
  const since = await tx
    .select({ after: audit.after })
    .from(audit)
    .where(and(eq(audit.kind, 'lead'), eq(audit.row_id, id), gt(audit.version, seen)))
  const changed = new Set(since.flatMap(({ after }) => Object.keys(after ?? {})))
  const lost = fields.filter((field) => changed.has(field))
  if (lost.length === 0) return
  const lead: unknown = JSON.parse(await leadJson(tx, reader, id))
  const errors = Object.fromEntries(lost.map((field) => [field, ['Somebody else has changed this meanwhile']]))
  throw new Refusal(409, 'Somebody else has changed this lead meanwhile', errors, { lead })
}

async function write(tx: Tx, before: Row, after: Row, stored: Partial<Row>) {
  const isGiven = after.campaign_id !== before.campaign_id
  const regrouped =
    isGiven ||
    after.phone_key !== before.phone_key ||
    after.lead_type !== before.lead_type ||
    after.occurred_at.getTime() !== before.occurred_at.getTime()
  const set = { ...stored, version: after.version, ...(regrouped && { first_call: false }), ...sharesNone(after) }
  const written = isGiven ? await moveLead(tx, before, { ...after, ...set }) : await update(tx, before, set)
  if (regrouped) {
    await refreshFirstCalls(tx, before.campaign_id, before.phone_key)
    await refreshFirstCalls(tx, after.campaign_id, after.phone_key)
  }
  await refreshSharedBy(tx, before, written)
}

/** Where it lives is not written again: a lead whose campaign differs moves. */
async function update(tx: Tx, before: Row, { campaign_id: _, ...set }: Partial<Row>) {
  const [written] = await tx.update(leads).set(set).where(livesAt(before)).returning(sharedKeys)
  return written!
}
