import { join } from 'node:path'
import { z } from 'zod'
import { HttpError } from '#core/http/errors.ts'
import { DiskJournal, type JournalFile } from '#core/journal/disk-journal.ts'
import type { AppLogger } from '#core/log/log.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { inboundEventProviders } from '../../intake/labels.ts'
import { RequestBatcher } from '../../intake/server/batcher.ts'
import { type KnownSenders, noSenders, type SenderClaim } from '../../intake/server/known-senders.ts'

const claimSchema: z.ZodType<SenderClaim> = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('callrail'), signature: z.string() }),
  z.object({ provider: z.literal('formidable'), siteId: z.int(), authorization: z.string() }),
  z.object({ provider: z.literal('other'), key: z.string() }),
])
/** An event in the journal. `claim` is set while its sender is not verified yet. */
const keptEventSchema = z.object({
  provider: z.enum(inboundEventProviders),
  clientsite_id: z.int().nullable(),
  source_id: z.int().optional(),
  headers: z.record(z.string(), z.string()),
  body: z.string(), // base64
  received_at: z.iso.datetime(),
  claim: claimSchema.optional(),
})
export type KeptEvent = z.infer<typeof keptEventSchema>

/** Thrown for a file of the journal that holds no events. */
export class UnusableJournalFileError extends Error {}

/** Parses a file of the journal. The error says where the file is wrong, without its contents. */
export function parseJournalFile(text: string): KeptEvent[] {
  try {
    return z.array(keptEventSchema).parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not JSON'
    throw new UnusableJournalFileError(`A file of the hook journal holds no events: ${reason}`)
  }
}

/** The maximum size of one file. */
export const journalFileBytes = 8 * 1024 * 1024
/** How full the journal may get with events from unverified senders, so that a stranger cannot fill it. */
const unprovenShare = 0.25

/**
 * Keeps hooks on disk while the database is down or silent: CallRail never repeats one that was refused. Until the last of them is in the
 * inbox, new hooks queue up behind them, so that they stay in order.
 */
export class HookJournal {
  /** Null if the operator has turned the journal off. */
  readonly files: DiskJournal | null
  /** How long, in milliseconds, a hook waits for the database before it is kept: providers do not wait long. */
  patienceMs = 5_000
  /** The senders that this process knows without the database. */
  senders: KnownSenders = noSenders
  readonly #writing: RequestBatcher<KeptEvent, true>
  readonly #log: AppLogger
  #isIdle = true
  /** Counts of events: writes ever started, writes in progress, and events that found no room since the last report. */
  #started = 0
  #inProgress = 0
  #refused = 0

  constructor(settings: Pick<AppSettings, 'DATA_DIR' | 'HOOK_JOURNAL_MB'>, log: AppLogger) {
    const bytes = settings.HOOK_JOURNAL_MB * 1024 * 1024
    this.files = bytes > 0 ? new DiskJournal(join(settings.DATA_DIR, 'hook-journal'), bytes) : null
    this.#log = log
    this.#writing = new RequestBatcher(
      async (events) => {
        const share = events.some(({ claim }) => claim) ? unprovenShare : 1
        await this.files!.write(JSON.stringify(events), share)
        return events.map(() => true)
      },
      journalFileBytes,
      ({ body }) => body.length,
    )
  }

  /** Whether the journal is empty, so that events go straight to the inbox. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  /** Checks for events left by earlier processes, which go into the inbox before new ones. */
  async open(): Promise<void> {
    try {
      this.#isIdle = !this.files || (await this.files.list()).length === 0
    } catch (error) {
      this.#log.error({ err: error }, 'the hook journal cannot be read')
    }
  }

  /** Resolves when the event is on disk. Throws 503 if there is no room. */
  async keep(event: KeptEvent): Promise<void> {
    if (!this.files) throw notReadyError()
    if (this.#isIdle) this.#log.warn({}, 'database unavailable or silent; keeping hooks in the journal')
    this.#isIdle = false
    this.#started += 1
    this.#inProgress += 1
    try {
      await this.#writing.ask(event)
    } catch (error) {
      if (this.#refused === 0)
        this.#log.error({ err: error }, 'cannot keep a hook in the journal; counting further ones')
      this.#refused += 1
      throw notReadyError()
    } finally {
      this.#inProgress -= 1
    }
  }

  /** Returns the waiting files, the oldest first. If there are none, the next event goes straight to the inbox. */
  async listFiles(): Promise<JournalFile[]> {
    if (!this.files) return []
    const started = this.#started
    const files = await this.files.list()
    // A write that started in the meantime may be a file by now.
    if (files.length === 0 && this.#inProgress === 0 && this.#started === started) this.#isIdle = true
    return files
  }

  /** Returns how many events found no room since the last call. */
  takeRefused(): number {
    const refused = this.#refused
    this.#refused = 0
    return refused
  }
}

const notReadyError = () => new HttpError(503, 'The server is not ready, please try again in a moment')
