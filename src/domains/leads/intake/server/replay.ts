import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { inboundEvents } from '../schema.ts'
import { workOff } from './worker.ts'

type State = (typeof inboundEvents.$inferSelect)['state']
export const eventStates: readonly State[] = ['stored', 'done', 'ignored', 'quarantined']

/** An event as the command line lists it; `begins` is the start of its body. */
export type ListedEvent = {
  id: number
  provider: string
  clientsite_id: number | null
  state: State
  reason: string | null
  lead_id: number | null
  received_at: Date
  bytes: number
  begins: string
}

/** The newest events of a state, or of every state, the newest first. */
export const listEvents = (house: House, asked: { state?: State; limit?: number } = {}): Promise<ListedEvent[]> =>
  find(house, asked.state && eq(inboundEvents.state, asked.state), asked.limit ?? 100)

/**
 * Looks at kept events again, in this process, after what stood in their way was mended: the quarantined ones, or those with
 * these ids. Doing it twice makes nothing twice. Answers what each came to, in the order they arrived.
 */
export async function replayEvents(house: House, which: number[] | 'quarantined'): Promise<ListedEvent[]> {
  const chosen =
    which === 'quarantined'
      ? eq(inboundEvents.state, 'quarantined')
      : and(inArray(inboundEvents.id, which), ne(inboundEvents.state, 'stored'))
  const again = await house.db
    .update(inboundEvents)
    .set({ state: 'stored', reason: null, processed_at: null })
    .where(chosen)
    .returning({ id: inboundEvents.id })
  const theirs = inArray(
    inboundEvents.id,
    again.map(({ id }) => id),
  )
  // Another process may have taken some of them; it will not be long.
  for (let tries = 0; tries < 100; tries += 1) {
    await workOff(house)
    if ((await house.db.$count(inboundEvents, and(theirs, eq(inboundEvents.state, 'stored')))) === 0) break
    await pause(100)
  }
  return (await find(house, theirs, again.length)).reverse()
}

async function find(house: House, which: SQL | undefined, limit: number): Promise<ListedEvent[]> {
  const { id, provider, clientsite_id, state, reason, lead_id, received_at, body } = inboundEvents
  const found = await house.db
    .select({
      ...{ id, provider, clientsite_id, state, reason, lead_id, received_at },
      bytes: sql<number>`length(${body})`,
      begins: sql<Buffer>`substring(${body} from 1 for 200)`,
    })
    .from(inboundEvents)
    .where(which)
    .orderBy(desc(id))
    .limit(limit)
  // It goes to a terminal: nothing in it may move the cursor.
  return found.map(({ begins, ...event }) => ({ ...event, begins: begins.toString('utf8').replace(/\p{Cc}+/gu, ' ') }))
}
