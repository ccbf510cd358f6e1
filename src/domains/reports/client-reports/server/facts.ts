import { and, asc, eq, gte, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { type CalendarDay, getToday } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { textOrderSql } from '#core/db/list-sql.ts'
import { auditTable } from '#core/db/schema.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { readDecidedDisputes, readLeadDisputes } from '#domains/billing/public.ts'
import { computeBillingCycle, targetOnDaySql } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { countedLeadCondition, notHiddenCondition } from '#domains/leads/public.ts'
import type { ReportPeriod } from '../labels.ts'
import type {
  CampaignDays,
  ReportCampaign,
  ReportDispute,
  ReportFacts,
  ReportLead,
  ReportNote,
} from '../model/report.ts'
import { findReportedCycle, findSpanBefore, joinSpans, resolvePeriodSpan } from '../model/span.ts'

/** Selects a report: the period of each of the client's campaigns that contains the day. */
export type ReportRequest = { clientId: number; period: ReportPeriod; day: CalendarDay }
/** A report that was made before has the days of its campaigns from then; null: of the client’s campaigns as they are now. */
export type KeptReport = ReportRequest & { campaigns: CampaignDays[] | null }

/** A report counts what the client sees: no hidden leads. */
const reportReader = { isAdmin: false }

/** Reads what a report is computed from; null for an unknown client. */
export async function readReportFacts(
  db: DbOrTx,
  { clientId, period, day, campaigns: kept }: KeptReport,
  agencyZone: string,
): Promise<ReportFacts | null> {
  const [client] = await db
    .select({ name: clientsTable.name, timezone: clientsTable.timezone })
    .from(clientsTable)
    .where(and(eq(clientsTable.id, clientId), isNull(clientsTable.deleted_at)))
  if (!client) return null
  const campaigns = await readReportCampaigns(db, { clientId, period, day, campaigns: kept }, agencyZone)
  const today = getToday(agencyZone)
  const isOpen = await readLeadDisputes(
    db,
    campaigns.map(({ id }) => id),
  )
  return {
    period,
    ...resolvePeriodSpan(period, day, 1),
    client,
    agencyZone,
    campaigns,
    leads: await readReportLeads(db, campaigns, agencyZone),
    notes: await readReportNotes(db, clientId, campaigns, today),
    disputes: await readReportDisputes(db, clientId, campaigns, agencyZone),
    isUnderReview: ({ id, campaign_id }) => isOpen('open', campaign_id, id),
    verifiedBefore: await countVerifiedBefore(db, campaigns, { period, today, agencyZone }),
    today,
  }
}

/**
 * Returns the request with the days and targets that its campaigns have now, to keep with the report. `dueDay` is that of the client, whose
 * cycle a schedule reports.
 */
export async function keepCampaignDays(db: DbOrTx, request: ReportRequest, agencyZone: string, dueDay?: number) {
  const campaigns = await readReportCampaigns(db, { ...request, campaigns: null }, agencyZone, dueDay)
  const toKept = ({ id, from, to, target, due_date, cycle_days, start_date, archived }: CampaignDays) => {
    return { id, from, to, target, due_date, cycle_days, start_date, archived }
  }
  return { ...request, campaigns: campaigns.map(toKept) }
}

/** Uses the target of the last reported day, or of today while the period runs. */
async function readReportCampaigns(
  db: DbOrTx,
  { clientId, period, day, campaigns: kept }: KeptReport,
  agencyZone: string,
  clientDueDay?: number,
): Promise<ReportCampaign[]> {
  const today = getToday(agencyZone)
  const dayOf = (dueDay: number) =>
    clientDueDay === undefined || period !== 'cycle' ? day : findReportedCycle(day, clientDueDay, dueDay)
  const rows = await db
    .select({
      id: campaignsTable.id,
      name: campaignsTable.name,
      archived: campaignsTable.archived,
      due_date: campaignsTable.due_date,
      start_date: campaignsTable.start_date,
      schedule: campaignsTable.schedule,
      timezone: campaignsTable.timezone,
    })
    .from(campaignsTable)
    .where(
      and(
        eq(campaignsTable.client_id, clientId),
        kept === null
          ? undefined
          : inArray(
              campaignsTable.id,
              kept.map(({ id }) => id),
            ),
      ),
    )
    .orderBy(textOrderSql(campaignsTable.name), asc(campaignsTable.id))
  if (rows.length === 0) return []
  const spanned = rows.map(({ due_date, ...campaign }) => ({
    ...campaign,
    due_date,
    ...resolvePeriodSpan(period, dayOf(due_date), due_date),
    cycle_days: computeBillingCycle(due_date, dayOf(due_date)).days,
  }))
  const targetDays = spanned.map(({ to }) => [to, today].toSorted()[0]!)
  const targets = await db.execute<{ id: number; target: number }>(sql`
    select ${campaignsTable.id}, ${targetOnDaySql(sql`chosen.day`)} as target
    from unnest(${sql.param(spanned.map(({ id }) => id))}::int[], ${sql.param(targetDays)}::date[]) as chosen (id, day)
      join ${campaignsTable} on ${campaignsTable.id} = chosen.id`)
  const byId = new Map(targets.rows.map(({ id, target }) => [id, target]))
  const keptById = new Map(kept?.map((campaign) => [campaign.id, campaign]))
  return spanned.map((campaign) => ({
    ...campaign,
    target: byId.get(campaign.id) ?? 0,
    ...keptById.get(campaign.id),
  }))
}

/**
 * Counts the verified leads of each campaign's period before; of one that is running, on as many of its days. Null if no campaign had
 * begun by then.
 */
async function countVerifiedBefore(
  db: DbOrTx,
  campaigns: readonly ReportCampaign[],
  { period, today, agencyZone }: { period: ReportPeriod; today: CalendarDay; agencyZone: string },
): Promise<number | null> {
  const begun = campaigns.filter(({ start_date, from }) => start_date === null || start_date < from)
  if (begun.length === 0) return null
  const spans = begun.map((campaign) => ({ id: campaign.id, ...findSpanBefore({ ...campaign, period }, today) }))
  const times = (days: Date[]) => sql`${sql.param(days.map((day) => day.toISOString()))}::timestamptz[]`
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from unnest(${sql.param(spans.map(({ id }) => id))}::int[],
      ${times(spans.map(({ from }) => startOfZonedDay(from, agencyZone)))}, ${times(spans.map(({ to }) => endOfZonedDay(to, agencyZone)))})
      as before (id, since, until)
    join ${leadsTable} on ${leadsTable.campaign_id} = before.id and ${leadsTable.occurred_at} >= before.since
      and ${leadsTable.occurred_at} < before.until
    where ${leadsTable.confirmed} and ${countedLeadCondition(reportReader)}`)
  return rows[0]!.count
}

/** Reads the leads that the leads table counts on these days. */
async function readReportLeads(
  db: DbOrTx,
  campaigns: readonly ReportCampaign[],
  agencyZone: string,
): Promise<ReportLead[]> {
  if (campaigns.length === 0) return []
  const { from, to } = joinSpans(campaigns)
  const ids = campaigns.map(({ id }) => id)
  return db
    .select({
      id: leadsTable.id,
      campaign_id: leadsTable.campaign_id,
      occurred_at: leadsTable.occurred_at,
      lead_type: leadsTable.lead_type,
      lead_name: leadsTable.lead_name,
      lead_phone: leadsTable.lead_phone,
      lead_email: leadsTable.lead_email,
      lead_location: leadsTable.lead_location,
      source: leadsTable.source,
      message: leadsTable.message,
      duration: leadsTable.duration,
      confirmed: leadsTable.confirmed,
      client_progress: leadsTable.client_progress,
      client_value: leadsTable.client_value,
      rating: leadsTable.rating,
    })
    .from(leadsTable)
    .where(
      sql`${leadsTable.campaign_id} = any(${sql.param(ids)}::int[]) and ${countedLeadCondition(reportReader)}
        and ${leadsTable.occurred_at} >= ${startOfZonedDay(from, agencyZone)} and ${leadsTable.occurred_at} < ${endOfZonedDay(to, agencyZone)}`,
    )
    .orderBy(leadsTable.occurred_at, leadsTable.id)
}

/** Reads what was done by today: no open tasks, and nothing that was written while the campaign was another client's. */
async function readReportNotes(
  db: DbOrTx,
  clientId: number,
  campaigns: readonly ReportCampaign[],
  today: CalendarDay,
): Promise<ReportNote[]> {
  if (campaigns.length === 0) return []
  const { from, to } = joinSpans(campaigns)
  const found = await db
    .select({
      date: activityItemsTable.date,
      campaign_id: sql<number>`${activityItemsTable.campaign_id}`,
      note: activityItemsTable.note,
    })
    .from(activityItemsTable)
    .where(
      and(
        isNull(activityItemsTable.deleted_at),
        eq(activityItemsTable.client_may_read, true),
        or(eq(activityItemsTable.is_task, false), eq(activityItemsTable.is_done, true)),
        inArray(
          activityItemsTable.campaign_id,
          campaigns.map(({ id }) => id),
        ),
        gte(activityItemsTable.date, from),
        lte(activityItemsTable.date, to),
        lte(activityItemsTable.date, today),
        sql`coalesce(${clientWhenWritten}, ${clientId}) = ${clientId}`,
      ),
    )
    .orderBy(activityItemsTable.date, activityItemsTable.id)
  const spanOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  return found.filter(({ campaign_id, date }) => {
    const span = spanOf.get(campaign_id)!
    return date >= span.from && date <= span.to
  })
}

/** The client that the campaign of a note left first after it was written; null if it has not left one. */
const clientWhenWritten = sql`(
  select (change.before ->> 'client_id')::int from ${auditTable} change
  where change.kind = 'campaign' and change.row_id = ${activityItemsTable.campaign_id}
    and change.at > ${activityItemsTable.created_at} and change.before ->> 'client_id' is not null
  order by change.id limit 1)`

/** A lead that is now hidden or in another campaign is left out; the decision is shown. */
async function readReportDisputes(
  db: DbOrTx,
  clientId: number,
  campaigns: readonly ReportCampaign[],
  agencyZone: string,
): Promise<ReportDispute[]> {
  if (campaigns.length === 0) return []
  const { from, to } = joinSpans(campaigns)
  const ids = campaigns.map(({ id }) => id)
  const decided = [startOfZonedDay(from, agencyZone), endOfZonedDay(to, agencyZone)] as const
  const disputes = await readDecidedDisputes(db, clientId, ids, ...decided)
  if (disputes.length === 0) return []
  const leadIds = disputes.map(({ lead_id }) => lead_id)
  const leads = await db
    .select({
      id: leadsTable.id,
      campaign_id: leadsTable.campaign_id,
      name: leadsTable.lead_name,
      occurred_at: leadsTable.occurred_at,
    })
    .from(leadsTable)
    .where(
      sql`${leadsTable.id} = any(${sql.param(leadIds)}::int[]) and ${leadsTable.campaign_id} = any(${sql.param(ids)}::int[])
        and ${notHiddenCondition(reportReader) ?? sql`true`}`,
    )
  const byKey = new Map(leads.map(({ id, campaign_id, ...lead }) => [`${campaign_id} ${id}`, lead]))
  return disputes.map((dispute) => ({
    ...dispute,
    lead: byKey.get(`${dispute.campaign_id} ${dispute.lead_id}`) ?? null,
  }))
}
