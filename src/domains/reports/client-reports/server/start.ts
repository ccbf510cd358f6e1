import { and, desc, eq, sql } from 'drizzle-orm'
import { getToday } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { formatZonedTime } from '#contract/zoned-time.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { toWallClock } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { readAgencyBrand } from '#domains/agency/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { readClientStatements, readOpenDisputes } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { missedTagCondition, notHiddenCondition, unratedLeadCondition } from '#domains/leads/public.ts'
import { clientStartContract, type OpenLead, type OwnReport } from '../contract.ts'
import { clientReportsTable } from '../schema.ts'
import { readReportNumbers } from './report.ts'
import { findOwnReport, openReportCondition } from './report-keys.ts'
import { serveReport } from './serve-report.ts'

const newestCount = 5
const unratedCount = 20
const documentCount = 12

const ownReport = serveReport(async ({ db }, { id }: { id: number }, me) =>
  me === null || me.clientId === null ? null : findOwnReport(db, me.clientId, id),
)

export const clientStartHandlers = implementContract(clientStartContract, {
  read: async ({ db, me, context }) => {
    const { settings, secrets } = context
    const zone = settings.AGENCY_TIMEZONE
    const today = getToday(zone)
    const { clientId } = me
    if (clientId === null) throw notFoundError()
    const report = await readReportNumbers(db, settings, { clientId, period: 'cycle', day: today, campaigns: null })
    if (!report) throw notFoundError()
    const { timezone } = report.client
    const newest = await readOpenLeads(db, me, timezone, sql`not (${missedTagCondition})`)
    const unrated = await readOpenLeads(db, me, timezone, unratedLeadCondition(zone), unratedCount)
    return {
      agency: await readAgencyBrand(db, settings),
      report,
      newest: newest.leads,
      unrated,
      disputes: await readWaitingDisputes(db, me, timezone, zone),
      // A viewer of the agency would keep a key after the view.
      statements: await readClientStatements(db, me.seenBy ? null : secrets, clientId, documentCount),
      reports: await readOwnReports(db, clientId, timezone),
    }
  },

  report: ownReport.read,
  reportPdf: ownReport.pdf,
  reportOpened: ownReport.opened,
})

/** Returns the client's reports that are open, newest first; not those of a test, which they were not sent. */
async function readOwnReports(db: DbOrTx, clientId: number, timezone: string): Promise<OwnReport[]> {
  const { id, period, from, to, created_at, is_test } = clientReportsTable
  const rows = await db
    .select({ id, period, from, to, created_at })
    .from(clientReportsTable)
    .where(and(eq(clientReportsTable.client_id, clientId), eq(is_test, false), openReportCondition))
    .orderBy(desc(created_at), desc(id))
    .limit(documentCount)
  return rows.map(({ created_at, ...report }) => ({ ...report, created_on: toWallClock(created_at, timezone).day }))
}

/** Returns the latest of the leads that the client sees in their list. */
async function readOpenLeads(
  db: DbOrTx,
  me: CurrentUser,
  timezone: string,
  which: ReturnType<typeof sql>,
  limit = newestCount,
): Promise<{ total: number; leads: BeforeJson<OpenLead>[] }> {
  const where = sql`${leadsTable.campaign_id} = any(${sql.param(me.campaignIds ?? [])}::int[]) and not ${leadsTable.archived}
    and ${notHiddenCondition(me) ?? sql`true`} and ${which}`
  const found = await db
    .select({
      id: leadsTable.id,
      occurred_at: leadsTable.occurred_at,
      campaign_id: leadsTable.campaign_id,
      type: leadsTable.lead_type,
      name: leadsTable.lead_name,
      phone: leadsTable.lead_phone,
      rating: sql<OpenLead['rating']>`${leadsTable.rating}::text`,
      progress: leadsTable.client_progress,
    })
    .from(leadsTable)
    .where(where)
    .orderBy(desc(leadsTable.occurred_at), desc(leadsTable.id))
    .limit(limit)
  const campaigns = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(sql`${campaignsTable.id} = any(${sql.param(me.campaignIds ?? [])}::int[])`)
  const names = new Map(campaigns.map(({ id, name }) => [id, name]))
  return {
    total: await db.$count(leadsTable, where),
    leads: found.map(({ occurred_at, campaign_id, ...lead }) => ({
      ...lead,
      at: occurred_at,
      when: formatZonedTime(occurred_at, timezone),
      campaign: names.get(campaign_id) ?? '',
    })),
  }
}

/** Returns the disputes of the leads that the client sees, in order of their opening. */
async function readWaitingDisputes(db: DbOrTx, me: CurrentUser, timezone: string, zone: string) {
  const open = await readOpenDisputes(db, me.campaignIds ?? [], zone)
  const leads = await db
    .select({
      id: leadsTable.id,
      campaign_id: leadsTable.campaign_id,
      name: leadsTable.lead_name,
      occurred_at: leadsTable.occurred_at,
      campaign: campaignsTable.name,
    })
    .from(leadsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .where(
      sql`${leadsTable.id} = any(${sql.param(open.map(({ lead_id }) => lead_id))}::int[])
        and ${leadsTable.campaign_id} = any(${sql.param(me.campaignIds ?? [])}::int[]) and ${notHiddenCondition(me) ?? sql`true`}`,
    )
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  return open.flatMap(({ lead_id, reason, answer_by }) => {
    const lead = byId.get(lead_id)
    if (!lead) return []
    const { id, name, campaign, occurred_at } = lead
    return [{ id, name, campaign, when: formatZonedTime(occurred_at, timezone), reason, answer_by }]
  })
}
