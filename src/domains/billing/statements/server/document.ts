import { and, desc, eq, inArray, isNotNull, like, lte, sql } from 'drizzle-orm'
import type { CalendarDay } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import { getYearRoundZoneName, getZoneName } from '#contract/zoned-time.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { endOfZonedDay, startOfZonedDay, toWallClock } from '#core/time/local-time.ts'
import { readAgency, readAgencyBrand } from '#domains/agency/public.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { toCents, toDollars } from '../../cents.ts'
import { parseStatementId, type StatementDocument } from '../contract.ts'
import type { StatementLine } from '../fields.ts'
import { type GroupKind, groupKinds } from '../labels.ts'
import type { ListedStatement } from '../list/contract.ts'
import { statementLinesTable, statementsTable } from '../schema.ts'
import { unbilledReasons } from './compute-ledger.ts'
import { formatNumber } from './queries.ts'

/** Returns a statement as staff read it, with names as they were when it was sent; of an open one, as they are now. */
export async function readDocument(
  db: DbOrTx,
  settings: AppSettings,
  statement: BeforeJson<ListedStatement>,
): Promise<StatementDocument> {
  const { id, number, state, from, to, issued_on, due_on, lines, total, expires_at } = statement
  const { campaignId } = parseStatementId(id)
  const [stored] = await db
    .select({
      client: statementsTable.client_name,
      campaign: statementsTable.campaign_name,
      agency: statementsTable.agency_name,
      address_lines: statementsTable.address_lines,
    })
    .from(statementsTable)
    .where(and(eq(statementsTable.campaign_id, campaignId), eq(statementsTable.from_day, from)))
  const agency = await readAgency(db, settings)
  const brand = await readAgencyBrand(db, settings)
  const facts = await readLineFacts(db, settings.AGENCY_TIMEZONE, statement)
  const numbers = await readCorrectedNumbers(db, campaignId, lines)
  const described = lines.map((line) => {
    const lead = facts.get(line)
    const group = findGroup(line, lead?.type ?? null)
    const refers_to = line.refers_to === null ? null : (numbers.get(parseStatementId(line.refers_to).from) ?? null)
    const { lead_id, amount, because } = line
    return { group, line: { lead_id, name: lead?.name ?? null, day: lead?.day ?? null, amount, because, refers_to } }
  })
  return {
    number,
    state,
    client: { name: stored?.client ?? statement.client.name },
    agency: {
      ...brand,
      name: stored?.agency ?? brand.name,
      address_lines: stored?.address_lines ?? agency.address_lines,
    },
    campaign: stored?.campaign ?? statement.campaign.name,
    from,
    to,
    days_timezone_name: await findOtherZoneName(db, settings.AGENCY_TIMEZONE, statement),
    issued_on,
    due_on,
    groups: groupKinds.flatMap((kind) => {
      const own = described.flatMap(({ group, line }) => (group === kind ? [line] : []))
      return own.length === 0 ? [] : [describeGroup(kind, own)]
    }),
    total,
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
  }
}

/** Returns the name of the zone of a statement's days; null if the client's days begin with them. */
async function findOtherZoneName(db: DbOrTx, zone: string, { client, from, to }: BeforeJson<ListedStatement>) {
  const [theirs] = await db
    .select({ zone: clientsTable.timezone })
    .from(clientsTable)
    .where(eq(clientsTable.id, client.id))
  // A clock may change in between.
  const ends = [startOfZonedDay(from, zone), endOfZonedDay(to, zone)]
  const isOther = theirs && ends.some((at) => getZoneName(at, theirs.zone) !== getZoneName(at, zone))
  return isOther ? getYearRoundZoneName(zone) : null
}

/**
 * Returns a statement as its client reads it: of a lead that is hidden from them, or was when it was not billed, only its day. A credit
 * names its lead, which a statement has billed before.
 */
export async function readClientDocument(
  db: DbOrTx,
  settings: AppSettings,
  statement: BeforeJson<ListedStatement>,
): Promise<StatementDocument> {
  const document = await readDocument(db, settings, statement)
  const hidden = await readHiddenLeads(db, statement)
  const groups = document.groups.map((group) => ({
    ...group,
    lines: group.lines.map((line) => hideLead(line, hidden)),
  }))
  return { ...document, groups }
}

type DocumentLine = StatementDocument['groups'][number]['lines'][number]

function hideLead(line: DocumentLine, hidden: ReadonlySet<number | null>): DocumentLine {
  const isHidden = line.because.startsWith(unbilledReasons.hidden)
  const because = isHidden ? line.because.replace(unbilledReasons.hidden, 'Not counted') : line.because
  if (line.amount !== 0 || !(isHidden || hidden.has(line.lead_id))) return { ...line, because }
  return { ...line, because, lead_id: null, name: null }
}

/** Returns the corrected leads that a statement had not billed because they were hidden. */
async function readHiddenLeads(
  db: DbOrTx,
  { id, lines }: BeforeJson<ListedStatement>,
): Promise<ReadonlySet<number | null>> {
  const corrected = lines.flatMap(({ lead_id, refers_to }) => (lead_id === null || refers_to === null ? [] : [lead_id]))
  if (corrected.length === 0) return new Set()
  const { campaignId, from } = parseStatementId(id)
  const { campaign_id, from_day, lead_id, because } = statementLinesTable
  const rows = await db
    .select({ lead_id })
    .from(statementLinesTable)
    .where(
      and(
        eq(campaign_id, campaignId),
        lte(from_day, from), // what is hidden later changes no statement that was sent
        inArray(lead_id, corrected),
        like(because, `${unbilledReasons.hidden}%`),
      ),
    )
  return new Set(rows.map((row) => row.lead_id))
}

function describeGroup(kind: GroupKind, lines: StatementDocument['groups'][number]['lines']) {
  const [first] = lines
  const isOnePrice = kind !== 'corrections' && lines.every(({ amount }) => amount === first?.amount)
  return {
    kind,
    count: lines.length,
    price: isOnePrice && first ? first.amount : null,
    amount: toDollars(lines.reduce((sum, { amount }) => sum + toCents(amount), 0)),
    lines,
  }
}

function findGroup({ kind, because }: StatementLine, type: 'Form' | 'Call' | null): GroupKind {
  if (kind === 'fee' || kind === 'not_billed') return kind
  if (kind !== 'lead') return 'corrections'
  // What an earlier version sent has no type, and the lead may be another client's by now; its reason names the type.
  return (type ?? (/^(Verified c|C)all/.test(because) ? 'Call' : 'Form')) === 'Call' ? 'calls' : 'forms'
}

// ——— leads ———

/** A lead as a line names it. */
type LineFacts = { name: string | null; type: 'Form' | 'Call'; day: CalendarDay }
/** `refers_to` is the statement that the line corrects: its id, or its first day. */
type FactsLine = { lead_id: number | null; refers_to: number | CalendarDay | null }

/**
 * Returns how each line names its lead: as stored with this statement; for a correction, as with the one that billed it; otherwise as it is
 * now, if it is still in the campaign. A lead that another client has is never shown as it is there.
 */
export async function readLineFacts<Line extends FactsLine>(
  db: DbOrTx,
  zone: string,
  { id, lines }: { id: number; lines: readonly Line[] },
): Promise<Map<Line, LineFacts>> {
  const { campaignId, from } = parseStatementId(id)
  const ids = [...new Set(lines.flatMap(({ lead_id }) => lead_id ?? []))]
  if (ids.length === 0) return new Map()
  const { lead_id, lead_name, lead_type, lead_day, from_day, refers_to, campaign_id } = statementLinesTable
  const rows = await db
    .select({ id: lead_id, from: from_day, refers_to, name: lead_name, type: lead_type, day: lead_day })
    .from(statementLinesTable)
    .where(and(eq(campaign_id, campaignId), inArray(lead_id, ids), isNotNull(lead_day)))
    .orderBy(sql`${from_day} = ${from}`, desc(from_day))
  const current = await db
    .select({ id: leadsTable.id, name: leadsTable.lead_name, type: leadsTable.lead_type, at: leadsTable.occurred_at })
    .from(leadsTable)
    .where(and(sql`${leadsTable.id} = any(${sql.param(ids)}::int[])`, eq(leadsTable.campaign_id, campaignId)))
  const now = new Map<number | null, LineFacts>(
    current.map(({ id, name, type, at }) => [id, { name, type, day: toWallClock(at, zone).day }]),
  )
  // By the cycle in which a line bills the lead, which is billed in another one once its day is changed.
  const stored = new Map(
    rows.flatMap(({ id, from, refers_to, name, type, day }) =>
      type === null || day === null ? [] : [[`${id} ${refers_to ?? from}`, { name, type, day }] as const],
    ),
  )
  return new Map(
    lines.flatMap((line) => {
      const of = typeof line.refers_to === 'number' ? parseStatementId(line.refers_to).from : (line.refers_to ?? from)
      const facts = stored.get(`${line.lead_id} ${of}`) ?? now.get(line.lead_id)
      return facts ? [[line, facts] as const] : []
    }),
  )
}

/** Returns the numbers of the statements that these lines correct, by first day. */
async function readCorrectedNumbers(db: DbOrTx, campaignId: number, lines: readonly StatementLine[]) {
  const days = [
    ...new Set(lines.flatMap(({ refers_to }) => (refers_to === null ? [] : parseStatementId(refers_to).from))),
  ]
  if (days.length === 0) return new Map<CalendarDay, string | null>()
  const rows = await db
    .select({ from: statementsTable.from_day, month: statementsTable.month, ordinal: statementsTable.ordinal })
    .from(statementsTable)
    .where(and(eq(statementsTable.campaign_id, campaignId), inArray(statementsTable.from_day, days)))
  return new Map(rows.map(({ from, month, ordinal }) => [from, formatNumber(month, ordinal)]))
}
