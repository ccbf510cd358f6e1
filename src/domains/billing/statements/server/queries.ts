import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type CalendarDay, getToday } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { toDollars } from '../../cents.ts'
import { parseStatementId, toStatementId } from '../contract.ts'
import { getDueDay } from '../document-text.ts'
import { type StatementState, statementViews } from '../labels.ts'
import type { ListedStatement, StatementListQuery } from '../list/contract.ts'
import { statementKeysTable, statementsTable } from '../schema.ts'
import {
  type BilledCampaign,
  billedCampaignsCondition,
  readBilledCampaigns,
  type StatementReader,
} from './billed-campaigns.ts'
import { type BillingCycle, type LedgerStatement, readCampaignCycles, readLedgers } from './read-ledgers.ts'

export type StatementFilters = Pick<
  StatementListQuery,
  'campaign_ids' | 'client_ids' | 'state' | 'cycle_ends_from' | 'cycle_ends_before'
>
/** A cycle among all of its campaign. */
type ListedCycle = { campaign: BilledCampaign; cycle: BillingCycle; cycles: BillingCycle[] }

/** Returns a page of statements. Cycles are listed without their leads; only those of the page are computed. */
export async function readStatementsPage(db: DbOrTx, reader: StatementReader, query: StatementListQuery) {
  const listed = await listCycles(db, reader, query)
  listed.sort(compareCycles(query))
  const page = listed.slice((query.page - 1) * query.per_page, query.page * query.per_page)
  const statements = await readStatements(db, reader, page)
  const byId = new Map(statements.map((statement) => [statement.id, statement]))
  const data = page.map(({ campaign, cycle }) => byId.get(toStatementId(campaign.id, cycle.from))!)
  return { data, total: listed.length }
}

/** Returns the statements that match the filters, by campaign, oldest first. */
export async function readCampaignStatements(
  db: DbOrTx,
  reader: StatementReader,
  filters: StatementFilters,
): Promise<BeforeJson<ListedStatement>[]> {
  return readStatements(db, reader, await listCycles(db, reader, filters))
}

/** Returns one statement, whatever its campaign, or null if there is no such cycle. */
export async function readStatement(db: DbOrTx, zone: string, id: number): Promise<BeforeJson<ListedStatement> | null> {
  const { campaignId, from } = parseStatementId(id)
  const campaigns = await readBilledCampaigns(db, eq(campaignsTable.id, campaignId))
  const wantedByCampaign = (await readCampaignCycles(db, campaigns, zone)).map((one) => ({
    ...one,
    wanted: new Set([from]),
  }))
  const [statement] = await toStatements(db, { zone }, await readLedgers(db, wantedByCampaign, zone))
  return statement ?? null
}

/** Returns the statements of the matching cycles that have ended and were not sent, each with its campaign and its client of today. */
export async function readEndedStatements(db: DbOrTx, reader: StatementReader, span: StatementFilters) {
  const cycles = await listCycles(db, reader, { ...span, state: ['ended'] })
  return (await readCycleLedgers(db, reader, cycles)).map((ledger) => ({
    id: toStatementId(ledger.campaign.id, ledger.from),
    campaign: ledger.campaign,
    from: ledger.from,
    to: ledger.to,
    lines: ledger.lines,
    total: toDollars(sumCents(ledger)),
  }))
}

/** Returns how many of the matching statements each view has, and their totals. */
export async function readStatementSums(db: DbOrTx, reader: StatementReader, filters: StatementFilters) {
  const cycles = await listCycles(db, reader, filters)
  const today = getToday(reader.zone)
  const sums = (await readCycleLedgers(db, reader, cycles)).map((ledger) => ({
    state: getState(ledger, today),
    isEmpty: ledger.lines.length === 0,
    cents: sumCents(ledger),
  }))
  const sumView = (states: readonly StatementState[]) => {
    const own = sums.filter(({ state, isEmpty }) => states.includes(state) && !(isEmpty && state === 'ended'))
    return { count: own.length, total: toDollars(own.reduce((sum, { cents }) => sum + cents, 0)) }
  }
  return {
    to_send: sumView(statementViews.to_send),
    sent: sumView(statementViews.sent),
    unpaid: sumView(statementViews.unpaid),
  }
}

/** Returns the matching cycles of the campaigns that this person may see, by campaign, oldest first. */
async function listCycles(db: DbOrTx, { me, zone }: StatementReader, filters: StatementFilters) {
  const campaigns = await readBilledCampaigns(db, billedCampaignsCondition(me, filters))
  const today = getToday(zone)
  return (await readCampaignCycles(db, campaigns, zone)).flatMap(({ campaign, cycles }) =>
    cycles.flatMap((cycle): ListedCycle[] =>
      !isAfterRemoval(campaign, cycle, zone) && isListed(campaign, cycle, filters, today)
        ? [{ campaign, cycle, cycles }]
        : [],
    ),
  )
}

/** A client who was removed owes the cycle of that day, and none that begins later. */
const isAfterRemoval = ({ client: { removedAt } }: BilledCampaign, { from, sent }: BillingCycle, zone: string) =>
  !sent && removedAt !== null && from > toWallClock(removedAt, zone).day

function isListed(campaign: BilledCampaign, cycle: BillingCycle, filters: StatementFilters, today: CalendarDay) {
  const { state, client_ids, cycle_ends_from, cycle_ends_before } = filters
  return (
    (state === undefined || state.includes(getState(cycle, today))) &&
    (client_ids === undefined || client_ids.includes(getClient(campaign, cycle).id)) &&
    (cycle_ends_from === undefined || cycle.to >= cycle_ends_from) &&
    (cycle_ends_before === undefined || cycle.to < cycle_ends_before)
  )
}

function getState({ to, sent }: BillingCycle, today: CalendarDay): StatementState {
  if (!sent) return to < today ? 'ended' : 'open'
  return sent.isPaid ? 'paid' : sent.isOpened ? 'opened' : 'sent'
}

/** The client who was billed; of a statement that is not sent, or that an earlier version sent, the campaign's. */
function getClient(campaign: BilledCampaign, { sent }: BillingCycle) {
  const { id, name } = sent?.client ?? campaign.client
  return { id, name }
}

function compareCycles({ sort, order }: StatementListQuery) {
  const direction = order === 'asc' ? 1 : -1
  const byDay = (a: ListedCycle, b: ListedCycle) => a.cycle.from.localeCompare(b.cycle.from)
  const byName = (a: ListedCycle, b: ListedCycle) => a.campaign.name.localeCompare(b.campaign.name)
  const clientOf = ({ campaign, cycle }: ListedCycle) => getClient(campaign, cycle)
  // Two clients of one name do not mix in a list by client.
  const byClient = (a: ListedCycle, b: ListedCycle) =>
    clientOf(a).name.localeCompare(clientOf(b).name) || clientOf(a).id - clientOf(b).id
  const keys = {
    from: [byDay, byName],
    'campaign.name': [byName, byDay],
    'client.name': [byClient, byName, byDay],
  }[sort]
  return (a: ListedCycle, b: ListedCycle) =>
    direction * (keys.reduce((found, key) => found || key(a, b), 0) || a.campaign.id - b.campaign.id)
}

/** Returns the statements of these cycles, by campaign, oldest first. */
async function readStatements(db: DbOrTx, reader: StatementReader, cycles: readonly ListedCycle[]) {
  return toStatements(db, reader, await readCycleLedgers(db, reader, cycles))
}

/** Returns these cycles with their lines. */
function readCycleLedgers(db: DbOrTx, { zone }: StatementReader, listed: readonly ListedCycle[]) {
  const wantedByCampaign = [...Map.groupBy(listed, ({ campaign }) => campaign.id).values()].map((own) => ({
    campaign: own[0]!.campaign,
    cycles: own[0]!.cycles,
    wanted: new Set(own.map(({ cycle }) => cycle.from)),
  }))
  return readLedgers(db, wantedByCampaign, zone)
}

const sumCents = ({ lines }: LedgerStatement) => lines.reduce((sum, { cents }) => sum + cents, 0)

/** Converts statements to their API format, with what was stored when they were sent and since. */
export async function toStatements(
  db: DbOrTx,
  { zone }: Pick<StatementReader, 'zone'>,
  ledgers: readonly LedgerStatement<BilledCampaign>[],
): Promise<BeforeJson<ListedStatement>[]> {
  const facts = await readSentFacts(db, ledgers)
  const today = getToday(zone)
  return ledgers.map((ledger) => {
    const { campaign, from, to, lines } = ledger
    const id = toStatementId(campaign.id, from)
    const sent = facts.get(id)
    const total = toDollars(sumCents(ledger))
    return {
      id,
      number: sent?.number ?? null,
      client: getClient(campaign, ledger),
      campaign: { id: campaign.id, name: campaign.name, archived: campaign.archived ? 1 : 0 },
      from,
      to,
      state: getState(ledger, today),
      total,
      lines: lines.map(({ kind, lead_id, cents, because, refers_to }) => ({
        kind,
        lead_id,
        amount: toDollars(cents),
        because,
        refers_to: refers_to === null ? null : toStatementId(campaign.id, refers_to),
      })),
      issued_on: sent ? toWallClock(sent.sent_at, zone).day : null,
      due_on: getDueDay(sent?.due_on ?? null, total),
      mailed_at: sent?.mailed_at ?? null,
      mailed_to: sent?.mailed_to ?? [],
      opened_at: sent?.opened_at ?? null,
      paid_on: sent?.paid_on ?? null,
      paid_note: sent?.paid_note ?? null,
      expires_at: sent?.expires_at ?? null,
    }
  })
}

export const isStatement = (id: number) => {
  const { campaignId, from } = parseStatementId(id)
  return and(eq(statementsTable.campaign_id, campaignId), eq(statementsTable.from_day, from))
}

/** A statement's number as its client reads it. */
export const formatNumber = (month: string | null, ordinal: number | null): string | null =>
  month === null || ordinal === null ? null : `${month}-${String(ordinal).padStart(4, '0')}`

async function readSentFacts(db: DbOrTx, ledgers: readonly LedgerStatement[]) {
  const sent = ledgers.filter((ledger) => ledger.sent)
  if (sent.length === 0) return new Map<number, never>()
  const byCampaign = Map.groupBy(sent, ({ campaign }) => campaign.id)
  const ofCampaign = ([id, statements]: [number, LedgerStatement[]]): SQL | undefined =>
    and(
      eq(statementsTable.campaign_id, id),
      inArray(
        statementsTable.from_day,
        statements.map(({ from }) => from),
      ),
    )
  const rows = await db
    .select({
      campaign_id: statementsTable.campaign_id,
      from_day: statementsTable.from_day,
      month: statementsTable.month,
      ordinal: statementsTable.ordinal,
      sent_at: statementsTable.sent_at,
      due_on: statementsTable.due_on,
      mailed_at: statementsTable.mailed_at,
      mailed_to: statementsTable.mailed_to,
      opened_at: statementsTable.opened_at,
      paid_on: statementsTable.paid_on,
      paid_note: statementsTable.paid_note,
      expires_at: statementKeysTable.expires_at,
    })
    .from(statementsTable)
    .leftJoin(
      statementKeysTable,
      and(
        eq(statementKeysTable.campaign_id, statementsTable.campaign_id),
        eq(statementKeysTable.from_day, statementsTable.from_day),
        isNull(statementKeysTable.closed_at),
      ),
    )
    .where(or(...[...byCampaign].map(ofCampaign)))
  return new Map(
    rows.map(({ campaign_id, from_day, month, ordinal, ...facts }) => [
      toStatementId(campaign_id, from_day),
      { ...facts, number: formatNumber(month, ordinal) },
    ]),
  )
}

/** Returns the leads of the lines that this person may see. */
export async function readStatementLeads(
  db: DbOrTx,
  { me, zone }: StatementReader,
  { lines }: Pick<ListedStatement, 'lines'>,
) {
  const ids = [...new Set(lines.flatMap(({ lead_id }) => lead_id ?? []))]
  if (ids.length === 0) return []
  const rows = await db
    .select({
      id: leadsTable.id,
      name: leadsTable.lead_name,
      type: leadsTable.lead_type,
      occurred_at: leadsTable.occurred_at,
    })
    .from(leadsTable)
    .where(and(sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`, inVisibleCampaigns(me, leadsTable.campaign_id)))
    .orderBy(asc(leadsTable.id))
  return rows.map(({ occurred_at, ...lead }) => ({ ...lead, date: toWallClock(occurred_at, zone).day }))
}
