import { asc, eq, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Queries } from '#core/db/db.ts'
import { conflict, notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaignCategoryLinks } from '#domains/campaigns/schema.ts'
import { campaignCategories as contract } from '../contract.ts'
import { campaignCategories } from '../schema.ts'

const kind = 'campaign category'

export const campaignCategoriesCalls = implement(contract, {
  list: ({ db, me }) => categories(db, me).orderBy(asc(sql`lower(${campaignCategories.name})`), campaignCategories.id),

  get: async ({ db, me, params }) => {
    const [category] = await categories(db, me).where(eq(campaignCategories.id, params.id))
    if (!category) throw notFound()
    return category
  },

  create: ({ db, me, body, actor }) =>
    db.transaction(async (tx) => {
      const [made] = await tx.insert(campaignCategories).values(body).returning()
      await record(tx, actor, { kind, rowId: made!.id, before: null, after: body })
      const [category] = await categories(tx, me).where(eq(campaignCategories.id, made!.id))
      return category!
    }),

  update: ({ db, me, params, body, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select()
        .from(campaignCategories)
        .where(eq(campaignCategories.id, params.id))
        .for('update')
      if (!before) throw notFound()
      await tx.update(campaignCategories).set(body).where(eq(campaignCategories.id, params.id))
      await record(tx, actor, { kind, rowId: params.id, before, after: body })
      const [category] = await categories(tx, me).where(eq(campaignCategories.id, params.id))
      return category!
    }),

  remove: ({ db, params, actor }) =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select()
        .from(campaignCategories)
        .where(eq(campaignCategories.id, params.id))
        .for('update')
      if (!before) throw notFound()
      const used = await tx.$count(campaignCategoryLinks, eq(campaignCategoryLinks.category_id, params.id))
      if (used > 0) throw conflict(`This category is used by ${used} ${used === 1 ? 'campaign' : 'campaigns'}`)
      await tx.delete(campaignCategories).where(eq(campaignCategories.id, params.id))
      await record(tx, actor, {
        kind,
        rowId: params.id,
        before: { name: before.name, color: before.color },
        after: null,
      })
      return undefined
    }),
})

/** Categories as this person reads them; the count is for those who keep categories, over the campaigns they may see. */
function categories(db: Queries, me: Me) {
  const { id, name, color } = campaignCategories
  const visible = inTheirCampaigns(me, sql`link.campaign_id`) ?? sql`true`
  const campaigns_count = sql<number>`(
    select count(*)::int from campaign_category_links link where link.category_id = campaign_categories.id and ${visible})`
  return db
    .select({ id, name, color, ...(me.isAdmin && me.permissions.campaignCategories ? { campaigns_count } : {}) })
    .from(campaignCategories)
    .$dynamic()
}
