import type pg from 'pg'
import type { Db } from './db/db.ts'
import type { JobQueue } from './jobs/jobs.ts'
import type { PgListener } from './live/live.ts'
import type { AppLogger } from './log/log.ts'
import type { SecretBox } from './secrets/secrets.ts'
import type { CoreSettings } from './settings/settings.ts'

/** The parts of a running process that src/core needs. The app adds its own. */
export type CoreContext = {
  settings: CoreSettings
  log: AppLogger
  db: Db
  pool: pg.Pool
  /** A read-only copy of the database, if the operator has one. */
  replica: { db: Db; pool: pg.Pool } | null
  secrets: SecretBox
  jobs: JobQueue
  live: PgListener
}
