import { sql } from 'drizzle-orm'
import { fromDrizzle, type JobResult, PgBoss } from 'pg-boss'
import { getErrorMessage } from '#contract/error-message.ts'
import type { Tx } from '../db/db.ts'
import type { AppLogger } from '../log/log.ts'
import { createForwardClock } from './forward-clock.ts'

/**
 * A job: a name, a function, and a schedule if it has one. The function only calls its domain, and must be safe to run twice.
 * `cron` is in UTC. Exactly one process runs each slot of a schedule; of the hourly and daily slots that passed while none ran, the last one
 * is run after all.
 */
export type JobDefinition<Data extends object, Context> = {
  name: string
  run: (context: Context, data: Data) => Promise<void>
  cron?: string
  /** How many jobs of this name one process runs at a time; 2 if left out. */
  concurrency?: number
  retries?: number
  /** Where its data has `sealed`: the place to which that is bound. A change of the key encrypts again what waits. */
  sealPlace?: string
}

// A worker without a heartbeat for 20 s has died. Another one takes its job within 45 s: the sum of the lease, the interval of
// lease checks, the delay of a first retry, and the interval of queue polls. A job that still runs after an hour counts as hung: it
// is started again, beside itself if it is not.
const leaseOptions = { heartbeatSeconds: 20, expireInSeconds: 3600, retryBackoff: true, retryDelay: 2 } as const
const queueOptionNames = ['heartbeatSeconds', 'expireInSeconds', 'retryLimit'] as const
const [leaseCheckSeconds, queuePollSeconds] = [8, 10]

/** Queues in PostgreSQL (pg-boss): jobs are enqueued in the transaction of the write that causes them. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #log: AppLogger
  readonly #pace: number
  #working = false
  /** The number of done and failed jobs in this process, by name. */
  readonly outcomes = new Map<string, { done: number; failed: number }>()
  readonly #stopping = new AbortController()

  /**
   * `pace` is the longest interval, in seconds, at which schedules, queues and the jobs of dead workers are checked. `isScheduling`: whether
   * schedules fire here; a command, which works on nothing, would queue what was missed each time.
   */
  constructor(connectionString: string, log: AppLogger, { pace = 30, isScheduling = true } = {}) {
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
      clock: createForwardClock(),
      // Migrations have created the schema; a start only checks it.
      migrate: true,
      schedule: isScheduling,
    })
    // Logs messages only: an error includes the whole client, a warning the values of a statement.
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
      else if (queueOptionNames.some((option) => queue[option] !== options[option]))
        await this.#boss.updateQueue(name, options) // created by an earlier version
    }
  }

  /** Starts working: schedules fire and queues drain in this process too. */
  async work<Context>(context: Context, jobs: readonly JobDefinition<never, Context>[]): Promise<void> {
    this.#working = true
    for (const { name, run, cron, concurrency } of jobs) {
      const options = {
        // Jobs of a batch run together but complete or fail on their own; after a full batch the next follows at once.
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
      // What runs every few minutes is soon due again, and not beside itself.
      if (cron) await this.#boss.schedule(name, cron, {}, { missed: cron.startsWith('*') ? 'skip' : 'once' })
    }
  }

  /** Runs one job, logs it, and returns its result; a failed one is retried later. */
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
      return { id, status: 'failed', output: { message: getErrorMessage(error) } }
    }
  }

  /**
   * Enqueues a job in the given transaction: no commit, no job. With `key`, nothing is enqueued while a job of the same key waits;
   * `after` is the delay in seconds.
   */
  async send<Data extends object>(
    tx: Tx,
    { name }: Pick<JobDefinition<Data, never>, 'name'>,
    data: Data,
    options: { key?: string; after?: number } = {},
  ): Promise<void> {
    if (options.key && (await isJobWaiting(tx, name, options.key))) return
    await this.#boss.send(name, data, {
      db: fromDrizzle(tx, sql),
      ...(options.key ? { singletonKey: options.key } : {}),
      ...(options.after ? { startAfter: options.after } : {}),
    })
  }

  /** Enqueues many jobs of one name in one statement. */
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

  /** Aborted when the process shuts down: a long job must not start anything new then. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Returns whether a long job has to end, after a minute or when the process stops: another one goes on. */
  createTimeLimit(): () => boolean {
    const end = Date.now() + 60_000
    return () => this.stopping.aborted || Date.now() > end
  }

  /** Waits up to 15 s for running jobs, then stops. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#boss.stop({ graceful: true, timeout: 15_000 })
  }
}

/**
 * Holds the job that waits until the transaction ends, or it could run before what is written here is there. pg-boss does this by itself only
 * for queues that were created with such a policy.
 */
async function isJobWaiting(tx: Tx, name: string, key: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from pgboss.job where name = ${name} and singleton_key = ${key} and state = 'created'
    limit 1 for key share skip locked`)
  return rows.length > 0
}
