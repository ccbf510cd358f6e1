import { campaignCategoriesCalls } from '#domains/campaign-categories/server.ts'
import { campaignsCalls } from '#domains/campaigns/server.ts'
import { clientSitesCalls } from '#domains/client-sites/server.ts'
import { toolLinksCalls } from '#domains/dashboard/server.ts'
import { filesCalls } from '#domains/files/server.ts'
import { leadsCalls } from '#domains/leads/server.ts'
import { spamCalls } from '#domains/leads/spam/server.ts'
import { sessionCalls } from '#domains/session/server.ts'
import type { Implemented } from './implement.ts'
import type { Job } from './jobs.ts'

/** Every call of the product. */
export const calls: Implemented[] = [
  ...sessionCalls,
  ...toolLinksCalls,
  ...campaignsCalls,
  ...campaignCategoriesCalls,
  ...clientSitesCalls,
  ...filesCalls,
  ...leadsCalls,
  ...spamCalls,
]

/** Every job. */
export const jobs: Job<never>[] = []
