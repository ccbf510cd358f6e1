import { and, eq, gt, isNull } from 'drizzle-orm'
import { campaigns } from '#domains/campaigns/table.ts'
import { clientSites } from '#domains/client-sites/table.ts'
import { type Actor, difference, record } from '#server/audit.ts'
import { type Db, type Tx, transaction } from '#server/db.ts'
import { forbidden, invalid, isDuplicate, notFound, Refusal } from '#server/errors.ts'
import type { Me } from '#server/me.ts'
import { inTheirCampaigns } from '#server/scope.ts'
import { audit } from '#server/tables.ts'
import { writableFields } from './contract.ts'
import { holdFirstCalls, refreshFirstCalls } from './first-call.ts'
import { phoneKey } from './phone.ts'
import { leadJson, type Reader } from './serializer.ts'
import { holdShared, refreshSharedBy, sharedKeys, sharesNone } from './shared.ts'
import { leads } from './table.ts'
import { visibleTo } from './visible.ts'
import { type Row, storedForm, type Wanted, wireForm } from './wire-form.ts'

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
  return refuseIfTaken(() =>
    transaction(db, async (tx) => {
      if (moves(wanted)) await holdFirstCalls(tx, id, (from) => destination(from, wanted))
      await holdShared(tx, id, newKeys(wanted))
      const [row] = await tx
        .select()
        .from(leads)
        .where(and(eq(leads.id, id), visibleTo(me)))
        .for('update')
      if (!row) throw notFound()
      change.check?.()
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
    }),
  )
}

const taken = 'There already is a lead with this source and ID'

/** 409 where a write would make two leads of one id of the provider. */
export async function refuseIfTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicate(error, 'leads_provider')) throw new Refusal(409, taken, { lead_id: [taken] })
    throw error
  }
}

/** 403 for what this person may not write, by name; also for what nobody may. */
export function checkFields(me: Me, fields: string[]) {
  const writable = writableFields(me)
  const refused = fields.filter((field) => !writable.has(field))
  if (refused.length > 0)
    throw forbidden(Object.fromEntries(refused.map((field) => [field, ['You are not allowed to change this']])))
}

/** Whether it may become, or cease to be, the first call of a phone. */
const moves = ({ campaign_id, lead_phone, lead_type, lead_date, lead_time }: Wanted) =>
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
  if (newCampaign && campaign_id !== null) {
    const found = await tx.$count(campaigns, and(eq(campaigns.id, campaign_id), inTheirCampaigns(me, campaigns.id)))
    if (found === 0) throw notFound()
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
  const isMoved =
    after.campaign_id !== before.campaign_id ||
    after.phone_key !== before.phone_key ||
    after.lead_type !== before.lead_type ||
    after.occurred_at.getTime() !== before.occurred_at.getTime()
  const [written] = await tx
    .update(leads)
    .set({ ...stored, version: after.version, ...(isMoved && { first_call: false }), ...sharesNone(after) })
    .where(eq(leads.id, before.id))
    .returning(sharedKeys)
  if (isMoved) {
    await refreshFirstCalls(tx, before.campaign_id, before.phone_key)
    await refreshFirstCalls(tx, after.campaign_id, after.phone_key)
  }
  await refreshSharedBy(tx, before, written!)
}
