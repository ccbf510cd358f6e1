import { and, eq, sql } from 'drizzle-orm'
import { type Actor, difference, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound } from '#core/http/errors.ts'
import { userCampaigns } from '#domains/access/schema.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import type { CampaignForm } from '../contract.ts'
import { campaignCategoryLinks, campaigns } from '../schema.ts'
import { needCategories, needClient } from './references.ts'
import { campaignJson } from './serializer.ts'
import { assignSites, findSites } from './site-assignment.ts'

/** Who, and through which request. */
type By = { me: Me; actor: Actor }
type Change = { id: number; zone: string; wanted: CampaignForm & { id?: number; version?: number } }

/** A new campaign, with everything that is checked before the first write. Its maker sees it from then on. */
export async function signCampaign(tx: Tx, by: By, form: CampaignForm): Promise<number> {
  await needClient(tx, by.me, form.client_id)
  await needCategories(tx, form.categories)
  const sites = await findSites(tx, by.me, null, form)

  const [made] = await tx.insert(campaigns).values(columnsOf(form)).returning({ id: campaigns.id })
  const { id } = made!
  await linkCategories(tx, id, form.categories)
  await assignSites(tx, by.actor, id, sites)
  if (!by.me.isSuperAdmin) await tx.insert(userCampaigns).values({ user_id: by.me.id, campaign_id: id })
  await record(tx, by.actor, { kind: 'campaign', rowId: id, before: null, after: form, version: 1 })
  return id
}

/**
 * The whole form over the old one. What changes nothing leaves no trace; a form that was opened before somebody else
 * saved theirs answers 409 with the newer campaign.
 */
export async function changeCampaign(tx: Tx, by: By, { id, zone, wanted }: Change): Promise<void> {
  const { id: named, version: seen, ...form } = wanted
  if (named !== undefined && named !== id) throw invalid({ id: ['This is not the campaign of the address'] })
  const [row] = await tx
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), inTheirCampaigns(by.me, campaigns.id)))
    .for('update')
  if (!row) throw notFound()
  const before = await storedForm(tx, row)
  const after = inOrder(form)
  if (Object.keys(difference(before, after).after).length === 0) return
  if (seen !== undefined && seen !== row.version)
    throw conflict('Somebody else has changed this campaign meanwhile', {
      campaign: JSON.parse(await campaignJson(tx, zone, id)),
    })
  if (form.client_id !== row.client_id) await needClient(tx, by.me, form.client_id)
  await needCategories(tx, form.categories)
  const sites = await findSites(tx, by.me, id, form)

  const version = row.version + 1
  await tx
    .update(campaigns)
    .set({ ...columnsOf(form), version })
    .where(eq(campaigns.id, id))
  await linkCategories(tx, id, form.categories)
  await assignSites(tx, by.actor, id, sites)
  await record(tx, by.actor, { kind: 'campaign', rowId: id, before, after, version })
}

function columnsOf({ categories: _, client_sites: __, fixed_to_top, ...columns }: CampaignForm) {
  return { ...columns, fixed_to_top: fixed_to_top === 1 }
}

/** Lists of ids by their numbers, so that another order is no change. */
const inOrder = (form: CampaignForm): CampaignForm => ({
  ...form,
  categories: form.categories.toSorted((a, b) => a - b),
  client_sites: form.client_sites.toSorted((a, b) => a - b),
})

/** What the form would hold if it were opened now. */
async function storedForm(tx: Tx, row: typeof campaigns.$inferSelect): Promise<CampaignForm> {
  const found = await tx.execute<{ categories: number[]; client_sites: number[] }>(sql`
    select array(select category_id from campaign_category_links where campaign_id = ${row.id} order by 1) as categories,
      array(select id from client_sites where campaign_id = ${row.id} and deleted_at is null order by 1) as client_sites`)
  const { categories, client_sites } = found.rows[0]!
  return {
    name: row.name,
    categories,
    client_id: row.client_id,
    client_sites,
    manager: row.manager,
    start_date: row.start_date ?? '',
    due_date: row.due_date,
    initial_target: row.initial_target,
    month_3_target: row.month_3_target,
    month_6_target: row.month_6_target,
    month_9_target: row.month_9_target,
    month_12_target: row.month_12_target,
    service_fee: row.service_fee,
    approved_ppc: row.approved_ppc,
    fixed_to_top: row.fixed_to_top ? 1 : 0,
  }
}

async function linkCategories(tx: Tx, campaign_id: number, categories: number[]) {
  await tx
    .delete(campaignCategoryLinks)
    .where(
      and(
        eq(campaignCategoryLinks.campaign_id, campaign_id),
        sql`${campaignCategoryLinks.category_id} <> all(${sql.param(categories)}::int[])`,
      ),
    )
  await tx
    .insert(campaignCategoryLinks)
    .values(categories.map((category_id) => ({ campaign_id, category_id })))
    .onConflictDoNothing()
}
