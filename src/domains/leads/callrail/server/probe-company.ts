import { and, eq, isNull } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { AppContext } from '#domains/app-context.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { CallRailError, listCalls, readPages } from '#integrations/callrail/api.ts'
import { readCompanyIds } from '#integrations/callrail/webhook.ts'
import { findAccountOfCompany } from './accounts.ts'
import { holdAccount } from './poll-accounts.ts'
import { takeRequest } from './request-budget.ts'
import { storeListedCalls } from './store-listed.ts'

/** The calls of one company in CallRail's list; `stored` counts those that no hook reported. */
export type CompanyProbe = { probed: boolean; calls: number; stored: number; error: string | null }

const notProbed: CompanyProbe = { probed: false, calls: 0, stored: 0, error: null }
const probeTimeoutMs = 10_000
const maxProbeDays = 90

/** Fetches the calls of a client site's company since an instant, and stores those that no hook reported. */
export async function probeCallRailCompany(
  context: AppContext,
  siteId: number,
  since: Date,
  now: Date,
): Promise<CompanyProbe> {
  const { db } = context
  const [site] = await db
    .select({ company: clientSitesTable.callrail_campaign_identifier })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, siteId), isNull(clientSitesTable.deleted_at)))
  const company = site?.company
  const account = company ? await findAccountOfCompany(context, company) : null
  if (!company || !account) return notProbed
  const from = new Date(Math.max(since.getTime(), now.getTime() - maxProbeDays * msPerDay))
  const only = company.startsWith('COM') ? { company } : {}
  const reading = { now, liveFrom: from, waitsForHooks: true }
  const found = { ...notProbed, probed: true }
  const readPage = async (page: number) => {
    if (!(await takeRequest(db, account.accountId, 'history', now)))
      throw new CallRailError('busy', 'The requests of this hour are used up')
    return listCalls(account, { from, to: now, page, ...only }, { limit: probeTimeoutMs })
  }
  try {
    for await (const { rows } of readPages(readPage)) {
      const own = rows.filter((call) => readCompanyIds(call).includes(company))
      found.calls += own.length
      found.stored += await storeListedCalls(db, own, reading)
    }
    return found
  } catch (error) {
    if (!(error instanceof CallRailError)) throw error
    if (error.kind === 'busy') await holdAccount(db, account.accountId, error.retryAfter, now)
    return { ...found, error: error.message }
  }
}
