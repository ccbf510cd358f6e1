import { eq, inArray, sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { Db } from '#core/db/db.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { callRailAccountsTable } from '#domains/leads/callrail/schema.ts'
import { listCallRailAccounts } from '#domains/leads/callrail/server/accounts.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadProviders } from '#domains/leads/labels.ts'
import { unassignedLeadCondition } from '#domains/leads/model/lead-key.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { type LeadSource, leadSourcesContract } from '../contract.ts'

/** Returns the sources that are silent now, as `11/callrail`. */
export type ReadSilentSources = (db: Db) => Promise<ReadonlySet<string>>

export const createLeadSourcesHandlers = (readSilentSources: ReadSilentSources) =>
  implementContract(leadSourcesContract, {
    list: async ({ db, context }) => {
      const now = new Date()
      const [sites, silent, unassigned, quarantined, reconciliation] = await Promise.all([
        readSourceSites(db),
        readSilentSources(db),
        db.$count(leadsTable, unassignedLeadCondition),
        db.$count(inboundEventsTable, eq(inboundEventsTable.state, 'quarantined')),
        readReconciliation(context),
      ])
      const data = sites.map((site) => toLeadSource(site, silent, now)).toSorted(compareBySilence)
      return { data, unassigned, quarantined, reconciliation }
    },
  })

type SourceSite = Pick<LeadSource, 'id' | 'url' | 'campaign_id' | 'campaign_name'> & {
  created_at: string
  latest: ProviderActivity[]
}
/** The newest leads of a site through one provider: the times of the first and the last of them, and their number. */
type ProviderActivity = {
  clientsite_id: number
  provider: LeadSource['providers'][number]['provider']
  first: string
  last: string
  count: number
}

/** How many leads of a site the usual gap is computed from. */
const latestLeadCount = 20

/** Reads at most that many index entries per site and provider, however many leads there are. Ignores leads dated in the future. */
async function readSourceSites(db: Db): Promise<SourceSite[]> {
  const [sites, newest] = await Promise.all([
    db.execute<Omit<SourceSite, 'latest'>>(sql`
      select ${clientSitesTable.id}, ${clientSitesTable.url}, ${clientSitesTable.created_at},
        ${campaignsTable.id} as campaign_id, ${campaignsTable.name} as campaign_name
      from ${clientSitesTable} join ${campaignsTable} on ${campaignsTable.id} = ${clientSitesTable.campaign_id}
      where ${clientSitesTable.deleted_at} is null and not ${campaignsTable.archived}`),
    db.execute<ProviderActivity>(
      sql`select * from newest_leads(${sql.param(leadProviders)}::text[], ${latestLeadCount}::int)`,
    ),
  ])
  const bySite = Map.groupBy(newest.rows, ({ clientsite_id }) => clientsite_id)
  return sites.rows.map((site) => ({ ...site, latest: bySite.get(site.id) ?? [] }))
}

function toLeadSource(
  { latest: sent, created_at, ...site }: SourceSite,
  silentIds: ReadonlySet<string>,
  now: Date,
): LeadSource {
  const providers = sent.map(({ provider, first, last, count }) => {
    const latest: LatestLeads = { first: new Date(first), last: new Date(last), count }
    return {
      provider,
      last_at: latest.last.toISOString(),
      days_silent: countDaysSince(latest.last, now),
      usual_gap: computeUsualGap(latest),
      silent: silentIds.has(`${site.id}/${provider.toLowerCase()}`),
    }
  })
  const last_at =
    providers
      .map((one) => one.last_at)
      .toSorted()
      .at(-1) ?? null
  return {
    ...site,
    last_at,
    days_silent: countDaysSince(new Date(last_at ?? created_at), now),
    silent: providers.some(({ silent }) => silent),
    providers,
  }
}

const compareBySilence = (a: LeadSource, b: LeadSource) =>
  Number(b.silent) - Number(a.silent) || b.days_silent - a.days_silent || a.id - b.id

/** Of several accounts, the one that was read the longest ago; one that cannot be read first. */
async function readReconciliation(context: AppContext) {
  const { db } = context
  const ids = (await listCallRailAccounts(context)).map(({ accountId }) => accountId)
  const { account_id, looked_at, outcome, error, calls_until } = callRailAccountsTable
  const [last] = await db
    .select({ ran_at: looked_at, outcome, error, until: calls_until })
    .from(callRailAccountsTable)
    .where(inArray(account_id, ids))
    .orderBy(sql`${error} is null`, sql`${calls_until} nulls first`, account_id)
    .limit(1)
  const found = await db.$count(
    inboundEventsTable,
    sql`${inboundEventsTable.reconciled_as} is not null and not ${inboundEventsTable.polled} and ${inboundEventsTable.reconciled_as} not like '% %'
      and ${inboundEventsTable.received_at} > now() - interval '7 days'`,
  )
  const none = { ran_at: null, outcome: null, error: null, until: null }
  return { connected: ids.length > 0, ...(last ?? none), found }
}

/** The last leads of a client site through one provider: the times of the first and the last of them, and their number. */
type LatestLeads = { first: Date; last: Date; count: number }

const countDaysSince = (from: Date, now: Date) => Math.max(0, Math.floor((now.getTime() - from.getTime()) / msPerDay))

/** Returns the mean days between leads; null if there is only one. */
function computeUsualGap({ first, last, count }: LatestLeads): number | null {
  if (count < 2) return null
  return Math.round(((last.getTime() - first.getTime()) / msPerDay / (count - 1)) * 100) / 100
}
