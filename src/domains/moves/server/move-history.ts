import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import {
  findBilledLeads,
  forgetHistory,
  readHistory,
  removeHistoryLeads,
  resumeHistory,
  startHistory,
  stopHistory,
} from '#domains/leads/public.ts'
import type { Move } from '../contract.ts'
import { type MoveSource, moveItemsTable, movesTable } from '../schema.ts'
import { billedReason, changedReason } from './movable.ts'
import { type MoveRow, setMove } from './move-task.ts'

/** Starts to read what the accounts had before they were connected, if the move has linked companies of theirs. */
export async function startMoveHistory(tx: Tx, context: AppContext, { id, sources }: MoveRow): Promise<void> {
  const started: MoveSource[] = []
  for (const source of sources) {
    const isStarted = source.kind === 'callrail' && (await isHistoryWanted(tx, id, source.connection))
    if (isStarted) await startHistory(tx, context, source.connection)
    started.push(isStarted ? { ...source, history: true } : source)
  }
  await setMove(tx, id, { sources: started })
}

/** An account that an earlier move has read is read again only for companies that were not linked then. */
async function isHistoryWanted(tx: Tx, id: number, connection: number): Promise<boolean> {
  const { move_id, connection_id, kind, state, replaced } = moveItemsTable
  const isLinked = and(
    eq(move_id, id),
    eq(connection_id, connection),
    eq(kind, 'callrail_company'),
    eq(state, 'written'),
  )
  const isRead = (await readHistory(tx, connection)) !== null
  return (await tx.$count(moveItemsTable, isRead ? and(isLinked, isNotNull(replaced)) : isLinked)) > 0
}

/** Returns how far the histories that a move has started are, as one; null if it has started none. */
export async function readMoveHistory(
  db: DbOrTx,
  sources: readonly MoveSource[],
): Promise<BeforeJson<Move['history']>> {
  const found = await Promise.all(
    sources.filter(({ history }) => history).map(({ connection }) => readHistory(db, connection)),
  )
  const all = found.filter((one) => one !== null)
  if (all.length === 0) return null
  const ofState = (state: (typeof all)[number]['state']) => all.find((one) => one.state === state)
  const { state, says } = ofState('reading') ?? ofState('waiting') ?? ofState('stopped') ?? all[0]!
  const ofs = all.map(({ of }) => of)
  return {
    ...{ state, says },
    read: all.reduce((sum, { read }) => sum + read, 0),
    of: ofs.includes(null) ? null : ofs.reduce((sum: number, of) => sum + of!, 0),
    until: new Date(Math.max(...all.map(({ until }) => until.getTime()))),
  }
}

/**
 * Stops a history that a move has started and takes its leads back, as many as one transaction should: all of them, or if another move
 * needs the history too, those of the client sites that this move has linked. What a person has changed since, or has billed, is kept as an item of the
 * move, so that what it hangs on stays. Returns whether there is more to do.
 */
export async function undoMoveHistory(tx: Tx, { id, sources }: MoveRow): Promise<boolean> {
  const source = sources.find(({ history }) => history)
  if (!source) return false
  const { connection } = source
  const isShared = await hasOtherMove(tx, id, connection)
  await stopHistory(tx, connection)
  const sites = isShared ? await findLinkedSites(tx, id, connection) : undefined
  const { kept, isDone } = await removeHistoryLeads(tx, connection, sites)
  if (kept.length > 0) await keepLeads(tx, id, connection, kept)
  if (!isDone) return true
  if (!isShared) await forgetHistory(tx, connection)
  const left = sources.map((one) => (one === source ? { ...one, history: false } : one))
  await setMove(tx, id, { sources: left })
  return true
}

/** Lets histories go on that stopped while this move was undone, because other moves need them too. */
export async function resumeMoveHistories(tx: Tx, context: AppContext, { id, sources }: MoveRow): Promise<void> {
  for (const { connection, kind } of sources)
    if (kind === 'callrail' && (await hasOtherMove(tx, id, connection))) {
      const history = await readHistory(tx, connection)
      if (history?.state === 'stopped') await resumeHistory(tx, context, connection)
    }
}

/** Returns the client sites that companies of an account were entered at by this move: its writer keeps them with what it has replaced. */
async function findLinkedSites(tx: Tx, id: number, connection: number): Promise<number[]> {
  const { move_id, connection_id, kind, state, replaced } = moveItemsTable
  const site = sql<number | null>`coalesce(${replaced} -> 'place', ${replaced}) -> 'clientsite_id'`
  const rows = await tx
    .select({ site })
    .from(moveItemsTable)
    .where(
      and(
        ...[eq(move_id, id), eq(connection_id, connection), eq(kind, 'callrail_company'), eq(state, 'written')],
        sql`coalesce(${replaced} -> 'place', ${replaced}) -> 'before' <> '{}'::jsonb`,
      ),
    )
  return rows.flatMap((row) => row.site ?? [])
}

/** Whether the history belongs to another move of the same account too. */
async function hasOtherMove(tx: Tx, id: number, connection: number): Promise<boolean> {
  const isOf = sql`${movesTable.sources} @> ${JSON.stringify([{ connection, history: true }])}::jsonb`
  return (
    (await tx.$count(movesTable, and(ne(movesTable.id, id), inArray(movesTable.state, ['writing', 'done']), isOf))) > 0
  )
}

async function keepLeads(tx: Tx, move_id: number, connection_id: number, ids: number[]): Promise<void> {
  const { id, lead_id, lead_name, lead_phone } = leadsTable
  const leads = await tx.select({ id, lead_id, lead_name, lead_phone }).from(leadsTable).where(inArray(id, ids))
  if (leads.length === 0) return
  const billed = await findBilledLeads(tx, ids)
  await tx.insert(moveItemsTable).values(
    leads.map((lead) => {
      const label = lead.lead_name ?? lead.lead_phone ?? `Lead ${lead.id}`
      return {
        ...{ move_id, connection_id, label, row_id: lead.id, key: `${connection_id}-history-${lead.id}`, position: 0 },
        ...{ kind: 'lead' as const, old_id: lead.lead_id ?? '', state: 'kept' as const },
        kept: `${label}: ${billed.has(lead.id) ? billedReason : changedReason}`,
      }
    }),
  )
}
