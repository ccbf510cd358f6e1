import { describeOperatorError } from '#core/http/operator-error.ts'
import { type AppLogger, createLogger } from '#core/log/log.ts'
import { startPostgres } from '#core/postgres/postgres.ts'
import { type AppSettings, readSettings } from '#domains/app-settings.ts'

export type StartedProcess = {
  settings: AppSettings
  log: AppLogger
  /** Null if DATABASE_URL names one. */
  server: Awaited<ReturnType<typeof startPostgres>> | null
}

/**
 * Starts a process: settings, the log, and a private PostgreSQL if it needs one. It imports little, so that PostgreSQL
 * starts while the rest of the code loads. An invalid setting prints one clear line and exits with 1.
 */
export async function startProcess(): Promise<StartedProcess> {
  const settings = readSettingsOrExit()
  const log = createLogger(settings.LOG_LEVEL)
  const server = settings.DATABASE_URL ? null : await startPostgres({ dataDir: settings.DATA_DIR, log })
  return { settings, log, server }
}

function readSettingsOrExit(): AppSettings {
  try {
    return readSettings()
  } catch (error) {
    return exitWithMessage(error)
  }
}

/** Prints what the operator can mend, and exits with 1; throws any other error. */
export function exitWithMessage(error: unknown): never {
  const lines = describeOperatorError(error)
  if (lines === null) throw error
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exit(1)
}
