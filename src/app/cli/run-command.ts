import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import { migrateDatabase } from '#app/server/migrate.ts'
import { type RestoreResult, restoreBackup } from '#core/backup/restore.ts'
import { HttpError } from '#core/http/errors.ts'
import { describeOperatorError } from '#core/http/operator-error.ts'
import { assertNotRunning } from '#core/live/live.ts'
import { toSourceStack } from '#core/log/source-stack.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { openSecretBox } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type AppSettings, readSettings } from '#domains/app-settings.ts'
import { addToErasureList, assertReplayable, type ErasureList } from '#domains/audit/erasures/server/erasure-list.ts'
import { InvalidFactsError } from '#domains/insights/public.ts'
import { ContradictionError } from '#domains/leads/import/server/import-file.ts'
import { openObjectStore } from '#integrations/storage/storage.ts'
import { closeContext, openDatabase, sessionUrl } from '../server/context.ts'
import { backupPlan } from '../server/parts.ts'

/**
 * Opens the context for one command and closes it again. If a running Leadline has started the private PostgreSQL, the command
 * uses it and leaves it running; otherwise it starts one until the command ends. It runs no jobs. If it must be `alone`, it is refused
 * while another process runs.
 */
export const withAppContext = (run: (context: AppContext) => Promise<void>, { alone = false } = {}): Promise<void> =>
  withDatabase(async ({ settings, url, log }) => {
    if (alone) await withClient(sessionUrl(settings, url), assertNotRunning) // before the context listens itself
    const context = await openDatabase(settings, url, log, { isScheduling: false })
    try {
      await run(context)
    } finally {
      log.level = 'silent' // connections that end with the server are expected
      await closeContext(context)
    }
  })

/** Runs a command on the migrated database, with whatever key it was encrypted, while no other process runs. */
export const withKeylessDatabase = (run: (client: pg.Client, settings: AppSettings) => Promise<void>): Promise<void> =>
  withDatabase(async ({ settings, url }) => {
    const session = sessionUrl(settings, url)
    await withClient(session, assertNotRunning)
    await migrateDatabase(session)
    await withClient(session, (client) => run(client, settings))
  })

async function withClient(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the query that fails reports it; unhandled, it would end the process
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}

/** Restores a backup before there is a context: its schema may be an older one. `erasures` are added to the stored list. */
export const restoreFromFolder = (folder: string, erasures: ErasureList): Promise<RestoreResult> =>
  withDatabase(({ settings, url }) => {
    const store = openObjectStore(settings)
    const secrets = openSecretBox(settings)
    return restoreBackup(
      {
        url: sessionUrl(settings, url),
        secrets,
        store,
        migrate: migrateDatabase,
        check: async (client) => {
          await assertReplayable({ db: drizzle(client), store, secrets }, erasures)
          await addToErasureList(store, erasures)
        },
      },
      backupPlan,
      folder,
    )
  })

async function withDatabase<Answer>(
  run: (place: { settings: AppSettings; url: string; log: Logger }) => Promise<Answer>,
): Promise<Answer> {
  const settings = readSettings()
  // Standard output is for the command's result.
  const log = pino({ level: settings.LOG_LEVEL === 'debug' ? 'debug' : 'warn' }, pino.destination(2))
  const server = settings.DATABASE_URL ? null : await startPostgres({ dataDir: settings.DATA_DIR, log })
  try {
    return await run({ settings, url: settings.DATABASE_URL ?? toConnectionUrl(server!.connection), log })
  } finally {
    await server?.stop()
  }
}

/** Prints one line for an error that the operator can fix; anything else is a bug and is printed with its stack. */
export function printError(error: unknown): void {
  const lines =
    error instanceof InvalidFactsError ? error.lines : (describeOperatorError(error) ?? [describeBug(error)])
  for (const line of lines) process.stderr.write(`${line}\n`)
}

const describeBug = (error: unknown) =>
  error instanceof Error ? toSourceStack(error.stack ?? error.message) : String(error)

/** A command that does not do what it is asked, with the reason as one line. */
export class RefusedCommandError extends HttpError {
  constructor(message: string) {
    super(422, message.replace(/\s*\n\s*/g, ' '))
  }
}

/** Returns 2 for a facts file with bad lines, a file that contradicts itself, and a command that refuses; else 1. */
export const getExitCode = (error: unknown): number =>
  error instanceof InvalidFactsError || error instanceof ContradictionError || error instanceof RefusedCommandError
    ? 2
    : 1

export const printLine = (line: string) => process.stdout.write(`${line}\n`)
