import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { wasInvitedSql } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { Move, MoveItem, movesContract } from '../contract.ts'
import { busyMoveStates, type ListedKind, listedKinds, type MovedKind, movedKinds } from '../labels.ts'
import { movedIdsTable, moveItemsTable, movesTable } from '../schema.ts'
import { readMoveHistory } from './move-history.ts'
import type { MoveRow } from './move-task.ts'

const mostKept = 500
const { move_id, kind, becomes, choice, state, position, key } = moveItemsTable

/** Throws 404 if there is none. */
export async function readMoveDto(db: DbOrTx, id: number): Promise<BeforeJson<Move>> {
  const [row] = await db.select().from(movesTable).where(eq(movesTable.id, id))
  if (!row) throw notFoundError()
  return toMove(db, row)
}

export async function readMovesPage(db: DbOrTx, query: QueryOf<typeof movesContract.list>) {
  const direction = sortDirection(query.order)
  const rows = db
    .select()
    .from(movesTable)
    .orderBy(direction(movesTable.created_at), direction(movesTable.id))
    .$dynamic()
  const { data, total } = await readPage(rows, db.$count(movesTable), query)
  return { data: await Promise.all(data.map((row) => toMove(db, row))), total }
}

/** What an item becomes by its choice, or else by the plan. */
const outcomeSql = sql<string>`case when ${choice} = 'new' then 'new' when ${choice} = 'skip' then 'skip'
  when ${choice} is not null then 'same' else ${becomes} end`

async function toMove(db: DbOrTx, row: MoveRow): Promise<BeforeJson<Move>> {
  const counts = await db
    .select({
      kind,
      outcome: outcomeSql,
      count: sql<number>`count(*)::int`,
      dealt: sql<number>`count(*) filter (where ${state} <> 'open')::int`,
      written: sql<number>`count(*) filter (where ${state} = 'written')::int`,
      removed: sql<number>`count(*) filter (where ${state} = 'removed')::int`,
    })
    .from(moveItemsTable)
    .where(eq(move_id, row.id))
    .groupBy(kind, sql`2`)
  const isUndo = row.state === 'undoing' || row.state === 'undone'
  // What was never written does not stay.
  const isStaying = and(eq(state, 'kept'), isNotNull(moveItemsTable.row_id))
  const kept = await db
    .select({
      kind,
      id: moveItemsTable.row_id,
      label: moveItemsTable.label,
      reason: sql<string>`${moveItemsTable.kept}`,
    })
    .from(moveItemsTable)
    .where(and(eq(move_id, row.id), isNotNull(moveItemsTable.kept), isUndo ? isStaying : undefined))
    .orderBy(asc(position))
    .limit(mostKept)
  const sumOf = (wanted: MovedKind, outcome?: string) =>
    counts
      .filter((one) => one.kind === wanted && (outcome === undefined || one.outcome === outcome))
      .reduce((sum, one) => sum + one.count, 0)
  const kinds = movedKinds.flatMap((one) => {
    const extra = row.counted[one]
    const found = extra ?? sumOf(one)
    const lacks = row.lacks[one] ?? []
    if (found === 0 && lacks.length === 0) return []
    const counted = { new: extra ?? sumOf(one, 'new'), same: sumOf(one, 'same'), ask: sumOf(one, 'ask') }
    return [{ kind: one, found, ...counted, lacks }]
  })
  const sumUp: SumUp = (name) => counts.reduce((sum, one) => sum + one[name], 0)
  return {
    id: row.id,
    state: row.state,
    says: row.problem,
    connections: row.sources.map(({ connection, name }) => ({ id: connection, name })),
    progress: progressOf[row.state](row, sumUp),
    kinds,
    questions: kinds.reduce((sum, one) => sum + one.ask, 0),
    kept,
    history: await readMoveHistory(db, row.sources),
    uninvited: row.state === 'done' ? (await findUninvited(db, row.id)).length : 0,
    created_at: row.created_at,
    accepted_at: row.accepted_at,
    done_at: row.done_at,
    undone_at: row.undone_at,
  }
}

type SumUp = (name: 'count' | 'dealt' | 'written' | 'removed') => number
const readProgress = ({ done, total }: MoveRow) => ({ done, of: total })
const writeProgress = (_: MoveRow, sumUp: SumUp) => ({ done: sumUp('dealt'), of: sumUp('count') })
const undoProgress = (_: MoveRow, sumUp: SumUp) => ({ done: sumUp('removed'), of: sumUp('removed') + sumUp('written') })
/** The steps of a plan, then its items, then those that are taken back. */
const progressOf = {
  ...{ reading: readProgress, failed: readProgress, ready: writeProgress, writing: writeProgress, done: writeProgress },
  ...{ undoing: undoProgress, undone: undoProgress },
} satisfies Record<MoveRow['state'], unknown>

export async function readItemsPage(db: DbOrTx, id: number, query: QueryOf<typeof movesContract.items>) {
  const where = and(
    eq(move_id, id),
    query.kind ? eq(kind, query.kind) : inArray(kind, [...listedKinds]),
    query.becomes && eq(becomes, query.becomes),
  )
  const rows = db
    .select()
    .from(moveItemsTable)
    .where(where)
    .orderBy(...(query.order === 'desc' ? [sql`${position} desc`] : [asc(position)]), asc(key))
    .$dynamic()
  const { data, total } = await readPage(rows, db.$count(moveItemsTable, where), query)
  return { data: data.map(toItemDto), total }
}

const toItemDto = (item: typeof moveItemsTable.$inferSelect): MoveItem => ({
  key: item.key,
  kind: item.kind as ListedKind, // the query reads no other
  from: { connection_id: item.connection_id, id: item.old_id, label: item.label },
  becomes: item.becomes,
  to: toTarget(item),
  by: item.by,
  reason: item.reason ?? '',
  options: item.options,
  choice: item.choice !== null && /^\d+$/.test(item.choice) ? Number(item.choice) : item.choice,
})

function toTarget({ to_kind, kind, to_id, to_key, to_label }: typeof moveItemsTable.$inferSelect): MoveItem['to'] {
  const id = to_id ?? to_key
  return id === null ? null : { kind: to_kind ?? kind, id, label: to_label ?? '' }
}

export const countQuestions = (db: DbOrTx, id: number): Promise<number> =>
  db.$count(moveItemsTable, and(eq(move_id, id), eq(becomes, 'ask'), sql`${choice} is null`))

const accountKinds = ['client', 'admin', 'leads_handler'] satisfies ListedKind[]

type MovedAccount = {
  id: number
  username: string
  email: string
  isClient: boolean
  is_active: boolean
  arrived: boolean
  invited: boolean
}

/** Returns the accounts that came with a move. */
export async function readMovedAccounts(db: DbOrTx, id: number, where?: SQL): Promise<MovedAccount[]> {
  const { row_id } = moveItemsTable
  const isAccount = sql`(${kind} = 'client' and ${usersTable.client_id} = ${row_id} or ${kind} <> 'client' and ${usersTable.id} = ${row_id})`
  return db
    .select({
      id: usersTable.id,
      username: usersTable.username,
      email: usersTable.email,
      isClient: sql<boolean>`${usersTable.role} = 'customer'`,
      is_active: usersTable.is_active,
      arrived: sql<boolean>`${usersTable.password_hash} <> ${notArrivedHash}`,
      invited: wasInvitedSql,
    })
    .from(moveItemsTable)
    .innerJoin(usersTable, sql`${isAccount} and ${usersTable.deleted_at} is null`)
    .where(and(eq(move_id, id), inArray(kind, accountKinds), eq(becomes, 'new'), eq(state, 'written'), where))
    .orderBy(asc(position))
}

export const findUninvited = async (db: DbOrTx, id: number): Promise<MovedAccount[]> =>
  (await readMovedAccounts(db, id)).filter((one) => one.is_active && !one.arrived && !one.invited)

/** Says that a move is reading from, or writing what it read of, this connection. */
export async function describeRunningMove(db: DbOrTx, connection: number): Promise<string | null> {
  const isOf = sql`${movesTable.sources} @> ${JSON.stringify([{ connection }])}::jsonb`
  const running = await db.$count(movesTable, and(inArray(movesTable.state, busyMoveStates), isOf))
  return running > 0 ? 'A move from this connection is running: wait until it is done' : null
}

/** Returns the old systems that a lead was moved from, by address, and its ids there. */
export function readOldLeadIds(db: DbOrTx, leadId: number): Promise<{ source: string; old_id: string }[]> {
  const { source, old_id, kind: moved, row_id } = movedIdsTable
  return db
    .select({ source, old_id })
    .from(movedIdsTable)
    .where(and(eq(moved, 'lead'), eq(row_id, leadId)))
}
