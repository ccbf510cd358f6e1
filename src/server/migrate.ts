import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { fillZipCodes } from '#domains/campaigns/area/zip-codes.ts'
import { Refusal } from './errors.ts'
import { root } from './settings.ts'

const oneAtATime = 7_318_201 // any number of ours

const folder = join(root, 'migrations')

type Journal = { entries: { tag: string }[] }
const journal = () => JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal // drizzle-kit wrote it

/** The newest migration of this version of ours. */
export const lastMigration = (): string => journal().entries.at(-1)!.tag

/**
 * Brings the database to today's schema and ZIP codes, the job queue's too, or to the schema after the migration `upTo`.
 * Processes that start together take turns.
 */
export async function migrate(connectionString: string, { upTo }: { upTo?: string } = {}): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [oneAtATime])
    // A lock that somebody holds makes the migration fail and be tried again, instead of stopping everybody behind it.
    await client.query(`set lock_timeout = '5s'`)
    await runMigrations(drizzle(client), { migrationsFolder: upTo ? migrationsUpTo(upTo) : folder })
    if (upTo) return
    await fillZipCodes(client)
  } finally {
    await client.end() // lets go of the lock too
  }
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
}

/** A copy of the migrations that ends with one of them. */
function migrationsUpTo(tag: string): string {
  const whole = journal()
  const last = whole.entries.findIndex((entry) => entry.tag === tag)
  if (last === -1) throw new Refusal(422, `This backup is of a newer Leadline: it has a migration ${tag}`)
  const copy = mkdtempSync(join(tmpdir(), 'leadline-migrations-'))
  cpSync(folder, copy, { recursive: true })
  writeFileSync(
    join(copy, 'meta/_journal.json'),
    JSON.stringify({ ...whole, entries: whole.entries.slice(0, last + 1) }),
  )
  return copy
}
