import { asc, eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { conflictError, notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { campaignCategoriesContract } from '../contract.ts'
import { campaignCategoriesTable } from '../schema.ts'

const campaignCategoryAuditKind = 'campaign category'

export const campaignCategoriesHandlers = implementContract(campaignCategoriesContract, {
  list: ({ db, me }) =>
    selectCampaignCategories(db, me).orderBy(
      asc(sql`lower(${campaignCategoriesTable.name})`),
      campaignCategoriesTable.id,
    ),

  get: async ({ db, me, params }) => {
    const [category] = await selectCampaignCategories(db, me).where(eq(campaignCategoriesTable.id, params.id))
    if (!category) throw notFoundError()
    return category
  },

  create: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(campaignCategoriesTable).values(body).returning()
      await writeAudit(tx, actor, { kind: campaignCategoryAuditKind, rowId: made!.id, before: null, after: body })
      const [category] = await selectCampaignCategories(tx, me).where(eq(campaignCategoriesTable.id, made!.id))
      return category!
    }),

  update: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select()
        .from(campaignCategoriesTable)
        .where(eq(campaignCategoriesTable.id, params.id))
        .for('update')
      if (!before) throw notFoundError()
      await tx.update(campaignCategoriesTable).set(body).where(eq(campaignCategoriesTable.id, params.id))
      await writeAudit(tx, actor, { kind: campaignCategoryAuditKind, rowId: params.id, before, after: body })
      const [category] = await selectCampaignCategories(tx, me).where(eq(campaignCategoriesTable.id, params.id))
      return category!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select()
        .from(campaignCategoriesTable)
        .where(eq(campaignCategoriesTable.id, params.id))
        .for('update')
      if (!before) throw notFoundError()
      const used = await tx.$count(campaignCategoryLinksTable, eq(campaignCategoryLinksTable.category_id, params.id))
      if (used > 0) throw conflictError(`This category is used by ${used} ${used === 1 ? 'campaign' : 'campaigns'}`)
      await tx.delete(campaignCategoriesTable).where(eq(campaignCategoriesTable.id, params.id))
      await writeAudit(tx, actor, {
        kind: campaignCategoryAuditKind,
        rowId: params.id,
        before: { name: before.name, color: before.color },
        after: null,
      })
    }),
})

/** Selects categories as this person sees them; only those who manage categories get the count, over the campaigns they may see. */
function selectCampaignCategories(db: DbOrTx, me: CurrentUser) {
  const { id, name, color } = campaignCategoriesTable
  const visible = inVisibleCampaigns(me, sql`link.campaign_id`) ?? sql`true`
  const campaigns_count = sql<number>`(
    select count(*)::int from campaign_category_links link where link.category_id = campaign_categories.id and ${visible})`
  return db
    .select({ id, name, color, ...(me.isAdmin && me.permissions.campaignCategories ? { campaigns_count } : {}) })
    .from(campaignCategoriesTable)
    .$dynamic()
}
