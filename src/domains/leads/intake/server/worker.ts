import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { gaveWay, isUnavailable } from '#core/http/errors.ts'
import { channels } from '#core/live/live.ts'
import { inboundEvents } from '../schema.ts'
import type { StoredEvent } from './parsed-event.ts'
import { end, takeEvents } from './process-events.ts'

/** How many events share a commit. */
const batch = 50
/**
 * The longest, in milliseconds, that stored events stand back for those that are still coming: a service may never send its
 * event again, while a lead loses nothing by being made a few seconds later.
 */
const patience = 10_000

/**
 * Works off the inbox for as long as this process lives. The table is the queue: `stored` events wait, whoever locks one works
 * on it, and one that nobody finished is simply still there. The commit that stores an event wakes us; after a gap in what we
 * hear, and when the database was away, we look for ourselves.
 */
export function startIntake(house: House): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let due = false
  let running: Promise<void> | null = null

  const work = async () => {
    while (due && !stopping.signal.aborted) {
      due = false
      try {
        await workOff(house, stopping.signal)
      } catch (error) {
        house.log.warn({ err: error }, 'intake waits')
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
  const unhear = house.live.on(channels.event, wake)
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
export async function workOff(house: House, signal?: AbortSignal): Promise<number> {
  let total = 0
  let alone = 0
  const standsBackUntil = Date.now() + patience
  while (!signal?.aborted) {
    if (house.inbox.isRushed && Date.now() < standsBackUntil) {
      await pause(50)
      continue
    }
    const taken = await takeBatch(house, alone > 0 ? 1 : batch)
    if (taken === 'failed') alone = batch
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
async function takeBatch(house: House, size: number): Promise<number | 'failed'> {
  let events: StoredEvent[] = []
  try {
    await house.db.transaction(async (tx) => {
      events = await nextEvents(tx, size)
      if (events.length > 0) await takeEvents(tx, house, events)
    })
    return events.length
  } catch (error) {
    const [event] = events
    if (isUnavailable(error) || gaveWay(error) || !event) throw error
    if (events.length > 1) return 'failed'
    house.log.error({ err: error, event: event.id }, 'event failed')
    const reason = `A fault of Leadline's own: ${error instanceof Error ? error.message : error}`
    await house.db.transaction((tx) => end(tx, [{ id: event.id, state: 'quarantined', reason, lead_id: null }]))
    return 1
  }
}

function nextEvents(tx: Tx, size: number): Promise<StoredEvent[]> {
  const { id, provider, clientsite_id, headers, body, received_at } = inboundEvents
  return tx
    .select({ id, provider, clientsite_id, headers, body, received_at })
    .from(inboundEvents)
    .where(sql`state = 'stored'`) // spelt as the index has it
    .orderBy(id)
    .limit(size)
    .for('update', { skipLocked: true })
}
