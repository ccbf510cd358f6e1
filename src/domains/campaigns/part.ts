import { eq } from 'drizzle-orm'
import { describeMentions } from '#core/erasure/personal-data.ts'
import { describeCampaignRows } from '#domains/access/public.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { campaignAreasHandlers } from './area/server/handlers.ts'
import { makeAreaHandlers } from './area/server/make-area.ts'
import { campaignCategoriesHandlers } from './categories/server/handlers.ts'
import { categoryTemplatesHandlers } from './categories/server/templates.ts'
import { campaignsContract } from './contract.ts'
import { workingHoursHandlers } from './hours/server/handlers.ts'
import { campaignNotesHandlers } from './notes/server/handlers.ts'
import { campaignsTable } from './schema.ts'
import { createCampaignsHandlers } from './server/handlers.ts'
import { campaignsImport } from './server/import-rows.ts'
import { campaignStatesHandlers } from './state/server/handlers.ts'
import { termsHandlers } from './terms/server/handlers.ts'

export const campaignsPart: ServerPart = {
  handlers: ({ handOverCampaign }) => [
    ...createCampaignsHandlers(handOverCampaign),
    ...campaignAreasHandlers,
    ...makeAreaHandlers,
    ...workingHoursHandlers,
    ...campaignNotesHandlers,
    ...campaignStatesHandlers,
    ...campaignCategoriesHandlers,
    ...categoryTemplatesHandlers,
    ...termsHandlers,
  ],
  tables: ['campaigns', 'campaign-categories'],
  savedViews: { campaigns: campaignsContract.list },
  scopedRows: [
    describeCampaignRows(/^\/campaign\/:/, (db, id) =>
      db.select({ campaign_id: campaignsTable.id }).from(campaignsTable).where(eq(campaignsTable.id, id)),
    ),
  ],
  imports: { campaigns: campaignsImport },
  // Notes of campaigns may mention a person.
  personalData: [
    describeMentions('Notes of campaigns', campaignsTable, {
      columns: ['notes'],
      kept: ['name', 'manager', 'timezone', 'schedule'],
    }),
  ],
  withoutPeople: {
    'Businesses that are clients, and what is agreed with them': [
      'campaign_areas',
      'campaign_categories',
      'campaign_terms',
    ],
    'Ships with the product': ['zip_codes'],
  },
  derivedTables: ['zip_codes'],
  listRules: { campaign: 'their campaigns' },
}
