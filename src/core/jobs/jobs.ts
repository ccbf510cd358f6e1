import { sql } from 'drizzle-orm'
import { fromDrizzle, type JobResult, PgBoss } from 'pg-boss'
import type { Tx } from '../db/db.ts'
import type { AppLogger } from '../log/log.ts'

/**
 * A job: a name, what runs, and (for scheduled ones) when. It is shallow: it calls its domain, and survives running twice.
 * `cron` is read in UTC. Exactly one process runs each slot of a schedule.
 */
export type JobDefinition<Data extends object, Context> = {
  name: string
  run: (context: Context, data: Data) => Promise<void>
  cron?: string
  /** How many of them one process runs at a time, 2 or more. */
  concurrency?: number
  retries?: number
}

// A worker that stops beating for 20 s has died; its job is another's within 45: the lease, a look at the leases, the delay of a
// first retry and a look at the queue together.
const leaseOptions = { heartbeatSeconds: 20, expireInSeconds: 600, retryBackoff: true, retryDelay: 2 } as const
const [leaseCheckSeconds, queuePollSeconds] = [8, 10]

/** Queues in PostgreSQL (pg-boss): jobs are enqueued in the transaction of the write that causes them. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #log: AppLogger
  readonly #pace: number
  #working = false
  /** How many jobs of each name ended how, in this process. */
  readonly outcomes = new Map<string, { done: number; failed: number }>()
  readonly #stopping = new AbortController()

  /** `pace` is how often schedules, queues and the jobs of workers that died are looked at at least, in seconds. */
  constructor(connectionString: string, log: AppLogger, pace = 30) {
    this.#log = log
    this.#pace = pace
    this.#boss = new PgBoss({
      connectionString,
      max: 4,
      useListenNotify: true,
      cronMonitorIntervalSeconds: pace,
      cronWorkerIntervalSeconds: Math.min(pace, 5),
      superviseIntervalSeconds: Math.min(pace, leaseCheckSeconds),
      monitorIntervalSeconds: Math.min(pace, leaseCheckSeconds),
      // The migrations made the schema; a start only checks it.
      migrate: true,
    })
    // An error carries the whole client, a warning the values of a statement; their words are enough.
    this.#boss.on('error', ({ message }) => log.warn({ reason: message }, 'job queue'))
    this.#boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue'))
  }

  async start(jobs: readonly Pick<JobDefinition<never, never>, 'name' | 'retries'>[]): Promise<void> {
    await this.#boss.start()
    const known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const { name, retries } of jobs) {
      const options = { ...leaseOptions, retryLimit: retries ?? 5, notify: true }
      const queue = known.get(name)
      if (!queue) await this.#boss.createQueue(name, options)
      else if (queue.heartbeatSeconds !== leaseOptions.heartbeatSeconds || queue.retryLimit !== options.retryLimit)
        await this.#boss.updateQueue(name, options) // an earlier version made it
    }
  }

  /** Starts working: schedules fire and queues drain in this process too. */
  async work<Context>(context: Context, jobs: readonly JobDefinition<never, Context>[]): Promise<void> {
    this.#working = true
    for (const { name, run, cron, concurrency } of jobs) {
      const options = {
        // Fetched and run together, each settled by its own outcome; a full batch is followed by the next at once.
        batchSize: concurrency ?? 2,
        perJobResults: true,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: Math.max(2, Math.min(this.#pace, queuePollSeconds)),
      } as const
      await this.#boss.work(
        name,
        options,
        (found) => Promise.all(found.map(({ id, data }) => this.#settle(name, id, () => run(context, data as never)))), // the sender's type is the job's own
      )
      if (cron) await this.#boss.schedule(name, cron, {})
    }
  }

  /** Runs one job, logs it, and answers how it ended; a failed one is tried again later. */
  async #settle(job: string, id: string, run: () => Promise<void>): Promise<JobResult> {
    const started = performance.now()
    const outcomes = this.outcomes.get(job) ?? { done: 0, failed: 0 }
    this.outcomes.set(job, outcomes)
    const said = (outcome: string) => ({ job, id, ms: Math.round(performance.now() - started), outcome })
    try {
      await run()
      outcomes.done += 1
      this.#log.info(said('done'), 'job')
      return { id, status: 'completed' }
    } catch (error) {
      outcomes.failed += 1
      this.#log.error({ ...said('failed'), err: error }, 'job')
      return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
    }
  }

  /**
   * Enqueues in the given transaction: no commit, no job. `key` makes a second one of the same key a no-op while the first waits;
   * `after` is in how many seconds it may begin.
   */
  async send<Data extends object>(
    tx: Tx,
    { name }: Pick<JobDefinition<Data, never>, 'name'>,
    data: Data,
    options: { key?: string; after?: number } = {},
  ): Promise<void> {
    await this.#boss.send(name, data, {
      db: fromDrizzle(tx, sql),
      ...(options.key ? { singletonKey: options.key } : {}),
      ...(options.after ? { startAfter: options.after } : {}),
    })
  }

  /** Many of one kind in one statement. */
  async sendAll<Data extends object>(
    tx: Tx,
    { name }: Pick<JobDefinition<Data, never>, 'name'>,
    data: Data[],
  ): Promise<void> {
    if (data.length === 0) return
    const jobs = data.map((one) => ({ data: one }))
    await this.#boss.insert(name, jobs, { db: fromDrizzle(tx, sql) })
  }

  get working() {
    return this.#working
  }

  /** Aborted when the process is asked to leave: a long job begins nothing more then. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Finishes what runs, then lets go. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#boss.stop({ graceful: true, timeout: 15_000 })
  }
}
