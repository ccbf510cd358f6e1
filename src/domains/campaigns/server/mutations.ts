import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { readStoredForm, toColumnValues } from '#core/db/field-columns.ts'
import { isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, grantCampaignAccess, inVisibleCampaigns, inVisibleClients } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { toListedZone } from '#domains/clients/labels.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { type CampaignForm, campaignsContract } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'
import { readCampaignJson } from './serializer.ts'
import { applySiteMoves, planSiteMoves } from './site-assignment.ts'

/** Who makes the change, and in which request. */
type CampaignMutationContext = { me: CurrentUser; actor: AuditActor }
/** Takes along what belongs to a campaign's client, when the campaign is given to another one. */
export type HandOverCampaign = (
  tx: Tx,
  by: { actor: AuditActor; zone: string },
  campaign: { id: number; from: number; to: number },
) => Promise<void>
type CampaignChange = {
  id: number
  zone: string
  wanted: CampaignForm & { id?: number; version?: number }
  handOver: readonly HandOverCampaign[]
}

type CampaignCreator = CampaignMutationContext & { context: Pick<AppContext, 'settings'> }

/** Creates a campaign after all checks, and gives its creator access to it. Its hours are in the agency's time zone. */
export async function createCampaign(tx: Tx, by: CampaignCreator, form: CampaignForm): Promise<number> {
  await requireClient(tx, by.me, form.client_id)
  await requireCampaignCategories(tx, form.categories)
  const sites = await planSiteMoves(tx, by.me, null, form)

  const [made] = await tx
    .insert(campaignsTable)
    // Undefined takes the column's default.
    .values({
      ...toColumnValues(campaignFields, campaignsTable, form),
      timezone: toListedZone(by.context.settings.AGENCY_TIMEZONE),
    })
    .returning({ id: campaignsTable.id })
  const { id } = made!
  await replaceCategoryLinks(tx, id, form.categories)
  await applySiteMoves(tx, by.actor, id, sites)
  if (!by.me.isSuperAdmin) await grantCampaignAccess(tx, by.actor, by.me.id, id)
  await writeAudit(tx, by.actor, { kind: 'campaign', rowId: id, before: null, after: form, version: 1 })
  return id
}

/** Saves the whole form. Without a change nothing is written; a stale version throws 409 with the newer campaign. */
export async function updateCampaign(
  tx: Tx,
  by: CampaignMutationContext,
  { id, zone, wanted, handOver }: CampaignChange,
): Promise<void> {
  const { id: named, version: seen, ...form } = wanted
  if (named !== undefined && named !== id) throw validationError({ id: ['This is not the campaign in the URL'] })
  const [row] = await tx
    .select()
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, id), inVisibleCampaigns(by.me, campaignsTable.id)))
    .for('update')
  if (!row) throw notFoundError()
  const before = await readCampaignForm(tx, row)
  const after = sortFormIds(form)
  if (Object.keys(diffFields(before, after).after).length === 0) return
  if (isStale(seen, row.version))
    throw staleVersionError(
      campaignsContract.update,
      'Someone else has changed this campaign',
      JSON.parse(await readCampaignJson(tx, zone, id)),
    )
  if (form.client_id !== row.client_id) await requireClient(tx, by.me, form.client_id)
  await requireCampaignCategories(tx, form.categories)
  const sites = await planSiteMoves(tx, by.me, id, form)

  const version = row.version + 1
  await tx
    .update(campaignsTable)
    .set({ ...toColumnValues(campaignFields, campaignsTable, form), version })
    .where(eq(campaignsTable.id, id))
  await replaceCategoryLinks(tx, id, form.categories)
  await applySiteMoves(tx, by.actor, id, sites)
  await writeAudit(tx, by.actor, { kind: 'campaign', rowId: id, before, after, version })
  if (form.client_id !== row.client_id)
    for (const follow of handOver)
      await follow(tx, { actor: by.actor, zone }, { id, from: row.client_id, to: form.client_id })
}

/** Sorts the lists of ids, so that a different order does not count as a change. */
const sortFormIds = (form: CampaignForm): CampaignForm => ({
  ...form,
  categories: form.categories.toSorted((a, b) => a - b),
  client_sites: form.client_sites.toSorted((a, b) => a - b),
})

/** Returns the form values of the stored campaign. */
async function readCampaignForm(tx: Tx, row: typeof campaignsTable.$inferSelect): Promise<CampaignForm> {
  const found = await tx.execute<{ categories: number[]; client_sites: number[] }>(sql`
    select array(select category_id from ${campaignCategoryLinksTable} where campaign_id = ${row.id} order by 1) as categories,
      array(select id from ${clientSitesTable} where campaign_id = ${row.id} and deleted_at is null order by 1) as client_sites`)
  const { categories, client_sites } = found.rows[0]!
  return {
    ...readStoredForm(campaignFields, row),
    start_date: row.start_date ?? '',
    categories,
    client_sites,
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
  if (categories.length === 0) return
  await tx
    .insert(campaignCategoryLinksTable)
    .values(categories.map((category_id) => ({ campaign_id, category_id })))
    .onConflictDoNothing()
}

/** Ids in the form are checked like the one in the path, and locked so that their rows are not removed before the commit. */

/** Throws the same error for an unknown client and one that this person may not see. */
async function requireClient(tx: Tx, me: CurrentUser, id: number) {
  const [client] = await tx
    .select({ id: clientsTable.id })
    .from(clientsTable)
    .where(and(eq(clientsTable.id, id), isNull(clientsTable.deleted_at), inVisibleClients(me, clientsTable.id)))
    .for('key share')
  if (!client) throw validationError({ client_id: ['There is no such client'] })
}

async function requireCampaignCategories(tx: Tx, ids: number[]) {
  const found = await tx
    .select({ id: campaignCategoriesTable.id })
    .from(campaignCategoriesTable)
    .where(inArray(campaignCategoriesTable.id, ids))
    .orderBy(campaignCategoriesTable.id)
    .for('key share')
  if (found.length < ids.length) throw validationError({ categories: ['There is no such category'] })
}
