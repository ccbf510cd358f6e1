import { and, asc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { startOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import type { campaignsTable } from '#domains/campaigns/schema.ts'
import type { BillingTerms } from '#domains/campaigns/terms/contract.ts'
import { findTerms, getFirstDay, readStoredTerms } from '#domains/campaigns/terms/public.ts'
import { callRailHistoriesTable, callRailHistoryLeadsTable } from '#domains/leads/callrail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { moveItemsTable, movesTable } from '#domains/moves/schema.ts'
import { type LeadDisputes, readLeadDisputes } from '../../disputes/server/lead-disputes.ts'
import { statementLinesTable, statementsTable } from '../schema.ts'
import { listBillingCycles, type StatementDays } from './billing-cycles.ts'
import { computeLedger, type ExplainGone, findCorrecting, type LedgerLine } from './compute-ledger.ts'

type CycleCampaign = Pick<
  typeof campaignsTable.$inferSelect,
  'id' | 'start_date' | 'service_fee' | 'due_date' | 'created_at'
>
/** What the list needs of a sent statement, without its document. `client` is the one who was billed, if that was stored. */
type SentStatement = { client: { id: number; name: string } | null; isOpened: boolean; isPaid: boolean }
/**
 * A cycle of a campaign, without its leads. `takesEarlier`: it is the first one, and has the leads from before it too. Those of a campaign that
 * was moved here are billed by the old system, unless they stand on a statement that was sent.
 */
export type BillingCycle = StatementDays & { terms: BillingTerms; sent: SentStatement | null; takesEarlier: boolean }
type CampaignCycles<Campaign extends CycleCampaign> = { campaign: Campaign; cycles: BillingCycle[] }
/** One statement with its lines, in cents. */
export type LedgerStatement<Campaign extends CycleCampaign = CycleCampaign> = BillingCycle & {
  campaign: Campaign
  lines: readonly LedgerLine[]
}

// ——— cycles ———

/** Returns the cycles of each campaign up to today, the oldest first. */
export async function readCampaignCycles<Campaign extends CycleCampaign>(
  db: DbOrTx,
  campaigns: readonly Campaign[],
  zone: string,
  today = getToday(zone),
): Promise<CampaignCycles<Campaign>[]> {
  const ids = campaigns.map(({ id }) => id)
  const stored = await readStoredTerms(db, ids)
  const sent = await db
    .select({
      campaign_id: statementsTable.campaign_id,
      from: statementsTable.from_day,
      to: statementsTable.to_day,
      terms: statementsTable.terms,
      client_id: statementsTable.client_id,
      client_name: statementsTable.client_name,
      isOpened: sql<boolean>`${statementsTable.opened_at} is not null`,
      isPaid: sql<boolean>`${statementsTable.paid_on} is not null`,
    })
    .from(statementsTable)
    .where(inArray(statementsTable.campaign_id, ids))
    .orderBy(asc(statementsTable.campaign_id), asc(statementsTable.from_day))
  const byCampaign = Map.groupBy(sent, ({ campaign_id }) => campaign_id)
  const moved = await readMoveTimes(db, 'campaign', ids)
  return campaigns.map((campaign) => {
    const terms = stored.get(campaign.id)?.terms ?? []
    const own = byCampaign.get(campaign.id) ?? []
    const frozen = new Map(own.map((statement) => [statement.from, statement]))
    const first = findFirstDay(campaign, terms, moved.get(campaign.id), zone)
    const cycles = listBillingCycles(campaign.due_date, first, today, own)
    return {
      campaign,
      cycles: cycles.map((days, index) => {
        const stored = frozen.get(days.from)
        return {
          ...days,
          // A campaign that starts within a cycle has the terms of its own first day in it.
          terms: stored?.terms ?? findTerms(campaign, terms, isWithin(days, first) ? first : days.from, zone),
          sent: stored ? toSentStatement(stored) : null,
          takesEarlier: index === 0 && (stored !== undefined || !moved.has(campaign.id)),
        }
      }),
    }
  })
}

const isWithin = ({ from, to }: StatementDays, day: CalendarDay) => from <= day && day <= to

type StoredClient = { client_id: number | null; client_name: string | null; isOpened: boolean; isPaid: boolean }
const toSentStatement = ({ client_id, client_name, isOpened, isPaid }: StoredClient): SentStatement => ({
  client: client_id === null || client_name === null ? null : { id: client_id, name: client_name },
  isOpened,
  isPaid,
})

/**
 * Returns the first day with statements: the campaign's start or its first terms, whichever is earlier; but of one that a move has written
 * none from before the move, because the old system has billed those cycles.
 */
function findFirstDay(
  campaign: CycleCampaign,
  terms: readonly BillingTerms[],
  moved: Date | undefined,
  zone: string,
): CalendarDay {
  const first = [getFirstDay(campaign, zone), ...terms.map(({ from }) => from)].sort()[0]!
  const movedOn = moved && toWallClock(moved, zone).day
  return movedOn && first < movedOn ? movedOn : first
}

/** Returns when the move that has written these was accepted. What was here before the move is left out. */
async function readMoveTimes(db: DbOrTx, kind: 'campaign' | 'lead', ids: number[]): Promise<Map<number, Date>> {
  const { row_id, becomes, move_id } = moveItemsTable
  const rows = await db
    .select({ id: row_id, at: movesTable.accepted_at })
    .from(moveItemsTable)
    .innerJoin(movesTable, eq(movesTable.id, move_id))
    .where(and(eq(moveItemsTable.kind, kind), eq(becomes, 'new'), sql`${row_id} = any(${sql.param(ids)}::int[])`))
  return new Map(rows.flatMap(({ id, at }) => (id === null || at === null ? [] : [[id, at] as const])))
}

// ——— lines ———

/** Some statements of a campaign, by their first days. */
type WantedStatements<Campaign extends CycleCampaign = CycleCampaign> = CampaignCycles<Campaign> & {
  wanted: ReadonlySet<CalendarDay>
}

/** Returns these statements with their lines. Reads the leads of the open ones, and of the sent ones that they correct. */
export async function readLedgers<Campaign extends CycleCampaign>(
  db: DbOrTx,
  wantedByCampaign: readonly WantedStatements<Campaign>[],
  zone: string,
): Promise<LedgerStatement<Campaign>[]> {
  const spans = wantedByCampaign.map((one) => ({ ...one, needed: listNeededCycles(one) }))
  const ids = wantedByCampaign.map(({ campaign }) => campaign.id)
  const frozen = await readFrozenLines(
    db,
    ids,
    spans.flatMap(({ needed }) => [...needed]),
  )
  const leads = await readVerifiedLeads(db, spans, zone)
  const disputes = await readLeadDisputes(db, ids)
  const stated = [...frozen.values()].flat().flatMap(({ lead_id }) => lead_id ?? [])
  const explain = await readGoneReasons(db, { leads, stated, disputes })
  const byCampaign = Map.groupBy(leads, ({ campaign_id }) => campaign_id)
  return spans.flatMap(({ campaign, cycles, wanted, needed }) => {
    const own = byCampaign.get(campaign.id) ?? []
    const withLeads = cycles.map((cycle) => ({
      ...cycle,
      sent: cycle.sent ? (frozen.get(toLineKey(campaign.id, cycle.from)) ?? []) : null,
      leads: needed.has(cycle.from)
        ? pickLeads(own, cycle, zone).map((lead) => ({
            ...lead,
            disputed: disputes('open', campaign.id, lead.id),
          }))
        : [],
    }))
    const ledger = computeLedger(withLeads, explain(campaign.id))
    return cycles
      .map((cycle, index) => ({ ...cycle, campaign, lines: ledger[index]! }))
      .filter(({ from }) => wanted.has(from))
  })
}

/** Returns the first days of the cycles whose leads and frozen lines the wanted statements depend on. */
function listNeededCycles({ cycles, wanted }: WantedStatements): Set<CalendarDay> {
  const lastSent = cycles.findLastIndex(({ sent }) => sent !== null)
  // Only its leads tell whether a cycle without a fee has charges.
  const lastCorrecting = findCorrecting(cycles, lastSent, ({ terms }) => terms.kind !== 'per_lead')
  return new Set(
    cycles.flatMap((cycle, index) => {
      if (!wanted.has(cycle.from)) return []
      if (lastSent < 0 || index <= lastSent || index > lastCorrecting) return [cycle.from]
      const others = cycles.slice(0, index).filter(({ sent }, place) => sent || place > lastSent)
      return [cycle.from, ...others.map(({ from }) => from)]
    }),
  )
}

const toLineKey = (campaignId: number, from: CalendarDay) => `${campaignId} ${from}`

/** Returns the frozen lines of the cycles with these first days, and the lines that refer to them. */
async function readFrozenLines(db: DbOrTx, campaignIds: number[], days: CalendarDay[]) {
  const { campaign_id, from_day, refers_to, position } = statementLinesTable
  const rows = await db
    .select()
    .from(statementLinesTable)
    .where(and(inArray(campaign_id, campaignIds), or(inArray(from_day, days), inArray(refers_to, days))))
    .orderBy(asc(campaign_id), asc(from_day), asc(position))
  const grouped = Map.groupBy(rows, (row) => toLineKey(row.campaign_id, row.from_day))
  return new Map(
    [...grouped].map(([key, lines]) => [
      key,
      lines.map(
        ({ kind, lead_id, cents, standing, because, refers_to }): LedgerLine => ({
          kind,
          lead_id,
          cents,
          standing,
          because,
          refers_to,
        }),
      ),
    ]),
  )
}

type CycleLead = Awaited<ReturnType<typeof readVerifiedLeads>>[number]

/** Returns the verified leads from each campaign's first needed cycle to its last, in order of arrival. */
export async function readVerifiedLeads(
  db: DbOrTx,
  spans: (CampaignCycles<CycleCampaign> & { needed: ReadonlySet<CalendarDay> })[],
  zone: string,
) {
  const conditions = spans.flatMap(({ campaign, cycles, needed }) => {
    const those = cycles.filter(({ from }) => needed.has(from))
    const [first, last] = [those[0], those.at(-1)]
    if (!first || !last) return []
    return and(
      eq(leadsTable.campaign_id, campaign.id),
      first === cycles[0] ? undefined : gte(leadsTable.occurred_at, startOfZonedDay(first.from, zone)),
      lt(leadsTable.occurred_at, startOfZonedDay(addDays(last.to, 1), zone)),
    )
  })
  if (conditions.length === 0) return []
  const leads = await db
    .select({
      id: leadsTable.id,
      campaign_id: leadsTable.campaign_id,
      type: leadsTable.lead_type,
      at: leadsTable.occurred_at,
      hidden: leadsTable.hide,
    })
    .from(leadsTable)
    .where(and(eq(leadsTable.confirmed, true), or(...conditions)))
    .orderBy(asc(leadsTable.occurred_at), asc(leadsTable.id))
  const reads = await readHistoryTimes(
    db,
    leads.map(({ id }) => id),
  )
  return leads.map((lead) => ({ ...lead, read_at: reads.get(lead.id) ?? null }))
}

/** Returns which of these leads are history, and when the reading that made them was started, or the move accepted. */
async function readHistoryTimes(db: DbOrTx, leadIds: number[]): Promise<Map<number, Date>> {
  const { lead_id, connection_id, read_at } = callRailHistoryLeadsTable
  const rows = await db
    .select({
      lead_id,
      at: sql<Date | null>`coalesce(${read_at}, ${callRailHistoriesTable.started_at})`.mapWith(read_at),
    })
    .from(callRailHistoryLeadsTable)
    .leftJoin(callRailHistoriesTable, eq(callRailHistoriesTable.connection_id, connection_id))
    .where(sql`${lead_id} = any(${sql.param(leadIds)}::int[])`)
  const read = rows.flatMap((row) => (row.at === null ? [] : [[row.lead_id, row.at] as const]))
  return new Map([...(await readMoveTimes(db, 'lead', leadIds)), ...read])
}

/**
 * Returns the leads of a cycle. Leads from before the first cycle belong to it, so that every lead is in a cycle; but history that was read
 * when its cycle was over, or before there was one, is billed by no one.
 */
export function pickLeads(leads: readonly CycleLead[], { from, to, takesEarlier }: BillingCycle, zone: string) {
  const starts = startOfZonedDay(from, zone)
  const ends = startOfZonedDay(addDays(to, 1), zone)
  return leads.filter(({ at, read_at }) => {
    if (at >= ends) return false
    return read_at === null ? takesEarlier || at >= starts : at >= starts && read_at < ends
  })
}

type GoneFacts = { leads: readonly CycleLead[]; stated: readonly number[]; disputes: LeadDisputes }

/**
 * Returns a function that explains why a lead of a stored line is no longer a verified lead of its cycle. It may be among `leads` all
 * the same: on another statement that was asked for.
 */
async function readGoneReasons(
  db: DbOrTx,
  { leads, stated, disputes }: GoneFacts,
): Promise<(campaignId: number) => ExplainGone> {
  const byId = new Map(leads.map(({ id, campaign_id }) => [id, { campaign_id, confirmed: true }]))
  const others = stated.filter((id) => !byId.has(id))
  if (others.length > 0) {
    const rows = await db
      .select({ id: leadsTable.id, campaign_id: leadsTable.campaign_id, confirmed: leadsTable.confirmed })
      .from(leadsTable)
      .where(sql`${leadsTable.id} = any(${sql.param(others)}::int[])`)
    for (const { id, ...lead } of rows) byId.set(id, lead)
  }
  return (campaignId) => (leadId) => {
    const lead = byId.get(leadId)
    if (!lead) return 'Removed'
    if (lead.campaign_id !== campaignId) return 'Moved to another campaign'
    if (lead.confirmed) return 'The date is in another cycle'
    return disputes('accepted', campaignId, leadId) ? 'Dispute accepted' : 'No longer verified'
  }
}
