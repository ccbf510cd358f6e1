import { applyMigrations } from '#core/db/migrate.ts'
import { fillZipCodes } from '#domains/campaigns/public.ts'

/** Migrates the database to the current schema, or to the schema after `upTo`, and fills the tables that ship with the product. */
export const migrateDatabase = (connectionString: string, options: { upTo?: string } = {}): Promise<void> =>
  applyMigrations(connectionString, { ...options, fillTables: [fillZipCodes] })
