import { and, eq, isNull } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { AppContext } from '#domains/app-context.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { getEnvironmentAccount, listCalls } from '#integrations/callrail/api.ts'
import { readCompanyIds } from '#integrations/callrail/webhook.ts'
import { storeMissingCalls } from './compare.ts'
import { CallRailUnavailable, createRetryingClient } from './retrying-list.ts'

/** The calls of one company in CallRail's list; `stored` counts those that no hook reported. */
export type CompanyProbe = { asked: boolean; calls: number; stored: number; error: string | null }

const notAsked: CompanyProbe = { asked: false, calls: 0, stored: 0, error: null }
const probePolicy = { limit: 10_000, retries: 1, minTimeout: 500 }
const maxProbeDays = 90

/** Fetches the calls of a client site's company since an instant, and stores those that no hook reported. */
export async function probeCallRailCompany(
  context: AppContext,
  siteId: number,
  since: Date,
  now: Date,
): Promise<CompanyProbe> {
  const { db, settings } = context
  const account = getEnvironmentAccount(settings)
  if (!account) return notAsked
  const [site] = await db
    .select({ company: clientSitesTable.callrail_campaign_identifier })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, siteId), isNull(clientSitesTable.deleted_at)))
  const company = site?.company
  if (!company) return notAsked
  const from = new Date(Math.max(since.getTime(), now.getTime() - maxProbeDays * msPerDay))
  const sendRequest = createRetryingClient(probePolicy)
  const found = { ...notAsked, asked: true }
  try {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { from, to: now, page, ...(company.startsWith('COM') ? { company } : {}) }
      const listed = await sendRequest(() => listCalls(account, query, { limit: probePolicy.limit }))
      pages = listed.pages
      const own = listed.rows.filter((call) => readCompanyIds(call).includes(company))
      const { stored } = await storeMissingCalls(db, own, now)
      found.calls += own.length
      found.stored += stored
    }
    return found
  } catch (error) {
    if (!(error instanceof CallRailUnavailable)) throw error
    return { ...found, error: error.message }
  }
}
