import { type Logger, pino } from 'pino'
import type { House } from '#core/app-context.ts'
import { type Restored, restore } from '#core/backup/restore.ts'
import { migrate } from '#core/db/migrate.ts'
import { isUnavailable, Refusal } from '#core/http/errors.ts'
import { connectionUrl, startPostgres } from '#core/postgres/postgres.ts'
import { readKey, Secrets } from '#core/secrets/secrets.ts'
import { readSettings, type Settings, WrongSettings } from '#core/settings/settings.ts'
import { openStore } from '#integrations/storage/storage.ts'
import { furnish, leave, sessionUrl } from '../server/context.ts'

/**
 * Opens the house for one command and closes it again. A private PostgreSQL that a running Leadline has started is
 * joined and left running; otherwise one is started for as long as the command takes. Nothing is worked off meanwhile.
 */
export const withHouse = (run: (house: House) => Promise<void>): Promise<void> =>
  withDatabase(async ({ settings, url, log }) => {
    await migrate(sessionUrl(settings, url))
    const house = await furnish(settings, url, log)
    try {
      await run(house)
    } finally {
      log.level = 'silent' // connections that end with the server are no news any more
      await leave(house)
    }
  })

/** Puts a backup in place before there is a house: its schema may be an older one. */
export const restoreHere = (folder: string): Promise<Restored> =>
  withDatabase(({ settings, url }) => {
    const store = openStore(settings)
    return restore({ url: sessionUrl(settings, url), secrets: new Secrets(readKey(settings)), store }, folder)
  })

async function withDatabase<Answer>(
  run: (place: { settings: Settings; url: string; log: Logger }) => Promise<Answer>,
): Promise<Answer> {
  const settings = readSettings()
  // Standard output belongs to what the command answers.
  const log = pino({ level: settings.LOG_LEVEL === 'debug' ? 'debug' : 'warn' }, pino.destination(2))
  const server = settings.DATABASE_URL ? null : await startPostgres({ dataDir: settings.DATA_DIR, log })
  try {
    return await run({ settings, url: settings.DATABASE_URL ?? connectionUrl(server!.connection), log })
  } finally {
    await server?.stop()
  }
}

/** One line for what a person can mend; whatever else is a bug, and is shown whole. */
export function complain(error: unknown): void {
  const lines =
    error instanceof WrongSettings
      ? error.lines.map((line) => `Setting ${line}`)
      : error instanceof Refusal
        ? [
            Object.values(error.errors ?? { '': [error.message] })
              .flat()
              .join('. '),
          ]
        : isUnavailable(error)
          ? ['The database does not answer; is DATABASE_URL right?']
          : [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
}

export const say = (line: string) => process.stdout.write(`${line}\n`)
