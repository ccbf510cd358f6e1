import { and, eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isDuplicate, notFound, Refusal } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { unchecked } from '#domains/sites/checks/server/check-columns.ts'
import { forgetUnused } from '#domains/sites/checks/server/ip-addresses.ts'
import { expectReachable } from '#domains/sites/checks/server/site-registration.ts'
import type { ClientSiteForm } from '../contract.ts'
import { clientSites, signingKeyPlace } from '../schema.ts'
import { lockSite } from './visibility.ts'

export const kind = 'client site'
export const takenLine = 'Another client site has this CallRail Company ID'
type By = { house: House; me: Me; actor: Actor }

/** Answers the new site's id. */
export async function addSite(
  tx: Tx,
  { house, me, actor }: By,
  { callrail_signing_key: key, ...form }: ClientSiteForm,
) {
  expectReachable(house, form.url)
  await expectTheirs(tx, me, form.campaign_id)
  const [made] = await unlessTaken(() => tx.insert(clientSites).values(form).returning({ id: clientSites.id }))
  const id = made!.id
  if (key) await sealKey(tx, house, id, key)
  await record(tx, actor, {
    kind,
    rowId: id,
    before: null,
    after: { ...form, ...(key ? { callrail_signing_key: 'set' } : {}) },
  })
  return id
}

/** A site with another address is another site to the checks: what they knew of the old one is forgotten. */
export async function changeSite(tx: Tx, { house, me, actor }: By, id: number, body: ClientSiteForm) {
  const { callrail_signing_key: key, ...form } = body
  expectReachable(house, form.url)
  const before = await lockSite(tx, me, id)
  await expectTheirs(tx, me, form.campaign_id)
  const moved = before.url !== form.url
  await unlessTaken(() =>
    tx
      .update(clientSites)
      .set({ ...form, ...(moved ? unchecked : {}) })
      .where(eq(clientSites.id, id)),
  )
  if (moved) await forgetUnused(tx, before.ip)
  if (key) await sealKey(tx, house, id, key)
  const old = { ...before, callrail_signing_key: before.callrail_signing_key ? 'old' : null }
  await record(tx, actor, {
    kind,
    rowId: id,
    before: old,
    after: { ...form, ...(key ? { callrail_signing_key: 'changed' } : {}) },
  })
}

/** Its leads hang on it: it stays for them, out of sight. */
export async function removeSite(tx: Tx, { me, actor }: By, id: number) {
  const { url, campaign_id, callrail_campaign_identifier, ip } = await lockSite(tx, me, id)
  await tx.update(clientSites).set({ deleted_at: sql`now()` }).where(eq(clientSites.id, id))
  await forgetUnused(tx, ip)
  await record(tx, actor, { kind, rowId: id, before: { url, campaign_id, callrail_campaign_identifier }, after: null })
}

const sealKey = (tx: Tx, { secrets }: House, id: number, key: string) =>
  tx
    .update(clientSites)
    .set({ callrail_signing_key: secrets.seal(key, signingKeyPlace(id)) })
    .where(eq(clientSites.id, id))

/** The campaign of a site is checked like the site in the path. */
async function expectTheirs(tx: Tx, me: Me, campaignId: number) {
  const [campaign] = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.id, campaignId), inTheirCampaigns(me, campaigns.id)))
    .for('share')
  if (!campaign) throw notFound()
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isDuplicate(error, 'client_sites_callrail')) throw error
    throw new Refusal(409, takenLine, { callrail_campaign_identifier: [takenLine] })
  }
}
