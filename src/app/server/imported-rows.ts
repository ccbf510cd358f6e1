import { userCampaignsTable } from '#domains/access/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { statementsTable } from '#domains/billing/statements/schema.ts'
import { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignTermsTable } from '#domains/campaigns/terms/schema.ts'
import type { ImportKind } from '#domains/imports/labels.ts'
import type { RowReference } from '#domains/imports/public.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'

/** What refers to imported rows, so that undoing an import keeps them. Of several reasons the first is told. */
export const importedRowReferences: Record<ImportKind, readonly RowReference[]> = {
  clients: [{ column: campaignsTable.client_id, reason: 'It has campaigns by now' }],
  campaigns: [
    { column: leadsTable.campaign_id, reason: 'It has leads by now' },
    { column: clientSitesTable.campaign_id, reason: 'It has client sites by now' },
    { column: gmbsTable.campaign_id, reason: 'It has listings by now' },
    { column: activityItemsTable.campaign_id, reason: 'It has items in the activity log by now' },
    { column: userCampaignsTable.campaign_id, reason: 'Someone has been given access to it' },
    { column: campaignAreasTable.campaign_id, reason: 'It has an area by now' },
    { column: statementsTable.campaign_id, reason: 'It has statements by now' },
    { column: campaignTermsTable.campaign_id, reason: 'It has billing terms by now' },
    { column: disputesTable.campaign_id, reason: 'A lead of it is disputed' },
  ],
  'client-sites': [{ column: leadsTable.clientsite_id, reason: 'It has leads' }],
  leads: [],
}
