import { sql } from 'drizzle-orm'
import { customType, integer, timestamp } from 'drizzle-orm/pg-core'

/** Column kinds that every table shares. */

export const identity = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** An instant, stored with its zone, read as ISO 8601 in UTC. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 })
export const now = () => instant().notNull().default(sql`now()`)
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
