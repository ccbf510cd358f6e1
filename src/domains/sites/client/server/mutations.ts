import { eq, sql } from 'drizzle-orm'
import { parseHost } from '#contract/web-address.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isStale, staleVersionError } from '#core/http/errors.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { renewCampaignVersions, requireCampaign } from '#domains/campaigns/public.ts'
import { uncheckedValues } from '#domains/sites/checks/server/check-columns.ts'
import { deleteUnusedIp } from '#domains/sites/checks/server/ip-addresses.ts'
import {
  assertReachable,
  getRegisteredDomain,
  trackDomain,
  untrackDomain,
} from '#domains/sites/checks/server/site-registration.ts'
import { type ClientSiteForm, type ClientSiteUpdate, clientSitesContract } from '../contract.ts'
import { clientSitesTable, hookKeyAad, signingKeyAad } from '../schema.ts'
import { readClientSite } from './queries.ts'
import { clientSiteAuditKind, rejectTakenCallRailId, updateClientSiteRow } from './store.ts'
import { lockClientSite } from './visibility.ts'

type ClientSiteMutationContext = { context: AppContext; me: CurrentUser; actor: AuditActor }

/** Adds a site and returns its id. */
export async function addClientSite(
  tx: Tx,
  { context, me, actor }: ClientSiteMutationContext,
  { callrail_signing_key: key, forms_only: _, ...form }: ClientSiteForm,
): Promise<number> {
  assertReachable(context, form.url)
  await requireCampaign(tx, me, form.campaign_id, { lock: 'no key update' })
  const domain = getRegisteredDomain(parseHost(form.url))
  const [made] = await rejectTakenCallRailId(() =>
    tx
      .insert(clientSitesTable)
      .values({ ...form, domain })
      .returning({ id: clientSitesTable.id }),
  )
  const id = made!.id
  await trackDomain(tx, domain)
  await renewCampaignVersions(tx, [form.campaign_id])
  await tx
    .update(clientSitesTable)
    .set({ ...sealHookKey(context, id, randomToken()), ...(key ? sealSigningKey(context, id, key) : {}) })
    .where(eq(clientSitesTable.id, id)) // bound to the id
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: id,
    before: null,
    after: { ...form, ...(key ? { callrail_signing_key: 'set' } : {}) },
  })
  return id
}

/** Updates a site. A new URL is another site to the checks: their results for the old one are dropped. */
export async function updateClientSite(
  tx: Tx,
  { context, me, actor }: ClientSiteMutationContext,
  id: number,
  { callrail_signing_key: key, forms_only: _, version: seen, ...form }: ClientSiteUpdate,
): Promise<void> {
  assertReachable(context, form.url)
  const before = await lockClientSite(tx, me, id)
  if (isStale(seen, before.version))
    throw staleVersionError(
      clientSitesContract.update,
      'Someone else has changed this site',
      await readClientSite(tx, me, id),
    )
  const hasLeft = form.campaign_id !== before.campaign_id
  await requireCampaign(tx, me, form.campaign_id, { lock: hasLeft ? 'no key update' : 'share' })
  if (hasLeft) await renewCampaignVersions(tx, [before.campaign_id, form.campaign_id])
  const hasMoved = before.url !== form.url
  const domain = getRegisteredDomain(parseHost(form.url))
  await updateClientSiteRow(tx, actor, before, {
    shown: form,
    columns: hasMoved ? { ...uncheckedValues, domain } : {},
    sealed: key ? sealSigningKey(context, id, key) : {},
  })
  if (!hasMoved) return
  await deleteUnusedIp(tx, before.ip)
  await trackDomain(tx, domain)
  await untrackDomain(tx, before.domain)
}

/** Creates a new key for the site's forms and returns it; the old one stops working. */
export async function renewHookKey(
  tx: Tx,
  { context, me, actor }: ClientSiteMutationContext,
  id: number,
): Promise<string> {
  const before = await lockClientSite(tx, me, id)
  const key = randomToken()
  await updateClientSiteRow(tx, actor, before, { sealed: sealHookKey(context, id, key) })
  return key
}

/** Hides the site; its row stays, because its leads refer to it. */
export async function removeClientSite(tx: Tx, { me, actor }: ClientSiteMutationContext, id: number): Promise<void> {
  const { url, campaign_id, callrail_campaign_identifier, ip, domain } = await lockClientSite(tx, me, id)
  await tx.update(clientSitesTable).set({ deleted_at: sql`now()` }).where(eq(clientSitesTable.id, id))
  await deleteUnusedIp(tx, ip)
  await untrackDomain(tx, domain)
  await renewCampaignVersions(tx, [campaign_id])
  await writeAudit(tx, actor, {
    kind: clientSiteAuditKind,
    rowId: id,
    before: { url, campaign_id, callrail_campaign_identifier },
    after: null,
  })
}

/**
 * Removes a site whose import or move is taken back. Its campaign may go next, and its company must not count as one that is no longer
 * served. Leads that came in since keep its row.
 */
export async function takeBackClientSite(tx: Tx, by: ClientSiteMutationContext, id: number): Promise<void> {
  await removeClientSite(tx, by, id)
  await tx
    .update(clientSitesTable)
    .set({ campaign_id: null, callrail_campaign_identifier: null })
    .where(eq(clientSitesTable.id, id))
}

const sealHookKey = ({ secrets }: AppContext, id: number, key: string) => ({
  hook_key: secrets.seal(key, hookKeyAad(id)),
})

const sealSigningKey = ({ secrets }: AppContext, id: number, key: string) => ({
  callrail_signing_key: secrets.seal(key, signingKeyAad(id)),
})
