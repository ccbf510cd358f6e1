import { userCampaignsTable } from '#domains/access/schema.ts'
import { activityItemFilesTable, activityItemsTable } from '#domains/activity/schema.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { statementsTable } from '#domains/billing/statements/schema.ts'
import { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignTermsTable } from '#domains/campaigns/terms/schema.ts'
import type { ImportKind } from '#domains/imports/labels.ts'
import type { RowReference } from '#domains/imports/public.ts'
import { customSourcesTable } from '#domains/leads/custom-sources/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { clientReportsTable, reportSchedulesTable } from '#domains/reports/client-reports/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'

const staffReferences: readonly RowReference[] = [{ column: activityItemsTable.assignee_id, reason: 'Has tasks now' }]

/** What refers to imported rows, so that undoing an import keeps them. Of several reasons the first is told. */
export const importedRowReferences: Record<ImportKind, readonly RowReference[]> = {
  clients: [
    { column: campaignsTable.client_id, reason: 'Has campaigns now' },
    { column: clientReportsTable.client_id, reason: 'Has a report now' },
    { column: reportSchedulesTable.client_id, reason: 'Has a report schedule now' },
    { column: disputesTable.client_id, reason: 'Has disputes now' },
    { column: statementsTable.client_id, reason: 'Has statements now' },
  ],
  campaigns: [
    { column: leadsTable.campaign_id, reason: 'Has leads now' },
    { column: clientSitesTable.campaign_id, reason: 'Has client sites now' },
    { column: gmbsTable.campaign_id, reason: 'Has listings now' },
    { column: activityItemsTable.campaign_id, reason: 'Has items in the activity log now' },
    { column: userCampaignsTable.campaign_id, reason: 'Someone has been given access' },
    { column: campaignAreasTable.campaign_id, reason: 'Has an area now' },
    { column: statementsTable.campaign_id, reason: 'Has statements now' },
    { column: campaignTermsTable.campaign_id, reason: 'Has billing terms now' },
    { column: disputesTable.campaign_id, reason: 'Has a disputed lead' },
  ],
  'client-sites': [
    { column: leadsTable.clientsite_id, reason: 'Has leads' },
    { column: customSourcesTable.clientsite_id, reason: 'Has a lead source now' },
  ],
  leads: [],
  'campaign-gmbs': [],
  'network-sites': [],
  'redirect-domains': [],
  changelog: [{ column: activityItemFilesTable.item_id, reason: 'Has images now' }],
  // An account without a sign-in has done nothing; only what others did with it counts.
  admins: staffReferences,
  'leads-handlers': staffReferences,
}

/** Foreign keys to imported rows that keep none of them, and why. Every other one is above. */
export const ignoredReferences: Readonly<Record<string, string>> = {
  'users.client_id': 'The account came with the client, which stays if its account has been changed',
  'scheduled_reports.client_id': 'Reports follow from the schedule',
  'campaign_category_links.campaign_id':
    'The categories are fields of the campaign, which stays if they have been changed',
  'signals.campaign_id': 'The program finds them itself',
  'signal_findings.campaign_id': 'The program finds them itself',
  'signals.task_id': 'An imported note is no task',
  'task_notices.item_id': 'An imported note is no task',
  'campaign_gmb_logs.gmb_id': 'The listing’s own history',
  'network_site_logs.site_id': 'The site’s own history',
  'outgoing_links.network_site_id': 'What the crawl found on the site itself',
  'client_site_logs.site_id': 'The site’s own history',
  'inbound_events.clientsite_id': 'The inbox outlives what it names; the lead of an event counts',
  'test_leads.campaign_id': 'A test is no lead, and goes with the campaign',
  'mails.lead_id': 'A lead that was emailed stays: see deleteUntouchedLeads',
  'rating_keys.lead_id': 'Keys come with the email of the lead',
  'rating_saves.lead_id': 'Ratings are changes of the lead, which stays',
}
