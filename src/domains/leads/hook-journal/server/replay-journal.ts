import { setTimeout as pause } from 'node:timers/promises'
import { lt, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { getErrorCode } from '#core/error-code.ts'
import { isDatabaseUnavailable } from '#core/http/errors.ts'
import type { JournalFile } from '#core/journal/disk-journal.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { inboundEventsTable, replayedJournalsTable } from '../../intake/schema.ts'
import { rememberSenders } from '../../intake/server/known-senders.ts'
import { verifySender } from '../../intake/server/verify-signature.ts'
import { journalFileBytes, type KeptEvent, parseJournalFile, UnusableJournalFileError } from './hook-journal.ts'

type StorableEvent = typeof inboundEventsTable.$inferInsert

/** The most files per transaction and events per statement. */
const filesPerTransaction = 100
const eventsPerStatement = 500

/** How often, in milliseconds, the journal is checked and the known senders are read. */
const pollMs = 500
const readSendersMs = 60_000

/** Replays the journal whenever it has events and the database is up, as long as this process lives. */
export function startJournalReplay(context: AppContext): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let readSendersAt = 0
  const poll = async () => {
    if (performance.now() >= readSendersAt) {
      context.hookJournal.senders = await rememberSenders(context.db)
      readSendersAt = performance.now() + readSendersMs
    }
    await replayJournal(context)
  }
  const work = async () => {
    while (!stopping.signal.aborted) {
      await poll().catch((error) => {
        if (!isDatabaseUnavailable(error)) context.log.warn({ err: error }, 'hook journal replay failed; retrying')
      })
      await pause(pollMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = context.hookJournal.files ? work() : Promise.resolve()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Moves the events kept by any process into the inbox, the oldest first. Throws while the database is down. */
async function replayJournal(context: AppContext): Promise<void> {
  let replayed = 0
  let files = await context.hookJournal.listFiles()
  while (files.length > 0) {
    for (const some of toBatches(files)) replayed += await replayOrSetAside(context, some)
    files = await context.hookJournal.listFiles()
  }
  if (replayed === 0) return
  context.log.warn({ replayed, refused: context.hookJournal.takeRefused() }, 'replayed the hook journal into the inbox')
  const old = lt(replayedJournalsTable.replayed_at, sql`now() - interval '30 days'`)
  await context.db.delete(replayedJournalsTable).where(old)
}

function toBatches(files: JournalFile[]): JournalFile[][] {
  const batches: JournalFile[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const file of files) {
    size += file.bytes
    if (size > journalFileBytes || batches.at(-1)!.length === filesPerTransaction) {
      batches.push([])
      size = file.bytes
    }
    batches.at(-1)!.push(file)
  }
  return batches
}

/** Replays files. A file that can never be stored is renamed and left on disk, so that it does not hold up the others. */
async function replayOrSetAside(context: AppContext, files: JournalFile[]): Promise<number> {
  try {
    return await replayFiles(context, files)
  } catch (error) {
    if (!(error instanceof UnusableJournalFileError) && !/^2[23]/.test(getErrorCode(error))) throw error
    if (files.length > 1) {
      let replayed = 0
      for (const file of files) replayed += await replayOrSetAside(context, [file])
      return replayed
    }
    const [{ name }] = files as [JournalFile]
    context.log.error({ err: error, file: name }, 'set aside an unusable file of the hook journal')
    await context.hookJournal.files!.setAside(name)
    return 0
  }
}

/**
 * Stores the events of files and removes the files. File names are unique in the database and committed with their events, so
 * that two processes, or one that was killed before it removed a file, store the events once.
 */
async function replayFiles(context: AppContext, some: JournalFile[]): Promise<number> {
  const { files } = context.hookJournal
  const events = new Map<string, StorableEvent[]>()
  let unproven = 0
  for (const { name } of some) {
    const text = await files!.read(name)
    if (text === null) continue
    const kept = parseJournalFile(text)
    const storable = await toStorableEvents(context, kept)
    events.set(name, storable)
    unproven += kept.length - storable.length
  }
  if (unproven > 0) context.log.warn({ unproven }, 'kept hooks have a wrong signature or key')
  const replayed = await context.db.transaction((tx) => storeOnce(tx, events))
  for (const name of events.keys()) await files!.remove(name)
  return replayed
}

/** Leaves out events whose sender turns out to be wrong: they would have been refused. */
async function toStorableEvents(context: AppContext, kept: KeptEvent[]): Promise<StorableEvent[]> {
  const events: StorableEvent[] = []
  for (const { claim, received_at, body: encoded, ...event } of kept) {
    const body = Buffer.from(encoded, 'base64')
    const proof = claim && (await verifySender(context, claim, body))
    if (proof && !proof.proven) continue
    const sender = proof && { clientsite_id: proof.siteId, source_id: proof.sourceId ?? null }
    events.push({ ...event, ...sender, body, received_at: new Date(received_at) })
  }
  return events
}

async function storeOnce(tx: Tx, files: Map<string, StorableEvent[]>): Promise<number> {
  if (files.size === 0) return 0
  const claimed = await tx
    .insert(replayedJournalsTable)
    .values([...files.keys()].map((name) => ({ name })))
    .onConflictDoNothing()
    .returning({ name: replayedJournalsTable.name })
  const names = new Set(claimed.map(({ name }) => name))
  const events = [...files].flatMap(([name, some]) => (names.has(name) ? some : []))
  for (let index = 0; index < events.length; index += eventsPerStatement)
    await tx.insert(inboundEventsTable).values(events.slice(index, index + eventsPerStatement))
  if (events.length > 0) await tx.execute(sql`select pg_notify(${liveChannels.event}, '')`)
  return events.length
}
