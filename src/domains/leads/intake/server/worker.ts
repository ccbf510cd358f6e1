import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { isDatabaseUnavailable, isSerializationFailure } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { inboundEventsTable } from '../schema.ts'
import type { StoredEvent } from './parsed-event.ts'
import { processEvents, writeEventOutcomes } from './process-events.ts'

/** How many events share a commit. */
const batchSize = 50
/**
 * The longest, in milliseconds, that stored events stand back for those that are still coming: a service may never send its
 * event again, while a lead loses nothing by being made a few seconds later.
 */
const maxStandBackMs = 10_000

/**
 * Works off the inbox for as long as this process lives. The table is the queue: `stored` events wait, whoever locks one works
 * on it, and one that nobody finished is simply still there. The commit that stores an event wakes us; after a gap in what we
 * hear, and when the database was away, we look for ourselves.
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
        context.log.warn({ err: error }, 'intake waits')
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
  const unhear = context.live.on(liveChannels.event, wake)
  wake()
  return {
    stop: async () => {
      unhear()
      stopping.abort()
      await running
    },
  }
}

/** Takes waiting events until there is none left that nobody else is working on. Answers how many it took. */
export async function processInbox(context: AppContext, signal?: AbortSignal): Promise<number> {
  let total = 0
  let alone = 0
  const standsBackUntil = Date.now() + maxStandBackMs
  while (!signal?.aborted) {
    if (context.inbox.isRushed && Date.now() < standsBackUntil) {
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
 * One commit for a few events. Should that fail, nothing was done, and each gets a commit of its own, so that the one that is to
 * blame is put aside with its reason and stops nobody. What fails only now leaves them all waiting.
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
    const reason = `A fault of Leadline's own: ${error instanceof Error ? error.message : error}`
    await context.db.transaction((tx) =>
      writeEventOutcomes(tx, [{ id: event.id, state: 'quarantined', reason, lead_id: null }]),
    )
    return 1
  }
}

function lockNextEvents(tx: Tx, size: number): Promise<StoredEvent[]> {
  const { id, provider, clientsite_id, headers, body, received_at } = inboundEventsTable
  return tx
    .select({ id, provider, clientsite_id, headers, body, received_at })
    .from(inboundEventsTable)
    .where(sql`state = 'stored'`) // spelt as the index has it
    .orderBy(id)
    .limit(size)
    .for('update', { skipLocked: true })
}
