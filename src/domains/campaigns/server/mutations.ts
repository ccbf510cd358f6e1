import { and, eq, sql } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { userCampaignsTable } from '#domains/access/schema.ts'
import { type CampaignForm, campaignsContract } from '../contract.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'
import { requireCampaignCategories, requireClient } from './references.ts'
import { readCampaignJson } from './serializer.ts'
import { applySiteMoves, planSiteMoves } from './site-assignment.ts'

/** Who, and through which request. */
type CampaignMutationContext = { me: CurrentUser; actor: AuditActor }
type CampaignChange = { id: number; zone: string; wanted: CampaignForm & { id?: number; version?: number } }

/** A new campaign, with everything that is checked before the first write. Its maker sees it from then on. */
export async function createCampaign(tx: Tx, by: CampaignMutationContext, form: CampaignForm): Promise<number> {
  await requireClient(tx, by.me, form.client_id)
  await requireCampaignCategories(tx, form.categories)
  const sites = await planSiteMoves(tx, by.me, null, form)

  const [made] = await tx.insert(campaignsTable).values(toCampaignColumns(form)).returning({ id: campaignsTable.id })
  const { id } = made!
  await replaceCategoryLinks(tx, id, form.categories)
  await applySiteMoves(tx, by.actor, id, sites)
  if (!by.me.isSuperAdmin) await tx.insert(userCampaignsTable).values({ user_id: by.me.id, campaign_id: id })
  await writeAudit(tx, by.actor, { kind: 'campaign', rowId: id, before: null, after: form, version: 1 })
  return id
}

/**
 * The whole form over the old one. What changes nothing leaves no trace; a form that was opened before somebody else
 * saved theirs answers 409 with the newer campaign.
 */
export async function updateCampaign(
  tx: Tx,
  by: CampaignMutationContext,
  { id, zone, wanted }: CampaignChange,
): Promise<void> {
  const { id: named, version: seen, ...form } = wanted
  if (named !== undefined && named !== id) throw validationError({ id: ['This is not the campaign of the address'] })
  const [row] = await tx
    .select()
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, id), inVisibleCampaigns(by.me, campaignsTable.id)))
    .for('update')
  if (!row) throw notFoundError()
  const before = await readStoredForm(tx, row)
  const after = sortFormIds(form)
  if (Object.keys(diffFields(before, after).after).length === 0) return
  if (seen !== undefined && seen !== row.version)
    throw staleVersionError(
      campaignsContract.update,
      'Somebody else has changed this campaign meanwhile',
      JSON.parse(await readCampaignJson(tx, zone, id)),
    )
  if (form.client_id !== row.client_id) await requireClient(tx, by.me, form.client_id)
  await requireCampaignCategories(tx, form.categories)
  const sites = await planSiteMoves(tx, by.me, id, form)

  const version = row.version + 1
  await tx
    .update(campaignsTable)
    .set({ ...toCampaignColumns(form), version })
    .where(eq(campaignsTable.id, id))
  await replaceCategoryLinks(tx, id, form.categories)
  await applySiteMoves(tx, by.actor, id, sites)
  await writeAudit(tx, by.actor, { kind: 'campaign', rowId: id, before, after, version })
}

function toCampaignColumns({ categories: _, client_sites: __, fixed_to_top, ...columns }: CampaignForm) {
  return { ...columns, fixed_to_top: fixed_to_top === 1 }
}

/** Lists of ids by their numbers, so that another order is no change. */
const sortFormIds = (form: CampaignForm): CampaignForm => ({
  ...form,
  categories: form.categories.toSorted((a, b) => a - b),
  client_sites: form.client_sites.toSorted((a, b) => a - b),
})

/** What the form would hold if it were opened now. */
async function readStoredForm(tx: Tx, row: typeof campaignsTable.$inferSelect): Promise<CampaignForm> {
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

async function replaceCategoryLinks(tx: Tx, campaign_id: number, categories: number[]) {
  await tx
    .delete(campaignCategoryLinksTable)
    .where(
      and(
        eq(campaignCategoryLinksTable.campaign_id, campaign_id),
        sql`${campaignCategoryLinksTable.category_id} <> all(${sql.param(categories)}::int[])`,
      ),
    )
  await tx
    .insert(campaignCategoryLinksTable)
    .values(categories.map((category_id) => ({ campaign_id, category_id })))
    .onConflictDoNothing()
}
