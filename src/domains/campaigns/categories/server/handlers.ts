import { eq, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { buildCrudHandlers } from '#core/http/crud-handlers.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignCategoriesContract } from '../contract.ts'
import { campaignCategoriesTable } from '../schema.ts'

const { id, name, color, version } = campaignCategoriesTable

export const campaignCategoriesHandlers = implementContract(
  campaignCategoriesContract,
  buildCrudHandlers(campaignCategoriesTable, {
    kind: 'campaign category',
    kept: ['name', 'color'],
    select: selectCampaignCategories,
    conflict: campaignCategoriesContract.update,
    order: [textOrderSql(name)],
    describeUse: async (tx, categoryId) => {
      const used = await tx.$count(campaignCategoryLinksTable, eq(campaignCategoryLinksTable.category_id, categoryId))
      return used > 0 ? `This category is used by ${countOf(used, 'campaign')}` : undefined
    },
  }),
)

/** Selects categories as this person sees them; only those who manage categories get the version and the count, of what its link leads to: the open campaigns that they may see. */
function selectCampaignCategories(db: DbOrTx, me: CurrentUser) {
  const visible = inVisibleCampaigns(me, sql`link.campaign_id`) ?? sql`true`
  const campaigns_count = sql<number>`(
    select count(*)::int from campaign_category_links link join ${campaignsTable} campaign on campaign.id = link.campaign_id
    where link.category_id = campaign_categories.id and not campaign.archived and ${visible})`
  return db
    .select({
      id,
      name,
      color,
      ...(me.isAdmin && me.permissions.campaignCategories ? { campaigns_count, version } : {}),
    })
    .from(campaignCategoriesTable)
    .$dynamic()
}
