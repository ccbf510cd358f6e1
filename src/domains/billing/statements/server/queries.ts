import { and, asc, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { toDollars } from '../../cents.ts'
import { type Statement, type StatementListQuery, toStatementId } from '../contract.ts'
import {
  type BilledCampaign,
  type BillingCycle,
  type LedgerStatement,
  readCampaignCycles,
  readLedgers,
} from './read-ledgers.ts'

/** The reader, and the agency's time zone. */
export type StatementReader = { me: CurrentUser; zone: string }
type StatementFilters = Pick<StatementListQuery, 'campaign_ids' | 'state'>

const billedCampaignColumns = {
  id: campaignsTable.id,
  name: campaignsTable.name,
  start_date: campaignsTable.start_date,
  service_fee: campaignsTable.service_fee,
  due_date: campaignsTable.due_date,
  created_at: campaignsTable.created_at,
}

/** The campaigns whose statements this person sees. */
export const billedCampaignsCondition = (me: CurrentUser, { campaign_ids }: StatementFilters): SQL | undefined =>
  and(
    inVisibleCampaigns(me, campaignsTable.id),
    campaign_ids && sql`${campaignsTable.id} = any(${sql.param(campaign_ids)}::int[])`,
  )

type ListedCycle = { campaign: BilledCampaign; cycle: BillingCycle }

/** Returns a page of statements. Cycles are listed without their leads; only those of the page are computed. */
export async function readStatementsPage(db: DbOrTx, { me, zone }: StatementReader, query: StatementListQuery) {
  const campaigns = await db
    .select(billedCampaignColumns)
    .from(campaignsTable)
    .where(billedCampaignsCondition(me, query))
    .orderBy(asc(campaignsTable.id))
  const all = await readCampaignCycles(db, campaigns, zone)
  const listed = all
    .flatMap(({ campaign, cycles }): ListedCycle[] => cycles.map((cycle) => ({ campaign, cycle })))
    .filter(({ cycle }) => isListed(cycle, query))
    .sort(compareCycles(query))
  const page = listed.slice((query.page - 1) * query.per_page, query.page * query.per_page)
  const wantedBy = Map.groupBy(page, ({ campaign }) => campaign.id)
  const asked = all.flatMap((one) => {
    const cycles = wantedBy.get(one.campaign.id)
    return cycles ? { ...one, wanted: new Set(cycles.map(({ cycle }) => cycle.from)) } : []
  })
  const statements = (await readLedgers(db, asked, zone)).map(toStatement)
  const byId = new Map(statements.map((statement) => [statement.id, statement]))
  const data = page.map(({ campaign, cycle }) => byId.get(toStatementId(campaign.id, cycle.from))!)
  return { data, total: listed.length }
}

const isListed = ({ isSent }: BillingCycle, { state }: StatementFilters) =>
  state === undefined || isSent === (state === 'sent')

function compareCycles({ sort, order }: StatementListQuery) {
  const direction = order === 'asc' ? 1 : -1
  const byDay = (a: ListedCycle, b: ListedCycle) => a.cycle.from.localeCompare(b.cycle.from)
  const byName = (a: ListedCycle, b: ListedCycle) => a.campaign.name.localeCompare(b.campaign.name)
  const [first, second] = sort === 'from' ? [byDay, byName] : [byName, byDay]
  return (a: ListedCycle, b: ListedCycle) => direction * (first(a, b) || second(a, b) || a.campaign.id - b.campaign.id)
}

/** Returns the statements of these campaigns that match the filters, by campaign, oldest first. */
export async function readCampaignStatements(
  db: DbOrTx,
  { me, zone }: StatementReader,
  filters: StatementFilters,
): Promise<Statement[]> {
  const campaigns = await db
    .select(billedCampaignColumns)
    .from(campaignsTable)
    .where(billedCampaignsCondition(me, filters))
    .orderBy(asc(campaignsTable.name), asc(campaignsTable.id))
  const asked = (await readCampaignCycles(db, campaigns, zone)).map((one) => ({
    ...one,
    wanted: new Set(one.cycles.filter((cycle) => isListed(cycle, filters)).map(({ from }) => from)),
  }))
  return (await readLedgers(db, asked, zone)).map(toStatement)
}

/** Converts a statement to its API format. */
export function toStatement({ campaign, from, to, isSent, lines }: LedgerStatement): Statement {
  return {
    id: toStatementId(campaign.id, from),
    campaign: { id: campaign.id, name: campaign.name },
    from,
    to,
    state: isSent ? 'sent' : 'open',
    total: toDollars(lines.reduce((sum, { cents }) => sum + cents, 0)),
    lines: lines.map(({ kind, lead_id, cents, because, refers_to }) => ({
      kind,
      lead_id,
      amount: toDollars(cents),
      because,
      refers_to: refers_to === null ? null : toStatementId(campaign.id, refers_to),
    })),
  }
}

/** Returns the leads of the lines that this person may see. */
export async function readStatementLeads(db: DbOrTx, { me, zone }: StatementReader, { lines }: Statement) {
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
  return rows.map(({ occurred_at, ...lead }) => ({ ...lead, date: toWallClock(occurred_at, zone).day }))
}
