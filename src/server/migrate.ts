import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { fillZipCodes } from '#domains/campaigns/area/zip-codes.ts'
import { root } from './settings.ts'

const oneAtATime = 7_318_201 // any number of ours

/** Brings the database to today's schema and ZIP codes, the job queue's too. Processes that start together take turns. */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [oneAtATime])
    // A lock that somebody holds makes the migration fail and be tried again, instead of stopping everybody behind it.
    await client.query(`set lock_timeout = '5s'`)
    await runMigrations(drizzle(client), { migrationsFolder: join(root, 'migrations') })
    await fillZipCodes(client)
  } finally {
    await client.end() // lets go of the lock too
  }
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
}
