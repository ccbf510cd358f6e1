import { type SQL, sql } from 'drizzle-orm'
import { registrationsTable } from '../schema.ts'

/** A nameserver of a joined registration, counted from 1. */
export const nameserverSql = (position: 1 | 2): SQL<string | null> =>
  sql`${registrationsTable.nameservers}[${sql.raw(String(position))}]`
