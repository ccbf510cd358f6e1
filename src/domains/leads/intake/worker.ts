import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db.ts'
import { isUnavailable } from '#server/errors.ts'
import type { House } from '#server/house.ts'
import { channels } from '#server/live.ts'
import { Unusable } from './parse.ts'
import type { StoredEvent } from './reading.ts'
import { inboundEvents } from './table.ts'
import { takeEvent } from './take.ts'

/** How many events share a commit. */
const batch = 50

/**
 * Works off the inbox for as long as this process lives. The table is the queue: `stored` events wait, whoever locks one works
 * on it, and one that nobody finished is simply still there. The commit that stores an event wakes us; after a gap in what we
 * hear, and when the database was away, we look for ourselves.
 */
export function startIntake(house: House): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let due = true
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
  let count = 0
  for (;;) {
    if (signal?.aborted) return count
    const { taken, passing } = await takeBatch(house)
    count += taken
    if (passing) throw passing
    if (taken === 0) return count
  }
}

/**
 * One commit for a few events, each in a savepoint of its own: one that cannot be used is put aside with its reason and stops
 * nobody. What only fails now (a deadlock, the database going away) leaves the event and those behind it waiting.
 */
async function takeBatch(house: House): Promise<{ taken: number; passing?: unknown }> {
  return house.db.transaction(async (tx) => {
    const events = await nextEvents(tx)
    for (const [index, event] of events.entries()) {
      try {
        await tx.transaction((savepoint) => takeEvent(savepoint, house, event))
      } catch (error) {
        if (isUnavailable(error) || gaveWay(error)) return { taken: index, passing: error }
        await quarantine(tx, house, event, error)
      }
    }
    return { taken: events.length }
  })
}

function nextEvents(tx: Tx): Promise<StoredEvent[]> {
  const { id, provider, clientsite_id, headers, body, received_at } = inboundEvents
  return tx
    .select({ id, provider, clientsite_id, headers, body, received_at })
    .from(inboundEvents)
    .where(sql`state = 'stored'`) // spelt as the index has it
    .orderBy(id)
    .limit(batch)
    .for('update', { skipLocked: true })
}

async function quarantine(tx: Tx, house: House, event: StoredEvent, error: unknown) {
  const isKnown = error instanceof Unusable
  if (!isKnown) house.log.error({ err: error, event: event.id }, 'event failed')
  const reason = isKnown
    ? error.message
    : `A fault of Leadline's own: ${error instanceof Error ? error.message : error}`
  await tx
    .update(inboundEvents)
    .set({
      state: 'quarantined',
      reason: reason.replaceAll('\0', '').toWellFormed().slice(0, 500),
      processed_at: sql`now()`,
    })
    .where(eq(inboundEvents.id, event.id))
}

/** A deadlock that PostgreSQL ended at our cost, or a lock that somebody held too long. */
function gaveWay(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && ['40P01', '40001', '55P03'].includes(String(cause.code))
}
