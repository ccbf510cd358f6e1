import { eq, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadProviders, noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { callRailReconciliationTable } from '#domains/leads/reconciliation/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { isCallRailConfigured } from '#integrations/callrail/api.ts'
import { type LeadSource, leadSourcesContract } from '../contract.ts'
import { computeSilence, countDaysSince, isSilentTooLong, isStillSending, type LatestLeads } from './silence.ts'

export const leadSourcesHandlers = implementContract(leadSourcesContract, {
  list: async ({ db, context }) => {
    const now = new Date()
    const [sites, unassigned, quarantined, reconciliation] = await Promise.all([
      readSourceSites(db),
      db.$count(leadsTable, eq(leadsTable.campaign_id, noCampaignId)),
      db.$count(inboundEventsTable, eq(inboundEventsTable.state, 'quarantined')),
      readReconciliation(context),
    ])
    const data = sites.map((site) => toLeadSource(site, now)).toSorted(compareBySilence)
    return { data, unassigned, quarantined, reconciliation }
  },
})

type SourceSite = Pick<LeadSource, 'id' | 'url' | 'campaign_id' | 'campaign_name'> & {
  created_at: string
  latest: ProviderActivity[]
}
/** The newest leads of a site through one provider: when the first and the last of them came, and how many they are. */
type ProviderActivity = {
  clientsite_id: number
  provider: LeadSource['providers'][number]['provider']
  first: string
  last: string
  count: number
}

/** How many leads of a site say what is usual. */
const latestLeadCount = 20

/** Twice so many entries of an index for each site, however many leads there are. A lead of a day to come says nothing. */
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

function toLeadSource({ latest: sent, created_at, ...site }: SourceSite, now: Date): LeadSource {
  const through = sent.map(({ provider, first, last, count }) => ({
    provider,
    latest: { first: new Date(first), last: new Date(last), count } satisfies LatestLeads,
  }))
  const providers = through.map(({ provider, latest: own }) => {
    const othersSend = through.some((other) => other.provider !== provider && isStillSending(other.latest, now))
    return { provider, last_at: own.last.toISOString(), ...computeSilence(own, now, othersSend) }
  })
  const last = through.map(({ latest: own }) => own.last).toSorted((a, b) => b.getTime() - a.getTime())[0]
  const since = last ?? new Date(created_at)
  return {
    ...site,
    last_at: last?.toISOString() ?? null,
    days_silent: countDaysSince(since, now),
    silent: last ? providers.some(({ silent }) => silent) : isSilentTooLong(since, now),
    providers,
  }
}

const compareBySilence = (a: LeadSource, b: LeadSource) =>
  Number(b.silent) - Number(a.silent) || b.days_silent - a.days_silent || a.id - b.id

async function readReconciliation({ db, settings }: AppContext) {
  const [last] = await db.select().from(callRailReconciliationTable)
  const found = await db.$count(
    inboundEventsTable,
    sql`${inboundEventsTable.reconciled_as} is not null and ${inboundEventsTable.received_at} > now() - interval '7 days'`,
  )
  return {
    connected: isCallRailConfigured(settings),
    ran_at: last?.ran_at.toISOString() ?? null,
    outcome: last?.outcome ?? null,
    error: last?.error ?? null,
    until: last?.until?.toISOString() ?? null,
    found,
  }
}
