import { and, eq, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError, isUniqueViolation, notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { uncheckedValues } from '#domains/sites/checks/server/check-columns.ts'
import { deleteUnusedIp } from '#domains/sites/checks/server/ip-addresses.ts'
import { assertReachable } from '#domains/sites/checks/server/site-registration.ts'
import type { ClientSiteForm } from '../contract.ts'
import { clientSitesTable, signingKeyAad } from '../schema.ts'
import { lockClientSite } from './visibility.ts'

export const clientSiteAuditKind = 'client site'
export const callRailIdTakenMessage = 'Another client site has this CallRail Company ID'
type ClientSiteMutationContext = { context: AppContext; me: CurrentUser; actor: AuditActor }

/** Answers the new site's id. */
export async function addClientSite(
  tx: Tx,
  { context, me, actor }: ClientSiteMutationContext,
  { callrail_signing_key: key, ...form }: ClientSiteForm,
) {
  assertReachable(context, form.url)
  await requireVisibleCampaign(tx, me, form.campaign_id)
  const [made] = await rejectTakenCallRailId(() =>
    tx.insert(clientSitesTable).values(form).returning({ id: clientSitesTable.id }),
  )
  const id = made!.id
  if (key) await storeSigningKey(tx, context, id, key)
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: id,
    before: null,
    after: { ...form, ...(key ? { callrail_signing_key: 'set' } : {}) },
  })
  return id
}

/** A site with another address is another site to the checks: what they knew of the old one is forgotten. */
export async function updateClientSite(
  tx: Tx,
  { context, me, actor }: ClientSiteMutationContext,
  id: number,
  body: ClientSiteForm,
) {
  const { callrail_signing_key: key, ...form } = body
  assertReachable(context, form.url)
  const before = await lockClientSite(tx, me, id)
  await requireVisibleCampaign(tx, me, form.campaign_id)
  const moved = before.url !== form.url
  await rejectTakenCallRailId(() =>
    tx
      .update(clientSitesTable)
      .set({ ...form, ...(moved ? uncheckedValues : {}) })
      .where(eq(clientSitesTable.id, id)),
  )
  if (moved) await deleteUnusedIp(tx, before.ip)
  if (key) await storeSigningKey(tx, context, id, key)
  const old = { ...before, callrail_signing_key: before.callrail_signing_key ? 'old' : null }
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: id,
    before: old,
    after: { ...form, ...(key ? { callrail_signing_key: 'changed' } : {}) },
  })
}

/** Its leads hang on it: it stays for them, out of sight. */
export async function removeClientSite(tx: Tx, { me, actor }: ClientSiteMutationContext, id: number) {
  const { url, campaign_id, callrail_campaign_identifier, ip } = await lockClientSite(tx, me, id)
  await tx.update(clientSitesTable).set({ deleted_at: sql`now()` }).where(eq(clientSitesTable.id, id))
  await deleteUnusedIp(tx, ip)
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: id,
    before: { url, campaign_id, callrail_campaign_identifier },
    after: null,
  })
}

const storeSigningKey = (tx: Tx, { secrets }: AppContext, id: number, key: string) =>
  tx
    .update(clientSitesTable)
    .set({ callrail_signing_key: secrets.seal(key, signingKeyAad(id)) })
    .where(eq(clientSitesTable.id, id))

/** The campaign of a site is checked like the site in the path. */
async function requireVisibleCampaign(tx: Tx, me: CurrentUser, campaignId: number) {
  const [campaign] = await tx
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, campaignId), inVisibleCampaigns(me, campaignsTable.id)))
    .for('share')
  if (!campaign) throw notFoundError()
}

async function rejectTakenCallRailId<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'client_sites_callrail')) throw error
    throw new HttpError(409, callRailIdTakenMessage, { callrail_campaign_identifier: [callRailIdTakenMessage] })
  }
}
