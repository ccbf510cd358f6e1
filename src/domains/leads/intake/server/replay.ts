import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { notErasedCondition } from '../../personal-data/server/erased-events.ts'
import type { InboundEventState } from '../labels.ts'
import { inboundEventsTable } from '../schema.ts'
import { processInbox } from './worker.ts'

/** An event as the CLI lists it; `begins` is the start of its body. */
export type ListedEvent = {
  id: number
  provider: string
  clientsite_id: number | null
  state: InboundEventState
  reason: string | null
  lead_id: number | null
  received_at: Date
  bytes: number
  begins: string
}

/** Returns the latest events of a state, or of every state, the newest first. */
export const listEvents = (
  context: AppContext,
  options: { state?: InboundEventState; limit?: number } = {},
): Promise<ListedEvent[]> =>
  queryEvents(context, options.state && eq(inboundEventsTable.state, options.state), options.limit ?? 100)

/**
 * Processes events again, in this process, after the cause was fixed: all quarantined ones, or those with these ids. Safe to
 * repeat. Returns the outcome of each event, in the order of arrival.
 */
export async function replayEvents(context: AppContext, which: number[] | 'quarantined'): Promise<ListedEvent[]> {
  const chosen =
    which === 'quarantined'
      ? eq(inboundEventsTable.state, 'quarantined')
      : and(isOneOf(which), ne(inboundEventsTable.state, 'stored'))
  const again = await context.db
    .update(inboundEventsTable)
    .set({ state: 'stored', reason: null, processed_at: null })
    .where(and(chosen, notErasedCondition))
    .returning({ id: inboundEventsTable.id })
  const theirs = isOneOf(again.map(({ id }) => id))
  // Another process may have taken some of them, and will finish soon.
  for (let tries = 0; tries < 100; tries += 1) {
    await processInbox(context)
    if ((await context.db.$count(inboundEventsTable, and(theirs, eq(inboundEventsTable.state, 'stored')))) === 0) break
    await pause(100)
  }
  return (await queryEvents(context, theirs, again.length)).reverse()
}

/**
 * Makes the worker process events of a lead source again that `visible` holds for: those in `ids`, or else all without a lead. Returns how
 * many.
 */
export async function replayEventsOfSource(
  tx: Tx,
  sourceId: number,
  ids: number[] | undefined,
  visible: SQL | undefined,
): Promise<number> {
  const { id, source_id, state } = inboundEventsTable
  const chosen = ids ? and(isOneOf(ids), ne(state, 'stored')) : inArray(state, ['waiting', 'quarantined'])
  const again = await tx
    .update(inboundEventsTable)
    .set({ state: 'stored', reason: null, processed_at: null })
    .where(and(eq(source_id, sourceId), chosen, visible, notErasedCondition))
    .returning({ id })
  return again.length
}

/** Takes one parameter, however many events there are. */
const isOneOf = (ids: number[]): SQL => sql`${inboundEventsTable.id} = any(${sql.param(ids)}::bigint[])`

async function queryEvents(context: AppContext, which: SQL | undefined, limit: number): Promise<ListedEvent[]> {
  const { id, provider, clientsite_id, state, reason, lead_id, received_at, body } = inboundEventsTable
  const found = await context.db
    .select({
      ...{ id, provider, clientsite_id, state, reason, lead_id, received_at },
      bytes: sql<number>`length(${body})`,
      begins: sql<Buffer>`substring(${body} from 1 for 200)`,
    })
    .from(inboundEventsTable)
    .where(which)
    .orderBy(desc(id))
    .limit(limit)
  // Control characters are removed, because the text goes to a terminal.
  return found.map(({ begins, ...event }) => ({ ...event, begins: begins.toString('utf8').replace(/\p{Cc}+/gu, ' ') }))
}
