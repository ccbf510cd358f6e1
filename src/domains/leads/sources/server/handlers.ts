import { eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Db } from '#core/db/db.ts'
import { implement } from '#core/http/handle.ts'
import { inboundEvents } from '#domains/leads/intake/schema.ts'
import { leadSources, noCampaign } from '#domains/leads/labels.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { callRailReconciliation } from '#domains/leads/reconciliation/schema.ts'
import { isConnected } from '#integrations/callrail/api.ts'
import { sources as contract, type LeadSource } from '../contract.ts'
import { daysSince, isOverdue, type Latest, sends, silenceOf } from './silence.ts'

export const sourcesCalls = implement(contract, {
  list: async ({ db, house }) => {
    const now = new Date()
    const [sites, unassigned, quarantined, reconciliation] = await Promise.all([
      sitesOf(db),
      db.$count(leads, eq(leads.campaign_id, noCampaign)),
      db.$count(inboundEvents, eq(inboundEvents.state, 'quarantined')),
      reconciliationOf(house),
    ])
    const data = sites.map((site) => sourceOf(site, now)).toSorted(bySilence)
    return { data, unassigned, quarantined, reconciliation }
  },
})

type Site = Pick<LeadSource, 'id' | 'url' | 'campaign_id' | 'campaign_name'> & {
  created_at: string
  latest: Sent[]
}
/** The newest leads of a site through one provider: when the first and the last of them came, and how many they are. */
type Sent = {
  clientsite_id: number
  provider: LeadSource['providers'][number]['provider']
  first: string
  last: string
  count: number
}

/** How many leads of a site say what is usual. */
const latest = 20

/** Twice so many entries of an index for each site, however many leads there are. A lead of a day to come says nothing. */
async function sitesOf(db: Db): Promise<Site[]> {
  const [sites, newest] = await Promise.all([
    db.execute<Omit<Site, 'latest'>>(sql`
      select site.id, site.url, campaign.id as campaign_id, campaign.name as campaign_name, site.created_at
      from client_sites site join campaigns campaign on campaign.id = site.campaign_id
      where site.deleted_at is null and not campaign.archived`),
    db.execute<Sent>(sql`select * from newest_leads(${sql.param(leadSources)}::text[], ${latest}::int)`),
  ])
  const bySite = Map.groupBy(newest.rows, ({ clientsite_id }) => clientsite_id)
  return sites.rows.map((site) => ({ ...site, latest: bySite.get(site.id) ?? [] }))
}

function sourceOf({ latest: sent, created_at, ...site }: Site, now: Date): LeadSource {
  const through = sent.map(({ provider, first, last, count }) => ({
    provider,
    latest: { first: new Date(first), last: new Date(last), count } satisfies Latest,
  }))
  const providers = through.map(({ provider, latest: own }) => {
    const othersSend = through.some((other) => other.provider !== provider && sends(other.latest, now))
    return { provider, last_at: own.last.toISOString(), ...silenceOf(own, now, othersSend) }
  })
  const last = through.map(({ latest: own }) => own.last).toSorted((a, b) => b.getTime() - a.getTime())[0]
  const since = last ?? new Date(created_at)
  return {
    ...site,
    last_at: last?.toISOString() ?? null,
    days_silent: daysSince(since, now),
    silent: last ? providers.some(({ silent }) => silent) : isOverdue(since, now),
    providers,
  }
}

const bySilence = (a: LeadSource, b: LeadSource) =>
  Number(b.silent) - Number(a.silent) || b.days_silent - a.days_silent || a.id - b.id

async function reconciliationOf({ db, settings }: House) {
  const [last] = await db.select().from(callRailReconciliation)
  const found = await db.$count(
    inboundEvents,
    sql`reconciled_as is not null and ${inboundEvents.received_at} > now() - interval '7 days'`,
  )
  return {
    connected: isConnected(settings),
    ran_at: last?.ran_at.toISOString() ?? null,
    outcome: last?.outcome ?? null,
    error: last?.error ?? null,
    until: last?.until?.toISOString() ?? null,
    found,
  }
}
