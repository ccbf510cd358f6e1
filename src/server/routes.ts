import { adminsCalls } from '#domains/access/admins/server.ts'
import { handlersCalls } from '#domains/access/handlers/server.ts'
import { sessionsCalls } from '#domains/access/sessions/server.ts'
import { changelogCalls } from '#domains/activity/changelog/server.ts'
import { filesJobs } from '#domains/activity/files/jobs.ts'
import { filesCalls } from '#domains/activity/files/server.ts'
import { activityLogCalls } from '#domains/activity/log/server.ts'
import { activityItemsCalls } from '#domains/activity/server.ts'
import { auditCalls } from '#domains/audit/server.ts'
import { campaignCategoriesCalls } from '#domains/campaign-categories/server.ts'
import { campaignMapCalls } from '#domains/campaign-map/server.ts'
import { areaCalls } from '#domains/campaigns/area/server.ts'
import { workingHoursCalls } from '#domains/campaigns/hours/server.ts'
import { campaignNotesCalls } from '#domains/campaigns/notes/server.ts'
import { campaignsCalls } from '#domains/campaigns/server.ts'
import { campaignStatesCalls } from '#domains/campaigns/state/server.ts'
import { clientSitesCalls } from '#domains/client-sites/server.ts'
import { clientsCalls } from '#domains/clients/server.ts'
import { toolLinksCalls } from '#domains/dashboard/server.ts'
import { domainDataJobs } from '#domains/domain-data/jobs.ts'
import { gmbsJobs } from '#domains/gmbs/checks/jobs.ts'
import { gmbsCalls } from '#domains/gmbs/server.ts'
import { googleLocationsJobs } from '#domains/google-locations/jobs.ts'
import { googleLocationsCalls } from '#domains/google-locations/server.ts'
import { importsJobs } from '#domains/imports/jobs.ts'
import { importsCalls } from '#domains/imports/server.ts'
import { ipsCalls } from '#domains/ips/server.ts'
import { addingCalls } from '#domains/leads/adding/server.ts'
import { leadTableCalls } from '#domains/leads/by-week/server.ts'
import { leadChartCalls } from '#domains/leads/chart/server.ts'
import { countedJobs } from '#domains/leads/counted/jobs.ts'
import { leadExportCalls } from '#domains/leads/export/server.ts'
import { historyCalls } from '#domains/leads/history/server.ts'
import { intakeJobs } from '#domains/leads/intake/jobs.ts'
import { intakeCalls } from '#domains/leads/intake/server.ts'
import { mailJobs } from '#domains/leads/mails/jobs.ts'
import { leadMailsCalls } from '#domains/leads/mails/server.ts'
import { reconcileJobs } from '#domains/leads/reconcile/jobs.ts'
import { recordingsCalls } from '#domains/leads/recordings/server.ts'
import { relatedCalls } from '#domains/leads/related/server.ts'
import { leadsCalls } from '#domains/leads/server.ts'
import { sourcesCalls } from '#domains/leads/sources/server.ts'
import { spamCalls } from '#domains/leads/spam/server.ts'
import { networkCategoriesCalls } from '#domains/network-categories/server.ts'
import { linkCrawlJobs } from '#domains/network-sites/links/jobs.ts'
import { outgoingLinksCalls } from '#domains/network-sites/links/server.ts'
import { networkSitesCalls } from '#domains/network-sites/server.ts'
import { ratingCalls } from '#domains/rating/server.ts'
import { redirectDomainsJobs } from '#domains/redirect-domains/jobs.ts'
import { redirectDomainsCalls } from '#domains/redirect-domains/server.ts'
import { sessionCalls } from '#domains/session/server.ts'
import { siteChecksJobs } from '#domains/site-checks/jobs.ts'
import { teamsCalls } from '#domains/teams/server.ts'
import type { Implemented } from './implement.ts'
import type { Job } from './jobs.ts'

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
