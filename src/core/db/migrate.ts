import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { HttpError } from '../http/errors.ts'
import { projectRoot } from '../settings/settings.ts'

const migrationLockId = 7_318_201 // an arbitrary number

/** Its time in the journal is that of the last migration before 0.1.0, whose schema it creates. */
const baseline = () => readJournal().entries[0]!
const tooOldMessage =
  'This database was written by a Leadline from before 0.1.0, or is only partly migrated: start commit bd70286f once, which migrates it, then start this version'

const migrationsPath = join(projectRoot, 'migrations')

type JournalEntry = { tag: string; when: number }
type MigrationJournal = { entries: JournalEntry[] }
const readJournal = () =>
  JSON.parse(readFileSync(join(migrationsPath, 'meta/_journal.json'), 'utf8')) as MigrationJournal // written by drizzle-kit

/** Returns the newest migration of this release. */
export const getLastMigration = (): string => readJournal().entries.at(-1)!.tag

/**
 * Migrates the database and the job queue to the current schema and fills the tables that ship with the product; or migrates only the
 * database, up to `upTo`. Each migration commits on its own, so that its locks are released before the next. Processes that start
 * together take turns.
 */
export async function applyMigrations(
  connectionString: string,
  { upTo, fillTables = [] }: { upTo?: string; fillTables?: ((client: pg.Client) => Promise<void>)[] } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLockId])
    // A migration that cannot get a lock fails and is retried later, instead of blocking all queries that queue behind it.
    await client.query(`set lock_timeout = '5s'`)
    const wanted = upTo ? entriesUpTo(upTo) : readJournal().entries
    const last = await findLastApplied(client)
    if (last !== 0 && last < baseline().when) throw new HttpError(409, tooOldMessage)
    for (const entry of wanted) if (entry.when > last) await applyMigration(client, entry)
    if (upTo) return
    for (const fillTable of fillTables) await fillTable(client)
  } finally {
    await client.end() // releases the lock too
  }
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
}

function entriesUpTo(tag: string): JournalEntry[] {
  const { entries } = readJournal()
  const last = entries.findIndex((entry) => entry.tag === tag)
  if (last === -1)
    throw new HttpError(
      422,
      `This backup was made by a newer Leadline, or by one before 0.1.0: it has the migration ${tag}, so restore it with that version`,
    )
  return entries.slice(0, last + 1)
}

/** Returns the creation time of the last migration that was applied to this database; 0 if there is none. */
async function findLastApplied(client: pg.Client): Promise<number> {
  const kept = 'drizzle.__drizzle_migrations' // Drizzle's own table
  const { rows: begun } = await client.query(`select to_regclass('${kept}') as kept`)
  if (begun[0].kept === null) return 0
  const { rows } = await client.query(`select coalesce(max(created_at), 0)::float8 as last from ${kept}`)
  return rows[0].last
}

/** Applies one migration: Drizzle applies a folder, so it gets one that holds only this migration. */
async function applyMigration(client: pg.Client, entry: JournalEntry): Promise<void> {
  const alone = mkdtempSync(join(tmpdir(), 'leadline-migration-'))
  try {
    mkdirSync(join(alone, 'meta'))
    writeFileSync(join(alone, 'meta/_journal.json'), JSON.stringify({ ...readJournal(), entries: [entry] }))
    copyFileSync(join(migrationsPath, `${entry.tag}.sql`), join(alone, `${entry.tag}.sql`))
    await runMigrations(drizzle(client), { migrationsFolder: alone })
  } finally {
    rmSync(alone, { recursive: true, force: true })
  }
}
