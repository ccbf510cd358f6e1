import { accessExplanationHandlers } from '#domains/access/access-explanation/server/handlers.ts'
import { adminsHandlers } from '#domains/access/admins/server/handlers.ts'
import { apiKeysHandlers } from '#domains/access/keys/server/handlers.ts'
import { leadsHandlerAccessHandlers } from '#domains/access/leads-handlers/server/handlers.ts'
import { passwordResetHandlers } from '#domains/access/password-reset/server/handlers.ts'
import { profileHandlers } from '#domains/access/profile/server/handlers.ts'
import { requiredRolesHandlers, secondFactorHandlers } from '#domains/access/second-factor/server/handlers.ts'
import { secondStepHandlers } from '#domains/access/second-factor/server/second-step.ts'
import { seeAsHandlers } from '#domains/access/see-as/server/handlers.ts'
import { userSessionsHandlers } from '#domains/access/sessions/server/handlers.ts'
import { sessionHandlers } from '#domains/access/sign-in/server/handlers.ts'
import { singleSignOnHandlers } from '#domains/access/single-sign-on/server/handlers.ts'
import { teamsHandlers } from '#domains/access/teams/server/handlers.ts'
import { viewsHandlers } from '#domains/access/views/server/handlers.ts'
import { changelogHandlers } from '#domains/activity/changelog/server/handlers.ts'
import { filesHandlers } from '#domains/activity/files/server/handlers.ts'
import { filesJobs } from '#domains/activity/files/server/jobs.ts'
import { activityLogHandlers } from '#domains/activity/log/server/handlers.ts'
import { activityItemsHandlers } from '#domains/activity/server/handlers.ts'
import { agencyHandlers } from '#domains/agency/server/handlers.ts'
import type { ImplementedEndpoint, JobDefinition } from '#domains/app-context.ts'
import { erasuresHandlers } from '#domains/audit/erasures/server/handlers.ts'
import { auditLogHandlers } from '#domains/audit/server/handlers.ts'
import { auditJobs } from '#domains/audit/server/jobs.ts'
import { disputesHandlers } from '#domains/billing/disputes/server/handlers.ts'
import { statementsHandlers } from '#domains/billing/statements/server/handlers.ts'
import { termsHandlers } from '#domains/billing/terms/server/handlers.ts'
import { campaignAreasHandlers } from '#domains/campaigns/area/server/handlers.ts'
import { campaignCategoriesHandlers } from '#domains/campaigns/categories/server/handlers.ts'
import { workingHoursHandlers } from '#domains/campaigns/hours/server/handlers.ts'
import { campaignNotesHandlers } from '#domains/campaigns/notes/server/handlers.ts'
import { campaignsHandlers } from '#domains/campaigns/server/handlers.ts'
import { campaignStatesHandlers } from '#domains/campaigns/state/server/handlers.ts'
import { clientsHandlers } from '#domains/clients/server/handlers.ts'
import { toolLinksHandlers } from '#domains/dashboard/server/handlers.ts'
import { importsHandlers } from '#domains/imports/server/handlers.ts'
import { importsJobs } from '#domains/imports/server/jobs.ts'
import { campaignEventsHandlers } from '#domains/insights/events/server/handlers.ts'
import { insightsHandlers } from '#domains/insights/server/handlers.ts'
import { leadBatchHandlers } from '#domains/leads/batch/server/handlers.ts'
import { leadBatchJobs } from '#domains/leads/batch/server/jobs.ts'
import { customSourcesHandlers } from '#domains/leads/custom-sources/server/handlers.ts'
import { leadDetailHandlers } from '#domains/leads/detail/server/handlers.ts'
import { leadExportHandlers } from '#domains/leads/export/server/handlers.ts'
import { leadFormHandlers } from '#domains/leads/form/server/handlers.ts'
import { leadHistoryHandlers } from '#domains/leads/history/server/handlers.ts'
import { intakeHandlers } from '#domains/leads/intake/server/handlers.ts'
import { intakeJobs } from '#domains/leads/intake/server/jobs.ts'
import { leadsHandlers } from '#domains/leads/list/server/handlers.ts'
import { leadMailsHandlers } from '#domains/leads/mail/server/handlers.ts'
import { mailJobs } from '#domains/leads/mail/server/jobs.ts'
import { ratingHandlers } from '#domains/leads/rating/server/handlers.ts'
import { reconcileJobs } from '#domains/leads/reconciliation/server/jobs.ts'
import { recordingsHandlers } from '#domains/leads/recordings/server/handlers.ts'
import { relatedLeadsHandlers } from '#domains/leads/related/server/handlers.ts'
import { leadSourcesHandlers } from '#domains/leads/sources/server/handlers.ts'
import { spamHandlers } from '#domains/leads/spam/server/handlers.ts'
import { spamJobs } from '#domains/leads/spam/server/jobs.ts'
import { leadSpamHandlers } from '#domains/leads/spam/server/mark-spam.ts'
import { leadSumsJobs } from '#domains/leads/sums/server/jobs.ts'
import { gmbsJobs } from '#domains/listings/checks/server/jobs.ts'
import { gmbsHandlers } from '#domains/listings/gmbs/server/handlers.ts'
import { googleLocationsHandlers } from '#domains/listings/google/server/handlers.ts'
import { googleLocationsJobs } from '#domains/listings/google/server/jobs.ts'
import { campaignMapHandlers } from '#domains/listings/map/server/handlers.ts'
import { messageJobs } from '#domains/messages/server/jobs.ts'
import { recordsHandlers } from '#domains/records/server/handlers.ts'
import { leadChartHandlers } from '#domains/reports/chart/server/handlers.ts'
import { clientReportsHandlers } from '#domains/reports/client-reports/server/handlers.ts'
import { reportScheduleJobs } from '#domains/reports/client-reports/server/jobs.ts'
import { reportScheduleHandlers } from '#domains/reports/client-reports/server/schedule-handlers.ts'
import { clientStartHandlers } from '#domains/reports/client-reports/server/start.ts'
import { weeklyReportHandlers } from '#domains/reports/weekly-report/server/handlers.ts'
import { signalsHandlers } from '#domains/signals/server/handlers.ts'
import { signalsJobs } from '#domains/signals/server/jobs.ts'
import { watchesHandlers } from '#domains/signals/watches/server/handlers.ts'
import { networkCategoriesHandlers } from '#domains/sites/categories/server/handlers.ts'
import { siteChecksJobs } from '#domains/sites/checks/server/jobs.ts'
import { clientSitesHandlers } from '#domains/sites/client/server/handlers.ts'
import { ipsHandlers } from '#domains/sites/ips/server/handlers.ts'
import { outgoingLinksHandlers } from '#domains/sites/links/server/handlers.ts'
import { linkCrawlJobs } from '#domains/sites/links/server/jobs.ts'
import { networkSitesHandlers } from '#domains/sites/network/server/handlers.ts'
import { redirectDomainsHandlers } from '#domains/sites/redirects/server/handlers.ts'
import { redirectDomainsJobs } from '#domains/sites/redirects/server/jobs.ts'
import { domainDataJobs } from '#domains/sites/registrations/server/jobs.ts'
import { webhooksHandlers } from '#domains/webhooks/server/handlers.ts'
import { webhookJobs } from '#domains/webhooks/server/jobs.ts'

/** Every endpoint of the product. */
export const allEndpoints: ImplementedEndpoint[] = [
  ...sessionHandlers,
  ...secondStepHandlers,
  ...singleSignOnHandlers,
  ...secondFactorHandlers,
  ...requiredRolesHandlers,
  ...adminsHandlers,
  ...leadsHandlerAccessHandlers,
  ...userSessionsHandlers,
  ...apiKeysHandlers,
  ...profileHandlers,
  ...passwordResetHandlers,
  ...seeAsHandlers,
  ...accessExplanationHandlers,
  ...auditLogHandlers,
  ...erasuresHandlers,
  ...toolLinksHandlers,
  ...campaignsHandlers,
  ...campaignAreasHandlers,
  ...workingHoursHandlers,
  ...campaignNotesHandlers,
  ...campaignStatesHandlers,
  ...campaignCategoriesHandlers,
  ...termsHandlers,
  ...statementsHandlers,
  ...disputesHandlers,
  ...clientsHandlers,
  ...clientSitesHandlers,
  ...networkSitesHandlers,
  ...outgoingLinksHandlers,
  ...redirectDomainsHandlers,
  ...networkCategoriesHandlers,
  ...ipsHandlers,
  ...activityItemsHandlers,
  ...activityLogHandlers,
  ...changelogHandlers,
  ...filesHandlers,
  ...gmbsHandlers,
  ...googleLocationsHandlers,
  ...campaignMapHandlers,
  ...teamsHandlers,
  ...viewsHandlers,
  ...leadsHandlers,
  ...relatedLeadsHandlers,
  ...leadFormHandlers,
  ...leadDetailHandlers,
  ...leadHistoryHandlers,
  ...leadBatchHandlers,
  ...leadSourcesHandlers,
  ...customSourcesHandlers,
  ...leadExportHandlers,
  ...leadChartHandlers,
  ...recordsHandlers,
  ...campaignEventsHandlers,
  ...insightsHandlers,
  ...weeklyReportHandlers,
  ...clientReportsHandlers,
  ...clientStartHandlers,
  ...reportScheduleHandlers,
  ...agencyHandlers,
  ...recordingsHandlers,
  ...spamHandlers,
  ...leadSpamHandlers,
  ...intakeHandlers,
  ...leadMailsHandlers,
  ...ratingHandlers,
  ...importsHandlers,
  ...signalsHandlers,
  ...watchesHandlers,
  ...webhooksHandlers,
]

/** Every job. */
export const allJobs: JobDefinition<never>[] = [
  ...intakeJobs,
  ...leadBatchJobs,
  ...leadSumsJobs,
  ...reportScheduleJobs,
  ...reconcileJobs,
  ...mailJobs,
  ...spamJobs,
  ...messageJobs,
  ...filesJobs,
  ...siteChecksJobs,
  ...domainDataJobs,
  ...linkCrawlJobs,
  ...gmbsJobs,
  ...redirectDomainsJobs,
  ...googleLocationsJobs,
  ...importsJobs,
  ...signalsJobs,
  ...webhookJobs,
  ...auditJobs,
]
