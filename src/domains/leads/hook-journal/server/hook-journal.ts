import { join } from 'node:path'
import { HttpError } from '#core/http/errors.ts'
import { DiskJournal, type JournalFile } from '#core/journal/disk-journal.ts'
import type { AppLogger } from '#core/log/log.ts'
import type { AppSettings } from '#core/settings/settings.ts'
import { RequestBatcher } from '../../intake/server/batcher.ts'
import type { ReceivedEvent } from '../../intake/server/inbox.ts'
import { type KnownSenders, noSenders, type SenderClaim } from '../../intake/server/known-senders.ts'

/** An event in the journal. `claim` is set while its sender is still unproved. */
export type KeptEvent = Omit<ReceivedEvent, 'body'> & { body: string; received_at: string; claim?: SenderClaim }

/** The most that one file takes. */
export const journalFileBytes = 8 * 1024 * 1024
/** How full the journal may be for events whose sender is not proven yet: a stranger must not fill it. */
const unprovenShare = 0.25

/**
 * Keeps hooks on disk while the database is away: CallRail never repeats one that was refused. From the first until the last of
 * them is in the inbox, each further one queues up behind, so that they stay in order.
 */
export class HookJournal {
  /** Null where the operator wants none. */
  readonly files: DiskJournal | null
  /** Who may send, as far as this process knows without the database. */
  senders: KnownSenders = noSenders
  readonly #writing: RequestBatcher<KeptEvent, true>
  readonly #log: AppLogger
  #isIdle = true
  /** Events that were ever begun to be kept, those that are under way, and those of this outage that found no room. */
  #begun = 0
  #underWay = 0
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

  /** Whether nothing waits here, so that events go to the inbox itself. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  /** Looks for what earlier processes left: it goes into the inbox before anything new does. */
  async open(): Promise<void> {
    try {
      this.#isIdle = !this.files || (await this.files.list()).length === 0
    } catch (error) {
      this.#log.error({ err: error }, 'the hook journal cannot be read')
    }
  }

  /** Resolves when the event is on disk; throws 503 where there is no room. */
  async keep(event: KeptEvent): Promise<void> {
    if (!this.files) throw notReadyError()
    if (this.#isIdle) this.#log.warn({}, 'database unavailable; hooks are kept in the journal')
    this.#isIdle = false
    this.#begun += 1
    this.#underWay += 1
    try {
      await this.#writing.ask(event)
    } catch (error) {
      if (this.#refused === 0)
        this.#log.error({ err: error }, 'a hook cannot be kept in the journal; further ones are counted')
      this.#refused += 1
      throw notReadyError()
    } finally {
      this.#underWay -= 1
    }
  }

  /** Returns what waits, the oldest first. Where nothing does, the next event goes to the inbox itself. */
  async look(): Promise<JournalFile[]> {
    if (!this.files) return []
    const begun = this.#begun
    const files = await this.files.list()
    // One that was begun since may be a file by now.
    if (files.length === 0 && this.#underWay === 0 && this.#begun === begun) this.#isIdle = true
    return files
  }

  /** Returns how many events found no room since it was asked last. */
  takeRefused(): number {
    const refused = this.#refused
    this.#refused = 0
    return refused
  }
}

const notReadyError = () => new HttpError(503, 'Leadline is not ready, please try again in a moment')
