import type pg from 'pg'
import type { Inbox } from '#domains/leads/intake/server/inbox.ts'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import type { Mailer } from '#integrations/smtp/smtp.ts'
import type { Store } from '#integrations/storage/storage.ts'
import type { Db } from './db/db.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Live } from './live/live.ts'
import type { Log } from './log/log.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Settings } from './settings/settings.ts'

/** What every handler and job can reach. Made once at start; tests make one each. */
export type House = {
  settings: Settings
  log: Log
  db: Db
  pool: pg.Pool
  /** A read-only copy of the database, where the operator has one. */
  replica: { db: Db; pool: pg.Pool } | null
  secrets: Secrets
  jobs: Jobs
  live: Live
  mailer: Mailer
  store: Store
  /** The way to hosts that other people name. */
  outbound: Outbound
  /** Where hooks put what they are sent. */
  inbox: Inbox
  /** What this process works on besides jobs, while it does. */
  workers: { stop(): Promise<void> }[]
}
