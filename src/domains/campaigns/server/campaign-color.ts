import { sql } from 'drizzle-orm'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { campaignCategoryLinksTable, campaignsTable } from '../schema.ts'

/** The color of a campaign on maps: that of its first category with one. White is the default of a category without a color. */
export const campaignColorSql = sql<string | null>`(
  select g.color from ${campaignCategoryLinksTable} l join ${campaignCategoriesTable} g on g.id = l.category_id
  where l.campaign_id = ${campaignsTable.id} and g.color <> '#ffffff' order by fold_text(g.name), g.id limit 1)`
