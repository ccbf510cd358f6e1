import { and, eq, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Db } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { LegacyError, type LegacyServer } from '#integrations/legacy/legacy-server.ts'
import type { MoveDifference, movesContract } from '../contract.ts'
import { type MovedKind, movedKinds } from '../labels.ts'
import { moveItemsTable } from '../schema.ts'
import { isRecord } from './legacy-values.ts'
import { type MoveRow, readMoveRow, setMove } from './move-task.ts'
import { allDays, findKeywords } from './read-legacy.ts'
import { openLegacyServer } from './read-move.ts'

/** Their counts are read again after this long. */
const freshMilliseconds = 60_000

type Counts = Map<MovedKind, number>
type TheirCounts = { kinds: Counts; leads: Map<string, number> }

/** Compares what the old systems have with what has come along. */
export async function readDifferencesPage(
  context: AppContext,
  id: number,
  query: QueryOf<typeof movesContract.differences>,
) {
  const all = await readDifferences(context, id)
  const sorted = query.order === 'desc' ? all.toReversed() : all
  const from = (query.page - 1) * query.per_page
  return { data: sorted.slice(from, from + query.per_page), total: all.length }
}

export async function readDifferences(context: AppContext, id: number): Promise<MoveDifference[]> {
  const row = (await readMoveRow(context.db, id))!
  const isFresh = row.compared_at !== null && Date.now() - row.compared_at.getTime() < freshMilliseconds
  const before = row.differences
  if (isFresh && before) return compareCounts(context, row, restoreCounts(before))
  const theirs: TheirCounts = { kinds: new Map(), leads: new Map() }
  try {
    for (const { connection, kind } of row.sources)
      if (kind === 'legacy')
        await countTheirs(await openLegacyServer(context, connection), Object.keys(row.months), theirs)
  } catch (error) {
    if (!(error instanceof LegacyError)) throw error
    const found = before ?? []
    return found.map((one) => ({
      ...one,
      explained: `The old system’s numbers are from the last reading: ${error.message}`,
    }))
  }
  const differences = await compareCounts(context, row, theirs)
  await setMove(context.db, id, { differences, compared_at: new Date() })
  return differences
}

const restoreCounts = (differences: readonly MoveDifference[]): TheirCounts => ({
  kinds: new Map(differences.filter(({ month }) => month === null).map(({ kind, theirs }) => [kind, theirs])),
  leads: new Map(differences.flatMap(({ month, theirs }) => (month === null ? [] : [[month, theirs]]))),
})

async function countTheirs(
  server: LegacyServer,
  planned: readonly string[],
  { kinds, leads }: TheirCounts,
): Promise<void> {
  const add = (kind: MovedKind, more: number) => kinds.set(kind, (kinds.get(kind) ?? 0) + more)
  const totals: [MovedKind, path: string, what: string, query?: Record<string, string | number>][] = [
    ['client', 'client', 'clients'],
    ['campaign', 'campaigns', 'campaigns'],
    ['campaign', 'campaigns/archived', 'archived campaigns'],
    ['client_site', 'clientsite', 'client sites'],
    ['listing', 'campaign-gmb', 'listings'],
    ['network_site', 'networksite', 'network sites'],
    ['link', 'networksite/outgoing-links', 'outgoing links'],
    ['ip', 'ip', 'IP addresses'],
    ['redirect_domain', 'redirect_domains', '301 domains'],
    ['note', 'activity-log', 'the activity log', allDays],
    ['category', 'campaigncategory', 'campaign categories', { nopag: 1 }],
    ['network_category', 'networkcategory', 'network categories'],
    ['spammer', 'leads/spammers', 'spammers'],
  ]
  for (const [kind, path, what, query] of totals) add(kind, await server.count(path, what, query))
  add('keyword', findKeywords(await server.read('leads/keywords', 'keywords')).length)
  add('admin', await server.count('admin/admins', 'admins', {}, ({ admins }) => admins))
  add('leads_handler', await server.count('leads-handlers', 'leads handlers', {}, ({ users }) => users))
  const options = await server.read('campaigns/all', 'teams', { with_teams: 1 })
  const list = Array.isArray(options) ? options : isRecord(options) && Array.isArray(options.data) ? options.data : []
  add('team', list.filter((one) => isRecord(one) && one.type === 'team').length)
  for (const month of new Set([...planned, new Date().toISOString().slice(0, 7)])) {
    const days = { date_from: `${month}-01`, date_to: findLastDay(month) }
    const count =
      (await server.count('leads/list/data', 'leads', days)) +
      (await server.count('leads/list/archived/data', 'archived leads', days))
    leads.set(month, (leads.get(month) ?? 0) + count)
  }
}

const findLastDay = (month: string): string => {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10)
}

async function compareCounts(
  { db, settings }: AppContext,
  row: MoveRow,
  theirs: TheirCounts,
): Promise<MoveDifference[]> {
  const states = await countStates(db, row.id)
  const ours = await countOurs(db, row.id, states)
  const leads = await countOurLeads(db, row.id, settings.AGENCY_TIMEZONE)
  const explain = (kind: MovedKind, month: string | null, there: number, here: number) =>
    there === here ? null : explainDifference(row, states, { kind, month, there, here })
  const kinds = movedKinds.flatMap((kind): MoveDifference[] => {
    const [there, here] = [theirs.kinds.get(kind) ?? 0, ours.get(kind) ?? 0]
    if (kind === 'lead' || kind === 'log' || kind === 'callrail_company' || (there === 0 && here === 0)) return []
    return [
      {
        kind,
        month: null,
        theirs: there,
        ours: here,
        explained: explain(kind, null, there, here),
        rows: pages[kind] ?? null,
      },
    ]
  })
  const months = [...new Set([...theirs.leads.keys(), ...leads.keys()])].sort().reverse()
  const monthly = months.flatMap((month): MoveDifference[] => {
    const [there, here] = [theirs.leads.get(month) ?? 0, leads.get(month) ?? 0]
    if (there === 0 && here === 0) return []
    const rows = `/leads?date_from=${month}-01&date_to=${findLastDay(month)}`
    return [{ kind: 'lead', month, theirs: there, ours: here, explained: explain('lead', month, there, here), rows }]
  })
  return [...kinds, ...monthly]
}

const pages: Partial<Record<MovedKind, string>> = {
  network_category: '/categories',
  category: '/campaign-categories',
  team: '/activity-log',
  client: '/clients',
  campaign: '/campaigns',
  client_site: '/client-sites',
  listing: '/campaign-gmbs',
  network_site: '/network-sites',
  redirect_domain: '/redirect-domains',
  admin: '/admin/pages',
  leads_handler: '/leads-handlers',
  keyword: '/leads',
  spammer: '/leads',
  note: '/activity-log',
  link: '/network-sites/outgoing-links',
  ip: '/ips',
}

type States = Map<MovedKind, Partial<Record<string, number>>>

async function countStates(db: Db, id: number): Promise<States> {
  const { kind, state, move_id } = moveItemsTable
  const rows = await db
    .select({ kind, state, count: sql<number>`count(*)::int` })
    .from(moveItemsTable)
    .where(eq(move_id, id))
    .groupBy(kind, state)
  const states: States = new Map()
  for (const one of rows) states.set(one.kind, { ...states.get(one.kind), [one.state]: one.count })
  return states
}

async function countOurs(db: Db, id: number, states: States): Promise<Counts> {
  const counts: Counts = new Map([...states].map(([kind, one]) => [kind, one.written ?? 0]))
  const { kind, row_id, move_id, state } = moveItemsTable
  const isOf = (wanted: MovedKind) => and(eq(move_id, id), eq(kind, wanted), eq(state, 'written'))
  const [links] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(moveItemsTable)
    .innerJoin(outgoingLinksTable, eq(outgoingLinksTable.network_site_id, row_id))
    .where(isOf('network_site'))
  counts.set('link', links!.count)
  const found = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from ${ipsTable} where ip in (
      select ${clientSitesTable.ip} from ${moveItemsTable} join ${clientSitesTable} on ${clientSitesTable.id} = ${row_id} where ${isOf('client_site')}
      union select ${networkSitesTable.ip} from ${moveItemsTable} join ${networkSitesTable} on ${networkSitesTable.id} = ${row_id} where ${isOf('network_site')})`)
  counts.set('ip', found.rows[0]!.count)
  return counts
}

async function countOurLeads(db: Db, id: number, zone: string): Promise<Map<string, number>> {
  const { kind, row_id, move_id, state } = moveItemsTable
  const month = sql<string>`to_char(${leadsTable.occurred_at} at time zone ${zone}, 'YYYY-MM')`
  const rows = await db
    .select({ month, count: sql<number>`count(*)::int` })
    .from(moveItemsTable)
    .innerJoin(leadsTable, eq(leadsTable.id, row_id))
    .where(and(eq(move_id, id), eq(kind, 'lead'), eq(state, 'written')))
    .groupBy(sql`1`)
  return new Map(rows.map((one) => [one.month, one.count]))
}

type Compared = { kind: MovedKind; month: string | null; there: number; here: number }

function explainDifference(
  { state, months }: MoveRow,
  states: States,
  { kind, month, there, here }: Compared,
): string | null {
  if (state === 'ready' || state === 'failed') return 'The move has not been accepted'
  if (state === 'undoing' || state === 'undone') return 'The move was undone'
  const { kept = 0, skipped = 0, open = 0, written = 0 } = states.get(kind) ?? {}
  const planned = month === null ? kept + skipped + open + written : (months[month] ?? 0)
  const reasons = [
    kept > 0 && `${kept} could not be written: see what was kept`,
    skipped > 0 && `${skipped} ${skipped === 1 ? 'was' : 'were'} skipped by choice`,
    open > 0 && `${open} ${open === 1 ? 'is' : 'are'} still to be written`,
    kind !== 'link' && kind !== 'ip' && there > planned && `${there - planned} came in there since the plan was made`,
    kind !== 'link' &&
      kind !== 'ip' &&
      there < planned &&
      `${planned - there} ${planned - there === 1 ? 'was' : 'were'} removed there since the plan was made`,
    (kind === 'link' || kind === 'ip') && here < there && 'Some belong to sites that were here already or did not move',
  ].filter((one) => one !== false)
  return reasons.length > 0 ? reasons.join('. ') : null
}
