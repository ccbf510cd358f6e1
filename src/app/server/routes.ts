import type { Implemented } from '#core/http/handle.ts'
import type { Job } from '#core/jobs/jobs.ts'
import { adminsCalls } from '#domains/access/admins/server/handlers.ts'
import { handlersCalls } from '#domains/access/leads-handlers/server/handlers.ts'
import { sessionsCalls } from '#domains/access/sessions/server/handlers.ts'
import { sessionCalls } from '#domains/access/sign-in/server/handlers.ts'
import { teamsCalls } from '#domains/access/teams/server/handlers.ts'
import { changelogCalls } from '#domains/activity/changelog/server/handlers.ts'
import { filesCalls } from '#domains/activity/files/server/handlers.ts'
import { filesJobs } from '#domains/activity/files/server/jobs.ts'
import { activityLogCalls } from '#domains/activity/log/server/handlers.ts'
import { activityItemsCalls } from '#domains/activity/server/handlers.ts'
import { auditCalls } from '#domains/audit/server/handlers.ts'
import { areaCalls } from '#domains/campaigns/area/server/handlers.ts'
import { campaignCategoriesCalls } from '#domains/campaigns/categories/server/handlers.ts'
import { workingHoursCalls } from '#domains/campaigns/hours/server/handlers.ts'
import { campaignNotesCalls } from '#domains/campaigns/notes/server/handlers.ts'
import { campaignsCalls } from '#domains/campaigns/server/handlers.ts'
import { campaignStatesCalls } from '#domains/campaigns/state/server/handlers.ts'
import { clientsCalls } from '#domains/clients/server/handlers.ts'
import { toolLinksCalls } from '#domains/dashboard/server/handlers.ts'
import { importsCalls } from '#domains/imports/server/handlers.ts'
import { importsJobs } from '#domains/imports/server/jobs.ts'
import { leadExportCalls } from '#domains/leads/export/server/handlers.ts'
import { addingCalls } from '#domains/leads/form/server/handlers.ts'
import { historyCalls } from '#domains/leads/history/server/handlers.ts'
import { intakeCalls } from '#domains/leads/intake/server/handlers.ts'
import { intakeJobs } from '#domains/leads/intake/server/jobs.ts'
import { leadsCalls } from '#domains/leads/list/server/handlers.ts'
import { leadMailsCalls } from '#domains/leads/mail/server/handlers.ts'
import { mailJobs } from '#domains/leads/mail/server/jobs.ts'
import { ratingCalls } from '#domains/leads/rating/server/handlers.ts'
import { reconcileJobs } from '#domains/leads/reconciliation/server/jobs.ts'
import { recordingsCalls } from '#domains/leads/recordings/server/handlers.ts'
import { relatedCalls } from '#domains/leads/related/server/handlers.ts'
import { sourcesCalls } from '#domains/leads/sources/server/handlers.ts'
import { spamCalls } from '#domains/leads/spam/server/handlers.ts'
import { gmbsJobs } from '#domains/listings/checks/server/jobs.ts'
import { gmbsCalls } from '#domains/listings/gmbs/server/handlers.ts'
import { googleLocationsCalls } from '#domains/listings/google/server/handlers.ts'
import { googleLocationsJobs } from '#domains/listings/google/server/jobs.ts'
import { campaignMapCalls } from '#domains/listings/map/server/handlers.ts'
import { leadChartCalls } from '#domains/reports/chart/server/handlers.ts'
import { countedJobs } from '#domains/reports/counted-weeks/server/jobs.ts'
import { leadTableCalls } from '#domains/reports/weekly-report/server/handlers.ts'
import { networkCategoriesCalls } from '#domains/sites/categories/server/handlers.ts'
import { siteChecksJobs } from '#domains/sites/checks/server/jobs.ts'
import { clientSitesCalls } from '#domains/sites/client/server/handlers.ts'
import { ipsCalls } from '#domains/sites/ips/server/handlers.ts'
import { outgoingLinksCalls } from '#domains/sites/links/server/handlers.ts'
import { linkCrawlJobs } from '#domains/sites/links/server/jobs.ts'
import { networkSitesCalls } from '#domains/sites/network/server/handlers.ts'
import { redirectDomainsCalls } from '#domains/sites/redirects/server/handlers.ts'
import { redirectDomainsJobs } from '#domains/sites/redirects/server/jobs.ts'
import { domainDataJobs } from '#domains/sites/registrations/server/jobs.ts'

/** Every call of the product. */
export const calls: Implemented[] = [
  ...sessionCalls,
  ...adminsCalls,
  ...handlersCalls,
  ...sessionsCalls,
  ...auditCalls,
  ...toolLinksCalls,
  ...campaignsCalls,
  ...areaCalls,
  ...workingHoursCalls,
  ...campaignNotesCalls,
  ...campaignStatesCalls,
  ...campaignCategoriesCalls,
  ...clientsCalls,
  ...clientSitesCalls,
  ...networkSitesCalls,
  ...outgoingLinksCalls,
  ...redirectDomainsCalls,
  ...networkCategoriesCalls,
  ...ipsCalls,
  ...activityItemsCalls,
  ...activityLogCalls,
  ...changelogCalls,
  ...filesCalls,
  ...gmbsCalls,
  ...googleLocationsCalls,
  ...campaignMapCalls,
  ...teamsCalls,
  ...leadsCalls,
  ...relatedCalls,
  ...addingCalls,
  ...historyCalls,
  ...sourcesCalls,
  ...leadExportCalls,
  ...leadChartCalls,
  ...leadTableCalls,
  ...recordingsCalls,
  ...spamCalls,
  ...intakeCalls,
  ...leadMailsCalls,
  ...ratingCalls,
  ...importsCalls,
]

/** Every job. */
export const jobs: Job<never>[] = [
  ...intakeJobs,
  ...countedJobs,
  ...reconcileJobs,
  ...mailJobs,
  ...filesJobs,
  ...siteChecksJobs,
  ...domainDataJobs,
  ...linkCrawlJobs,
  ...gmbsJobs,
  ...redirectDomainsJobs,
  ...googleLocationsJobs,
  ...importsJobs,
]
