import { and, eq, isNull, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { isObject } from '#contract/is-object.ts'
import type { Db } from '#core/db/db.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { gmbLogsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSiteLogsTable, clientSitesTable } from '#domains/sites/client/schema.ts'
import { ipsTable } from '#domains/sites/ips/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSiteLogsTable, networkSitesTable } from '#domains/sites/network/schema.ts'
import { LegacyError, type LegacyServer } from '#integrations/legacy/legacy-server.ts'
import type { MoveDifference, movesContract } from '../contract.ts'
import { type MovedKind, movedKinds } from '../labels.ts'
import { moveItemsTable, movesTable } from '../schema.ts'
import { type MoveRow, readMoveRow, setMove } from './move-task.ts'
import { allDays, findKeywords } from './read-legacy.ts'
import { openLegacyServer } from './read-move.ts'

/** Their counts are read again after this long. */
const freshMilliseconds = 60_000

type Counts = Map<MovedKind, number>
/** By month where a kind is dated, `2026-10`. */
type MonthCounts = Map<DatedKind, Map<string, number>>
type DatedKind = (typeof datedKinds)[number]
const datedKinds = ['note', 'lead'] as const
type TheirCounts = { kinds: Counts; months: MonthCounts }

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
  const ours = await countOurMonths(context, id)
  const theirs: TheirCounts = { kinds: new Map([['log', row.counted.log ?? 0]]), months: emptyMonths() }
  try {
    for (const source of row.sources)
      if (source.kind === 'legacy')
        await countTheirs(
          await openLegacyServer(context, source),
          {
            lead: [...Object.keys(row.months), ...ours.get('lead')!.keys()],
            note: [...ours.get('note')!.keys()],
          },
          theirs,
        )
  } catch (error) {
    if (!(error instanceof LegacyError)) throw error
    const found = before ?? (await compareCounts(context, row, await countPlanned(context.db, row)))
    const when = before ? 'from the last reading' : 'those of the plan'
    return found.map((one) => ({ ...one, explained: `The old system’s numbers are ${when}: ${error.message}` }))
  }
  const differences = await compareCounts(context, row, theirs)
  await setMove(context.db, id, { differences, compared_at: new Date() })
  return differences
}

const emptyMonths = (): MonthCounts => new Map(datedKinds.map((kind) => [kind, new Map()]))
const isDated = (kind: MovedKind): kind is DatedKind => (datedKinds as readonly string[]).includes(kind)

function restoreCounts(differences: readonly MoveDifference[]): TheirCounts {
  const counts: TheirCounts = { kinds: new Map(), months: emptyMonths() }
  for (const { kind, month, theirs } of differences) {
    if (month !== null && isDated(kind)) counts.months.get(kind)!.set(month, theirs)
    counts.kinds.set(kind, (counts.kinds.get(kind) ?? 0) + theirs)
  }
  return counts
}

/** Their counts as the plan has found them. */
async function countPlanned(db: Db, row: MoveRow): Promise<TheirCounts> {
  const states = await countStates(db, row.id)
  const kinds: Counts = new Map(
    [...states].map(([kind, one]) => [kind, Object.values(one).reduce((sum, count) => sum! + count!, 0) ?? 0]),
  )
  for (const kind of movedKinds) if (row.counted[kind] !== undefined) kinds.set(kind, row.counted[kind])
  return { kinds, months: emptyMonths().set('lead', new Map(Object.entries(row.months))) }
}

async function countTheirs(
  server: LegacyServer,
  known: Record<DatedKind, string[]>,
  { kinds, months }: TheirCounts,
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
  const list = Array.isArray(options) ? options : isObject(options) && Array.isArray(options.data) ? options.data : []
  add('team', list.filter((one) => isObject(one) && one.type === 'team').length)
  const thisMonth = new Date().toISOString().slice(0, 7)
  for (const month of new Set([...known.lead, thisMonth])) {
    const days = { date_from: `${month}-01`, date_to: findLastDay(month) }
    const count =
      (await server.count('leads/list/data', 'leads', days)) +
      (await server.count('leads/list/archived/data', 'archived leads', days))
    const leads = months.get('lead')!
    leads.set(month, (leads.get(month) ?? 0) + count)
  }
  for (const month of new Set([...known.note, thisMonth])) {
    const days = { from: `${month}-01`, to: findLastDay(month) }
    const notes = months.get('note')!
    notes.set(month, (notes.get(month) ?? 0) + (await server.count('activity-log', 'the activity log', days)))
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
  const ourMonths = await countOurMonths({ db, settings }, row.id)
  const toDifference = (kind: MovedKind, month: string | null, there: number, here: number): MoveDifference => ({
    ...{ kind, month, theirs: there, ours: here },
    explained: there === here ? null : explainDifference(row, states, { kind, month, there, here }),
    rows: month === null ? (pages[kind] ?? null) : listMonth(kind, month),
  })
  const isThere = ({ theirs: there, ours: here }: MoveDifference) => there > 0 || here > 0
  return movedKinds
    .filter((kind) => kind !== 'callrail_company')
    .flatMap((kind): MoveDifference[] => {
      const there = theirs.kinds.get(kind) ?? 0
      if (!isDated(kind)) return [toDifference(kind, null, there, ours.get(kind) ?? 0)]
      const [theirsOf, oursOf] = [theirs.months.get(kind)!, ourMonths.get(kind)!]
      const months = [...new Set([...theirsOf.keys(), ...oursOf.keys()])].sort().reverse()
      const dated = months.map((month) => toDifference(kind, month, theirsOf.get(month) ?? 0, oursOf.get(month) ?? 0))
      // What has come in there in a month that nothing here has.
      const others = there - dated.reduce((sum, one) => sum + one.theirs, 0)
      return others > 0 && kind === 'note' ? [...dated, toDifference(kind, null, others, 0)] : dated
    })
    .filter(isThere)
}

/** The page of the rows of a month. */
function listMonth(kind: MovedKind, month: string): string {
  const last = findLastDay(month)
  return kind === 'note' ? `/activity-log?from=${month}-01&to=${last}` : `/leads?date_from=${month}-01&date_to=${last}`
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
  log: '/client-sites',
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
  const logs = await db.execute<{ count: number }>(sql`
    with moved as (select ${kind}, ${row_id}, ${movesTable.created_at} from ${moveItemsTable} join ${movesTable} on ${movesTable.id} = ${move_id}
      where ${move_id} = ${id} and ${state} = 'written' and ${moveItemsTable.becomes} = 'new')
    select ((select count(*) from moved join ${clientSiteLogsTable} log on kind = 'client_site' and log.site_id = row_id and log.created_at < moved.created_at)
      + (select count(*) from moved join ${networkSiteLogsTable} log on kind = 'network_site' and log.site_id = row_id and log.created_at < moved.created_at)
      + (select count(*) from moved join ${gmbLogsTable} log on kind = 'listing' and log.gmb_id = row_id and log.created_at < moved.created_at))::int as count`)
  counts.set('log', logs.rows[0]!.count)
  return counts
}

/** What has come along, by the month of its day. */
async function countOurMonths({ db, settings }: Pick<AppContext, 'db' | 'settings'>, id: number): Promise<MonthCounts> {
  const { kind, row_id, move_id, state } = moveItemsTable
  const isOf = (wanted: DatedKind) => and(eq(move_id, id), eq(kind, wanted), eq(state, 'written'))
  const count = sql<number>`count(*)::int`
  const leadMonth = sql<string>`to_char(${leadsTable.occurred_at} at time zone ${settings.AGENCY_TIMEZONE}, 'YYYY-MM')`
  const leads = await db
    .select({ month: leadMonth, count })
    .from(moveItemsTable)
    .innerJoin(leadsTable, eq(leadsTable.id, row_id))
    .where(isOf('lead'))
    .groupBy(sql`1`)
  const notes = await db
    .select({ month: sql<string>`to_char(${activityItemsTable.date}, 'YYYY-MM')`, count })
    .from(moveItemsTable)
    .innerJoin(activityItemsTable, eq(activityItemsTable.id, row_id))
    .where(and(isOf('note'), isNull(activityItemsTable.deleted_at)))
    .groupBy(sql`1`)
  return new Map([
    ['lead', new Map(leads.map((one) => [one.month, one.count]))],
    ['note', new Map(notes.map((one) => [one.month, one.count]))],
  ])
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
  const planned = month === null || kind !== 'lead' ? kept + skipped + open + written : (months[month] ?? 0)
  const isAttached = kind === 'link' || kind === 'ip' || kind === 'log'
  const isCounted = !isAttached && (month === null || kind === 'lead')
  const among = month === null ? '' : 'In all months, ' // which months they are of is not counted
  const reasons = [
    kept > 0 && `${among}${kept} could not be written: see what was kept`,
    skipped > 0 && `${among}${skipped} ${skipped === 1 ? 'was' : 'were'} skipped by choice`,
    open > 0 && `${among}${open} ${open === 1 ? 'is' : 'are'} still to be written`,
    isCounted && there > planned && `${there - planned} came in there since the plan was made`,
    isCounted &&
      there < planned &&
      `${planned - there} ${planned - there === 1 ? 'was' : 'were'} removed there since the plan was made`,
    isAttached && here < there && 'Some belong to sites that were here already or did not move',
    kind === 'note' &&
      month !== null &&
      there > here &&
      `${there - here} came in there or had another date when the plan was made`,
    kind === 'note' &&
      month !== null &&
      there < here &&
      `${here - there} ${here - there === 1 ? 'was' : 'were'} removed there or had another date when the plan was made`,
  ].filter((one) => one !== false)
  return reasons.length > 0 ? reasons.join('. ') : null
}
