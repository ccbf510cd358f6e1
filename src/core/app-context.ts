import type pg from 'pg'
import type { EventInbox } from '#domains/leads/intake/server/inbox.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import type { SmtpMailer } from '#integrations/smtp/smtp.ts'
import type { ObjectStore } from '#integrations/storage/storage.ts'
import type { Db } from './db/db.ts'
import type { JobQueue } from './jobs/jobs.ts'
import type { PgListener } from './live/live.ts'
import type { AppLogger } from './log/log.ts'
import type { SecretBox } from './secrets/secrets.ts'
import type { AppSettings } from './settings/settings.ts'

/** What every handler and job can reach. Made once at start; tests make one each. */
export type AppContext = {
  settings: AppSettings
  log: AppLogger
  db: Db
  pool: pg.Pool
  /** A read-only copy of the database, where the operator has one. */
  replica: { db: Db; pool: pg.Pool } | null
  secrets: SecretBox
  jobs: JobQueue
  live: PgListener
  mailer: SmtpMailer
  store: ObjectStore
  /** The way to hosts that other people name. */
  outbound: OutboundClient
  /** Where hooks put what they are sent. */
  inbox: EventInbox
  /** What this process works on besides jobs, while it does. */
  workers: { stop(): Promise<void> }[]
}
