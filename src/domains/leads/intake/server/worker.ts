import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { isDatabaseUnavailable, isSerializationFailure } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { inboundEventsTable, type StoredEvent } from '../schema.ts'
import { processEvents, writeEventOutcomes } from './process-events.ts'

/** The most events per commit. */
const batchSize = 200
/**
 * How long, in milliseconds, stored events wait at most during a rush. Storing events comes first: a provider may never send one
 * again, but a lead may be created a few seconds later.
 */
const maxPauseMs = 10_000

/**
 * Processes the inbox as long as this process lives. The table is the queue: `stored` events wait, the worker that locks an event
 * processes it, and an unfinished one stays in the table. The commit that stores an event wakes the worker. After a gap in the
 * notifications, or when the database was down, the worker checks the table on its own.
 */
export function startIntakeWorker(context: AppContext): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let due = false
  let running: Promise<void> | null = null

  const work = async () => {
    while (due && !stopping.signal.aborted) {
      due = false
      try {
        await processInbox(context, stopping.signal)
      } catch (error) {
        context.log.warn({ err: error }, 'intake failed; retrying')
        await pause(1000, undefined, { signal: stopping.signal }).catch(() => {})
        due = true
      }
    }
    running = null
  }
  const wake = () => {
    due = true
    running ??= work()
  }
  const unsubscribe = context.live.on(liveChannels.event, wake)
  wake()
  return {
    stop: async () => {
      unsubscribe()
      stopping.abort()
      await running
    },
  }
}

/** Processes waiting events until the rest are locked by other workers. Returns how many it processed. */
export async function processInbox(context: AppContext, signal?: AbortSignal): Promise<number> {
  let total = 0
  let alone = 0
  const pausesUntil = Date.now() + maxPauseMs
  while (!signal?.aborted) {
    if (context.inbox.isRushed && Date.now() < pausesUntil) {
      await pause(50)
      continue
    }
    const taken = await processBatch(context, alone > 0 ? 1 : batchSize)
    if (taken === 'failed') alone = batchSize
    else if (taken === 0) return total
    else {
      total += taken
      alone = Math.max(0, alone - 1)
    }
  }
  return total
}

/**
 * Processes a few events in one commit. If it fails, each event gets its own commit, so that the bad one is quarantined with its
 * reason and does not hold up the others. If the database fails, all of them keep waiting.
 */
async function processBatch(context: AppContext, size: number): Promise<number | 'failed'> {
  let events: StoredEvent[] = []
  try {
    await context.db.transaction(async (tx) => {
      events = await lockNextEvents(tx, size)
      if (events.length > 0) await processEvents(tx, context, events)
    })
    return events.length
  } catch (error) {
    const [event] = events
    if (isDatabaseUnavailable(error) || isSerializationFailure(error) || !event) throw error
    if (events.length > 1) return 'failed'
    context.log.error({ err: error, event: event.id }, 'event failed')
    // Its message may be SQL with what people sent, and the reason is read in emails.
    const reason = `Something went wrong. The server’s log has the details of event ${event.id}.`
    await context.db.transaction((tx) =>
      writeEventOutcomes(tx, [{ id: event.id, state: 'quarantined', reason, lead_id: null }]),
    )
    return 1
  }
}

function lockNextEvents(tx: Tx, size: number): Promise<StoredEvent[]> {
  const { id, provider, clientsite_id, source_id, headers, body, lead_id, reconciled_as, received_at } =
    inboundEventsTable
  return tx
    .select({ id, provider, clientsite_id, source_id, headers, body, lead_id, reconciled_as, received_at })
    .from(inboundEventsTable)
    .where(sql`state = 'stored'`) // spelled as in the index
    .orderBy(id)
    .limit(size)
    .for('update', { skipLocked: true })
}
