import pg from 'pg'
import { migrateDatabase } from '#app/server/migrate.ts'
import { opensSomeSecret } from '#core/backup/encrypted-columns.ts'
import { connectDatabase } from '#core/db/db.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { PgListener } from '#core/live/live.ts'
import { type AppLogger, createLogger } from '#core/log/log.ts'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { openSecretBox, readSecretKey, SecretBox } from '#core/secrets/secrets.ts'
import { InvalidSettingsError } from '#core/settings/settings.ts'
import { createFirstAdmin } from '#domains/access/sign-in/server/first-admin.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { replayErasures } from '#domains/audit/erasures/server/erasure-list.ts'
import { addEnvironmentConnections } from '#domains/connections/server/environment.ts'
import { findMailServer } from '#domains/connections/server/mail-server.ts'
import { HookJournal } from '#domains/leads/hook-journal/server/hook-journal.ts'
import { startJournalReplay } from '#domains/leads/hook-journal/server/replay-journal.ts'
import { EventInbox } from '#domains/leads/intake/server/inbox.ts'
import { mailOutbox } from '#domains/leads/mail/server/outbox.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { createMailer } from '#integrations/smtp/smtp.ts'
import { openObjectStore } from '#integrations/storage/storage.ts'
import { allJobs, allWorkers, backupPlan, declaredParts, liveChannels } from './parts.ts'
import { type StartedProcess, startProcess } from './start-process.ts'

type OpenedContext = { context: AppContext; close: () => Promise<void> }

type OpenOptions = { work?: boolean; started?: Promise<StartedProcess> }

/** Opens everything a process needs: settings, database, migrations, job queue. */
export async function openContext({ work = true, started = startProcess() }: OpenOptions = {}): Promise<OpenedContext> {
  const { settings, log, server } = await started
  const url = settings.DATABASE_URL ?? toConnectionUrl(server!.connection)
  const context = await openDatabase(settings, url, log)
  await createFirstAdmin(context)
  await replayOrWarn(context)
  if (work) {
    if (settings.LEADLINE_ROLE !== 'web') await startWorkers(context)
    context.workers.push(startJournalReplay(context))
  }
  return {
    context,
    close: async () => {
      await closeContext(context)
      await server?.stop()
    },
  }
}

/**
 * Returns the database address for work that needs a dedicated connection: migrations, listening, the job queue. DATABASE_URL may go
 * through a pooler that holds no connection longer than a transaction.
 */
export const sessionUrl = (settings: AppSettings, url: string) =>
  url === settings.DATABASE_URL ? (settings.DATABASE_SESSION_URL ?? url) : url

/** Migrates the database, and builds the context on it if SECRET_KEY is the one that it was encrypted with. */
export async function openDatabase(
  settings: AppSettings,
  url: string,
  log: AppLogger,
  options: ContextOptions = {},
): Promise<AppContext> {
  await migrateDatabase(sessionUrl(settings, url))
  await assertSecretKey(settings, sessionUrl(settings, url))
  return createContext(settings, url, log, options)
}

type ContextOptions = Pick<NonNullable<ConstructorParameters<typeof JobQueue>[2]>, 'isScheduling'>

/** Another key would fail later and one thing at a time, and no other process could open what this one encrypts. */
async function assertSecretKey(settings: AppSettings, url: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the query that fails reports it; unhandled, it would end the process
  await client.connect()
  try {
    if (await opensSomeSecret(client, backupPlan.encryptedColumns, openSecretBox(settings))) return
  } finally {
    await client.end()
  }
  throw new InvalidSettingsError([
    'SECRET_KEY is not the one that this database was encrypted with: set the key that it was used with before and that its other machines have, or put their secret.key into DATA_DIR. docs/operating.md says what to do if it is lost',
  ])
}

/** Builds the context on a migrated database. Tests call it with their own database. */
export async function createContext(
  settings: AppSettings,
  url: string,
  log: AppLogger = createLogger(settings.LOG_LEVEL),
  options: ContextOptions = {},
): Promise<AppContext> {
  const session = sessionUrl(settings, url)
  const { pool, db } = connectDatabase(url, log, { pooler: session !== url })
  const live = new PgListener(session, liveChannels, log)
  const queue = new JobQueue(session, log, options)
  const context: AppContext = {
    settings,
    log,
    pool,
    db,
    replica: settings.DATABASE_REPLICA_URL ? connectDatabase(settings.DATABASE_REPLICA_URL, log) : null,
    live,
    jobs: queue,
    secrets: new SecretBox(readSecretKey(settings)),
    mailer: createMailer((from) => findMailServer(context, from)),
    store: openObjectStore(settings),
    outbound: new OutboundClient(settings),
    inbox: new EventInbox(pool),
    hookJournal: new HookJournal(settings, log),
    workers: [],
  }
  await addEnvironmentConnections(context)
  await Promise.all([live.start(), queue.start(allJobs), context.hookJournal.open()])
  return context
}

/** Makes this process fire schedules and drain queues. */
export async function startWorkers(context: AppContext) {
  await mailOutbox.expire(context)
  await context.jobs.work(context, allJobs)
  context.workers.push(...allWorkers.map((start) => start(context)))
}

export async function closeContext(context: AppContext) {
  await Promise.all([context.jobs.stop(), ...context.workers.map((worker) => worker.stop())])
  await context.live.stop()
  context.mailer.close()
  await Promise.all([context.pool.end(), context.replica?.pool.end()])
}

/** Erases people again if an older database was put back by any means. An unreadable list does not stop the start. */
async function replayOrWarn(context: AppContext) {
  try {
    const replayed = await replayErasures({ ...context, ...declaredParts })
    if (replayed > 0) context.log.warn({ replayed }, 'people were erased again from a restored database')
  } catch (error) {
    context.log.error({ err: error }, 'the list of erased people could not be replayed')
  }
}
