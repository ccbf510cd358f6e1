import type { House } from '#core/app-context.ts'
import { connect } from '#core/db/db.ts'
import { migrate } from '#core/db/migrate.ts'
import { Jobs } from '#core/jobs/jobs.ts'
import { Live } from '#core/live/live.ts'
import { createLog, type Log } from '#core/log/log.ts'
import { connectionUrl, startPostgres } from '#core/postgres/postgres.ts'
import { readKey, Secrets } from '#core/secrets/secrets.ts'
import { readSettings, type Settings, WrongSettings } from '#core/settings/settings.ts'
import { makeFirstAdmin } from '#domains/access/sign-in/server/first-admin.ts'
import { Inbox } from '#domains/leads/intake/server/inbox.ts'
import { startIntake } from '#domains/leads/intake/server/worker.ts'
import { giveUp } from '#domains/leads/mail/server/retry.ts'
import { keepWeeks } from '#domains/reports/counted-weeks/server/recount.ts'
import { Outbound } from '#integrations/outbound/outbound.ts'
import { createMailer } from '#integrations/smtp/smtp.ts'
import { openStore } from '#integrations/storage/storage.ts'
import { jobs } from './routes.ts'

type Opened = { house: House; close: () => Promise<void> }

/** Opens everything a process needs: settings, database, migrations, job queue. A wrong setting is one clear line, and exit 1. */
export async function openHouse(options: { work?: boolean } = {}): Promise<Opened> {
  const settings = settingsOrExit()
  const log = createLog(settings.LOG_LEVEL)
  const server = settings.DATABASE_URL ? null : await startPostgres({ dataDir: settings.DATA_DIR, log })
  const url = settings.DATABASE_URL ?? connectionUrl(server!.connection)
  await migrate(sessionUrl(settings, url))
  const house = await furnish(settings, url, log)
  await makeFirstAdmin(house)
  if (options.work !== false && settings.LEADLINE_ROLE !== 'web') await startWork(house)
  return {
    house,
    close: async () => {
      await leave(house)
      await server?.stop()
    },
  }
}

/**
 * The database's address for what needs a connection to itself: migrations, listening, the job queue. DATABASE_URL may lead through a
 * pooler that keeps none longer than a transaction.
 */
export const sessionUrl = (settings: Settings, url: string) =>
  url === settings.DATABASE_URL ? (settings.DATABASE_SESSION_URL ?? url) : url

/** The parts around a migrated database. Tests call it with a database of their own. */
export async function furnish(
  settings: Settings,
  url: string,
  log: Log = createLog(settings.LOG_LEVEL),
): Promise<House> {
  const session = sessionUrl(settings, url)
  const { pool, db } = connect(url, log, { pooler: session !== url })
  const live = new Live(session, log)
  const queue = new Jobs(session, log)
  const house: House = {
    settings,
    log,
    pool,
    db,
    replica: settings.DATABASE_REPLICA_URL ? connect(settings.DATABASE_REPLICA_URL, log) : null,
    live,
    jobs: queue,
    secrets: new Secrets(readKey(settings)),
    mailer: createMailer(settings),
    store: openStore(settings),
    outbound: new Outbound(settings),
    inbox: new Inbox(pool),
    workers: [],
  }
  await Promise.all([live.start(), queue.start(jobs), keepWeeks(db, settings.AGENCY_TIMEZONE)])
  return house
}

/** Schedules fire and queues drain here too. */
export async function startWork(house: House) {
  await giveUp(house)
  await house.jobs.work(house, jobs)
  house.workers.push(startIntake(house))
}

export async function leave(house: House) {
  await Promise.all([house.jobs.stop(), ...house.workers.map((worker) => worker.stop())])
  await house.live.stop()
  house.mailer.close()
  await Promise.all([house.pool.end(), house.replica?.pool.end()])
}

function settingsOrExit(): Settings {
  try {
    return readSettings()
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error
    for (const line of error.lines) process.stderr.write(`Setting ${line}\n`)
    process.exit(1)
  }
}
